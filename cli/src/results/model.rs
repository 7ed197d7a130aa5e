//! The results file, version 1. Fields are only ever added; readers ignore those they do not know.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Machine;
use super::statistics::Mean;
use crate::protocol::{CodecInfo, HeapUse, Instruments, Mode, Op, Outcomes, PluginInfo, Recorded};

/// The version of the file that this program writes.
pub const VERSION: u32 = 1;

/// A results file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Results {
    /// The version of the file.
    pub serbench_results: u32,
    /// One or, after a merge, several runs. Their rows are never mixed.
    pub runs: Vec<Run>,
}

/// What one `serbench run` found.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Run {
    /// The version of serbench.
    pub version: String,
    /// Whether serbench itself was built with optimisation.
    pub optimised: bool,
    /// The command line.
    pub command: Vec<String>,
    /// When it began: RFC 3339, UTC.
    pub started: String,
    /// Whether the user stopped it before its end.
    pub interrupted: bool,
    /// Where it ran.
    pub machine: Machine,
    /// What it measured with.
    pub instruments: Option<Instruments>,
    /// How it was asked to measure.
    pub settings: Settings,
    /// What may have disturbed the measurement, with the remedy.
    pub warnings: Vec<String>,
    /// The plugins that could be loaded.
    pub plugins: Vec<PluginInfo>,
    /// The plugins that could not, and why.
    pub refused: Vec<Refused>,
    /// What was found, dataset by dataset.
    pub datasets: Vec<DatasetResult>,
}

/// How a run was asked to measure.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Settings {
    /// How buffers are provided.
    pub mode: Mode,
    /// What was timed.
    pub ops: Vec<Op>,
    /// Rounds go on until every interval is within this fraction of its estimate …
    pub precision: f64,
    /// … or until this time is spent on a dataset.
    pub budget_ns: u64,
    /// The unrecorded start of every slice.
    pub warmup_ns: u64,
    /// The recorded part of every slice.
    pub slice_ns: u64,
    /// The version of the zstd library.
    pub zstd_version: String,
}

/// A plugin that could not be used.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Refused {
    /// The file.
    pub path: PathBuf,
    /// The cause and the remedy.
    pub reason: String,
}

/// What was found on one dataset.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DatasetResult {
    /// Its name.
    pub name: String,
    /// What it is, in a sentence.
    pub summary: String,
    /// The fingerprint of its schema.
    pub fingerprint: String,
    /// How many values it has.
    pub values: u64,
    /// The size of all values in the canonical encoding.
    pub canonical_bytes: u64,
    /// The size of all values in memory, by the rule in `datasets/README.md`.
    pub data_bytes: u64,
    /// How many rounds were measured.
    pub rounds: u32,
    /// Why the rounds ended.
    pub ended: Ended,
    /// How many processes each codec had, one after another.
    #[serde(default = "one")]
    pub processes: u32,
    /// How long the rounds took.
    pub elapsed_ns: u64,
    /// The codec that the others are compared with.
    pub reference: Option<String>,
    /// One codec that was measured twice: its ratio to itself is the noise floor of the run.
    pub alias: Option<Alias>,
    /// What was found, codec by codec.
    pub rows: Vec<Row>,
}

/// Before there were several, there was one.
fn one() -> u32 {
    1
}

/// Why the rounds of a dataset ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// Every interval was narrow enough.
    Precise,
    /// The time budget was spent.
    Budget,
    /// The user stopped the run.
    Interrupted,
    /// There was nothing to time.
    Nothing,
}

/// A codec that was measured twice per round.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Alias {
    /// The codec.
    pub codec: String,
    /// The times of its second self.
    pub timings: BTreeMap<Op, Timing>,
}

/// What was found for one codec on one dataset.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Row {
    /// The codec's id.
    pub codec: String,
    /// Its plugin, as an index into [`Run::plugins`].
    pub plugin: usize,
    /// How it went.
    pub status: Status,
    /// Why it is not `ok`.
    pub reason: Option<String>,
    /// What a reader of the row must know, or nothing.
    pub note: String,
    /// The sizes of what it wrote; only where the data came back as it went in.
    pub sizes: Option<Sizes>,
    /// The times; only where the data came back as it went in, before the timing and after.
    pub timings: BTreeMap<Op, Timing>,
    /// How long zstd takes on what it wrote, where that was asked for.
    #[serde(default)]
    pub zstd_timings: Vec<ZstdTimings>,
    /// What each operation takes from the heap, where that was asked for.
    #[serde(default)]
    pub heap: BTreeMap<Op, HeapUse>,
    /// What it made of damaged messages, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub robustness: Option<Outcomes>,
}

/// How it went for one codec on one dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Every value came back as it went in.
    Ok,
    /// The format or library cannot carry the dataset: not a fault.
    Unsupported,
    /// A value did not come back as it went in.
    Wrong,
    /// The plugin answered with an error, or cannot be used.
    Error,
    /// The plugin's process died.
    Crashed,
    /// The plugin showed no progress.
    Timeout,
}

/// The sizes of what a codec wrote, in bytes over all values.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Sizes {
    /// As written.
    pub total: u64,
    /// After compression with zstd.
    pub zstd: Vec<ZstdSizes>,
}

/// The zstd levels where nobody named any: a common one, and the smallest that zstd can do.
pub const ZSTD_LEVELS: [i32; 2] = [3, 22];

/// By default datasets with more bytes than this are not compressed at zstd's slowest levels.
pub const ULTRA_BYTES: u64 = 1 << 20;

/// The sizes after compression with zstd at one level.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ZstdSizes {
    /// The level.
    pub level: i32,
    /// Every value compressed by itself, added up.
    pub separate: u64,
    /// All values, one after another, compressed as one.
    pub together: u64,
}

/// How long zstd takes at one level.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ZstdTimings {
    /// The level.
    pub level: i32,
    /// Whether all values, one after another, are one message, or each value is one.
    pub together: bool,
    /// To compress a message.
    pub compress: Timing,
    /// To decompress it.
    pub decompress: Timing,
}

/// The times of one operation.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Timing {
    /// How many calls one recorded time covers: 1 unless a call is too short to be timed alone.
    pub batch: u64,
    /// How many calls were recorded.
    pub calls: u64,
    /// All recorded times per call, in picoseconds: an HdrHistogram in V2 DEFLATE form, base64.
    pub histogram: String,
    /// What each round recorded. A row that is precise enough sits out later rounds.
    pub rounds: Vec<Round>,
    /// How often the kernel took the core away while this was timed.
    pub involuntary_switches: u64,
    /// How many recordings were thrown away because the clock had stepped back.
    pub discarded: u64,
}

/// What one round recorded; a JSON array of five numbers. Files of before the gauge have three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<u64>", into = "[u64; 5]")]
pub struct Round {
    /// Its number.
    pub number: u32,
    /// What was recorded first, for as long as a slice is, whoever else used the core.
    pub plain: Recorded,
    /// What was recorded while nobody else did, where there was such a while.
    pub undisturbed: Option<Recorded>,
}

impl Round {
    /// The mean times of a call.
    pub fn mean(self) -> Mean {
        Mean {
            plain_ns: self.plain.mean_ns(),
            undisturbed_ns: self.undisturbed.map(Recorded::mean_ns),
        }
    }
}

impl TryFrom<Vec<u64>> for Round {
    type Error = String;

    fn try_from(numbers: Vec<u64>) -> Result<Self, String> {
        let (number, plain, undisturbed) = match numbers[..] {
            [number, calls, ps] => (number, (calls, ps), (0, 0)),
            [number, calls, ps, undisturbed, undisturbed_ps, ..] => {
                (number, (calls, ps), (undisturbed, undisturbed_ps))
            }
            _ => return Err("a round has fewer numbers than three".to_owned()),
        };
        let recorded = |(calls, total_ps)| Recorded { calls, total_ps };
        Ok(Self {
            number: u32::try_from(number).map_err(|error| error.to_string())?,
            plain: recorded(plain),
            undisturbed: Some(recorded(undisturbed)).filter(|some| some.calls > 0),
        })
    }
}

impl From<Round> for [u64; 5] {
    fn from(round: Round) -> Self {
        let undisturbed = round.undisturbed.unwrap_or_default();
        [
            round.number.into(),
            round.plain.calls,
            round.plain.total_ps,
            undisturbed.calls,
            undisturbed.total_ps,
        ]
    }
}

impl Results {
    /// Whether anything was measured, or at least tried.
    pub fn has_rows(&self) -> bool {
        let mut datasets = self.runs.iter().flat_map(|run| &run.datasets);
        datasets.any(|dataset| !dataset.rows.is_empty())
    }
}

impl Run {
    /// The descriptor of a row's codec, and of its plugin.
    pub fn describe(&self, row: &Row) -> Option<(&PluginInfo, &CodecInfo)> {
        let plugin = self.plugins.get(row.plugin)?;
        let codec = plugin.codecs.iter().find(|codec| codec.id == row.codec)?;
        Some((plugin, codec))
    }
}

impl Status {
    /// The name in the results file and in CSV.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Unsupported => "unsupported",
            Self::Wrong => "wrong",
            Self::Error => "error",
            Self::Crashed => "crashed",
            Self::Timeout => "timeout",
        }
    }

    /// Whether the exit code has to tell.
    pub fn is_failure(self) -> bool {
        !matches!(self, Self::Ok | Self::Unsupported)
    }
}

impl CodecInfo {
    /// Whether the codec has the capability of that name.
    pub fn has(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|name| name == capability)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_of_before_the_gauge_are_read() {
        let round = |text| serde_json::from_str::<Round>(text);
        let old = round("[3, 4, 5000]").unwrap();
        assert_eq!((old.number, old.plain.calls, old.undisturbed), (3, 4, None));
        let never = round("[3, 4, 5000, 0, 0]").unwrap();
        assert_eq!(never, old);
        let new = round("[3, 4, 5000, 2, 2000]").unwrap();
        assert_eq!(new.undisturbed.unwrap().mean_ns(), 1.0);
        assert_eq!(serde_json::to_string(&new).unwrap(), "[3,4,5000,2,2000]");
        assert!(round("[3, 4]").is_err());
        assert!(round("[4294967296, 4, 5000]").is_err());
    }
}
