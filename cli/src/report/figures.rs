//! The figures of one row, computed once from its raw numbers.

use std::collections::BTreeMap;

use crate::protocol::{CodecInfo, Op, PluginInfo};
use crate::results::statistics::{Estimate, Series, ratio, sum};
use crate::results::{DatasetResult, Row, Run, Status, Timing};

/// One row of a dataset, with what can be computed from it.
pub struct Figures<'a> {
    /// The raw numbers.
    pub row: &'a Row,
    /// The descriptor of its plugin and its codec, where the file has it.
    pub described: Option<(&'a PluginInfo, &'a CodecInfo)>,
    /// The mean size of a value.
    pub size: Option<f64>,
    /// The times, by operation.
    pub times: BTreeMap<Op, Times>,
    /// Writing and reading a value, every field included, in nanoseconds.
    pub both_ways: Option<f64>,
    /// The same, as a ratio to the reference.
    pub both_ways_ratio: Option<Estimate>,
    /// How many values the dataset has.
    values: f64,
}

/// The times of one operation, in nanoseconds.
pub struct Times {
    /// The typical time of a call.
    pub typical: Option<f64>,
    /// What 99 % and 99.9 % of the calls do not exceed, where enough were timed one by one.
    pub tails: [Option<f64>; 2],
    /// The mean of a slice, as the median over rounds with its interval.
    pub rounds: Option<Estimate>,
    /// How many rounds there were.
    pub rounds_measured: u64,
    /// In how many of them there were calls while nobody else used the core.
    pub rounds_undisturbed: u64,
    /// The least and the largest mean of a slice.
    pub range: Option<(f64, f64)>,
    /// How many calls one recorded time covers.
    pub batch: u64,
    /// How many calls were recorded.
    pub calls: u64,
    /// The ratio to the reference.
    pub ratio: Option<Estimate>,
}

impl<'a> Figures<'a> {
    /// The rows of a dataset: those that compete, by how long writing and reading take; then those
    /// without a time; then the baselines.
    pub fn of_dataset(run: &'a Run, dataset: &'a DatasetResult) -> Vec<Self> {
        let reference = dataset
            .rows
            .iter()
            .find(|row| Some(&row.codec) == dataset.reference.as_ref() && row.status == Status::Ok);
        let mut rows = dataset
            .rows
            .iter()
            .map(|row| Self::new(run, dataset, row, reference))
            .collect::<Vec<_>>();
        rows.sort_by(|a, b| {
            a.place()
                .partial_cmp(&b.place())
                .expect("times are numbers")
        });
        rows
    }

    fn new(run: &'a Run, dataset: &'a DatasetResult, row: &'a Row, base: Option<&Row>) -> Self {
        let values = dataset.values.max(1) as f64;
        let times = row
            .timings
            .iter()
            .map(|(op, timing)| {
                (
                    *op,
                    Times::new(timing, base.and_then(|b| b.timings.get(op))),
                )
            })
            .collect::<BTreeMap<_, _>>();
        let typical = |op| times.get(&op).and_then(|times: &Times| times.typical);
        Self {
            row,
            described: run.describe(row),
            size: row.sizes.as_ref().map(|sizes| sizes.total as f64 / values),
            both_ways: Option::zip(typical(Op::Serialize), typical(Op::DeserializeRead))
                .map(|(write, read)| write + read),
            both_ways_ratio: both_ways(row)
                .zip(base.and_then(both_ways))
                .and_then(|(row, base)| ratio(&row, &base)),
            times,
            values,
        }
    }

    /// The mean size of a value after compression by itself.
    pub fn zstd(&self, level: i32) -> Option<f64> {
        let sizes = self.row.sizes.as_ref()?.zstd.iter();
        let found = sizes.clone().find(|sizes| sizes.level == level)?;
        Some(found.separate as f64 / self.values)
    }

    /// The mean size of a value when all of them are compressed as one.
    pub fn zstd_together(&self, level: i32) -> Option<f64> {
        let sizes = self.row.sizes.as_ref()?.zstd.iter();
        let found = sizes.clone().find(|sizes| sizes.level == level)?;
        Some(found.together as f64 / self.values)
    }

    /// How long zstd takes to compress a value and to decompress it, each by itself or, where they
    /// are `together`, all of them as one.
    pub fn zstd_times(&self, level: i32, together: bool) -> Option<(f64, f64)> {
        let mut timings = self.row.zstd_timings.iter();
        let zstd = timings.find(|zstd| (zstd.level, zstd.together) == (level, together))?;
        Option::zip(zstd.compress.typical_ns(), zstd.decompress.typical_ns())
    }

    /// Whether the row is a floor to compare with, not a competitor.
    pub fn is_baseline(&self) -> bool {
        self.has("baseline")
    }

    /// Whether hostile bytes are undefined behaviour to the codec.
    pub fn is_trusted(&self) -> bool {
        self.described
            .is_some_and(|(_, codec)| codec.validation == "trusted")
    }

    /// Whether the codec has the capability of that name.
    pub fn has(&self, capability: &str) -> bool {
        self.described
            .is_some_and(|(_, codec)| codec.has(capability))
    }

    /// The typical time of an operation.
    pub fn typical(&self, op: Op) -> Option<f64> {
        self.times.get(&op)?.typical
    }

    /// Where the row stands among the others.
    fn place(&self) -> (bool, bool, f64, &str) {
        let time = self.both_ways;
        let failed = self.row.status != Status::Ok;
        (
            self.is_baseline(),
            failed,
            time.unwrap_or(f64::MAX),
            &self.row.codec,
        )
    }
}

impl Times {
    fn new(timing: &Timing, base: Option<&Timing>) -> Self {
        let series = timing.series();
        let range = timing.means().into_iter().fold(None, |range, mean| {
            let (least, largest) = range.unwrap_or((mean, mean));
            Some((mean.min(least), mean.max(largest)))
        });
        Self {
            typical: timing.typical_ns(),
            tails: tails(timing),
            rounds: timing.over_rounds(),
            rounds_measured: timing.rounds.len() as u64,
            rounds_undisturbed: timing.undisturbed_rounds(),
            range,
            batch: timing.batch,
            calls: timing.calls,
            ratio: base.and_then(|base| ratio(&series, &base.series())),
        }
    }
}

fn tails(timing: &Timing) -> [Option<f64>; 2] {
    let tails = timing.tails_ns(&[0.99, 0.999]);
    [0, 1].map(|at| tails.get(at).copied())
}

/// The time of writing and reading by round.
fn both_ways(row: &Row) -> Option<Series> {
    let write = row.timings.get(&Op::Serialize)?.series();
    let read = row.timings.get(&Op::DeserializeRead)?.series();
    Some(sum(&write, &read))
}
