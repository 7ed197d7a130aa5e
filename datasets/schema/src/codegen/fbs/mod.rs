//! FlatBuffers: the `.fbs` file of a dataset, and the conversions between its native types and the
//! generated builders and tables.

pub mod cpp;
mod layout;
pub mod rust;
mod tables;
mod text;

use super::idl::{self, Model, Policy, Rule, Ty};
use crate::model::Schema;

pub use text::{cpp_namespace, text};

/// What FlatBuffers can say.
const POLICY: Policy = Policy {
    byte_lists: false,
    map_entries: true,
    unit_messages: true,
    fixed_messages: true,
    widened: &[],
    element: |ty| {
        matches!(
            ty,
            Ty::Scalar(_) | Ty::Enum(_) | Ty::String | Ty::Message(_)
        )
    },
    optional: |ty| !matches!(ty, Ty::Optional(_)),
    alternative: |_| false,
};

/// The tables and structs of a dataset.
pub fn model(schema: &Schema) -> Model {
    idl::lower(schema, &POLICY)
}

/// What a reader of a row must know about how the format carries the dataset.
pub fn notes(schema: &Schema) -> Vec<String> {
    model(schema).notes(
        |rule| match rule {
            Rule::ArrayAsList => "fixed arrays are vectors",
            Rule::ArrayAsStruct => "short fixed arrays are structs",
            Rule::MapEntries => "maps are sorted vectors of entries",
            Rule::Tensor => "a tensor is a table of shape and elements",
            Rule::UnitVariant => "a variant without a value is an empty table",
            Rule::Wrapped => "nested vectors and options are in tables of their own",
            Rule::WrappedRoot => "the value is the one field of a table",
            Rule::Widened(_) | Rule::ByteList => "",
        },
        "",
    )
}
