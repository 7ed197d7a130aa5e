//! The definitions.

use std::fmt::Write;

use super::{Options, borrowed, ident, impls, values};
use crate::model::{Field, Payload, Schema, Shape, Tagging, Type, TypeDef, Variant};

/// Serde derives arrays up to this length only.
const SERDE_MAX_ARRAY: u32 = 32;

/// The types of a schema, and `Root`: the contents of a module.
pub fn types(schema: &Schema, options: &Options) -> String {
    let writer = Writer { schema, options };
    let mut out = String::new();
    line(&mut out, &options.prelude);
    for def in &schema.types {
        out += &writer.definition(def);
        out += &impls::canonical(&writer, def);
        if let Some(options) = &options.borrowed {
            out += &borrowed::borrowed(&writer, def, options);
        }
        if let Some(mirror) = &options.mirror {
            out += &impls::mirror(&writer, def, mirror);
        }
        out += &values::defaults(&writer, def);
    }
    let root = writer.ty(&schema.root);
    let _ = writeln!(
        out,
        "/// One value of the dataset.\npub type Root = {root};"
    );
    out
}

/// What every part of the generator needs.
pub struct Writer<'a> {
    pub schema: &'a Schema,
    pub options: &'a Options,
}

impl Writer<'_> {
    /// A type as it is written in a field.
    pub fn ty(&self, ty: &Type) -> String {
        let support = &self.options.support;
        match ty {
            Type::Scalar(scalar) => scalar.name().to_owned(),
            Type::String => "String".to_owned(),
            Type::Bytes => format!("{support}::Bytes"),
            Type::List(element) => format!("Vec<{}>", self.ty(element)),
            Type::Array(element, len) if self.wraps(*len) => {
                format!("{support}::Array<{}, {len}>", self.ty(element))
            }
            Type::Array(element, len) => format!("[{}; {len}]", self.ty(element)),
            Type::Option(inner) => format!("Option<{}>", self.ty(inner)),
            Type::Map(element) => {
                format!("::std::collections::BTreeMap<String, {}>", self.ty(element))
            }
            Type::Tensor(scalar) => format!("{support}::Tensor<{}>", scalar.name()),
            Type::Named(index) => ident(&self.schema.def(*index).name),
        }
    }

    /// Whether an array of that length is wrapped in a type of ours, to have serde's traits.
    pub fn wraps(&self, len: u32) -> bool {
        self.options.serde && len > SERDE_MAX_ARRAY
    }

    fn definition(&self, def: &TypeDef) -> String {
        let name = ident(&def.name);
        let mut out = format!("/// `{}` of the schema.\n", def.name);
        out += &self.options.derive(false);
        if let Some(hook) = &self.options.type_attrs {
            line(&mut out, &hook(self.schema, def));
        }
        match &def.shape {
            Shape::Newtype(inner) => {
                let element = self.element(def, 0, inner);
                let _ = writeln!(out, "pub struct {name}({element});");
            }
            Shape::Tuple(types) => {
                let elements = types.iter().enumerate();
                let elements: Vec<_> = elements
                    .map(|(index, ty)| self.element(def, index, ty))
                    .collect();
                let _ = writeln!(out, "pub struct {name}({});", elements.join(", "));
            }
            Shape::Struct(fields) => {
                let fields = self.fields(def, fields, &def.name, "pub ");
                let _ = writeln!(out, "pub struct {name} {{\n{fields}}}");
            }
            Shape::Enum { tagging, variants } => {
                if let (true, Tagging::Internal(tag)) = (self.options.serde, tagging) {
                    let _ = writeln!(out, "#[serde(tag = {tag:?})]");
                }
                let variants = variants.iter().enumerate();
                let variants: String = variants
                    .map(|(index, variant)| self.variant(def, variant, index))
                    .collect();
                let _ = writeln!(out, "pub enum {name} {{\n{variants}}}");
            }
        }
        out
    }

    fn fields(&self, def: &TypeDef, fields: &[Field], owner: &str, visibility: &str) -> String {
        let mut out = String::new();
        for (index, field) in fields.iter().enumerate() {
            let _ = writeln!(out, "/// `{}`", field.name);
            if self.options.serde {
                line(&mut out, &serde_field(field, owner));
            }
            if let Some(hook) = &self.options.field_attrs {
                line(&mut out, &hook(self.schema, def, field, index));
            }
            let _ = writeln!(
                out,
                "{visibility}{}: {},",
                ident(&field.name),
                self.ty(&field.ty)
            );
        }
        out
    }

    fn element(&self, def: &TypeDef, index: usize, ty: &Type) -> String {
        format!("{}pub {}", self.element_attrs(def, index), self.ty(ty))
    }

    fn element_attrs(&self, def: &TypeDef, index: usize) -> String {
        let hook = self.options.element_attrs.as_ref();
        hook.map(|hook| hook(self.schema, def, index) + " ")
            .unwrap_or_default()
    }

    fn variant(&self, def: &TypeDef, variant: &Variant, index: usize) -> String {
        let mut out = format!("/// `{}`\n", variant.name);
        if self.options.serde && variant.wire_name != variant.name {
            let _ = writeln!(out, "#[serde(rename = {:?})]", variant.wire_name);
        }
        if let Some(hook) = &self.options.variant_attrs {
            line(&mut out, &hook(self.schema, def, variant, index));
        }
        let name = ident(&variant.name);
        let _ = match &variant.payload {
            Payload::Unit => writeln!(out, "{name},"),
            Payload::Newtype(ty) => {
                writeln!(
                    out,
                    "{name}({}{}),",
                    self.element_attrs(def, 0),
                    self.ty(ty)
                )
            }
            Payload::Struct(fields) => {
                let owner = format!("{}_{}", def.name, variant.name);
                writeln!(
                    out,
                    "{name} {{\n{}}},",
                    self.fields(def, fields, &owner, "")
                )
            }
        };
        out
    }
}

fn serde_field(field: &Field, owner: &str) -> String {
    let mut parts = Vec::new();
    if field.wire_name != field.name {
        parts.push(format!("rename = {:?}", field.wire_name));
    }
    if field.skip_default {
        let (default, skip) = values::function_names(owner, &field.name);
        parts.push(format!(
            "default = \"{default}\", skip_serializing_if = \"{skip}\""
        ));
    }
    match parts.is_empty() {
        true => String::new(),
        false => format!("#[serde({})]", parts.join(", ")),
    }
}

pub fn line(out: &mut String, text: &str) {
    if !text.is_empty() {
        out.push_str(text);
        out.push('\n');
    }
}
