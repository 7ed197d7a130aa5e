//! Canonical bytes, read by a schema that is known only at run time.
//!
//! What typed Rust code does through [`serbench_canonical`], these do by walking the schema: they
//! give the same encoding and the same checksum.

mod compare;
mod show;
mod statistics;
mod walk;

pub use compare::first_difference;
pub use serbench_canonical::DecodeError;
pub use show::to_json;
pub use statistics::{Number, Place, Range, Statistics};

use serbench_canonical::{Checksum, Reader};

use crate::model::{Scalar, Schema, Type};
use walk::{Event, walk};

/// Whether `bytes` are the canonical encoding of one value.
pub fn validate(schema: &Schema, bytes: &[u8]) -> Result<(), DecodeError> {
    visit(schema, bytes, &mut |_| {})
}

/// The checksum that `read` gives for the value.
pub fn checksum(schema: &Schema, bytes: &[u8]) -> Result<u64, DecodeError> {
    let mut sum = Checksum::new();
    visit(schema, bytes, &mut |event| match event {
        Event::Scalar(scalar, bytes) => sum.word(word(scalar, bytes)),
        Event::String(bytes) | Event::Bytes(bytes) => sum.blob(bytes),
        Event::Present(present) => sum.word(u64::from(present)),
        Event::Length(len) => sum.word(u64::from(len)),
        Event::Variant { index, .. } => sum.word(u64::from(index)),
        Event::Tensor {
            scalar,
            shape,
            data,
        } => {
            sum.word(shape.len() as u64);
            shape.iter().for_each(|dim| sum.word(u64::from(*dim)));
            let elements: Vec<&[u8]> = sample(data, scalar.size());
            elements
                .iter()
                .for_each(|bytes| sum.word(word(scalar, bytes)));
        }
    })?;
    Ok(sum.finish())
}

/// The first, the middle and the last element of a tensor, if it has any.
fn sample(data: &[u8], size: usize) -> Vec<&[u8]> {
    let count = data.len() / size;
    let element = |index: usize| &data[index * size..(index + 1) * size];
    match count {
        0 => Vec::new(),
        _ => vec![element(0), element(count / 2), element(count - 1)],
    }
}

/// How many bytes of information the value holds in memory: scalars at their width; strings, byte
/// strings, lists and maps at their content and a length prefix (1 byte below 255, 2 below 65535,
/// else 4); an option as its payload; an enum as 1 byte (2 above 256 variants) and its payload; a
/// tensor as 4 bytes for each dimension and its elements.
pub fn data_size(schema: &Schema, bytes: &[u8]) -> Result<u64, DecodeError> {
    let mut size = 0;
    visit(schema, bytes, &mut |event| {
        size += match event {
            Event::Scalar(scalar, _) => scalar.size() as u64,
            Event::String(bytes) | Event::Bytes(bytes) => prefix(bytes.len()) + bytes.len() as u64,
            Event::Present(_) => 0,
            Event::Length(len) => prefix(len as usize),
            Event::Variant { count, .. } => 1 + u64::from(count > 256),
            Event::Tensor { shape, data, .. } => 4 * shape.len() as u64 + data.len() as u64,
        };
    })?;
    Ok(size)
}

fn prefix(len: usize) -> u64 {
    match len {
        0..255 => 1,
        255..65535 => 2,
        _ => 4,
    }
}

/// The word that a scalar folds to: zero-extended, but for signed integers, which are
/// sign-extended.
fn word(scalar: Scalar, bytes: &[u8]) -> u64 {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let word = u64::from_le_bytes(wide);
    match scalar {
        Scalar::I8 => word as i8 as u64,
        Scalar::I16 => word as i16 as u64,
        Scalar::I32 => word as i32 as u64,
        _ => word,
    }
}

fn visit<'a>(
    schema: &Schema,
    bytes: &'a [u8],
    see: &mut dyn FnMut(Event<'a, '_>),
) -> Result<(), DecodeError> {
    let mut reader = Reader::new(bytes);
    walk(schema, &schema.root, &mut reader, see)?;
    reader.finish()
}

/// The text of a value of a type, for messages: as JSON, shortened.
fn brief(schema: &Schema, ty: &Type, bytes: &[u8]) -> String {
    const LIMIT: usize = 60;
    let Ok(value) = show::value(schema, ty, &mut Reader::new(bytes)) else {
        return "malformed bytes".to_owned();
    };
    let text = value.to_string();
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
