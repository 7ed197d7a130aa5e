//! One codec on one dataset, on its way through a run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use super::fleet::Codec;
use crate::process::{Cause, WorkerError};
use crate::protocol::{Failure, FailureKind, Op, Response, Sample, Slice, Slot};
use crate::results::statistics::{Series, encode, new_histogram};
use crate::results::{Round, Row, Status, Timing};

/// A codec on a dataset: the row it will become, and what has been measured so far.
pub struct Lane {
    /// The row.
    pub row: Row,
    /// The instance's number; unique in the run.
    pub slot: Slot,
    /// In which process of its plugin the instance was opened and verified.
    pub opened_in: Option<u32>,
    /// Shown, but never compared or ranked.
    pub baseline: bool,
    /// There is nothing to verify, as the codec says.
    pub does_nothing: bool,
    /// The second self of another lane, to see the noise.
    pub alias: bool,
    /// What needs no further rounds.
    pub precise: BTreeSet<Op>,
    /// The messages on which zstd is timed, where that is what this lane is for.
    pub zstd: Option<Messages>,
    /// What its slices have taken in all, so that a slow codec does not take the others' time.
    pub spent: Duration,
    batches: BTreeMap<Op, u64>,
    records: BTreeMap<Op, Record>,
}

/// What a codec has written, for zstd to work on.
#[derive(Debug, Clone)]
pub struct Messages {
    /// The level.
    pub level: i32,
    /// Whether all values are one message.
    pub together: bool,
    /// Where the messages are, one after another.
    pub path: PathBuf,
    /// The size of each.
    pub sizes: Vec<u64>,
}

/// Why a lane came to its end.
#[derive(Debug)]
pub struct Ending {
    /// What the row says.
    pub status: Status,
    /// The cause, and the remedy where there is one.
    pub reason: String,
}

/// What has been measured of one operation.
#[derive(Default)]
struct Record {
    timing: Timing,
    series: Series,
    plain: Times,
    undisturbed: Times,
}

/// How often each time was recorded. A histogram has room for every time that could be, which is too
/// much for as many operations as a run has.
type Times = BTreeMap<u64, u64>;

impl Lane {
    /// A codec that is yet to be opened.
    pub fn new(codec: &Codec, slot: Slot) -> Self {
        let (status, reason) = match &codec.conflict {
            None => (Status::Ok, None),
            Some(conflict) => (Status::Error, Some(conflict.clone())),
        };
        Self {
            row: Row {
                codec: codec.info.id.clone(),
                plugin: codec.plugin,
                status,
                reason,
                note: String::new(),
                sizes: None,
                timings: BTreeMap::new(),
                zstd_timings: Vec::new(),
                heap: BTreeMap::new(),
                robustness: None,
            },
            slot,
            opened_in: None,
            baseline: codec.info.has("baseline"),
            does_nothing: codec.info.has("no_round_trip"),
            alias: false,
            precise: BTreeSet::new(),
            zstd: None,
            spent: Duration::ZERO,
            batches: BTreeMap::new(),
            records: BTreeMap::new(),
        }
    }

    /// zstd on what this codec has written.
    pub fn zstd(&self, slot: Slot, messages: Messages) -> Self {
        Self {
            zstd: Some(messages),
            alias: false,
            batches: BTreeMap::new(),
            ..self.alias(slot)
        }
    }

    /// The same codec once more.
    pub fn alias(&self, slot: Slot) -> Self {
        Self {
            row: self.row.clone(),
            slot,
            opened_in: None,
            baseline: self.baseline,
            does_nothing: self.does_nothing,
            alias: true,
            precise: BTreeSet::new(),
            zstd: None,
            spent: Duration::ZERO,
            batches: self.batches.clone(),
            records: BTreeMap::new(),
        }
    }

    /// Whether the lane still takes part.
    pub fn is_open(&self) -> bool {
        self.row.status == Status::Ok
    }

    /// Whether the lane takes part in the comparison.
    pub fn is_ranked(&self) -> bool {
        self.is_open() && self.is_codec() && !self.baseline
    }

    /// Whether this is a codec's own lane, and no second self or what zstd makes of it.
    pub fn is_codec(&self) -> bool {
        !self.alias && self.zstd.is_none()
    }

    /// Whether the operation still has to be timed. zstd has nothing to read.
    pub fn wants(&self, op: Op) -> bool {
        let can = self.zstd.is_none() || matches!(op, Op::Serialize | Op::Deserialize);
        self.is_open() && can && !self.precise.contains(&op)
    }

    /// Ends the lane. What was measured is dropped: no verified result, no number.
    pub fn end(&mut self, ending: Ending) {
        self.row.status = ending.status;
        self.row.reason = Some(ending.reason);
        self.row.sizes = None;
        self.records.clear();
    }

    /// Adds to what a reader of the row must know.
    pub fn remark(&mut self, text: &str) {
        let note = &mut self.row.note;
        if !note.is_empty() {
            *note += "; ";
        }
        *note += text;
    }

    /// Adds what a slice recorded.
    pub fn record(&mut self, op: Op, round: u32, slice: &Slice) -> Result<(), Ending> {
        if slice.plain.recorded.calls == 0 {
            return Err(Ending::protocol("it sent a slice without calls".to_owned()));
        }
        self.batches.insert(op, slice.batch);
        let record = self.records.entry(op).or_default();
        record.add(round, slice);
        Ok(())
    }

    /// How many calls one recorded time covers, once a slice has found it.
    pub fn batch(&self, op: Op) -> Option<u64> {
        self.batches.get(&op).copied()
    }

    /// The mean time of a call by round, as far as it has been measured.
    pub fn series(&self, op: Op) -> Option<&Series> {
        self.records.get(&op).map(|record| &record.series)
    }

    /// Everything that has been measured.
    pub fn timings(&self) -> BTreeMap<Op, Timing> {
        self.records
            .iter()
            .map(|(op, record)| (*op, record.timing()))
            .collect()
    }

    /// The row that it has become.
    pub fn into_row(self) -> Row {
        Row {
            timings: self.timings(),
            ..self.row
        }
    }

    /// Forgets the times, as after the rehearsal.
    pub fn forget(&mut self) {
        self.spent = Duration::ZERO;
        self.records.clear();
    }
}

impl Record {
    fn add(&mut self, round: u32, slice: &Slice) {
        let timing = &mut self.timing;
        timing.batch = timing.batch.max(slice.batch);
        timing.involuntary_switches += slice.involuntary_switches;
        timing.discarded += slice.discarded;
        let recorded = Round {
            number: round,
            plain: slice.plain.recorded,
            undisturbed: slice.undisturbed.as_ref().map(|sample| sample.recorded),
        };
        timing.rounds.push(recorded);
        self.series.insert(round, recorded.mean());
        let add = |times: &mut Times, sample: &Sample| {
            for (time, count) in &sample.times {
                *times.entry(*time).or_default() += count;
            }
        };
        add(&mut self.plain, &slice.plain);
        if let Some(undisturbed) = &slice.undisturbed {
            add(&mut self.undisturbed, undisturbed);
        }
    }

    /// With the histogram of the calls that the time is taken from.
    fn timing(&self) -> Timing {
        let times = match self.timing.is_undisturbed() {
            true => &self.undisturbed,
            false => &self.plain,
        };
        let mut all = new_histogram();
        for (time, count) in times {
            all.saturating_record_n(*time, *count);
        }
        Timing {
            calls: times.values().sum::<u64>() * self.timing.batch,
            histogram: encode(&all),
            ..self.timing.clone()
        }
    }
}

impl Ending {
    /// The worker said something that makes no sense.
    pub fn protocol(message: String) -> Self {
        Self {
            status: Status::Crashed,
            reason: format!("the worker broke the protocol: {message}"),
        }
    }

    /// The worker gave the answer to another question.
    pub fn out_of_turn(response: &Response) -> Self {
        let text = serde_json::to_string(response).unwrap_or_default();
        let start = text.chars().take(40).collect::<String>();
        Self::protocol(format!("an answer out of turn: {start}"))
    }
}

impl From<WorkerError> for Ending {
    fn from(error: WorkerError) -> Self {
        let status = match error.cause {
            Cause::TimedOut { .. } => Status::Timeout,
            Cause::Spawn(_) => Status::Error,
            _ => Status::Crashed,
        };
        Self {
            status,
            reason: error.to_string(),
        }
    }
}

impl From<Failure> for Ending {
    fn from(failure: Failure) -> Self {
        let status = match failure.kind {
            FailureKind::Unsupported => Status::Unsupported,
            FailureKind::Wrong => Status::Wrong,
            FailureKind::Error => Status::Error,
        };
        let place = match (failure.kind, failure.value) {
            (FailureKind::Unsupported, _) => String::new(),
            (_, None) => format!("{}: ", failure.stage),
            (_, Some(value)) => format!("{}, value {value}: ", failure.stage),
        };
        Self {
            status,
            reason: format!("{place}{}", failure.message),
        }
    }
}
