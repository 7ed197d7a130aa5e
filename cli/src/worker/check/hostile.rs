//! Damaged messages: anything may come of them but a fault.

use std::cell::RefCell;
use std::io;
use std::ops::ControlFlow;

use serbench_schema::canonical;

use super::apart::{self, Cause, Death, Ended, Notes};
use super::bounds::Target;
use super::damage::Damaged;
use super::guard::{Region, Side};
use super::{Bench, fault};
use crate::protocol::{Attack, Attacked, Failure, Mode, Outcomes, Stage};
use crate::worker::heap::Counters;
use crate::worker::verify::same_value;

/// What reading a message may take from the heap: so many times its size, since a byte may stand for
/// a record of many fields …
const ALLOCATION_FACTOR: u64 = 256;
/// … and what a library may set aside before it knows more.
const ALLOCATION_FLOOR: u64 = 8 << 20;

/// What a codec may map beyond twice of that: room for what an allocator sets aside. Whoever asks for
/// more is told soon, and has not filled it all by then.
const ROOM: u64 = 256 << 20;

/// So often an attempt is followed by a good message, which must come back as ever.
const GOOD_ONES: usize = 64;

/// What came of one input, by how bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Verdict {
    Rejected = 1,
    Accepted,
    Wrong,
    OverAllocated,
    Crashed,
    Hung,
    OutOfBounds,
}

impl Verdict {
    const ALL: [Self; 7] = [
        Self::Rejected,
        Self::Accepted,
        Self::Wrong,
        Self::OverAllocated,
        Self::Crashed,
        Self::Hung,
        Self::OutOfBounds,
    ];

    fn of(answer: u8) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|verdict| *verdict as u8 == answer)
    }

    fn count(self, outcomes: &mut Outcomes) {
        outcomes.inputs += 1;
        *match self {
            Self::Rejected => &mut outcomes.rejected,
            Self::Accepted => &mut outcomes.accepted,
            Self::Wrong => &mut outcomes.wrong,
            Self::OverAllocated => &mut outcomes.over_allocated,
            Self::Crashed => &mut outcomes.crashed,
            Self::Hung => &mut outcomes.hung,
            Self::OutOfBounds => &mut outcomes.out_of_bounds,
        } += 1;
    }

    fn is_fault(self) -> bool {
        !matches!(self, Self::Rejected | Self::Accepted)
    }
}

/// Hands the codec what is planned, and counts.
pub fn attack(
    bench: &Bench<'_>,
    attack: &Attack,
    counters: &Counters,
) -> Result<Attacked, Failure> {
    let open = |mode: &Mode| bench.open(*mode);
    let instances = attack
        .modes
        .iter()
        .map(open)
        .collect::<Result<Vec<_>, _>>()?;
    let Some(first) = instances.first() else {
        return Err(fault(Stage::Open, "an attack without a mode".to_owned()));
    };
    let messages = bench.messages(first)?;
    let damaged = Damaged::new(
        messages.clone(),
        &attack.damages,
        attack.inputs,
        attack.bytes,
    );
    let largest = messages.iter().map(Vec::len).max().unwrap_or_default();
    let room = largest.max(damaged.longest());
    let targets = instances
        .into_iter()
        .map(|instance| Target::new(instance, room).map(RefCell::new))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|e| fault(Stage::Deserialize, format!("no memory for the input: {e}")))?;
    let target = |number: usize| &targets[number % targets.len()];
    let attempt = |number: usize, notes: &Notes| {
        let mut target = target(number).borrow_mut();
        let hand = Hand {
            bench,
            counters,
            notes,
            messages: &messages,
        };
        let verdict = hand.over(&mut target, number, &damaged.make(number));
        verdict.unwrap_or_else(|error| panic!("no memory for the input: {error}")) as u8
    };
    let mut attacked = Attacked {
        outcomes: Outcomes::default(),
        first_fault: None,
    };
    let seen = |number: usize, ended: Ended| {
        let (verdict, what) = match ended {
            Ended::Answered(answer, words) => (
                Verdict::of(answer).unwrap_or(Verdict::Wrong),
                words.unwrap_or_default(),
            ),
            Ended::Died(death) => {
                let near = death
                    .address
                    .and_then(|a| target(number).borrow().region(a));
                judge(&death, near, damaged.make(number).len())
            }
        };
        verdict.count(&mut attacked.outcomes);
        if verdict.is_fault() && attacked.first_fault.is_none() {
            let input = damaged.describe(number);
            attacked.first_fault = Some(format!("{what}; the input: {input}"));
        }
        match attacked.outcomes.hung >= attack.hangs {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let memory = ROOM + 2 * bound(room);
    apart::run(damaged.len(), memory, Some(counters), attempt, seen)
        .map_err(|e| fault(Stage::Start, format!("cannot fork: {e}")))?;
    Ok(attacked)
}

/// What the end of the process says.
fn judge(death: &Death, near: Option<Region>, size: usize) -> (Verdict, String) {
    let crash = matches!(death.cause, Cause::Signal(_));
    match near {
        _ if death.largest > bound(size) => {
            let what = format!(
                "{}, having asked for {}",
                death.cause,
                megabytes(death.largest)
            );
            (Verdict::OverAllocated, what)
        }
        _ if crash && death.address.is_some_and(apart::is_stack) => {
            let what = format!("{}, having run out of stack", death.cause);
            (Verdict::OverAllocated, what)
        }
        _ if death.cause == Cause::Hung => (Verdict::Hung, death.cause.to_string()),
        Some(Region::Within) if crash => {
            (Verdict::OutOfBounds, "it wrote into its input".to_owned())
        }
        Some(region) if crash => {
            let place = match region {
                Region::InFront => "in front of",
                _ => "beyond the padding of",
            };
            (
                Verdict::OutOfBounds,
                format!("it touched memory {place} its input"),
            )
        }
        _ => (Verdict::Crashed, death.cause.to_string()),
    }
}

/// The most that reading a message of this size may take from the heap.
fn bound(size: usize) -> u64 {
    ALLOCATION_FLOOR + ALLOCATION_FACTOR * size as u64
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

/// Hands over one input, in a forked worker.
struct Hand<'a> {
    bench: &'a Bench<'a>,
    counters: &'a Counters,
    notes: &'a Notes,
    messages: &'a [Vec<u8>],
}

impl Hand<'_> {
    fn over(&self, target: &mut Target, number: usize, bytes: &[u8]) -> io::Result<Verdict> {
        let side = if number % 4 < 2 {
            Side::Back
        } else {
            Side::Front
        };
        let input = target.place(bytes, side)?;
        let calls = &target.instance.calls;
        let held = self.counters.reset_peak();
        let checksum = self
            .bench
            .deserialize(calls, number, input)
            .map_err(|_| Stage::Deserialize)
            .and_then(|()| self.bench.read(calls, number).map_err(|_| Stage::Read));
        let taken = (self.counters.peak() - held).max(0).unsigned_abs();
        let taken = taken.max(self.notes.largest());
        if taken > bound(bytes.len()) {
            let what = format!("it asked for {}", megabytes(taken));
            return Ok(self.fault(Verdict::OverAllocated, number, &what));
        }
        let verdict = match checksum {
            Err(Stage::Deserialize) if self.bench.read(calls, number).is_ok() => {
                let what = "there is a value to read after an error";
                self.fault(Verdict::Wrong, number, what)
            }
            Err(_) => Verdict::Rejected,
            Ok(checksum) => self.look(target, number, bytes.len(), checksum),
        };
        if number % GOOD_ONES == GOOD_ONES - 1 && !verdict.is_fault() {
            return self
                .still_works(target, number)
                .map(|works| works.unwrap_or(verdict));
        }
        Ok(verdict)
    }

    /// What was accepted must be a value of the dataset's type.
    fn look(&self, target: &Target, number: usize, size: usize, checksum: u64) -> Verdict {
        self.bench.progress.value(Stage::Export, number);
        let Ok(value) = target.instance.calls.export(number, size as u64) else {
            return Verdict::Rejected;
        };
        match canonical::checksum(&self.bench.schema, value) {
            Err(error) => {
                let what = format!("what came of it is no value of the dataset: {error}");
                self.fault(Verdict::Wrong, number, &what)
            }
            Ok(right) if right != checksum => {
                let what = "`read` gave another checksum than that of the value that was exported";
                self.fault(Verdict::Wrong, number, what)
            }
            Ok(_) => Verdict::Accepted,
        }
    }

    /// A good message after the damaged one.
    fn still_works(&self, target: &mut Target, number: usize) -> io::Result<Option<Verdict>> {
        let value = number / GOOD_ONES % self.messages.len();
        let input = target.place(&self.messages[value], Side::Back)?;
        let instance = &target.instance;
        let came_back = self
            .bench
            .deserialize(&instance.calls, value, input)
            .and_then(|()| self.bench.exported(instance, value))
            .and_then(|actual| {
                same_value(
                    &self.bench.schema,
                    value,
                    instance.values.value(value),
                    actual,
                )
            });
        Ok(came_back.err().map(|failure| {
            let what = format!("after it, a good message failed: {}", failure.message);
            self.fault(Verdict::Wrong, number, &what)
        }))
    }

    fn fault(&self, verdict: Verdict, number: usize, what: &str) -> Verdict {
        self.notes.say(number, what);
        verdict
    }
}
