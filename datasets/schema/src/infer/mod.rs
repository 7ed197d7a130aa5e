//! A schema for values that have none: what their JSON suggests.

mod decide;
mod names;
mod profile;
mod read;

use serde::de::{DeserializeSeed, Deserializer};

use crate::json::{JsonError, error_at, without_mark};
use crate::model::{Schema, Shape, Tagging};
use decide::Decider;
use profile::{Kind, Profile};
use read::{Trace, Value, Values};

/// What was found out.
#[derive(Debug, Clone)]
pub struct Inference {
    /// The types.
    pub schema: Schema,
    /// How many values the file holds.
    pub values: u64,
    /// Why the types are what they are, place by place; the first line is the root's.
    pub guesses: Vec<Guess>,
}

/// The type of one place of the documents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guess {
    /// The place: `$.lines[*].count`.
    pub path: String,
    /// Its type, as the schema language spells it.
    pub ty: String,
    /// What was seen there.
    pub why: String,
}

/// Finds types for the values of a file, of which the first is called after `name`. An array of
/// objects is taken for so many values, unless `whole` says that it is one.
///
/// The types hold every value, with one exception: where values of different kinds stand in one place,
/// the type is that of the first. [`json::read_each`](crate::json::read_each) then says where
/// another one stands. `None` if there are no values.
pub fn infer(text: &[u8], name: &str, whole: bool) -> Result<Option<Inference>, JsonError> {
    let text = without_mark(text);
    let elements = match whole {
        true => None,
        false => elements(text)?,
    };
    let seen = match elements {
        Some(seen) => seen,
        None => documents(text)?,
    };
    if seen.count == 0 {
        return Ok(None);
    }
    let mut decider = Decider::default();
    let values = seen.count;
    let root = decider.place(seen, values, "$", &names::singular(name));
    decider.schema.root = root;
    Ok(Some(Inference {
        schema: decider.schema,
        values,
        guesses: decider.guesses,
    }))
}

/// What is in the one array of objects that the file is, if it is that.
fn elements(text: &[u8]) -> Result<Option<Profile>, JsonError> {
    if text.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'[') {
        return Ok(None);
    }
    let trace = Trace::default();
    let mut reader = serde_json::Deserializer::from_slice(text);
    let seen = reader.deserialize_seq(Values(&trace));
    let seen = seen.map_err(|error| error_at(text, &error, trace.path()))?;
    let objects = seen.count == 0 || seen.kinds() == [Kind::Object];
    Ok((objects && reader.end().is_ok()).then_some(seen))
}

/// What is in all documents of the file.
fn documents(text: &[u8]) -> Result<Profile, JsonError> {
    let trace = Trace::default();
    let mut reader = serde_json::Deserializer::from_slice(text);
    let mut seen = Profile::default();
    while reader.end().is_err() {
        let value = Value(&trace).deserialize(&mut reader);
        seen.add(value.map_err(|error| error_at(text, &error, trace.path()))?);
    }
    Ok(seen)
}

impl Schema {
    /// The same types, but with no tag inside the content: every format can carry them.
    pub fn with_external_tags(mut self) -> Self {
        for def in &mut self.types {
            if let Shape::Enum { tagging, .. } = &mut def.shape {
                *tagging = Tagging::External;
            }
        }
        self
    }
}
