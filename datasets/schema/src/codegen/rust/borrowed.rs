//! Types like those of the schema whose strings and byte strings borrow from the input.

use std::fmt::Write;

use super::types::{Writer, line};
use super::{ident, impls, values};
use crate::model::{Field, Payload, Shape, Tagging, Type, TypeDef, Variant};

/// What borrowing types look like.
#[derive(Debug, Clone)]
pub struct Borrowed {
    /// Their derives.
    pub derives: String,
    /// How strings are borrowed.
    pub strings: Strings,
}

impl Borrowed {
    /// Whether serde's attributes have a meaning for them.
    pub fn serde(&self) -> bool {
        self.derives.contains("serde::")
    }
}

/// How strings are borrowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strings {
    /// `&str`, and byte strings as slices: the bytes stand in the input as they are.
    Slices,
    /// `&str`, but byte strings are owned.
    StrOnly,
    /// `support::Str`, which owns a string that is escaped in the input; and byte strings are owned.
    /// By serde only.
    Escaped,
}

/// The borrowing type of one type, called `<Name>Ref`, or the type itself where there is nothing to
/// borrow; and which it is, by the trait `Borrowable`.
pub fn borrowed(writer: &Writer<'_>, def: &TypeDef, options: &Borrowed) -> String {
    let name = ident(&def.name);
    let writer = Borrower { writer, options };
    let (definition, borrowing) = match writer.borrows_def(def) {
        true => (writer.definition(def), format!("{}Ref<'a>", def.name)),
        false => (String::new(), name.clone()),
    };
    format!(
        "{definition}impl ::serbench_plugin::Borrowable for {name} {{
    type Borrowed<'a> = {borrowing};
}}
"
    )
}

struct Borrower<'a> {
    writer: &'a Writer<'a>,
    options: &'a Borrowed,
}

impl Borrower<'_> {
    /// Whether there is anything to borrow in a type.
    fn borrows(&self, ty: &Type) -> bool {
        match ty {
            Type::String => true,
            Type::Bytes => self.options.strings == Strings::Slices,
            Type::List(inner) | Type::Array(inner, _) | Type::Option(inner) | Type::Map(inner) => {
                self.borrows(inner)
            }
            Type::Scalar(_) | Type::Tensor(_) => false,
            Type::Named(index) => self.borrows_def(self.writer.schema.def(*index)),
        }
    }

    fn borrows_def(&self, def: &TypeDef) -> bool {
        let fields = |fields: &[Field]| fields.iter().any(|field| self.borrows(&field.ty));
        match &def.shape {
            Shape::Struct(list) => fields(list),
            Shape::Tuple(types) => types.iter().any(|ty| self.borrows(ty)),
            Shape::Newtype(ty) => self.borrows(ty),
            Shape::Enum { variants, .. } => variants.iter().any(|variant| match &variant.payload {
                Payload::Unit => false,
                Payload::Newtype(ty) => self.borrows(ty),
                Payload::Struct(list) => fields(list),
            }),
        }
    }

    fn ty(&self, ty: &Type) -> String {
        if !self.borrows(ty) {
            return self.writer.ty(ty);
        }
        let support = &self.writer.options.support;
        match ty {
            Type::String if self.options.strings == Strings::Escaped => {
                format!("{support}::Str<'a>")
            }
            Type::String => "&'a str".to_owned(),
            Type::Bytes => format!("{support}::BytesRef<'a>"),
            Type::List(element) => format!("Vec<{}>", self.ty(element)),
            Type::Array(element, len) if self.writer.wraps(*len) => {
                format!("{support}::Array<{}, {len}>", self.ty(element))
            }
            Type::Array(element, len) => format!("[{}; {len}]", self.ty(element)),
            Type::Option(inner) => format!("Option<{}>", self.ty(inner)),
            Type::Map(element) => {
                format!("::std::collections::BTreeMap<String, {}>", self.ty(element))
            }
            Type::Named(index) => format!("{}Ref<'a>", self.writer.schema.def(*index).name),
            Type::Scalar(_) | Type::Tensor(_) => self.writer.ty(ty),
        }
    }

    fn definition(&self, def: &TypeDef) -> String {
        let name = format!("{}Ref", def.name);
        let mut out = format!(
            "/// `{}`, borrowing from the input.\n#[derive(Debug, {})]\n",
            def.name, self.options.derives
        );
        match &def.shape {
            Shape::Newtype(inner) => {
                let _ = writeln!(
                    out,
                    "pub struct {name}<'a>({});",
                    self.element(inner, "pub ")
                );
            }
            Shape::Tuple(types) => {
                let elements: Vec<_> = types.iter().map(|ty| self.element(ty, "pub ")).collect();
                let _ = writeln!(out, "pub struct {name}<'a>({});", elements.join(", "));
            }
            Shape::Struct(fields) => {
                let fields = self.fields(fields, &def.name, "pub ");
                let _ = writeln!(out, "pub struct {name}<'a> {{\n{fields}}}");
            }
            Shape::Enum { tagging, variants } => {
                if let (true, Tagging::Internal(tag)) = (self.serde(), tagging) {
                    let _ = writeln!(out, "#[serde(tag = {tag:?})]");
                }
                let variants = variants.iter().map(|variant| self.variant(def, variant));
                let variants = variants.collect::<String>();
                let _ = writeln!(out, "pub enum {name}<'a> {{\n{variants}}}");
            }
        }
        out + &impls::decoded(self.writer, def, &format!("{name}<'_>"))
    }

    fn serde(&self) -> bool {
        self.options.serde()
    }

    fn element(&self, ty: &Type, visibility: &str) -> String {
        let borrow = if self.serde() && self.borrows(ty) {
            "#[serde(borrow)] "
        } else {
            ""
        };
        format!("{borrow}{visibility}{}", self.ty(ty))
    }

    fn fields(&self, fields: &[Field], owner: &str, visibility: &str) -> String {
        let mut out = String::new();
        for field in fields {
            let (attrs, ty) = self.field(field, owner);
            if self.serde() && !attrs.is_empty() {
                let _ = writeln!(out, "#[serde({})]", attrs.join(", "));
            }
            let _ = writeln!(out, "{visibility}{}: {ty},", ident(&field.name));
        }
        out
    }

    /// What serde must know of a field, and its type.
    fn field(&self, field: &Field, owner: &str) -> (Vec<String>, String) {
        let mut attrs = Vec::new();
        if field.wire_name != field.name {
            attrs.push(format!("rename = {:?}", field.wire_name));
        }
        let empty = field.default.is_none()
            && matches!(
                field.ty,
                Type::String | Type::List(_) | Type::Option(_) | Type::Map(_)
            );
        match (field.skip_default, self.borrows(&field.ty) && empty) {
            (false, _) => {}
            (true, true) => attrs.push("default".to_owned()),
            // The default is a value of the owned type, and so the field is of that type.
            (true, false) => {
                let (default, _) = values::function_names(owner, &field.name);
                attrs.push(format!("default = \"{default}\""));
                return (attrs, self.writer.ty(&field.ty));
            }
        }
        if self.borrows(&field.ty) {
            attrs.push("borrow".to_owned());
        }
        (attrs, self.ty(&field.ty))
    }

    fn variant(&self, def: &TypeDef, variant: &Variant) -> String {
        let mut out = String::new();
        if self.serde() && variant.wire_name != variant.name {
            line(
                &mut out,
                &format!("#[serde(rename = {:?})]", variant.wire_name),
            );
        }
        let name = ident(&variant.name);
        let _ = match &variant.payload {
            Payload::Unit => writeln!(out, "{name},"),
            Payload::Newtype(ty) => writeln!(out, "{name}({}),", self.element(ty, "")),
            Payload::Struct(fields) => {
                let owner = format!("{}_{}", def.name, variant.name);
                writeln!(out, "{name} {{\n{}}},", self.fields(fields, &owner, ""))
            }
        };
        out
    }
}
