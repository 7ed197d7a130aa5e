//! Which part of a run falls to one of several machines.

use crate::error::Error;
use crate::run::Codec;

/// The share of one machine.
#[derive(Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which datasets, by their place.
    datasets: Vec<usize>,
    /// Which part of the codecs, from 0, and of how many.
    part: (usize, usize),
}

impl Shard {
    /// What falls to machine `number` of `of`: whole datasets while there are enough, since a ratio
    /// holds only between rows that were timed side by side. With fewer datasets than machines,
    /// those that share a dataset divide its codecs.
    pub fn new((number, of): (usize, usize), datasets: usize) -> Self {
        let place = number - 1;
        if of <= datasets {
            return Self {
                datasets: (place..datasets).step_by(of).collect(),
                part: (0, 1),
            };
        }
        let dataset = place % datasets;
        Self {
            datasets: vec![dataset],
            part: (place / datasets, (of - dataset).div_ceil(datasets)),
        }
    }

    /// Keeps the datasets that fall to it.
    pub fn datasets<T>(&self, all: Vec<T>) -> Vec<T> {
        let mine = all.into_iter().enumerate();
        mine.filter(|(place, _)| self.datasets.contains(place))
            .map(|(_, dataset)| dataset)
            .collect()
    }

    /// Keeps the codecs that fall to it: its part, the baselines, and the one that all are compared
    /// with, without which rows of different machines would have nothing in common.
    pub fn codecs(&self, all: Vec<Codec>, reference: Option<&str>) -> Result<Vec<Codec>, Error> {
        let (part, parts) = self.part;
        if parts == 1 {
            return Ok(all);
        }
        let Some(reference) = reference else {
            return Err(Error::usage(
                "there are more shards than datasets, so the codecs are divided too; name the one \
                 that every shard measures and compares with, as in --reference postcard",
            ));
        };
        let is_common = |codec: &Codec| codec.info.has("baseline") || codec.info.id == reference;
        let (mut mine, divided): (Vec<_>, Vec<_>) = all.into_iter().partition(is_common);
        mine.extend(divided.into_iter().skip(part).step_by(parts));
        Ok(mine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard(number: usize, of: usize, datasets: usize) -> (Vec<usize>, (usize, usize)) {
        let shard = Shard::new((number, of), datasets);
        (shard.datasets, shard.part)
    }

    #[test]
    fn whole_datasets_where_there_are_enough() {
        assert_eq!(shard(1, 1, 3), (vec![0, 1, 2], (0, 1)));
        assert_eq!(shard(1, 2, 3), (vec![0, 2], (0, 1)));
        assert_eq!(shard(2, 2, 3), (vec![1], (0, 1)));
        assert_eq!(shard(3, 3, 3), (vec![2], (0, 1)));
    }

    #[test]
    fn parts_of_the_codecs_where_there_are_not() {
        assert_eq!(shard(2, 4, 1), (vec![0], (1, 4)));
        // Five machines for two datasets: three for the first, two for the second.
        let all = (1..=5)
            .map(|number| shard(number, 5, 2))
            .collect::<Vec<_>>();
        assert_eq!(all[0], (vec![0], (0, 3)));
        assert_eq!(all[1], (vec![1], (0, 2)));
        assert_eq!(all[2], (vec![0], (1, 3)));
        assert_eq!(all[3], (vec![1], (1, 2)));
        assert_eq!(all[4], (vec![0], (2, 3)));
    }
}
