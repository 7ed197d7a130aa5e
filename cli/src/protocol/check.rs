//! What `serbench check` asks of a worker, and what comes of it.

use serde::{Deserialize, Serialize};

use super::Mode;

/// A promise of the contract that is put to the test on one codec and one dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trial {
    /// Every value comes back as it went in.
    RoundTrip,
    /// `read` gives the checksum that the schema asks for.
    Checksum,
    /// `export_value` says the same again, and nothing where there is no value.
    Export,
    /// A value is always serialized to the same bytes.
    Determinism,
    /// What one instance does leaves the other alone.
    SecondInstance,
    /// Two instances at once in two threads, and one that wanders from thread to thread.
    Threads,
    /// So many instances are opened, used and closed, and memory does not grow.
    Reopening(u64),
    /// A mode that nobody knows yet is refused.
    Modes,
    /// Output stays as it is until the next call.
    Output,
    /// Nothing is touched beyond what was handed over.
    Bounds,
    /// Nothing in the process changes for others.
    SideEffects,
}

/// How a message is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Damage {
    /// Cut short.
    Truncation,
    /// A few bits turned over.
    BitFlips,
    /// Bytes that no serializer wrote, in part or all.
    RandomBytes,
    /// Numbers that announce more than there is.
    LengthBombs,
}

impl Damage {
    /// Every kind.
    pub const ALL: [Damage; 4] = [
        Damage::Truncation,
        Damage::BitFlips,
        Damage::RandomBytes,
        Damage::LengthBombs,
    ];
}

/// An attack on a codec with damaged messages.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Attack {
    /// The kinds of damage, each with as many inputs as the others.
    pub damages: Vec<Damage>,
    /// How buffers are provided; the inputs take turns.
    pub modes: Vec<Mode>,
    /// How many inputs at most. Long messages get fewer.
    pub inputs: u64,
    /// How many bytes of input at most, though every kind of damage is tried.
    pub bytes: u64,
    /// After so many inputs on which it hangs, the codec is handed no more.
    pub hangs: u64,
}

impl Attack {
    /// How many hangs are worth waiting for.
    pub const HANGS: u64 = 5;
}

/// What a codec made of damaged messages. Every input is counted once, by the worst that came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcomes {
    /// How many damaged messages were handed in: the sum of the others.
    pub inputs: u64,
    /// An error, as it should be.
    pub rejected: u64,
    /// A value of the dataset's type, as it may be.
    pub accepted: u64,
    /// Something that is no value of the dataset's type, or reads differently from what it exports.
    pub wrong: u64,
    /// The process died.
    pub crashed: u64,
    /// The call did not return.
    pub hung: u64,
    /// It touched memory beyond the input and its padding, or wrote into the input.
    pub out_of_bounds: u64,
    /// It asked for more memory than the bound allows, or ran out of stack.
    pub over_allocated: u64,
}

/// What came of an attack.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Attacked {
    /// The count.
    pub outcomes: Outcomes,
    /// The first input that went wrong, in words.
    pub first_fault: Option<String>,
}

/// What a look at a plugin has found, before a codec is opened.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Inspected {
    /// What is not as it should be in the descriptor.
    pub descriptor: Vec<String>,
    /// What loading the plugin has changed for others.
    pub effects: Vec<String>,
}

/// Which values a codec can carry.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Carried {
    /// Their numbers.
    pub values: Vec<usize>,
    /// Why the last of the others is not among them.
    pub reason: Option<String>,
}
