//! What the Rust conversions of every interface language share: how the native types are named
//! and put together.

use super::{Field, Model, Origin, Ty, names};
use crate::codegen::rust::ident;
use crate::model::{Scalar, Schema, Shape, Type};

/// The native types of a dataset, as a module beside `crate::datasets` sees them.
pub(crate) struct Natives<'a> {
    pub schema: &'a Schema,
    pub model: &'a Model,
}

impl<'a> Natives<'a> {
    pub fn new(schema: &'a Schema, model: &'a Model) -> Self {
        Self { schema, model }
    }

    /// The start of a dataset's module, which the caller closes.
    pub fn header(&self, dataset: &str) -> String {
        format!(
            "#[allow(warnings, bindings_with_variant_name, clippy::all)]
pub mod {} {{
use ::serbench_plugin::canonical::{{Checksum, Encoder, Sink}};
use ::serbench_plugin::{{Error, convert}};
use crate::datasets::{} as native;
",
            ident(dataset),
            ident(dataset)
        )
    }

    /// A type of ours that native types are made of.
    pub fn support(&self, name: &str) -> String {
        format!("crate::datasets::support::{name}")
    }

    /// The start of the implementation of the trait `Native`, at that path, for the root.
    pub fn root_impl(&self, native: &str, notes: &[String]) -> String {
        format!(
            "impl {native} for {} {{
    const NOTE: &'static str = {:?};
",
            self.ty(&self.model.root_type),
            notes.join("; ")
        )
    }

    /// `Decoded` for a type of the library's, by its walk.
    pub fn decoded(&self, ty: &str, walk: &str) -> String {
        format!(
            "impl ::serbench_plugin::Decoded for {ty} {{
    #[inline]
    fn fold(&self, sum: &mut Checksum) {{
        {walk}(self, sum);
    }}
    fn encode(&self, out: &mut Vec<u8>) {{
        {walk}(self, &mut Encoder(out));
    }}
}}"
        )
    }

    /// What the functions for a message are called.
    pub fn function(&self, message: usize) -> String {
        names::snake(&self.model.messages[message].name)
    }

    /// The native type that a message stands for.
    pub fn of_message(&self, message: usize) -> String {
        let def = &self.model.messages[message];
        match &def.origin {
            Origin::Named(index) | Origin::Variant(index, _) => {
                format!("native::{}", ident(&self.schema.def(*index).name))
            }
            Origin::Unit => "()".to_owned(),
            Origin::Wrapper => self.ty(&self.model.fields(message)[0].ty),
            Origin::Array(element, len) => format!("[{}; {len}]", self.ty(element)),
            Origin::Entry => self.ty(&self.model.fields(message)[1].ty),
            Origin::Tensor(scalar) => self.support(&format!("Tensor::<{}>", scalar.name())),
        }
    }

    /// The native type that a type stands for.
    pub fn ty(&self, ty: &Ty) -> String {
        let map = |value: String| format!("::std::collections::BTreeMap<String, {value}>");
        match ty {
            Ty::Scalar(scalar) => scalar.name().to_owned(),
            Ty::String => "String".to_owned(),
            Ty::Bytes => self.support("Bytes"),
            Ty::ByteList(None) => "Vec<u8>".to_owned(),
            Ty::ByteList(Some(len)) => format!("[u8; {len}]"),
            Ty::Enum(index) => {
                let def = self.model.enums[*index].def;
                format!("native::{}", ident(&self.schema.def(def).name))
            }
            Ty::Message(index) => self.of_message(*index),
            Ty::List(element, None) => format!("Vec<{}>", self.ty(element)),
            Ty::List(element, Some(len)) => format!("[{}; {len}]", self.ty(element)),
            Ty::Map(value) => map(self.ty(value)),
            Ty::Entries(entry) => map(self.of_message(*entry)),
            Ty::Optional(inner) => format!("Option<{}>", self.ty(inner)),
            Ty::Newtype(index, _) => format!("native::{}", ident(&self.schema.def(*index).name)),
        }
    }

    /// The native value that a message stands for, given those of its fields.
    pub fn value(
        &self,
        message: usize,
        fields: &[Field],
        value: impl Fn(&Field) -> String,
    ) -> String {
        let literal = literal(&self.of_message(message), fields, value);
        match self.model.messages[message].origin {
            Origin::Tensor(_) => format!(
                "{{ let tensor = {literal}; convert::expect_elements(&tensor.shape, &tensor.data)?; tensor }}"
            ),
            _ => literal,
        }
    }

    /// A variant of an enum.
    pub fn variant(&self, enumeration: usize, variant: usize) -> String {
        let def = self.schema.def(enumeration);
        let name = match &def.shape {
            Shape::Enum { variants, .. } => ident(&variants[variant].name),
            other => unreachable!("{other:?} has no variants"),
        };
        format!("native::{}::{name}", ident(&def.name))
    }

    /// A newtype around a value.
    pub fn newtype(&self, index: usize, value: &str) -> String {
        format!("native::{}({value})", ident(&self.schema.def(index).name))
    }
}

/// A field's name in the native type, or its position.
pub(crate) fn member(name: &str) -> String {
    match name.starts_with(|c: char| c.is_ascii_digit()) {
        true => name.to_owned(),
        false => ident(name),
    }
}

/// A native struct, tuple or struct variant with these fields.
pub(crate) fn literal(path: &str, fields: &[Field], value: impl Fn(&Field) -> String) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|field| format!("{}: {}", member(&field.native), value(field)))
        .collect();
    format!("{path} {{ {} }}", fields.join(", "))
}

/// A native scalar as a type that holds all of its values.
pub(crate) fn scalar_to(scalar: Scalar, value: &str, wide: &str) -> String {
    match wide == scalar.name() {
        true => value.to_owned(),
        false => format!("{wide}::from({value})"),
    }
}

/// A native scalar from a wider one, where it fits.
pub(crate) fn scalar_from(scalar: Scalar, value: &str, wide: &str) -> String {
    match wide == scalar.name() {
        true => value.to_owned(),
        false => format!("{}::try_from({value})?", scalar.name()),
    }
}

/// Whether the root is a type of the dataset's own, so that no other dataset can have the same.
pub fn has_own_root(schema: &Schema) -> bool {
    fn has_named(ty: &Type) -> bool {
        match ty {
            Type::Named(_) => true,
            Type::List(t) | Type::Array(t, _) | Type::Option(t) | Type::Map(t) => has_named(t),
            Type::Scalar(_) | Type::String | Type::Bytes | Type::Tensor(_) => false,
        }
    }
    has_named(&schema.root)
}
