//! The types of ours that generated code stands on: byte strings, tensors and long arrays.

use std::fmt::Write;

use super::{Options, Strings};
use crate::model::{Payload, Schema, Shape, Type};

/// Which of the types of ours a schema uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Uses {
    /// `Bytes`.
    pub bytes: bool,
    /// `Tensor<T>`.
    pub tensor: bool,
    /// Arrays of more than 32 elements.
    pub long_array: bool,
}

impl Uses {
    /// Adds what `schema` uses.
    pub fn add(&mut self, schema: &Schema) {
        self.add_type(&schema.root);
        for def in &schema.types {
            match &def.shape {
                Shape::Newtype(ty) => self.add_type(ty),
                Shape::Tuple(types) => types.iter().for_each(|ty| self.add_type(ty)),
                Shape::Struct(fields) => fields.iter().for_each(|field| self.add_type(&field.ty)),
                Shape::Enum { variants, .. } => {
                    variants.iter().for_each(|variant| match &variant.payload {
                        Payload::Unit => {}
                        Payload::Newtype(ty) => self.add_type(ty),
                        Payload::Struct(fields) => {
                            fields.iter().for_each(|field| self.add_type(&field.ty));
                        }
                    });
                }
            }
        }
    }

    fn add_type(&mut self, ty: &Type) {
        match ty {
            Type::Bytes => self.bytes = true,
            Type::Tensor(_) => self.tensor = true,
            Type::Array(element, len) => {
                self.long_array |= *len > 32;
                self.add_type(element);
            }
            Type::List(inner) | Type::Option(inner) | Type::Map(inner) => self.add_type(inner),
            Type::Scalar(_) | Type::String | Type::Named(_) => {}
        }
    }
}

/// The types of ours that are used: the contents of a module.
pub fn support(uses: Uses, options: &Options) -> String {
    let mut out = String::new();
    let mut add = |wanted: bool, definition: &str, implementation: &str, serde: &str| {
        if wanted {
            out += &options.derive(true);
            out += definition;
            out += implementation;
            if options.serde {
                out += serde;
            }
        }
    };
    add(uses.bytes, BYTES, BYTES_CANONICAL, BYTES_SERDE);
    add(uses.tensor, TENSOR, TENSOR_CANONICAL, TENSOR_SERDE);
    add(
        uses.long_array && options.serde,
        ARRAY,
        ARRAY_CANONICAL,
        ARRAY_SERDE,
    );
    if options.serde && (uses.bytes || uses.tensor) {
        out += BLOB_SERDE;
    }
    match &options.borrowed {
        Some(borrowed) if borrowed.strings == Strings::Escaped => out += STR,
        Some(borrowed) if borrowed.strings == Strings::Slices && uses.bytes => {
            let borrow = if borrowed.serde() {
                "#[serde(borrow)] "
            } else {
                ""
            };
            let _ = writeln!(
                out,
                "/// A byte string in the input.
#[derive(Debug, {})]
pub struct BytesRef<'a>({borrow}pub &'a [u8]);",
                borrowed.derives
            );
            out += BYTES_REF;
        }
        _ => {}
    }
    out.replace("$canonical", &options.canonical)
}

const BYTES: &str = "/// A byte string.
pub struct Bytes(pub ::std::vec::Vec<u8>);
";

const BYTES_CANONICAL: &str = include_str!("support/bytes.rs.in");
const BYTES_SERDE: &str = include_str!("support/bytes_serde.rs.in");

const TENSOR: &str = "/// A shape, and that many elements in row-major order.
pub struct Tensor<T> {
    /// The dimensions.
    pub shape: ::std::vec::Vec<u32>,
    /// The elements.
    pub data: ::std::vec::Vec<T>,
}
";

const TENSOR_CANONICAL: &str = include_str!("support/tensor.rs.in");
const TENSOR_SERDE: &str = include_str!("support/tensor_serde.rs.in");

const ARRAY: &str = "/// An array that is too long for serde's derive.
pub struct Array<T, const N: usize>(pub [T; N]);
";

const ARRAY_CANONICAL: &str = include_str!("support/array.rs.in");
const ARRAY_SERDE: &str = include_str!("support/array_serde.rs.in");
const BLOB_SERDE: &str = include_str!("support/blob_serde.rs.in");
const STR: &str = include_str!("support/str.rs.in");
const BYTES_REF: &str = include_str!("support/bytes_ref.rs.in");
