//! What `pb-rs`, the generator of `quick-protobuf`, has to be told, and what it makes of that.

use super::text::{enum_value, field_type, file, single_type};
use crate::codegen::idl::{Body, Model, Payload, Ty};
use crate::model::{Scalar, Schema};

/// The `.proto` file of a dataset for `pb-rs`, whose messages are the same on the wire as those of
/// [`proto::text`](super::text).
///
/// It ignores `optional` in proto3, so that this is proto2 with the defaults and the packing of proto3.
/// Packed numbers of fixed width are declared as `bytes`, which they are on the wire: the latest release
/// reads them through references that are not aligned.
pub fn text(dataset: &str, schema: &Schema) -> String {
    file(dataset, schema, "proto2", declare)
}

fn declare(model: &Model, ty: &Ty) -> (String, String) {
    match ty.peel() {
        Ty::List(element, _) => match element.peel() {
            element if Packed::of(element).is_some() => {
                ("optional bytes".to_owned(), " [default = \"\"]".to_owned())
            }
            Ty::Scalar(_) | Ty::Enum(_) => (field_type(model, ty), " [packed = true]".to_owned()),
            _ => (field_type(model, ty), String::new()),
        },
        Ty::Map(_) => (field_type(model, ty), String::new()),
        Ty::Optional(inner) => (
            format!("optional {}", single_type(model, inner)),
            String::new(),
        ),
        Ty::Message(_) => (
            format!("optional {}", single_type(model, ty)),
            String::new(),
        ),
        single => (
            format!("optional {}", single_type(model, single)),
            format!(" [default = {}]", default(model, single)),
        ),
    }
}

/// The value that a field of its own has where it is left out.
fn default(model: &Model, ty: &Ty) -> String {
    match ty {
        Ty::Scalar(Scalar::Bool) => "false".to_owned(),
        Ty::Scalar(_) => "0".to_owned(),
        Ty::Enum(index) => {
            let def = &model.enums[*index];
            enum_value(&def.name, &def.values[0])
        }
        _ => "\"\"".to_owned(),
    }
}

/// Numbers of fixed width in a list, of which the message has the bytes.
pub(super) struct Packed {
    number: &'static str,
    width: usize,
}

impl Packed {
    /// A list of these, if it is one.
    pub fn of(element: &Ty) -> Option<Self> {
        let (number, width) = match element.peel() {
            Ty::Scalar(Scalar::F32) => ("f32", 4),
            Ty::Scalar(Scalar::F64) => ("f64", 8),
            _ => return None,
        };
        Some(Self { number, width })
    }

    /// The bytes of each number, as a slice.
    pub fn list(&self, bytes: &str) -> String {
        format!("{bytes}.as_chunks::<{}>().0", self.width)
    }

    /// A number from its bytes.
    pub fn number(&self, bytes: &str) -> String {
        format!("{}::from_le_bytes({bytes})", self.number)
    }
}

/// For each message whether there is something in it that borrows from the input.
pub(super) fn borrowing(model: &Model) -> Vec<bool> {
    let mut borrowing = Vec::new();
    // What a message uses stands before it.
    for message in &model.messages {
        let borrows = match &message.body {
            Body::Fields(fields) => fields.iter().any(|field| borrows(&field.ty, &borrowing)),
            Body::Union(alternatives) => alternatives.iter().any(|it| match &it.payload {
                Payload::Unit(_) => false,
                Payload::Value(ty) => borrows(ty, &borrowing),
                Payload::Fields(message) => borrowing[*message],
            }),
        };
        borrowing.push(borrows);
    }
    borrowing
}

fn borrows(ty: &Ty, borrowing: &[bool]) -> bool {
    match ty.peel() {
        Ty::String | Ty::Bytes | Ty::ByteList(_) | Ty::Map(_) => true,
        Ty::Message(index) => borrowing[*index],
        Ty::Optional(inner) => borrows(inner, borrowing),
        Ty::List(element, _) => Packed::of(element).is_some() || borrows(element, borrowing),
        Ty::Scalar(_) | Ty::Enum(_) | Ty::Entries(_) | Ty::Newtype(..) => false,
    }
}
