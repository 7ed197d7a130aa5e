//! Bytes that no serializer wrote: anything may come of them but a fault.

use serbench_schema::{Schema, canonical};

use crate::plugin::Instance;
use crate::protocol::Line;
use crate::random::Random;

/// How many bytes are read in all, so that long messages do not take for ever.
const BUDGET: usize = 1 << 19;
const TRIES: usize = 96;

/// Hands a checked codec cut and altered copies of `wire`.
pub fn attack(
    instance: &mut Instance,
    schema: &Schema,
    wire: &[u8],
    random: &mut Random,
) -> Result<(), String> {
    let tries = TRIES.min(BUDGET / wire.len().max(1)).max(4);
    for attempt in 0..tries {
        let bytes = match attempt % 2 {
            0 => cut(wire, attempt, tries, random),
            _ => altered(wire, random),
        };
        survive(instance, schema, &bytes).map_err(|e| format!("damaged input {attempt}: {e}"))?;
    }
    Ok(())
}

/// At the start one byte more each time, then anywhere.
fn cut(wire: &[u8], attempt: usize, tries: usize, random: &mut Random) -> Vec<u8> {
    let length = match attempt < tries / 2 {
        true => attempt / 2,
        false => random.below(wire.len().max(1)),
    };
    wire[..length.min(wire.len())].to_vec()
}

/// A few bytes changed: flipped bits, and the large numbers that make lengths of long lists.
fn altered(wire: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = wire.to_vec();
    if bytes.is_empty() {
        return bytes;
    }
    for _ in 0..=random.below(3) {
        // Lengths and tags stand at both ends more often than not.
        let at = match random.below(3) {
            0 => random.below(bytes.len().min(32)),
            1 => bytes.len() - 1 - random.below(bytes.len().min(32)),
            _ => random.below(bytes.len()),
        };
        match random.below(4) {
            0 => bytes[at] = 0xff,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at..].iter_mut().take(8).for_each(|byte| *byte = 0xff),
            _ => bytes[at] = random.word() as u8,
        }
    }
    bytes
}

/// An error, or a value that can be read and is one of the dataset's type.
fn survive(instance: &mut Instance, schema: &Schema, bytes: &[u8]) -> Result<(), String> {
    if instance.deserialize(bytes).is_err() {
        return match instance.read() {
            Err(_) => Ok(()),
            Ok(_) => Err("there is a value to read after an error".to_owned()),
        };
    }
    let _ = instance.read();
    match instance.export() {
        Err(_) => Ok(()),
        Ok(value) => canonical::validate(schema, &value)
            .map_err(|e| format!("what came of it is no value of the dataset: {e}")),
    }
}

/// Announces the attack, since it may be the last that is heard.
pub fn announce(value: usize, mode: &str) {
    Line::Step(format!("damaged input, from value {value}, {mode}")).tell();
}
