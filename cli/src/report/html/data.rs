//! What the page holds of the results: its JSON. Short names, since there are thousands of rows.

use std::collections::BTreeMap;

use serde::Serialize;

use super::facts;
use super::pack::pack;
use crate::protocol::{CodecInfo, Op, PluginInfo};
use crate::report::Filter;
use crate::report::charts::{self, palette};
use crate::results::statistics::{Estimate, Series, ratio};
use crate::results::{DatasetResult, Results, Row, Run, Status, Timing, ZstdSizes, ZstdTimings};

/// How much of the raw times a page keeps.
#[derive(Debug, Clone, Copy)]
pub struct Detail {
    /// Neighbouring rounds are averaged until there are no more than this many.
    pub rounds: u32,
    /// How many characters a packed time takes.
    pub digits: u32,
    /// The percentiles of a latency curve.
    pub quantiles: &'static [f64],
}

/// The whole.
#[derive(Serialize)]
pub struct Page<'a> {
    version: &'static str,
    digits: u32,
    quantiles: &'a [f64],
    runs: Vec<RunData<'a>>,
}

#[derive(Serialize)]
struct RunData<'a> {
    machine: &'a str,
    started: &'a str,
    mode: String,
    facts: Vec<(&'static str, String)>,
    warnings: Vec<&'a str>,
    refused: Vec<(String, &'a str)>,
    plugins: Vec<[&'a str; 6]>,
    codecs: Vec<CodecData<'a>>,
    /// The levels of zstd.
    levels: Vec<i32>,
    datasets: Vec<DatasetData<'a>>,
}

#[derive(Serialize)]
struct CodecData<'a> {
    id: &'a str,
    plugin: usize,
    format: &'a str,
    library: &'a str,
    version: &'a str,
    family: &'static str,
    trusted: bool,
    baseline: bool,
    yields: &'a str,
    notes: Vec<&'a str>,
}

#[derive(Serialize)]
struct DatasetData<'a> {
    name: &'a str,
    summary: &'a str,
    values: u64,
    /// The mean size of a value in memory.
    memory: f64,
    rounds: u32,
    /// How many neighbouring rounds were averaged into one.
    averaged: u32,
    reference: Option<&'a str>,
    /// The ratios of the codec that was measured twice: operation, ratio, low, high.
    noise: Vec<(Op, Number, Option<Number>, Option<Number>)>,
    rows: Vec<RowData<'a>>,
}

#[derive(Serialize)]
struct RowData<'a> {
    /// An index into the run's codecs.
    c: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    note: &'a str,
    /// Bytes of all values: as written; by level of zstd, each value by itself; and where there
    /// are several values, by level again, all of them as one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    z: Vec<u64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    t: BTreeMap<Op, TimingData>,
    /// The times of zstd.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    zt: Vec<ZstdData>,
    /// What was taken from the heap: calls, allocations, bytes and the most held, in bytes.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    h: BTreeMap<Op, [u64; 4]>,
    /// Writing and reading, every field included: estimate, low, high.
    #[serde(skip_serializing_if = "Option::is_none")]
    both: Option<Interval>,
}

/// Calls per recording, calls, estimate, low, high, packed rounds, packed percentiles.
#[derive(Serialize)]
struct TimingData(
    u64,
    u64,
    Number,
    Option<Number>,
    Option<Number>,
    String,
    #[serde(skip_serializing_if = "String::is_empty")] String,
);

/// An index into the run's levels, whether all values are one message, compress, decompress.
#[derive(Serialize)]
struct ZstdData(usize, bool, TimingData, TimingData);

#[derive(Serialize)]
struct Interval(Number, Option<Number>, Option<Number>);

/// A number with five significant digits, which is more than any measurement has.
#[derive(Clone, Copy)]
struct Number(f64);

impl Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let short: f64 = format!("{:.4e}", self.0).parse().unwrap_or(self.0);
        match short.fract() == 0.0 && short.abs() < 1e15 {
            true => to.serialize_i64(short as i64),
            false => to.serialize_f64(short),
        }
    }
}

impl<'a> Page<'a> {
    /// Takes from the results what a page shows, in that detail.
    pub fn new(results: &'a Results, filter: &Filter, detail: Detail) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            digits: detail.digits,
            quantiles: detail.quantiles,
            runs: results
                .runs
                .iter()
                .map(|run| RunData::new(run, filter, detail))
                .collect(),
        }
    }
}

/// Id, version, language, licence, compiler and flags.
fn plugin(info: &PluginInfo) -> [&str; 6] {
    let language = &info.language;
    let all = [
        &info.id,
        &info.version,
        language,
        &info.license,
        &info.compiler,
        &info.flags,
    ];
    all.map(String::as_str)
}

impl<'a> RunData<'a> {
    fn new(run: &'a Run, filter: &Filter, detail: Detail) -> Self {
        let mut codecs = Codecs::default();
        let levels = levels(run);
        let datasets = run
            .datasets
            .iter()
            .filter(|dataset| filter.datasets.pass(&dataset.name))
            .map(|dataset| DatasetData::new(run, dataset, &levels, filter, detail, &mut codecs))
            .filter(|dataset| !dataset.rows.is_empty())
            .collect();
        Self {
            machine: &run.machine.cpu,
            started: &run.started,
            mode: facts::mode(run),
            facts: facts::of(run),
            warnings: run.warnings.iter().map(String::as_str).collect(),
            refused: run
                .refused
                .iter()
                .map(|refused| (refused.path.display().to_string(), refused.reason.as_str()))
                .collect(),
            plugins: run.plugins.iter().map(plugin).collect(),
            codecs: codecs.data,
            levels,
            datasets,
        }
    }
}

/// The codecs that have rows, each once.
#[derive(Default)]
struct Codecs<'a> {
    data: Vec<CodecData<'a>>,
    index: BTreeMap<(usize, &'a str), usize>,
}

impl<'a> Codecs<'a> {
    fn of(&mut self, run: &'a Run, row: &'a Row) -> usize {
        *self
            .index
            .entry((row.plugin, &row.codec))
            .or_insert_with(|| {
                self.data.push(CodecData::new(run, row));
                self.data.len() - 1
            })
    }
}

impl<'a> CodecData<'a> {
    fn new(run: &'a Run, row: &'a Row) -> Self {
        let info = run.describe(row).map(|(_, codec)| codec);
        let text = |pick: fn(&CodecInfo) -> &String| info.map_or("", |info| pick(info).as_str());
        let mut notes = vec![text(|info| &info.notes)];
        if info.is_some_and(|info| info.extensions.iter().any(|e| e.contains("adopt-input"))) {
            notes.push("takes its input over into a container of its own, untimed");
        }
        notes.retain(|note| !note.is_empty());
        Self {
            id: &row.codec,
            plugin: row.plugin,
            format: text(|info| &info.format),
            library: text(|info| &info.library),
            version: text(|info| &info.library_version),
            family: info.map_or("schema", palette::family),
            trusted: info.is_some_and(|info| info.validation == "trusted"),
            baseline: info.is_some_and(|info| info.has("baseline")),
            yields: text(|info| &info.yields),
            notes,
        }
    }
}

impl<'a> DatasetData<'a> {
    fn new(
        run: &'a Run,
        dataset: &'a DatasetResult,
        levels: &[i32],
        filter: &Filter,
        detail: Detail,
        codecs: &mut Codecs<'a>,
    ) -> Self {
        let bins = Bins::new(dataset, detail.rounds);
        let row = |row: &'a Row| RowData {
            c: codecs.of(run, row),
            status: (row.status != Status::Ok).then(|| row.status.name()),
            reason: row.reason.as_deref(),
            note: &row.note,
            z: sizes(row, levels, dataset.values),
            t: timings(row, &bins, detail),
            zt: zstd_timings(row, levels, &bins, detail),
            h: heap(row),
            both: charts::both_ways(row).map(Interval::new),
        };
        Self {
            name: &dataset.name,
            summary: &dataset.summary,
            values: dataset.values,
            memory: dataset.data_bytes as f64 / dataset.values.max(1) as f64,
            rounds: dataset.rounds,
            averaged: bins.width,
            reference: dataset.reference.as_deref(),
            noise: noise(dataset),
            rows: dataset
                .rows
                .iter()
                .filter(|row| filter.codecs.pass(&row.codec))
                .map(row)
                .collect(),
        }
    }
}

/// The levels of zstd at which something was compressed.
fn levels(run: &Run) -> Vec<i32> {
    let mut levels = run
        .datasets
        .iter()
        .flat_map(|dataset| &dataset.rows)
        .filter_map(|row| row.sizes.as_ref())
        .flat_map(|sizes| sizes.zstd.iter().map(|zstd| zstd.level))
        .collect::<Vec<_>>();
    levels.sort_unstable();
    levels.dedup();
    levels
}

/// Sizes of a row that is ok; any other has none to show, whatever the file says.
fn sizes(row: &Row, levels: &[i32], values: u64) -> Vec<u64> {
    let Some(sizes) = row.sizes.as_ref().filter(|_| row.status == Status::Ok) else {
        return Vec::new();
    };
    let at = |level: &i32| sizes.zstd.iter().find(|zstd| zstd.level == *level);
    let compressed = |pick: fn(&ZstdSizes) -> u64| {
        let of_level = move |level| at(level).map_or(0, pick);
        levels.iter().map(of_level)
    };
    let mut all = vec![sizes.total];
    all.extend(compressed(|zstd| zstd.separate));
    if values > 1 {
        all.extend(compressed(|zstd| zstd.together));
    }
    all
}

fn zstd_timings(row: &Row, levels: &[i32], bins: &Bins, detail: Detail) -> Vec<ZstdData> {
    let timed = row.zstd_timings.iter().filter(|_| row.status == Status::Ok);
    let data = |zstd: &ZstdTimings| {
        let level = levels.iter().position(|level| *level == zstd.level)?;
        let compress = TimingData::new(&zstd.compress, bins, detail)?;
        let decompress = TimingData::new(&zstd.decompress, bins, detail)?;
        Some(ZstdData(level, zstd.together, compress, decompress))
    };
    timed.filter_map(data).collect()
}

fn heap(row: &Row) -> BTreeMap<Op, [u64; 4]> {
    let known = row
        .heap
        .iter()
        .filter(|(_, heap)| row.status == Status::Ok && heap.calls > 0);
    known
        .map(|(op, heap)| {
            (
                *op,
                [heap.calls, heap.allocations, heap.bytes, heap.peak_bytes],
            )
        })
        .collect()
}

fn timings(row: &Row, bins: &Bins, detail: Detail) -> BTreeMap<Op, TimingData> {
    if row.status != Status::Ok {
        return BTreeMap::new();
    }
    row.timings
        .iter()
        .filter_map(|(op, timing)| Some((*op, TimingData::new(timing, bins, detail)?)))
        .collect()
}

impl TimingData {
    fn new(timing: &Timing, bins: &Bins, detail: Detail) -> Option<Self> {
        let Interval(value, low, high) = Interval::new(timing.over_rounds()?);
        let curve = timing.tails_ns(detail.quantiles);
        Some(Self(
            timing.batch,
            timing.calls,
            value,
            low,
            high,
            pack(bins.of(&timing.series()), value.0, detail.digits),
            pack(curve.into_iter().map(Some), value.0, detail.digits),
        ))
    }
}

impl Interval {
    fn new(estimate: Estimate) -> Self {
        let number = |pick: fn((f64, f64)) -> f64| estimate.interval.map(pick).map(Number);
        Self(
            Number(estimate.value),
            number(|(low, _)| low),
            number(|(_, high)| high),
        )
    }
}

fn noise(dataset: &DatasetResult) -> Vec<(Op, Number, Option<Number>, Option<Number>)> {
    let Some(alias) = &dataset.alias else {
        return Vec::new();
    };
    let row = dataset.rows.iter().find(|row| row.codec == alias.codec);
    let ratios = alias.timings.iter().filter_map(|(op, timing)| {
        let once = row?.timings.get(op)?;
        let Interval(value, low, high) = Interval::new(ratio(&timing.series(), &once.series())?);
        Some((*op, value, low, high))
    });
    ratios.collect()
}

/// Neighbouring rounds taken together.
struct Bins {
    /// The first round's number.
    first: u32,
    /// How many bins.
    count: u32,
    /// How many rounds each has.
    width: u32,
}

impl Bins {
    fn new(dataset: &DatasetResult, at_most: u32) -> Self {
        let timings = || dataset.rows.iter().flat_map(|row| row.timings.values());
        let rounds = || {
            timings()
                .flat_map(|timing| &timing.rounds)
                .map(|round| round.0)
        };
        let first = rounds().min().unwrap_or(0);
        let all = rounds().max().map_or(0, |last| last - first + 1);
        let width = all.div_ceil(at_most).max(1);
        Self {
            first,
            count: all.div_ceil(width),
            width,
        }
    }

    /// The mean of each bin; none where a round is missing, since a ratio of two bins holds only
    /// when both are of the same rounds.
    fn of(&self, series: &Series) -> Vec<Option<f64>> {
        let mut means = (0..self.count)
            .map(|bin| self.mean(series, bin))
            .collect::<Vec<_>>();
        let known = means
            .iter()
            .rposition(Option::is_some)
            .map_or(0, |last| last + 1);
        means.truncate(known);
        means
    }

    fn mean(&self, series: &Series, bin: u32) -> Option<f64> {
        let start = self.first + bin * self.width;
        let times = series
            .range(start..start + self.width)
            .map(|(_, time)| time);
        let sum = times.clone().sum::<f64>();
        (times.count() == self.width as usize).then(|| sum / f64::from(self.width))
    }
}
