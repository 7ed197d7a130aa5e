//! No verified result, no number: every value goes out and comes back before anything is timed.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serbench_schema::{Schema, canonical};

use super::arena::{Arena, Builder};
use super::instance::{Instance, Promise};
use super::progress::Progress;
use crate::protocol::{Failure, FailureKind, Stage, Verified};

/// Serializes every value, brings every one back, and compares. The serialized bytes become the
/// input of everything that is timed afterwards, and are written to `spool` when asked.
pub fn verify(
    instance: &mut Instance,
    progress: &Progress,
    spool: Option<&Path>,
) -> Result<Verified, Failure> {
    let changed = serialize_all(instance, progress)?;
    // The decoded value may point into the arena before: that one goes at the end of this call.
    let before = instance.arena.take();
    let (arena, _before) = match changed {
        Some(arena) => (arena, before),
        None => (before.expect("what it was compared with"), None),
    };
    progress.stage(Stage::Compare);
    if let Some(spool) = spool {
        write(spool, &arena)?;
    }
    let outcome = (0..instance.values.bytes().len())
        .try_for_each(|value| bring_back(instance, &arena, progress, value));
    let sizes = arena.sizes();
    instance.arena = Some(arena);
    outcome.map(|()| Verified { sizes })
}

/// What the values serialize to; nothing where that is what the instance's arena already holds:
/// large data is in memory often enough.
fn serialize_all(instance: &Instance, progress: &Progress) -> Result<Option<Arena>, Failure> {
    let unchanged = instance.arena.as_ref();
    let mut before = unchanged.iter().flat_map(|arena| arena.values());
    let mut builder = match unchanged {
        Some(_) => None,
        None => Some(Builder::new(instance.mode).map_err(no_memory)?),
    };
    for value in 0..instance.values.bytes().len() {
        progress.value(Stage::Serialize, value);
        let canonical_size = instance.values.value(value).len() as u64;
        let out = instance.calls.serialize(value, canonical_size)?;
        if builder.is_none() && before.next() != Some(out) {
            let mut changed = Builder::new(instance.mode).map_err(no_memory)?;
            let same = unchanged.iter().flat_map(|arena| arena.values());
            same.take(value)
                .try_for_each(|bytes| changed.push(bytes))
                .map_err(no_memory)?;
            builder = Some(changed);
        }
        if let Some(builder) = &mut builder {
            builder.push(out).map_err(no_memory)?;
        }
    }
    builder
        .map(|builder| builder.finish().map_err(no_memory))
        .transpose()
}

/// Deserializes, reads and exports one value, and compares with what went in.
fn bring_back(
    instance: &Instance,
    arena: &Arena,
    progress: &Progress,
    value: usize,
) -> Result<(), Failure> {
    let expected = instance.values.value(value);
    progress.value(Stage::Deserialize, value);
    instance.calls.deserialize(value, arena.inputs()[value])?;
    progress.value(Stage::Read, value);
    let checksum = instance.calls.read(value)?;
    if matches!(instance.promise, Promise::Nothing) {
        return Ok(());
    }
    progress.value(Stage::Export, value);
    let actual = instance.calls.export(value, expected.len() as u64)?;
    progress.value(Stage::Compare, value);
    let Promise::Value(schema) = &instance.promise else {
        return match actual == expected {
            true => Ok(()),
            false => Err(wrong(
                Stage::Compare,
                value,
                "the bytes came back changed".to_owned(),
            )),
        };
    };
    same_value(schema, value, expected, actual)?;
    same_checksum(schema, value, expected, checksum)
}

/// Holds an exported value to the one that went in.
pub fn same_value(
    schema: &Schema,
    value: usize,
    expected: &[u8],
    actual: &[u8],
) -> Result<(), Failure> {
    if actual == expected {
        return Ok(());
    }
    let difference = canonical::first_difference(schema, expected, actual)
        .unwrap_or_else(|| "the same value in another encoding".to_owned());
    let message = format!("the value came back changed: {difference}");
    Err(wrong(Stage::Compare, value, message))
}

/// Holds what `read` gave to the checksum of the value that went in.
pub fn same_checksum(
    schema: &Schema,
    value: usize,
    expected: &[u8],
    checksum: u64,
) -> Result<(), Failure> {
    let right = canonical::checksum(schema, expected).map_err(|e| {
        let message = format!("the dataset's own bytes are not canonical: {e}");
        failure(
            FailureKind::Error,
            Stage::Compare,
            Some(value as u64),
            message,
        )
    })?;
    match checksum == right {
        true => Ok(()),
        false => Err(wrong(
            Stage::Read,
            value,
            format!("read gave the checksum {checksum:#018x}, {right:#018x} expected"),
        )),
    }
}

fn wrong(stage: Stage, value: usize, message: String) -> Failure {
    failure(FailureKind::Wrong, stage, Some(value as u64), message)
}

fn no_memory(error: io::Error) -> Failure {
    let message = format!("no memory for the serialized values: {error}");
    failure(FailureKind::Error, Stage::Serialize, None, message)
}

fn write(spool: &Path, arena: &Arena) -> Result<(), Failure> {
    File::create(spool)
        .and_then(|file| {
            let mut file = BufWriter::new(file);
            arena.values().try_for_each(|bytes| file.write_all(bytes))?;
            file.flush()
        })
        .map_err(|e| {
            let message = format!("cannot write {}: {e}", spool.display());
            failure(FailureKind::Error, Stage::Serialize, None, message)
        })
}

fn failure(kind: FailureKind, stage: Stage, value: Option<u64>, message: String) -> Failure {
    Failure {
        kind,
        stage,
        value,
        message,
    }
}
