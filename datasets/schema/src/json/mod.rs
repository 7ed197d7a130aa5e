//! Values written as JSON, checked against a schema and turned into canonical bytes on the way,
//! without a tree in between.
//!
//! A file is one array of values, or values one after another: a single document, or one on each
//! line (NDJSON). Where a value is itself an array in JSON, only the second is possible.

mod fields;
mod seed;
mod tagged;
mod tensor;

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};

use crate::model::{Schema, Shape, Type};
use seed::{Context, Seed, Step};

/// A document that does not fit the schema, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The place in the document: `$[3].cells[0].position`.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}: {}: {}",
            self.line, self.column, self.path, self.message
        )
    }
}

impl std::error::Error for JsonError {}

/// Reads every value of a file, each as canonical bytes.
pub fn read_values(schema: &Schema, text: &[u8]) -> Result<Vec<Vec<u8>>, JsonError> {
    let mut values = Vec::new();
    read_each(schema, text, &mut |bytes| values.push(bytes.to_vec()))?;
    Ok(values)
}

/// Reads every value of a file and hands out its canonical bytes, one value at a time.
pub fn read_each(
    schema: &Schema,
    text: &[u8],
    emit: &mut dyn FnMut(&[u8]),
) -> Result<(), JsonError> {
    let text = without_mark(text);
    let context = Context::new(schema);
    read_all(&context, text, emit).map_err(|error| error_at(text, &error, context.path()))
}

/// The text without the byte order mark that some programs begin with.
pub(crate) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// The error with its place in the text and in the document.
pub(crate) fn error_at(text: &[u8], error: &serde_json::Error, path: String) -> JsonError {
    JsonError {
        line: error.line(),
        column: error.column(),
        path,
        message: match stands_for_no_number(text, error) {
            true => "JSON has no NaN and no infinity".to_owned(),
            false => bare_message(error),
        },
    }
}

/// Whether the error is at what other languages call a number.
fn stands_for_no_number(text: &[u8], error: &serde_json::Error) -> bool {
    let newlines = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let line = match error.line().checked_sub(2) {
        None => 0,
        Some(before) => newlines.map(|(at, _)| at + 1).nth(before).unwrap_or(0),
    };
    // The error is at the first letter of a word, or at a later one.
    let at = text.len().min(line + error.column().saturating_sub(1));
    let letters = text[line..at].iter().rev();
    let letters = letters
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let word = text[at - letters..].get(..3).unwrap_or_default();
    error.is_syntax()
        && [b"nan", b"inf"]
            .iter()
            .any(|name| word.eq_ignore_ascii_case(*name))
}

fn read_all(
    context: &Context<'_>,
    text: &[u8],
    emit: &mut dyn FnMut(&[u8]),
) -> serde_json::Result<()> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    let first = text.iter().find(|byte| !byte.is_ascii_whitespace());
    if first == Some(&b'[') && !is_array(context.schema, &context.schema.root) {
        reader.deserialize_seq(Values { context, emit })?;
        return reader.end();
    }
    let mut bytes = Vec::new();
    while reader.end().is_err() {
        bytes.clear();
        Seed::new(context, &context.schema.root, &mut bytes).deserialize(&mut reader)?;
        emit(&bytes);
    }
    Ok(())
}

/// Whether a value of the type is an array in JSON.
fn is_array(schema: &Schema, ty: &Type) -> bool {
    match schema.resolve(ty) {
        Type::List(_) | Type::Array(..) => true,
        Type::Option(inner) => is_array(schema, inner),
        Type::Named(index) => matches!(schema.def(*index).shape, Shape::Tuple(_)),
        _ => false,
    }
}

/// serde_json's message without the position, which has a place of its own here.
fn bare_message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    message
        .strip_suffix(&position)
        .map(str::to_owned)
        .unwrap_or(message)
}

/// An array of values.
struct Values<'a, 's> {
    context: &'a Context<'s>,
    emit: &'a mut dyn FnMut(&[u8]),
}

impl<'de> Visitor<'de> for Values<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let mut bytes = Vec::new();
        for index in 0.. {
            bytes.clear();
            self.context.enter(Step::Index(index));
            let seed = Seed::new(self.context, &self.context.schema.root, &mut bytes);
            if seq.next_element_seed(seed)?.is_none() {
                self.context.leave();
                break;
            }
            self.context.leave();
            (self.emit)(&bytes);
        }
        Ok(())
    }
}
