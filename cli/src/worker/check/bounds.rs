//! A codec looks at nothing beyond what it was handed, and not longer than it says.

use std::cell::RefCell;
use std::io;
use std::ops::ControlFlow;

use serbench_plugin::abi;

use super::apart::{self, Cause, Death, Ended, Notes};
use super::guard::{Guarded, Region, Side};
use super::{Bench, fault, wrong};
use crate::protocol::{Failure, Mode, Stage};
use crate::worker::instance::Instance;
use crate::worker::values::Values;
use crate::worker::verify::same_value;

/// What a codec may map for a good message.
const MEMORY: u64 = 4 << 30;

/// What an attempt answers.
const KEPT: u8 = 1;
const BROKEN: u8 = 2;

/// What is tried on each value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    /// The value is opened with nothing behind its canonical bytes.
    Open,
    /// The message has nothing behind its padding, or nothing in front.
    Read { misaligned: bool, side: Side },
    /// The message is taken away once it has been deserialized.
    Owned,
}

const READS: [Case; 4] = [
    Case::Read {
        misaligned: false,
        side: Side::Back,
    },
    Case::Read {
        misaligned: false,
        side: Side::Front,
    },
    Case::Read {
        misaligned: true,
        side: Side::Back,
    },
    Case::Read {
        misaligned: true,
        side: Side::Front,
    },
];

/// An instance of a mode, and two places for its input: the one before stays until the next call
/// has returned.
pub struct Target {
    pub instance: Instance,
    pub pages: [Guarded; 2],
    turn: usize,
}

impl Target {
    /// For inputs of up to this many bytes.
    pub fn new(instance: Instance, largest: usize) -> io::Result<Self> {
        Ok(Self {
            instance,
            pages: [Guarded::new(largest)?, Guarded::new(largest)?],
            turn: 0,
        })
    }

    /// Lays out an input where the one before the last has been.
    pub fn place(&mut self, bytes: &[u8], side: Side) -> io::Result<abi::Bytes> {
        self.turn ^= 1;
        let misaligned = self.instance.mode.misaligned_input;
        self.pages[self.turn].place(bytes, misaligned, side)
    }

    fn forbid(&mut self) -> io::Result<()> {
        self.pages[self.turn].forbid()
    }

    /// What stands at an address, if it is near an input.
    pub fn region(&self, address: u64) -> Option<Region> {
        self.pages.iter().find_map(|pages| pages.region(address))
    }
}

impl Bench<'_> {
    /// Valid messages and values, placed so that each step beyond them is seen.
    pub(super) fn bounds(&self) -> Result<(), Failure> {
        let modes = [false, true].map(|misaligned_input| Mode {
            misaligned_input,
            ..Mode::default()
        });
        let first = self.open(modes[0])?;
        let messages = self.messages(&first)?;
        let largest = messages.iter().map(Vec::len).max().unwrap_or_default();
        let no_memory = |e: io::Error| fault(Stage::Deserialize, format!("no memory: {e}"));
        let targets = [
            Target::new(first, largest).map_err(no_memory)?,
            Target::new(self.open(modes[1])?, largest).map_err(no_memory)?,
        ];
        let targets = targets.map(RefCell::new);
        let cases = self.cases();
        let count = cases.len() * messages.len();
        let of = |number: usize| (cases[number / messages.len()], number % messages.len());
        let attempt = |number: usize, notes: &Notes| {
            let (case, value) = of(number);
            let tried = match case {
                Case::Open => self.open_exactly(targets[0].borrow().instance.values.value(value)),
                Case::Read { misaligned, side } => {
                    let mut target = targets[usize::from(misaligned)].borrow_mut();
                    self.decode(&mut target, value, &messages[value], side, false)
                }
                Case::Owned => {
                    let mut target = targets[0].borrow_mut();
                    self.decode(&mut target, value, &messages[value], Side::Back, true)
                }
            };
            match tried {
                Ok(()) => KEPT,
                Err(failure) => {
                    notes.say(number, &format!("{}: {}", failure.stage, failure.message));
                    BROKEN
                }
            }
        };
        let mut broken = None;
        let seen = |number: usize, ended: Ended| {
            let (case, value) = of(number);
            let message = match ended {
                Ended::Answered(KEPT, _) => return ControlFlow::Continue(()),
                Ended::Answered(_, words) => words.unwrap_or_default(),
                Ended::Died(death) => {
                    let near = death.address.and_then(|address| {
                        targets
                            .iter()
                            .find_map(|target| target.borrow().region(address))
                    });
                    told(&death, near, case)
                }
            };
            broken = Some(wrong(self.progress.position().0, value, message));
            ControlFlow::Break(())
        };
        apart::run(count, MEMORY, None, attempt, seen)
            .map_err(|e| fault(Stage::Start, format!("cannot fork: {e}")))?;
        broken.map_or(Ok(()), Err)
    }

    fn cases(&self) -> Vec<Case> {
        let mut cases = vec![Case::Open];
        cases.extend(READS);
        if self.codec.info.yields == "owned" {
            cases.push(Case::Owned);
        }
        cases
    }

    fn open_exactly(&self, value: &[u8]) -> Result<(), Failure> {
        let values =
            Values::guarded(value).map_err(|e| fault(Stage::Open, format!("no memory: {e}")))?;
        let instance = self.open_on(values, Mode::default())?;
        self.serialize(&instance, 0).map(|_| ())
    }

    fn decode(
        &self,
        target: &mut Target,
        value: usize,
        message: &[u8],
        side: Side,
        forbid: bool,
    ) -> Result<(), Failure> {
        let no_memory = |e: io::Error| fault(Stage::Deserialize, format!("no memory: {e}"));
        let input = target.place(message, side).map_err(no_memory)?;
        self.deserialize(&target.instance.calls, value, input)?;
        if forbid {
            target.forbid().map_err(no_memory)?;
        }
        self.read(&target.instance.calls, value)?;
        if !self.gives_values_back() {
            return Ok(());
        }
        let exported = self.exported(&target.instance, value)?;
        same_value(
            &self.schema,
            value,
            target.instance.values.value(value),
            exported,
        )
    }
}

/// What a death says of the promise.
fn told(death: &Death, near: Option<Region>, case: Case) -> String {
    let crash = matches!(death.cause, Cause::Signal(_));
    match (crash, near, case) {
        (true, Some(Region::Behind), _) => {
            "it touched memory beyond the input and the 64 bytes behind it".to_owned()
        }
        (true, Some(Region::InFront), _) => "it touched memory in front of the input".to_owned(),
        (true, Some(Region::Within), Case::Owned) => {
            "it looked at the input after `deserialize`, though it says that it yields an owned \
             value"
                .to_owned()
        }
        (true, Some(Region::Within), _) => "it wrote into its input".to_owned(),
        (true, None, Case::Open) => format!(
            "{}, when nothing that can be read stood behind the value that `open` was given",
            death.cause
        ),
        _ => death.cause.to_string(),
    }
}
