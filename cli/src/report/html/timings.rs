//! The times of the page, each as a line of text: so that thousands of rows stay small.
//!
//! A line is `calls per recording,calls,estimate,packed,undisturbed,percentiles`, where what is packed
//! are the lower and the upper end of the interval and then the rounds. The rounds on an undisturbed
//! core are packed by themselves, and the percentiles are, where there are any.

use std::fmt;

use serde::Serialize;

use super::data::Detail;
use super::pack::pack;
use crate::protocol::Op;
use crate::results::statistics::{Estimate, Mean, Series};
use crate::results::{DatasetResult, Row, Timing};

/// A number with five significant digits, which is more than any measurement has.
#[derive(Clone, Copy)]
pub struct Number(pub f64);

impl Number {
    fn short(self) -> f64 {
        format!("{:.4e}", self.0).parse().unwrap_or(self.0)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.short().fmt(f)
    }
}

impl Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let short = self.short();
        match short.fract() == 0.0 && short.abs() < 1e15 {
            true => to.serialize_i64(short as i64),
            false => to.serialize_f64(short),
        }
    }
}

/// The times of a row, in the order of [`Op::ALL`].
pub fn of(row: &Row, bins: &Bins, detail: Detail) -> Vec<Option<String>> {
    if row.timings.is_empty() {
        return Vec::new();
    }
    let timings = Op::ALL.iter().map(|op| row.timings.get(op));
    known(timings.map(|timing| line(timing?, bins, detail)))
}

/// The times of zstd, by level.
pub fn of_zstd(row: &Row, levels: &[i32], bins: &Bins, detail: Detail) -> Vec<Vec<Option<String>>> {
    if row.zstd_timings.is_empty() {
        return Vec::new();
    }
    let of_level = |level: &i32| {
        let timed = |together| {
            let mut timings = row.zstd_timings.iter();
            timings.find(|zstd| (zstd.level, zstd.together) == (*level, together))
        };
        let line = |timing: &Timing| line(timing, bins, detail);
        let [separate, together] = [timed(false), timed(true)];
        known([
            separate.and_then(|zstd| line(&zstd.compress)),
            separate.and_then(|zstd| line(&zstd.decompress)),
            together.and_then(|zstd| line(&zstd.compress)),
            together.and_then(|zstd| line(&zstd.decompress)),
        ])
    };
    levels.iter().map(of_level).collect()
}

/// What is known, up to the last of it: nothing need be said of what is missing behind.
pub fn known<T>(all: impl IntoIterator<Item = Option<T>>) -> Vec<Option<T>> {
    let mut all = all.into_iter().collect::<Vec<_>>();
    let last = all.iter().rposition(Option::is_some);
    all.truncate(last.map_or(0, |last| last + 1));
    all
}

fn line(timing: &Timing, bins: &Bins, detail: Detail) -> Option<String> {
    let over_rounds = timing.over_rounds()?;
    let mut line = format!(
        "{},{},{}",
        timing.batch,
        timing.calls,
        estimate(over_rounds, detail.digits)
    );
    let pack = |times: Vec<_>| pack(times, over_rounds.value, detail.digits);
    let series = timing.series();
    line += &pack(bins.of(&series, |mean| Some(mean.plain_ns)));
    let undisturbed = bins.of(&series, |mean| mean.undisturbed_ns);
    let curve = timing.tails_ns(detail.quantiles);
    line += &format!(
        ",{},{}",
        pack(undisturbed),
        pack(curve.into_iter().map(Some).collect())
    );
    // Thousands of lines of a large matrix have neither.
    line.truncate(line.trim_end_matches(',').len());
    Some(line)
}

/// `estimate,packed`: its value, and the ends of its interval.
pub fn estimate(Estimate { value, interval }: Estimate, digits: u32) -> String {
    let (low, high) = interval.unzip();
    format!("{},{}", Number(value), pack([low, high], value, digits))
}

/// Neighbouring rounds taken together.
pub struct Bins {
    /// The first round's number.
    first: u32,
    /// How many bins.
    count: u32,
    /// How many rounds each has.
    pub width: u64,
}

impl Bins {
    /// Takes rounds together until there are no more than so many; with none, none are kept.
    pub fn new(dataset: &DatasetResult, at_most: u32) -> Self {
        let timings = || dataset.rows.iter().flat_map(|row| row.timings.values());
        let rounds = || {
            timings()
                .flat_map(|timing| &timing.rounds)
                .map(|round| round.number)
        };
        let first = rounds().min().unwrap_or(0);
        let all = rounds().max().map_or(0, |last| u64::from(last - first) + 1);
        let width = match at_most {
            0 => 1,
            most => all.div_ceil(most.into()).max(1),
        };
        Self {
            first,
            count: all.div_ceil(width).min(at_most.into()) as u32,
            width,
        }
    }

    /// The mean of each bin; none where a round is missing, since a ratio of two bins holds only
    /// when both are of the same rounds.
    fn of(&self, series: &Series, time: impl Fn(&Mean) -> Option<f64>) -> Vec<Option<f64>> {
        let mut means = (0..self.count)
            .map(|bin| self.mean(series, bin, &time))
            .collect::<Vec<_>>();
        let known = means
            .iter()
            .rposition(Option::is_some)
            .map_or(0, |last| last + 1);
        means.truncate(known);
        means
    }

    fn mean(&self, series: &Series, bin: u32, time: impl Fn(&Mean) -> Option<f64>) -> Option<f64> {
        let start = u64::from(self.first) + u64::from(bin) * self.width;
        // What is beyond the last number that a round can have is in no bin.
        let number = |round: u64| u32::try_from(round).unwrap_or(u32::MAX);
        let times = series
            .range(number(start)..=number(start + self.width - 1))
            .filter_map(|(_, mean)| time(mean));
        let sum = times.clone().sum::<f64>();
        (times.count() as u64 == self.width).then(|| sum / self.width as f64)
    }
}
