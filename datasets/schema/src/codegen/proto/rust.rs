//! Conversions between the native Rust types and the message structs of `prost`, of `protobuf` (3.x,
//! pure Rust) and of `quick-protobuf`, and the walk over such a message.
//!
//! The libraries make plain structs of messages; a [`Library`] is where they differ.

mod library;
mod walk;

use std::fmt::Write as _;

use super::model;
use crate::codegen::idl::rust::{Natives, literal, member, scalar_from, scalar_to};
use crate::codegen::idl::{Body, Enum, Field, Message, Model, Origin, Payload, Ty, names};
use crate::codegen::rust::ident;
use crate::model::{Scalar, Schema};

pub use library::Library;

/// The module of a dataset: the message structs (or where they are), a conversion in each
/// direction, the walk, and an implementation of the trait `Native` for the root type.
pub fn module(dataset: &str, schema: &Schema, library: Library) -> String {
    let model = model(schema);
    let writer = Writer {
        natives: Natives::new(schema, &model),
        model: &model,
        borrowing: library.borrowing(&model),
        library,
    };
    let mut out = writer.natives.header(dataset);
    out += &library.messages(dataset, &model);
    for def in &model.enums {
        enumeration(&writer.natives, def, &mut out);
    }
    for (index, def) in model.messages.iter().enumerate() {
        writer.message(index, def, &mut out);
    }
    writer.native(&mut out);
    out.push_str("}\n");
    out
}

struct Writer<'a> {
    natives: Natives<'a>,
    model: &'a Model,
    borrowing: Vec<bool>,
    library: Library,
}

impl Writer<'_> {
    fn path(&self, message: usize) -> String {
        format!("proto::{}", self.model.messages[message].name)
    }

    /// The type of a message, with that argument if it has a lifetime.
    fn ty(&self, message: usize, argument: &str) -> String {
        match self.borrowing[message] {
            true => self.path(message) + argument,
            false => self.path(message),
        }
    }

    /// A message with these fields set.
    fn construct(&self, message: usize, fields: &str) -> String {
        let others = self.library.other_fields();
        format!("{} {{ {fields}{others}}}", self.path(message))
    }

    /// Implements `Native` for the root.
    fn native(&self, out: &mut String) {
        let root = self.model.root;
        let function = self.natives.function(root);
        let generics = self.library.generics();
        let _ = writeln!(
            out,
            "{}    type Message{message} = {};
    fn to_message{}(&{}self) -> Self::Message{message} {{
        to_{function}{}(self)
    }}
    fn from_message(message: Self::Message{any}) -> Result<Self, Error> {{
        from_{function}(message)
    }}
}}
{}",
            self.natives.root_impl(
                self.library.native_trait(),
                &super::notes(self.natives.schema)
            ),
            self.ty(root, generics.message),
            generics.parameters,
            generics.native,
            generics.arguments,
            self.natives
                .decoded(&self.ty(root, generics.any), &format!("walk_{function}")),
            message = generics.message,
            any = generics.any,
        );
    }

    fn message(&self, index: usize, def: &Message, out: &mut String) {
        match &def.body {
            Body::Union(_) => self.union(index, def, out),
            Body::Fields(fields) => {
                // A variant's fields are converted where the union is; a unit has none.
                if !matches!(def.origin, Origin::Variant(..) | Origin::Unit) {
                    self.struct_conversions(index, def, fields, out);
                }
                if def.origin != Origin::Unit {
                    self.walk_fields(index, def, fields, out);
                }
            }
        }
    }

    fn struct_conversions(&self, index: usize, def: &Message, fields: &[Field], out: &mut String) {
        let to = self.fields_to(fields, |field| match def.origin {
            Origin::Wrapper => "(*native)".to_owned(),
            _ => format!("native.{}", member(&field.native)),
        });
        let from = |field: &Field| self.take_field(def, field, "message");
        let from = match def.origin {
            Origin::Wrapper => from(&fields[0]),
            _ => self.natives.value(index, fields, from),
        };
        let to = format!("    {}", self.construct(index, &to));
        self.conversions(index, &to, &format!("    Ok({from})"), out);
    }

    /// The two functions of a message, given their bodies.
    fn conversions(&self, index: usize, to: &str, from: &str, out: &mut String) {
        let function = self.natives.function(index);
        let native = self.natives.of_message(index);
        let generics = self.library.generics();
        let _ = writeln!(
            out,
            "#[inline]
fn to_{function}{}(native: &{}{native}) -> {} {{
{to}
}}
#[inline]
fn from_{function}(message: {}) -> Result<{native}, Error> {{
{from}
}}",
            generics.parameters,
            generics.native,
            self.ty(index, generics.message),
            self.ty(index, generics.any),
        );
    }

    /// The fields of a message, each `name: value, `.
    fn fields_to(&self, fields: &[Field], place: impl Fn(&Field) -> String) -> String {
        fields
            .iter()
            .map(|field| {
                format!(
                    "{}: {}, ",
                    field.name,
                    self.to_field(&field.ty, &place(field))
                )
            })
            .collect()
    }

    /// A field's value made from the native one at `place`.
    fn to_field(&self, ty: &Ty, place: &str) -> String {
        match ty {
            Ty::Newtype(_, inner) => self.to_field(inner, &format!("{place}.0")),
            Ty::Message(_) => self.library.some(&self.to(ty, place)),
            Ty::Optional(inner) => {
                let value = self.to(inner, "(*value)");
                let option = format!("{place}.as_ref().map(|value| {value})");
                match inner.peel() {
                    Ty::Message(_) => self.library.optional(option),
                    _ => option,
                }
            }
            _ => self.to(ty, place),
        }
    }

    /// A single value, or a list or map, made from the native one at `place`.
    fn to(&self, ty: &Ty, place: &str) -> String {
        match ty {
            Ty::Newtype(_, inner) => self.to(inner, &format!("{place}.0")),
            Ty::Scalar(scalar) => scalar_to(*scalar, place, wide(*scalar)),
            Ty::String => self.library.text(place),
            Ty::Bytes => self.library.bytes(&format!("{place}.0")),
            Ty::ByteList(_) => self.library.bytes(place),
            Ty::Enum(index) => {
                let name = &self.model.enums[*index].name;
                let number = format!("to_{}(&{place})", names::snake(name));
                self.library.enum_value(name, &number)
            }
            Ty::Message(index) => format!(
                "to_{}{}(&{place})",
                self.natives.function(*index),
                self.library.generics().arguments
            ),
            Ty::List(element, _) => self.to_list(element, place),
            Ty::Map(value) => format!(
                "{place}.iter().map(|(key, item)| ({}, {})).collect()",
                self.library.text("(*key)"),
                self.to(value, "(*item)")
            ),
            Ty::Optional(_) | Ty::Entries(_) => unreachable!("not a single value in protobuf"),
        }
    }

    fn to_list(&self, element: &Ty, place: &str) -> String {
        let item = self.to(element, "(*item)");
        match (self.library.packed(element), element) {
            (Some(_), Ty::Scalar(_)) => self
                .library
                .bytes(&format!("::bytemuck::cast_slice::<_, u8>(&{place}[..])")),
            (Some(_), _) => format!(
                "::std::borrow::Cow::Owned({place}.iter().flat_map(|item| {item}.to_le_bytes()).collect())"
            ),
            (None, Ty::Scalar(scalar)) if wide(*scalar) == scalar.name() => {
                format!("{place}.to_vec()")
            }
            (None, _) => format!("{place}.iter().map(|item| {item}).collect()"),
        }
    }

    /// The native value made from a field, which is moved out of the message `owner`.
    fn take_field(&self, def: &Message, field: &Field, owner: &str) -> String {
        let place = format!("{owner}.{}", field.name);
        self.take_field_type(&field.ty, &place, &format!("{}.{}", def.name, field.name))
    }

    fn take_field_type(&self, ty: &Ty, place: &str, what: &str) -> String {
        match ty {
            Ty::Newtype(index, inner) => self
                .natives
                .newtype(*index, &self.take_field_type(inner, place, what)),
            Ty::Message(_) => self.from(
                ty,
                &format!(
                    "convert::required({}, \"{what}\")?",
                    self.library.option(place)
                ),
                what,
            ),
            Ty::Optional(inner) => {
                let place = match inner.peel() {
                    Ty::Message(_) => self.library.option(place),
                    _ => place.to_owned(),
                };
                let value = self.from(inner, "value", what);
                format!("{place}.map(|value| Ok::<_, Error>({value})).transpose()?")
            }
            _ => self.from(ty, place, what),
        }
    }

    fn from(&self, ty: &Ty, value: &str, what: &str) -> String {
        match ty {
            Ty::Newtype(index, inner) => {
                self.natives.newtype(*index, &self.from(inner, value, what))
            }
            Ty::Scalar(scalar) => scalar_from(*scalar, value, wide(*scalar)),
            Ty::String | Ty::ByteList(None) => self.library.owned(value),
            Ty::Bytes => format!(
                "{}({})",
                self.natives.support("Bytes"),
                self.library.owned(value)
            ),
            Ty::ByteList(Some(_)) => format!("convert::array_of(&{value}[..], \"{what}\")?"),
            Ty::Enum(index) => format!(
                "from_{}({})?",
                names::snake(&self.model.enums[*index].name),
                self.library.enum_number(value)
            ),
            Ty::Message(index) => format!("from_{}({value})?", self.natives.function(*index)),
            Ty::List(element, len) => self.take_list(element, *len, value, what),
            Ty::Map(inner) => format!(
                "{value}.into_iter().map(|(key, item)| Ok(({}, {}))).collect::<Result<_, Error>>()?",
                self.library.owned("key"),
                self.from(inner, "item", what)
            ),
            Ty::Optional(_) | Ty::Entries(_) => unreachable!("not a single value in protobuf"),
        }
    }

    fn take_list(&self, element: &Ty, len: Option<u32>, value: &str, what: &str) -> String {
        if let Some(packed) = self.library.packed(element) {
            let list = packed.list(value);
            let number = self.from(element, &packed.number("item"), what);
            return match len {
                Some(_) => format!("convert::array_of({list}, \"{what}\")?.map(|item| {number})"),
                None => format!("{list}.iter().map(|&item| {number}).collect::<Vec<_>>()"),
            };
        }
        let item = self.from(element, "item", what);
        let list = match item == "item" {
            true => value.to_owned(),
            false => format!(
                "{value}.into_iter().map(|item| Ok({item})).collect::<Result<Vec<_>, Error>>()?"
            ),
        };
        match len {
            Some(_) => format!("convert::array({list}, \"{what}\")?"),
            None => list,
        }
    }

    fn union(&self, index: usize, def: &Message, out: &mut String) {
        let Body::Union(alternatives) = &def.body else {
            return;
        };
        let (native, kind) = (self.natives.of_message(index), self.library.kind(&def.name));
        let (mut to, mut from, mut walk) = (String::new(), String::new(), String::new());
        for (number, alternative) in alternatives.iter().enumerate() {
            let variant = format!("{native}::{}", ident(&alternative.native));
            let case = format!("{kind}::{}", self.library.case(&alternative.name));
            let found = |inside: &str| self.library.one_of(&format!("{case}({inside})"));
            match &alternative.payload {
                Payload::Unit(unit) => {
                    let unit = unit.expect("a oneof's unit variant holds a message");
                    let unit = self.construct(unit, "");
                    let _ = writeln!(to, "        {variant} => {case}({unit}),");
                    let found = found("_");
                    let _ = writeln!(from, "        {found} => {variant},");
                    let _ = writeln!(walk, "        {found} => sink.variant({number}),");
                }
                Payload::Value(ty) => {
                    let value = self.to(ty, "(*value)");
                    let _ = writeln!(to, "        {variant}(value) => {case}({value}),");
                    let found = found("value");
                    let value = self.from(ty, "value", &def.name);
                    let _ = writeln!(from, "        {found} => {variant}({value}),");
                    let value = self.walk(ty, "(*value)");
                    let _ = writeln!(
                        walk,
                        "        {found} => {{ sink.variant({number}); {value} }}"
                    );
                }
                Payload::Fields(message) => {
                    let fields = self.model.fields(*message);
                    let bind: String = (0..)
                        .zip(fields)
                        .map(|(i, field)| format!("{}: f{i}, ", ident(&field.native)))
                        .collect();
                    let value = self.fields_to(fields, |field| {
                        let i = fields.iter().position(|f| f.native == field.native);
                        format!("(*f{})", i.unwrap_or_default())
                    });
                    let value = self.construct(*message, &value);
                    let _ = writeln!(to, "        {variant} {{ {bind}}} => {case}({value}),");
                    let found = found("value");
                    let inner = &self.model.messages[*message];
                    let value = literal(&variant, fields, |field| {
                        self.take_field(inner, field, "value")
                    });
                    let _ = writeln!(from, "        {found} => {value},");
                    let _ = writeln!(
                        walk,
                        "        {found} => {{ sink.variant({number}); walk_{}(value, sink) }}",
                        self.natives.function(*message)
                    );
                }
            }
        }
        let kind = format!("kind: {}, ", self.library.one_of("kind"));
        let to = format!(
            "    let kind = match native {{
{to}    }};
    {}",
            self.construct(index, &kind)
        );
        let from = format!(
            "    Ok(match message.kind {{
{from}        _ => return Err(convert::missing(\"{}.kind\")),
    }})",
            def.name
        );
        self.conversions(index, &to, &from, out);
        let _ = writeln!(
            out,
            "#[inline]
fn walk_{}<S: Sink>(message: &{}, sink: &mut S) {{
    match &message.kind {{
{walk}        _ => sink.variant(u32::MAX),
    }}
}}",
            self.natives.function(index),
            self.ty(index, self.library.generics().any)
        );
    }
}

/// An enum as its number, and back.
pub(super) fn enumeration(natives: &Natives<'_>, def: &Enum, out: &mut String) {
    let function = names::snake(&def.name);
    let native = format!("native::{}", ident(&natives.schema.def(def.def).name));
    let (mut to, mut from) = (String::new(), String::new());
    for (number, name) in def.natives.iter().enumerate() {
        let name = ident(name);
        let _ = writeln!(to, "        {native}::{name} => {number},");
        let _ = writeln!(from, "        {number} => Ok({native}::{name}),");
    }
    let _ = writeln!(
        out,
        "fn to_{function}(value: &{native}) -> i32 {{
match value {{
{to}    }}
}}
fn from_{function}(value: i32) -> Result<{native}, Error> {{
match value {{
{from}        other => Err(convert::unknown(\"{}\", other)),
}}
}}",
        def.name
    );
}

/// The Rust type of a scalar in a message.
pub(super) fn wide(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I8 | Scalar::I16 => "i32",
        Scalar::U8 | Scalar::U16 => "u32",
        other => other.name(),
    }
}

/// A scalar of a message as the schema has it.
pub(super) fn narrowed(scalar: Scalar, value: &str) -> String {
    match wide(scalar) == scalar.name() {
        true => value.to_owned(),
        false => format!("{value} as {}", scalar.name()),
    }
}
