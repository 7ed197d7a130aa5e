//! What the coordinator and a worker say to each other: one request, one response, in turn.
//!
//! Each message is a frame on the worker's original stdin and stdout: a little-endian `u32` length
//! and that many bytes of JSON.

mod check;

use std::fmt;
use std::io::{self, Read, Write};
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use check::{Attack, Attacked, Carried, Damage, Inspected, Outcomes, Trial};

/// The operations that can be timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// Native value to bytes.
    Serialize,
    /// Bytes to whatever the library yields.
    Deserialize,
    /// A visit of every field of what `deserialize` yielded.
    Read,
    /// `serialize` and `deserialize` as one timed span.
    RoundTrip,
    /// `deserialize` and `read` as one timed span: the fair one for lazy views.
    DeserializeRead,
}

impl Op {
    /// Every operation, by its number.
    pub const ALL: [Op; 5] = [
        Op::Serialize,
        Op::Deserialize,
        Op::Read,
        Op::RoundTrip,
        Op::DeserializeRead,
    ];
}

/// How buffers are provided; never mixed in one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Mode {
    /// The output buffer is allocated anew on every call.
    pub fresh_output: bool,
    /// The input starts one byte off a 64-byte boundary.
    pub misaligned_input: bool,
}

/// Names one opened instance within a worker.
pub type Slot = u32;

/// What the coordinator asks.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Load the library (named on the worker's command line) and describe it.
    Describe,
    /// Say what there is to measure with.
    Probe,
    /// Open a codec on a dataset.
    Open {
        /// The number to call the instance by; not in use.
        slot: Slot,
        /// The codec's id.
        codec: String,
        /// The data.
        dataset: DatasetFile,
        /// How buffers are provided.
        mode: Mode,
    },
    /// Put every value through serialize, deserialize, read and export, and compare.
    Verify {
        /// The instance.
        slot: Slot,
        /// Write the serialized values, one after another, to this file.
        spool: Option<PathBuf>,
    },
    /// Time one operation for a short while. Only after a successful `Verify`.
    Slice {
        /// The instance.
        slot: Slot,
        /// What to time.
        op: Op,
        /// Run unrecorded for this long first.
        warmup_ns: u64,
        /// Then record for at least this long, and at least one call.
        measure_ns: u64,
        /// How many calls one recorded time covers, as an earlier slice found it; the first finds it.
        batch: Option<u64>,
        /// Go on for so long in all, where somebody else uses the core, to record while nobody does.
        patience_ns: u64,
        /// The fastest reading of the gauge that the coordinator knows of.
        undisturbed_ps: Option<u64>,
    },
    /// Open zstd on the messages that a codec has made, as an instance like any other: `serialize`
    /// compresses, `deserialize` decompresses. To be verified and timed like a codec.
    OpenZstd {
        /// The number to call the instance by; not in use.
        slot: Slot,
        /// The compression level.
        level: i32,
        /// The file that a `Verify` has spooled: the messages, one after another.
        path: PathBuf,
        /// The size of each message; a single one for the whole sequence at once.
        sizes: Vec<u64>,
    },
    /// Count what an operation takes from the heap. Only after a successful `Verify`, and only in
    /// a worker that was started to count.
    CountHeap {
        /// The instance.
        slot: Slot,
        /// The operation.
        op: Op,
    },
    /// Close an instance.
    Close {
        /// The instance.
        slot: Slot,
    },
    /// Load the library, and tell what is wrong with its descriptor and what loading it changed.
    /// Only as the first request.
    Inspect,
    /// Find out which values a codec can carry.
    Carry {
        /// The codec's id.
        codec: String,
        /// The data.
        dataset: DatasetFile,
    },
    /// Put a codec to the test.
    Try {
        /// The codec's id.
        codec: String,
        /// The data: values that it can carry.
        dataset: DatasetFile,
        /// Which promise is tested.
        trial: Trial,
    },
    /// Hand damaged messages to a codec. Only in a worker that was started to count.
    Attack {
        /// The codec's id.
        codec: String,
        /// The data: values that it can carry.
        dataset: DatasetFile,
        /// How to go about it.
        attack: Attack,
    },
}

/// A dataset in the run's temporary folder, ready to be mapped into memory.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DatasetFile {
    /// Its name.
    pub name: String,
    /// Its schema's fingerprint.
    pub fingerprint: String,
    /// Its normalised schema, as JSON.
    pub schema: String,
    /// The file: the values in the canonical encoding, one after another.
    pub path: PathBuf,
    /// The size of each value in that file.
    pub sizes: Vec<u64>,
}

/// What a worker answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Response {
    /// To `Describe`.
    Described(PluginInfo),
    /// To `Probe`.
    Probed(Instruments),
    /// To `Open` and `OpenZstd`.
    Opened {
        /// What a reader of the row must know, or nothing.
        note: String,
    },
    /// To `Verify`.
    Verified(Verified),
    /// To `Slice`.
    Measured(Slice),
    /// To `CountHeap`.
    HeapCounted(HeapUse),
    /// To `Close`.
    Closed,
    /// To `Inspect`.
    Inspected(Inspected),
    /// To `Carry`.
    Carried(Carried),
    /// To `Try`: the promise was kept.
    Kept,
    /// To `Attack`.
    Attacked(Attacked),
    /// To any of them: it could not be done; the worker goes on.
    Failed(Failure),
}

/// What a worker measures with.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
pub struct Instruments {
    /// "tsc" (invariant) or "monotonic".
    pub clock: String,
    /// What one reading of it costs, in picoseconds.
    pub clock_cost_ps: u64,
    /// The length of one of its ticks, in picoseconds.
    pub tick_ps: f64,
    /// The core that the worker is pinned to.
    pub core: Option<usize>,
    /// What stands in the way of good numbers, with cause and remedy.
    pub warnings: Vec<String>,
}

/// The descriptor of a plugin.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct PluginInfo {
    pub path: PathBuf,
    pub id: String,
    pub version: String,
    pub license: String,
    pub language: String,
    pub compiler: String,
    pub flags: String,
    pub abi: (u32, u32),
    pub codecs: Vec<CodecInfo>,
    /// Name and fingerprint; empty: any dataset.
    pub datasets: Vec<(String, String)>,
}

/// The descriptor of a codec.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct CodecInfo {
    pub id: String,
    pub format: String,
    pub library: String,
    pub library_version: String,
    pub notes: String,
    /// The names of the capability bits: "self_describing", "text", …
    pub capabilities: Vec<String>,
    /// "owned", "borrowed" or "view".
    pub yields: String,
    /// "checked" or "trusted".
    pub validation: String,
    /// The names of the extensions that the host knows and the codec has.
    pub extensions: Vec<String>,
}

/// The outcome of a verification in which every value came back as it went in.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Verified {
    /// The size of each serialized value.
    pub sizes: Vec<u64>,
}

/// One timed slice.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Slice {
    /// How many calls one recorded time covers: 1 unless the call is too short to time alone.
    pub batch: u64,
    /// What was recorded first, for as long as was asked for, whoever else used the core.
    pub plain: Sample,
    /// What was recorded while nobody else did.
    pub undisturbed: Option<Sample>,
    /// The fastest reading of the gauge.
    pub gauge_ps: u64,
    /// How often the kernel took the core away during the slice.
    pub involuntary_switches: u64,
    /// How many recordings were thrown away because the clock had stepped back.
    pub discarded: u64,
}

/// Some calls.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Sample {
    /// How many, and how long they took together.
    pub recorded: Recorded,
    /// The times per call, in picoseconds, ascending, each with how often it was recorded: as an
    /// HdrHistogram counts them, but for those that it has none of.
    pub times: Vec<(u64, u64)>,
}

/// Some calls, and how long they took together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Recorded {
    /// How many.
    pub calls: u64,
    /// Their time in all, in picoseconds.
    pub total_ps: u64,
}

impl Recorded {
    /// The mean time of a call, in nanoseconds.
    pub fn mean_ns(self) -> f64 {
        self.total_ps as f64 / self.calls as f64 / 1000.0
    }
}

/// What an operation takes from the heap, once it runs steadily.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HeapUse {
    /// How many calls were counted: one for each value.
    pub calls: u64,
    /// How often they asked for memory, in all.
    pub allocations: u64,
    /// For how many bytes, in all.
    pub bytes: u64,
    /// The most bytes held at a time, beyond what the opened instance held (for `read`, beyond what
    /// was held before the call); blocks count as the allocator rounds them.
    pub peak_bytes: u64,
}

/// What kind of failure ended a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The format or library cannot carry the dataset.
    Unsupported,
    /// The value that came back is not the value that went in.
    Wrong,
    /// The plugin answered with an error, or cannot be used.
    Error,
}

/// What the worker was doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u32)]
#[allow(missing_docs)]
pub enum Stage {
    Start,
    Load,
    Describe,
    Open,
    Serialize,
    Deserialize,
    Read,
    Export,
    Compare,
    RoundTrip,
    DeserializeRead,
    Close,
}

impl Stage {
    /// Every stage, by its number.
    pub const ALL: [Stage; 12] = [
        Stage::Start,
        Stage::Load,
        Stage::Describe,
        Stage::Open,
        Stage::Serialize,
        Stage::Deserialize,
        Stage::Read,
        Stage::Export,
        Stage::Compare,
        Stage::RoundTrip,
        Stage::DeserializeRead,
        Stage::Close,
    ];
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::Start => "start",
            Stage::Load => "load",
            Stage::Describe => "describe",
            Stage::Open => "open",
            Stage::Serialize => "serialize",
            Stage::Deserialize => "deserialize",
            Stage::Read => "read",
            Stage::Export => "export",
            Stage::Compare => "compare",
            Stage::RoundTrip => "serialize + deserialize",
            Stage::DeserializeRead => "deserialize + read",
            Stage::Close => "close",
        })
    }
}

impl From<Op> for Stage {
    fn from(op: Op) -> Self {
        match op {
            Op::Serialize => Stage::Serialize,
            Op::Deserialize => Stage::Deserialize,
            Op::Read => Stage::Read,
            Op::RoundTrip => Stage::RoundTrip,
            Op::DeserializeRead => Stage::DeserializeRead,
        }
    }
}

/// A request that could not be done, though the worker goes on.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Failure {
    /// What kind of failure.
    pub kind: FailureKind,
    /// Where.
    pub stage: Stage,
    /// At which value, where one was being worked on.
    pub value: Option<u64>,
    /// The cause, and the remedy where there is one.
    pub message: String,
}

/// The longest frame that either side accepts: beyond any message there is, and less than any four
/// printable characters, so that words in the place of a frame are known at once.
const MAX_FRAME: u32 = 1 << 28;

/// Writes one frame.
pub fn send(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let len = u32::try_from(frame.len() - 4)
        .ok()
        .filter(|len| *len <= MAX_FRAME)
        .ok_or_else(|| io::Error::other("a message too long for a frame"))?;
    frame[..4].copy_from_slice(&len.to_le_bytes());
    to.write_all(&frame)?;
    to.flush()
}

/// Reads one frame; nothing at the end of the stream.
pub fn receive<M: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<M>> {
    let mut head = [0; 4];
    match from.read(&mut head)? {
        0 => return Ok(None),
        read => from.read_exact(&mut head[read..])?,
    }
    let len = u32::from_le_bytes(head);
    if len > MAX_FRAME {
        return Err(io::Error::other(format!("a frame of {len} bytes")));
    }
    let mut body = vec![0; len as usize];
    from.read_exact(&mut body)?;
    Ok(Some(serde_json::from_slice(&body)?))
}

/// Takes one whole frame off the front of what has been received so far.
pub fn take<M: DeserializeOwned>(received: &mut Vec<u8>) -> io::Result<Option<M>> {
    let Some(head) = received.first_chunk::<4>() else {
        return Ok(None);
    };
    let len = u32::from_le_bytes(*head);
    if len > MAX_FRAME {
        return Err(io::Error::other(format!("a frame of {len} bytes")));
    }
    let end = 4 + len as usize;
    if received.len() < end {
        return Ok(None);
    }
    let message = serde_json::from_slice(&received[4..end])?;
    received.drain(..end);
    Ok(Some(message))
}
