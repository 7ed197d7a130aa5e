//! The measuring loop: the same for every codec, an opaque call through a function pointer.

mod spans;

use hdrhistogram::Histogram;
use nix::sys::resource::{UsageWho, getrusage};
use serbench_plugin::abi;

use self::spans::Spans;
use super::calls::{Calls, EMPTY};
use super::gauge::{Gauge, Readings};
use super::progress::Progress;
use crate::clock::Clock;
use crate::protocol::{Op, Recorded, Sample, Slice, Stage};
use crate::results::statistics::new_histogram;

/// A call that covers at least this many clock costs is timed alone: the clock adds 1 % at most.
const COSTS_OF_A_CALL: f64 = 100.0;
/// A batch of shorter ones, which has no tail to lose, covers this many: the clock adds 0.25 % at most.
const COSTS_OF_A_BATCH: f64 = 400.0;
/// A call that takes so many warm-ups needs none.
const WARMS_ITSELF: f64 = 5.0;
/// The largest batch: also a call that takes no time at all ends.
const MAX_BATCH: u64 = 1 << 17;
/// The batch is decided by the median of the last so many spans of the first warm-up.
const TRIALS: usize = 31;
/// The gauge is read so often while a slice is measured.
const PIECES: u64 = 4;
/// After this many recordings in a row that the clock spoilt, the slice is given up.
const MAX_DISCARDED: u64 = 1000;

/// What an op is timed on.
#[derive(Debug)]
pub struct Timed<'a> {
    /// The instance's functions.
    pub calls: &'a Calls,
    /// The serialized values.
    pub inputs: &'a [abi::Bytes],
    /// With which value the op goes on, slice after slice.
    pub next: &'a mut usize,
}

/// A call that did not succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// What the plugin answered.
    pub status: i32,
    /// In which call.
    pub stage: Stage,
    /// For which value.
    pub value: usize,
}

/// Why a slice came to nothing.
#[derive(Debug)]
pub enum SliceError {
    /// The plugin answered with an error.
    Fault(Fault),
    /// The clock stepped back in every recording.
    Clock,
}

impl From<Fault> for SliceError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// How long to measure.
#[derive(Debug, Clone, Copy)]
pub struct Length {
    /// Unrecorded calls first, for this long.
    pub warmup_ns: u64,
    /// Then recorded ones, for at least this long.
    pub measure_ns: u64,
    /// How many calls are timed at once, where an earlier slice has decided it. It holds for all
    /// slices of an operation, so that their histograms are of one kind and can be added up.
    pub batch: Option<u64>,
    /// On a disturbed core go on for so long in all, to find it undisturbed.
    pub patience_ns: u64,
    /// What the gauge reads on an undisturbed core, as far as is known.
    pub undisturbed_ps: Option<u64>,
}

/// A clock, and what follows from it.
#[derive(Debug)]
pub struct Timer<C> {
    /// The clock.
    pub clock: C,
    /// What a reading of it costs, in ticks.
    pub cost_ticks: f64,
    /// Tells whether the core is undisturbed.
    gauge: Gauge,
    /// Of the slice, in ticks: kept, so that no slice pays for the room.
    spans: Spans,
    /// Tells which times an HdrHistogram counts as one.
    scale: Histogram<u64>,
}

impl<C: Clock> Timer<C> {
    /// Measures the clock's cost.
    pub fn new(clock: C) -> Self {
        Self {
            cost_ticks: clock.cost_ticks(),
            clock,
            gauge: Gauge::default(),
            spans: Spans::default(),
            scale: new_histogram(),
        }
    }

    /// Times `op` on the instance behind `calls`, whose values serialize to `inputs`.
    pub fn slice(
        &mut self,
        op: Op,
        timed: Timed<'_>,
        length: Length,
        progress: &Progress,
    ) -> Result<Slice, SliceError> {
        let Timed {
            calls,
            inputs,
            next,
        } = timed;
        let mut run = Run {
            op: TimedOp::of(op, calls),
            stage: op.into(),
            calls,
            inputs,
            progress,
            next: *next,
        };
        let known = length
            .undisturbed_ps
            .map(|ps| (ps as f64 / self.clock.tick_ps()) as u64);
        let readings = Readings::new(self.gauge.read(&self.clock), known);
        let result = self
            .warm_up(&mut run, length.batch, length.warmup_ns)
            .and_then(|warm| self.measure(&mut run, warm, readings, length));
        *next = run.next;
        result
    }

    /// Runs unrecorded, and decides on the batch where that has not been done yet.
    fn warm_up(
        &self,
        run: &mut Run<'_>,
        decided: Option<u64>,
        warmup_ns: u64,
    ) -> Result<Warm, SliceError> {
        let alone = self.cost_ticks * COSTS_OF_A_CALL;
        let target = self.cost_ticks * COSTS_OF_A_BATCH;
        let limit = self.ticks(warmup_ns);
        let long = alone.max(limit as f64 * WARMS_ITSELF);
        let deciding = decided.is_none() && run.op.batches;
        let mut batch = decided.unwrap_or(1);
        let mut trials: Vec<u64> = Vec::new();
        let mut elapsed = 0;
        let mut spoilt = 0;
        let mut last = self.clock.start();
        loop {
            let (begin, end) = self.span(run, batch)?;
            elapsed += end.saturating_sub(last);
            last = end;
            match end.checked_sub(begin) {
                None => spoilt += 1,
                Some(span) if batch == 1 && span as f64 >= long => {
                    return Ok(Warm {
                        batch,
                        long_span: Some(span),
                    });
                }
                Some(span) if deciding && (span as f64) < target && batch < MAX_BATCH => {
                    batch *= 2;
                    trials.clear();
                }
                Some(span) => trials.push(span),
            }
            let settled = !deciding || trials.len() >= TRIALS || elapsed as f64 > target * 1e4;
            if (elapsed >= limit && settled) || spoilt > MAX_DISCARDED {
                break;
            }
        }
        let recent = trials.len().saturating_sub(TRIALS);
        let recent = &mut trials[recent..];
        if !deciding || recent.is_empty() {
            return Ok(Warm::of(batch));
        }
        recent.sort_unstable();
        let call = recent[recent.len() / 2] as f64 / batch as f64;
        let batch = match call >= alone {
            true => 1,
            false => (target / call).ceil() as u64,
        };
        Ok(Warm::of(batch.clamp(1, MAX_BATCH)))
    }

    /// Records for as long as is asked for, and on until it has recorded as long on a core that nobody
    /// else used, or until its patience is at an end. The gauge is read before and after each piece,
    /// and knows nothing of the codec: no time is left out for being long.
    fn measure(
        &mut self,
        run: &mut Run<'_>,
        Warm { batch, long_span }: Warm,
        mut readings: Readings,
        length: Length,
    ) -> Result<Slice, SliceError> {
        let limit = self.ticks(length.measure_ns);
        let patience = self.ticks(length.patience_ns).max(limit);
        let (mut discarded, mut elapsed, mut undisturbed) = (0, 0, 0);
        let switches = involuntary_switches();
        self.spans.clear();
        self.spans.piece.extend(long_span);
        if long_span.is_none() {
            readings.undisturbed_until(self.gauge.read(&self.clock));
        }
        loop {
            // A call that was its own warm-up is a piece.
            let took = match self.spans.piece.first() {
                Some(span) => *span,
                None => self.piece(run, batch, limit / PIECES, &mut discarded)?,
            };
            let is_undisturbed = readings.undisturbed_until(self.gauge.read(&self.clock));
            self.spans
                .keep(elapsed < limit || elapsed == 0, is_undisturbed);
            elapsed += took;
            undisturbed += if is_undisturbed { took } else { 0 };
            if elapsed >= limit && (undisturbed >= limit || elapsed >= patience) {
                break;
            }
        }
        let known = self.spans.undisturbed.len();
        Ok(Slice {
            batch,
            plain: self.sample(batch, |spans| &mut spans.plain),
            undisturbed: (known > 0).then(|| self.sample(batch, |spans| &mut spans.undisturbed)),
            involuntary_switches: involuntary_switches() - switches,
            gauge_ps: (readings.fastest as f64 * self.clock.tick_ps()).round() as u64,
            discarded,
        })
    }

    /// Records for so many ticks, and at least one span; answers how long it took.
    fn piece(
        &mut self,
        run: &mut Run<'_>,
        batch: u64,
        ticks: u64,
        discarded: &mut u64,
    ) -> Result<u64, SliceError> {
        let (mut elapsed, mut spoilt) = (0, 0);
        let mut last = self.clock.start();
        while elapsed < ticks || self.spans.piece.is_empty() {
            let (begin, end) = self.span(run, batch)?;
            elapsed += end.saturating_sub(last);
            last = end;
            match end.checked_sub(begin) {
                Some(span) => self.spans.piece.push(span),
                None => spoilt += 1,
            }
            if spoilt > MAX_DISCARDED {
                return Err(SliceError::Clock);
            }
        }
        *discarded += spoilt;
        Ok(elapsed)
    }

    /// What some of the spans come to: for all calls, and for each as an HdrHistogram counts them.
    fn sample(&mut self, batch: u64, of: impl Fn(&mut Spans) -> &mut Vec<u64>) -> Sample {
        let spans = of(&mut self.spans);
        spans.sort_unstable();
        let tick_ps = self.clock.tick_ps();
        let mut times = Vec::<(u64, u64)>::new();
        for span in &*spans {
            let time = (*span as f64 * tick_ps / batch as f64).round() as u64;
            let time = self.scale.highest_equivalent(time.min(self.scale.high()));
            match times.last_mut() {
                Some((last, count)) if *last == time => *count += 1,
                _ => times.push((time, 1)),
            }
        }
        let recorded = Recorded {
            calls: spans.len() as u64 * batch,
            total_ps: (spans.iter().sum::<u64>() as f64 * tick_ps).round() as u64,
        };
        Sample { recorded, times }
    }

    /// One timed span of `batch` calls: the readings before and after it.
    #[inline]
    fn span(&self, run: &mut Run<'_>, batch: u64) -> Result<(u64, u64), Fault> {
        let first = run.next;
        run.progress.value(run.stage, first);
        (run.op.prepare)(run.calls, run.inputs, first)?;
        let begin = self.clock.start();
        let outcome = (run.op.span)(run.calls, run.inputs, first, batch);
        let end = self.clock.stop();
        outcome?;
        let step = if run.op.repeats { 1 } else { batch as usize };
        run.next = (first + step) % run.inputs.len();
        Ok((begin, end))
    }

    fn ticks(&self, ns: u64) -> u64 {
        (ns as f64 * 1000.0 / self.clock.tick_ps()) as u64
    }
}

/// What a warm-up has found out.
struct Warm {
    /// How many calls to time at once.
    batch: u64,
    /// A first call so long that it is the recorded one: the caches were warm when it had hardly
    /// begun.
    long_span: Option<u64>,
}

impl Warm {
    fn of(batch: u64) -> Self {
        Self {
            batch,
            long_span: None,
        }
    }
}

/// What one slice works on.
struct Run<'a> {
    op: TimedOp,
    stage: Stage,
    calls: &'a Calls,
    inputs: &'a [abi::Bytes],
    progress: &'a Progress,
    next: usize,
}

/// How an op is timed, or counted.
pub(super) struct TimedOp {
    /// Untimed, before each span.
    pub(super) prepare: fn(&Calls, &[abi::Bytes], usize) -> Result<(), Fault>,
    /// Timed: so many calls, from this value on.
    pub(super) span: fn(&Calls, &[abi::Bytes], usize, u64) -> Result<(), Fault>,
    /// Whether the calls of a span are all for one value.
    repeats: bool,
    /// Whether there can be several calls in a span. Not where each wants its input adopted.
    batches: bool,
}

impl TimedOp {
    pub(super) fn of(op: Op, calls: &Calls) -> Self {
        let (span, repeats): (fn(&_, &_, _, _) -> _, _) = match op {
            Op::Serialize => (serialize, false),
            Op::Deserialize => (deserialize, false),
            Op::Read => (read, true),
            Op::RoundTrip => (round_trip, false),
            Op::DeserializeRead => (deserialize_read, false),
        };
        let adopts = calls.adopt.is_some();
        Self {
            prepare: match op {
                Op::Read => decode,
                Op::Serialize => nothing,
                _ if adopts => adopt,
                _ => nothing,
            },
            span,
            repeats,
            batches: !adopts || matches!(op, Op::Serialize | Op::Read),
        }
    }
}

fn nothing(_: &Calls, _: &[abi::Bytes], _: usize) -> Result<(), Fault> {
    Ok(())
}

fn adopt(calls: &Calls, inputs: &[abi::Bytes], value: usize) -> Result<(), Fault> {
    match calls.adopt {
        // SAFETY: see `serialize`.
        Some(adopt) => check(
            unsafe { adopt(calls.this, inputs[value]) },
            Stage::Deserialize,
            value,
        ),
        None => Ok(()),
    }
}

fn decode(calls: &Calls, inputs: &[abi::Bytes], value: usize) -> Result<(), Fault> {
    adopt(calls, inputs, value)?;
    deserialize(calls, inputs, value, 1)
}

// What is timed. Each of these is one plain loop around one or two opaque calls, and is itself
// called through a pointer, so that the compiler treats all codecs and ops alike.

#[inline(always)]
fn check(status: i32, stage: Stage, value: usize) -> Result<(), Fault> {
    if status == abi::OK {
        Ok(())
    } else {
        Err(Fault {
            status,
            stage,
            value,
        })
    }
}

#[inline(always)]
fn each(
    inputs: &[abi::Bytes],
    first: usize,
    count: u64,
    mut call: impl FnMut(usize) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut value = first;
    for _ in 0..count {
        call(value)?;
        value += 1;
        if value == inputs.len() {
            value = 0;
        }
    }
    Ok(())
}

#[inline(always)]
fn serialize_one(calls: &Calls, value: usize) -> Result<(), Fault> {
    let mut out = EMPTY;
    // SAFETY: the instance is open, its functions were checked, and one thread uses it. The same
    // holds for every call here; inputs are those of the instance's own arena.
    let status = unsafe { (calls.serialize)(calls.this, value as u64, &raw mut out) };
    check(status, Stage::Serialize, value)
}

#[inline(always)]
fn deserialize_one(calls: &Calls, inputs: &[abi::Bytes], value: usize) -> Result<(), Fault> {
    // SAFETY: see `serialize_one`.
    let status = unsafe { (calls.deserialize)(calls.this, inputs[value]) };
    check(status, Stage::Deserialize, value)
}

#[inline(always)]
fn read_one(calls: &Calls, value: usize) -> Result<(), Fault> {
    let mut checksum = 0;
    // SAFETY: see `serialize_one`.
    let status = unsafe { (calls.read)(calls.this, &raw mut checksum) };
    check(status, Stage::Read, value)
}

fn serialize(calls: &Calls, inputs: &[abi::Bytes], first: usize, count: u64) -> Result<(), Fault> {
    each(inputs, first, count, |value| serialize_one(calls, value))
}

fn deserialize(
    calls: &Calls,
    inputs: &[abi::Bytes],
    first: usize,
    count: u64,
) -> Result<(), Fault> {
    each(inputs, first, count, |value| {
        deserialize_one(calls, inputs, value)
    })
}

fn read(calls: &Calls, _: &[abi::Bytes], value: usize, count: u64) -> Result<(), Fault> {
    (0..count).try_for_each(|_| read_one(calls, value))
}

fn round_trip(calls: &Calls, inputs: &[abi::Bytes], first: usize, count: u64) -> Result<(), Fault> {
    each(inputs, first, count, |value| {
        serialize_one(calls, value)?;
        deserialize_one(calls, inputs, value)
    })
}

fn deserialize_read(
    calls: &Calls,
    inputs: &[abi::Bytes],
    first: usize,
    count: u64,
) -> Result<(), Fault> {
    each(inputs, first, count, |value| {
        deserialize_one(calls, inputs, value)?;
        read_one(calls, value)
    })
}

/// How often the kernel has taken the core away from this thread.
fn involuntary_switches() -> u64 {
    getrusage(UsageWho::RUSAGE_THREAD).map_or(0, |usage| {
        u64::try_from(usage.involuntary_context_switches()).unwrap_or(0)
    })
}

#[cfg(test)]
mod tests;
