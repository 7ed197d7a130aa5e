//! What the page holds of the results: its JSON. Short names, since there are thousands of rows.

use std::collections::BTreeMap;

use serde::Serialize;

use super::facts;
use super::timings::{self, Bins, Number};
use crate::protocol::{CodecInfo, HeapUse, Op, PluginInfo};
use crate::report::Filter;
use crate::report::charts::{self, palette};
use crate::report::layout::robustness;
use crate::results::statistics::{Estimate, ratio};
use crate::results::{DatasetResult, Results, Row, Run, Status, ZstdSizes};

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
    /// Reasons and notes of rows, each once.
    texts: Vec<&'a str>,
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
    averaged: u64,
    reference: Option<&'a str>,
    /// The ratios of the codec that was measured twice: operation, ratio, low, high.
    noise: Vec<(Op, Number, Option<Number>, Option<Number>)>,
    rows: Vec<RowData>,
}

#[derive(Serialize)]
struct RowData {
    /// An index into the run's codecs.
    c: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    /// An index into the run's texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<usize>,
    /// The same.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<usize>,
    /// Bytes of all values: as written; by level of zstd, each value by itself; and where there
    /// are several values, by level again, all of them as one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    z: Vec<u64>,
    /// The times, by operation; see [`super::timings`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    t: Vec<Option<String>>,
    /// The times of zstd, by level: to compress and to decompress, each value by itself; then all
    /// of them as one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    zt: Vec<Vec<Option<String>>>,
    /// What a call takes from the heap, by operation: allocations, bytes, the most bytes held.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    h: Vec<Option<[Number; 3]>>,
    /// What came of damaged messages, so many in 10,000, in the order of the reports' columns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    x: Vec<Number>,
    /// Writing and reading, every field included.
    #[serde(skip_serializing_if = "Option::is_none")]
    both: Option<String>,
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
        let mut shared = Shared::default();
        let levels = levels(run);
        let datasets = run
            .datasets
            .iter()
            .filter(|dataset| filter.datasets.pass(&dataset.name))
            .map(|dataset| DatasetData::new(run, dataset, &levels, filter, detail, &mut shared))
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
            codecs: shared.codecs,
            levels,
            texts: shared.texts,
            datasets,
        }
    }
}

/// What rows have in common: codecs and texts, each once.
#[derive(Default)]
struct Shared<'a> {
    codecs: Vec<CodecData<'a>>,
    codec_index: BTreeMap<(usize, &'a str), usize>,
    texts: Vec<&'a str>,
    text_index: BTreeMap<&'a str, usize>,
}

impl<'a> Shared<'a> {
    fn codec(&mut self, run: &'a Run, row: &'a Row) -> usize {
        let next = self.codecs.len();
        let key = (row.plugin, row.codec.as_str());
        let index = *self.codec_index.entry(key).or_insert(next);
        if index == next {
            self.codecs.push(CodecData::new(run, row));
        }
        index
    }

    fn text(&mut self, text: &'a str) -> Option<usize> {
        let next = self.texts.len();
        let index = *self.text_index.entry(text).or_insert(next);
        if index == next {
            self.texts.push(text);
        }
        (!text.is_empty()).then_some(index)
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
        shared: &mut Shared<'a>,
    ) -> Self {
        let bins = Bins::new(dataset, detail.rounds);
        let row = |row: &'a Row| {
            let figures = Some(row).filter(|row| row.status == Status::Ok);
            RowData {
                c: shared.codec(run, row),
                status: (row.status != Status::Ok).then(|| row.status.name()),
                reason: row.reason.as_deref().and_then(|text| shared.text(text)),
                note: shared.text(&row.note),
                z: sizes(row, levels, dataset.values),
                t: figures.map_or(Vec::new(), |row| timings::of(row, &bins, detail)),
                zt: figures.map_or(Vec::new(), |row| {
                    timings::of_zstd(row, levels, &bins, detail)
                }),
                h: figures.map_or(Vec::new(), heap),
                x: robustness::rates(row).map_or(Vec::new(), whole),
                both: charts::both_ways(row).map(|both| timings::estimate(both, detail.digits)),
            }
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

fn heap(row: &Row) -> Vec<Option<[Number; 3]>> {
    if row.heap.is_empty() {
        return Vec::new();
    }
    let a_call = |heap: &HeapUse| {
        let calls = heap.calls.max(1) as f64;
        let (allocations, bytes) = (heap.allocations as f64, heap.bytes as f64);
        [allocations / calls, bytes / calls, heap.peak_bytes as f64].map(Number)
    };
    let heaps = Op::ALL.iter().map(|op| row.heap.get(op));
    timings::known(heaps.map(|heap| heap.map(a_call)))
}

/// As they are shown: `Number` alone would round them once more.
fn whole<const N: usize>(rates: [f64; N]) -> Vec<Number> {
    rates.map(|rate| Number(rate.round())).to_vec()
}

fn noise(dataset: &DatasetResult) -> Vec<(Op, Number, Option<Number>, Option<Number>)> {
    let Some(alias) = &dataset.alias else {
        return Vec::new();
    };
    let row = dataset.rows.iter().find(|row| row.codec == alias.codec);
    let ratios = alias.timings.iter().filter_map(|(op, timing)| {
        let once = row?.timings.get(op)?;
        let Estimate { value, interval } = ratio(&timing.series(), &once.series())?;
        let (low, high) = interval.unzip();
        Some((*op, Number(value), low.map(Number), high.map(Number)))
    });
    ratios.collect()
}
