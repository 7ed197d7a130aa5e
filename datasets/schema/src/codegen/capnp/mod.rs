//! Cap'n Proto: the `.capnp` file of a dataset, and the conversions between its native types and
//! the generated builders and readers.

pub mod cpp;
pub mod rust;
mod text;

use super::idl::{self, Model, Policy, Rule, Ty};
use crate::model::Schema;

pub use text::{cpp_namespace, text};

/// What Cap'n Proto can say.
const POLICY: Policy = Policy {
    byte_lists: true,
    map_entries: true,
    unit_messages: false,
    fixed_messages: false,
    widened: &[],
    element: is_present,
    optional: is_present,
    alternative: is_present,
};

/// Whether a type is always there: absence is told by a null pointer or by a union, both in the
/// struct around it.
fn is_present(ty: &Ty) -> bool {
    !matches!(ty, Ty::Optional(_))
}

/// Whether a type is reached by a pointer, which is null when it is absent.
fn is_pointer(ty: &Ty) -> bool {
    !matches!(ty.peel(), Ty::Scalar(_) | Ty::Enum(_))
}

/// The structs of a dataset.
pub fn model(schema: &Schema) -> Model {
    idl::lower(schema, &POLICY)
}

/// What a reader of a row must know about how the format carries the dataset.
pub fn notes(schema: &Schema) -> Vec<String> {
    model(schema).notes(
        |rule| match rule {
            Rule::ByteList => "lists of u8 are Data",
            Rule::ArrayAsList => "fixed arrays are lists",
            Rule::MapEntries => "maps are sorted lists of entries",
            Rule::Tensor => "a tensor is a struct of shape and elements",
            Rule::Wrapped => "nested options are in structs of their own",
            Rule::WrappedRoot => "the value is the one field of a struct",
            Rule::Widened(_) | Rule::ArrayAsStruct | Rule::UnitVariant => "",
        },
        "",
    )
}
