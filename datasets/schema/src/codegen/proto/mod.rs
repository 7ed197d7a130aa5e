//! Protocol Buffers: the `.proto` file (proto3) of a dataset, and the conversions between its
//! native types and the message classes of the libraries that implement the format.

pub mod cpp;
mod prost;
pub mod quick;
pub mod rust;
mod text;
pub mod upb;

use super::idl::{self, Model, Policy, Rule, Ty};
use crate::model::{Scalar, Schema};

pub use text::{package, text};

/// What generated conversions implement for a dataset's root type, in a Rust plugin.
const MESSAGE_TRAIT: &str = "::serbench_plugin::Native<crate::Library>";

/// What proto3 can say.
const POLICY: Policy = Policy {
    byte_lists: true,
    map_entries: false,
    unit_messages: true,
    fixed_messages: false,
    widened: &[Scalar::I8, Scalar::I16, Scalar::U8, Scalar::U16],
    element: is_single,
    optional: is_single,
    alternative: is_single,
};

/// Whether a type can stand without `repeated`, `map` or `optional`.
fn is_single(ty: &Ty) -> bool {
    !matches!(ty, Ty::List(..) | Ty::Map(_) | Ty::Optional(_))
}

/// The messages of a dataset.
pub fn model(schema: &Schema) -> Model {
    idl::lower(schema, &POLICY)
}

/// What a reader of a row must know about how the format carries the dataset.
pub fn notes(schema: &Schema) -> Vec<String> {
    model(schema).notes(
        |rule| match rule {
            Rule::ByteList => "lists of u8 are bytes",
            Rule::ArrayAsList => "fixed arrays are repeated fields",
            Rule::Tensor => "a tensor is a message of shape and elements",
            Rule::UnitVariant => "a variant without a value is an empty message",
            Rule::Wrapped => "nested lists, maps and options are in messages of their own",
            Rule::WrappedRoot => "the value is the one field of a message",
            Rule::Widened(_) | Rule::ArrayAsStruct | Rule::MapEntries => "",
        },
        "widened to 32 bits",
    )
}
