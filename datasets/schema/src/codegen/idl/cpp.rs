//! What the C++ conversions of every interface language share: how the native types are spelled.

use super::{Field, Model, Origin, Ty};
use crate::codegen::cpp::names::{Names, identifier};
use crate::model::{Scalar, Schema, Shape};

/// The native types of a dataset.
pub(crate) struct Natives<'a> {
    pub schema: &'a Schema,
    pub model: &'a Model,
    names: Names,
    space: String,
}

impl<'a> Natives<'a> {
    pub fn new(dataset: &str, schema: &'a Schema, model: &'a Model) -> Self {
        Self {
            schema,
            model,
            names: Names::new(schema),
            space: format!("::serbench::data::{}", identifier(dataset, |_| false)),
        }
    }

    fn named(&self, index: usize) -> String {
        format!("{}::{}", self.space, self.names.of(index))
    }

    /// The native type of a dataset's value.
    pub fn root(&self) -> String {
        format!("{}::Root", self.space)
    }

    /// The native type that a message stands for.
    pub fn of_message(&self, message: usize) -> String {
        match &self.model.messages[message].origin {
            Origin::Named(index) => self.named(*index),
            Origin::Variant(index, variant) => {
                format!("{}::{}", self.space, self.names.payload(*index, *variant))
            }
            Origin::Unit => "std::monostate".to_owned(),
            Origin::Wrapper => self.ty(&self.model.fields(message)[0].ty),
            Origin::Array(element, len) => format!("std::array<{}, {len}>", self.ty(element)),
            Origin::Entry => {
                let value = self.ty(&self.model.fields(message)[1].ty);
                format!("std::pair<const std::string, {value}>")
            }
            Origin::Tensor(scalar) => format!("::serbench::Tensor<{}>", self::scalar(*scalar)),
        }
    }

    /// The native type that a type stands for.
    pub fn ty(&self, ty: &Ty) -> String {
        match ty {
            Ty::Scalar(scalar) => self::scalar(*scalar).to_owned(),
            Ty::String => "std::string".to_owned(),
            Ty::Bytes => "::serbench::Bytes".to_owned(),
            Ty::ByteList(None) => "std::vector<std::uint8_t>".to_owned(),
            Ty::ByteList(Some(len)) => format!("std::array<std::uint8_t, {len}>"),
            Ty::Enum(index) => self.named(self.model.enums[*index].def),
            Ty::Message(index) => self.of_message(*index),
            Ty::List(element, None) => format!("std::vector<{}>", self.ty(element)),
            Ty::List(element, Some(len)) => format!("std::array<{}, {len}>", self.ty(element)),
            Ty::Map(value) => format!("::serbench::Map<{}>", self.ty(value)),
            Ty::Entries(entry) => {
                let value = self.ty(&self.model.fields(*entry)[1].ty);
                format!("::serbench::Map<{value}>")
            }
            Ty::Optional(inner) => format!("std::optional<{}>", self.ty(inner)),
            Ty::Newtype(_, inner) => self.ty(inner),
        }
    }

    /// The native value behind each field of a message, given the value behind the message.
    pub fn places(&self, message: usize, fields: &[Field], value: &str) -> Vec<String> {
        let natives = || fields.iter().map(|field| field.native.as_str());
        match &self.model.messages[message].origin {
            Origin::Named(index) => match &self.schema.def(*index).shape {
                Shape::Tuple(types) => (0..types.len()).map(|i| format!("{value}._{i}")).collect(),
                _ => self.members(natives(), value),
            },
            Origin::Variant(..) => self.members(natives(), value),
            Origin::Tensor(_) => natives().map(|name| format!("{value}.{name}")).collect(),
            Origin::Entry => vec![format!("{value}.first"), format!("{value}.second")],
            Origin::Array(..) => (0..fields.len()).map(|i| format!("{value}[{i}]")).collect(),
            Origin::Wrapper => vec![value.to_owned()],
            Origin::Unit => Vec::new(),
        }
    }

    fn members<'n>(&self, natives: impl Iterator<Item = &'n str>, value: &str) -> Vec<String> {
        let names = self.names.members(natives);
        names.iter().map(|name| format!("{value}.{name}")).collect()
    }
}

/// The C++ type of a scalar.
pub(crate) fn scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 => "std::int8_t",
        Scalar::I16 => "std::int16_t",
        Scalar::I32 => "std::int32_t",
        Scalar::I64 => "std::int64_t",
        Scalar::U8 => "std::uint8_t",
        Scalar::U16 => "std::uint16_t",
        Scalar::U32 => "std::uint32_t",
        Scalar::U64 => "std::uint64_t",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

/// The part that every generated header has: the conversions of one dataset in a namespace, then
/// what tells a plugin of them.
pub(crate) struct Header<'a> {
    pub dataset: &'a str,
    /// What is included before, a line each.
    pub includes: &'a [String],
    /// The namespace of the conversions.
    pub namespace: &'a str,
    /// Functions.
    pub functions: &'a str,
    /// The template to specialise, with its namespace.
    pub template: (&'a str, &'a str),
    /// The native type.
    pub root: &'a str,
    /// The members of the specialisation.
    pub members: &'a str,
}

impl Header<'_> {
    pub fn text(&self) -> String {
        let includes: String = self
            .includes
            .iter()
            .map(|file| format!("#include {file}\n"))
            .collect();
        let (outer, template) = self.template;
        format!(
            "// Conversions of the dataset {}. Generated: do not edit.\n\
             #pragma once\n\n{includes}\nnamespace {} {{\n\n{}\n}}  // namespace {}\n\n\
             namespace {outer} {{\n\ntemplate <>\nstruct {template}<{}> {{\n{}}};\n\n\
             }}  // namespace {outer}\n",
            self.dataset, self.namespace, self.functions, self.namespace, self.root, self.members
        )
    }
}
