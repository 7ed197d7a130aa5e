//! Conversions between the native Rust types and the message structs of `prost` and of
//! `protobuf` (3.x, pure Rust), and the walk over such a message.
//!
//! Both libraries make plain structs of messages; a [`Library`] is where they differ.

use std::fmt::Write as _;

use super::model;
use crate::codegen::idl::rust::{Natives, literal, member, scalar_from, scalar_to};
use crate::codegen::idl::{Body, Enum, Field, Message, Model, Origin, Payload, Ty, names};
use crate::codegen::rust::ident;
use crate::model::{Scalar, Schema};

/// A library with message structs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Library {
    /// `prost`; its structs are generated here, with its derives.
    Prost,
    /// `protobuf`; its own generator makes the structs, which are at `crate::protos`.
    Protobuf,
}

/// The module of a dataset: the message structs (or where they are), a conversion in each
/// direction, the walk, and an implementation of `serbench_plugin::Native` for the root type.
pub fn module(dataset: &str, schema: &Schema, library: Library) -> String {
    let model = model(schema);
    let writer = Writer {
        natives: Natives::new(schema, &model),
        model: &model,
        library,
    };
    let mut out = writer.natives.header(dataset);
    match library {
        Library::Prost => {
            let messages = super::prost::messages(&model);
            let _ = writeln!(out, "pub mod proto {{\n{messages}}}");
        }
        Library::Protobuf => {
            let file = crate::codegen::idl::package(dataset);
            let _ = writeln!(out, "use crate::protos::{file} as proto;");
        }
    }
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
    library: Library,
}

impl Writer<'_> {
    fn path(&self, message: usize) -> String {
        format!("proto::{}", self.model.messages[message].name)
    }

    /// The enum behind a message's `oneof`.
    fn kind(&self, def: &Message) -> String {
        match self.library {
            Library::Prost => format!("proto::{}Kind", def.name),
            Library::Protobuf => format!("proto::{}::Kind", module_of(&def.name)),
        }
    }

    /// A message with these fields set.
    fn construct(&self, message: usize, fields: &str) -> String {
        let path = self.path(message);
        match self.library {
            Library::Prost => format!("{path} {{ {fields}}}"),
            Library::Protobuf => {
                format!("{path} {{ {fields}special_fields: ::std::default::Default::default() }}")
            }
        }
    }

    /// Implements `serbench_plugin::Native` for the root.
    fn native(&self, out: &mut String) {
        let root = self.model.root;
        let function = self.natives.function(root);
        let _ = writeln!(
            out,
            "{}    type Message = {};
    fn to_message(&self) -> Self::Message {{
        to_{function}(self)
    }}
    fn from_message(message: Self::Message) -> Result<Self, Error> {{
        from_{function}(message)
    }}
}}
{}",
            self.natives
                .root_impl(super::MESSAGE_TRAIT, &super::notes(self.natives.schema)),
            self.path(root),
            self.natives
                .decoded(&self.path(root), &format!("walk_{function}")),
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
        let function = self.natives.function(index);
        let (native, message) = (self.natives.of_message(index), self.path(index));
        let to = self.fields_to(fields, |field| match def.origin {
            Origin::Wrapper => "(*native)".to_owned(),
            _ => format!("native.{}", member(&field.native)),
        });
        let from = |field: &Field| self.take_field(def, field, "message");
        let from = match def.origin {
            Origin::Wrapper => from(&fields[0]),
            _ => literal(&native, fields, from),
        };
        let _ = writeln!(
            out,
            "#[inline]
fn to_{function}(native: &{native}) -> {message} {{
    {}
}}
#[inline]
fn from_{function}(message: {message}) -> Result<{native}, Error> {{
    Ok({from})
}}",
            self.construct(index, &to)
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
            Ty::Message(_) => self.some(&self.to(ty, place)),
            Ty::Optional(inner) => match inner.peel() {
                Ty::Message(_) => {
                    let value = self.to(inner, "(*value)");
                    match self.library {
                        Library::Prost => format!("{place}.as_ref().map(|value| {value})"),
                        Library::Protobuf => format!(
                            "::protobuf::MessageField::from_option({place}.as_ref().map(|value| {value}))"
                        ),
                    }
                }
                _ => format!(
                    "{place}.as_ref().map(|value| {})",
                    self.to(inner, "(*value)")
                ),
            },
            _ => self.to(ty, place),
        }
    }

    fn some(&self, value: &str) -> String {
        match self.library {
            Library::Prost => format!("Some({value})"),
            Library::Protobuf => format!("::protobuf::MessageField::some({value})"),
        }
    }

    /// A single value, or a list or map, made from the native one at `place`.
    fn to(&self, ty: &Ty, place: &str) -> String {
        match ty {
            Ty::Newtype(_, inner) => self.to(inner, &format!("{place}.0")),
            Ty::Scalar(scalar) => scalar_to(*scalar, place, wide(*scalar)),
            Ty::String => format!("{place}.clone()"),
            Ty::Bytes => format!("{place}.0.clone()"),
            Ty::ByteList(_) => format!("{place}.to_vec()"),
            Ty::Enum(index) => self.enum_value(&format!(
                "to_{}(&{place})",
                names::snake(&self.model.enums[*index].name)
            )),
            Ty::Message(index) => format!("to_{}(&{place})", self.natives.function(*index)),
            Ty::List(element, _) => match **element {
                Ty::Scalar(scalar) if wide(scalar) == scalar.name() => format!("{place}.to_vec()"),
                _ => format!(
                    "{place}.iter().map(|item| {}).collect()",
                    self.to(element, "(*item)")
                ),
            },
            Ty::Map(value) => format!(
                "{place}.iter().map(|(key, item)| (key.clone(), {})).collect()",
                self.to(value, "(*item)")
            ),
            Ty::Optional(_) | Ty::Entries(_) => unreachable!("not a single value in protobuf"),
        }
    }

    fn enum_value(&self, number: &str) -> String {
        match self.library {
            Library::Prost => number.to_owned(),
            Library::Protobuf => format!("::protobuf::EnumOrUnknown::from_i32({number})"),
        }
    }

    /// The native value made from a field, which is moved out of the message `owner`.
    fn take_field(&self, def: &Message, field: &Field, owner: &str) -> String {
        let place = format!("{owner}.{}", field.name);
        self.take_field_type(&field.ty, &place, &format!("{}.{}", def.name, field.name))
    }

    fn take_field_type(&self, ty: &Ty, place: &str, what: &str) -> String {
        let option = |place: &str| match self.library {
            Library::Prost => place.to_owned(),
            Library::Protobuf => format!("{place}.into_option()"),
        };
        match ty {
            Ty::Newtype(index, inner) => self
                .natives
                .newtype(*index, &self.take_field_type(inner, place, what)),
            Ty::Message(_) => self.from(
                ty,
                &format!("convert::required({}, \"{what}\")?", option(place)),
                what,
            ),
            Ty::Optional(inner) => {
                let place = match inner.peel() {
                    Ty::Message(_) => option(place),
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
            Ty::String | Ty::ByteList(None) => value.to_owned(),
            Ty::Bytes => format!("{}({value})", self.natives.support("Bytes")),
            Ty::ByteList(Some(_)) => format!("convert::array({value}, \"{what}\")?"),
            Ty::Enum(index) => {
                let value = self.enum_number(value);
                format!(
                    "from_{}({value})?",
                    names::snake(&self.model.enums[*index].name)
                )
            }
            Ty::Message(index) => format!("from_{}({value})?", self.natives.function(*index)),
            Ty::List(element, len) => {
                let list = match **element {
                    Ty::Scalar(scalar) if wide(scalar) == scalar.name() => value.to_owned(),
                    Ty::String => value.to_owned(),
                    _ => {
                        let item = self.from(element, "item", what);
                        format!(
                            "{value}.into_iter().map(|item| Ok({item})).collect::<Result<Vec<_>, Error>>()?"
                        )
                    }
                };
                match len {
                    Some(_) => format!("convert::array({list}, \"{what}\")?"),
                    None => list,
                }
            }
            Ty::Map(inner) => format!(
                "{value}.into_iter().map(|(key, item)| Ok((key, {}))).collect::<Result<_, Error>>()?",
                self.from(inner, "item", what)
            ),
            Ty::Optional(_) | Ty::Entries(_) => unreachable!("not a single value in protobuf"),
        }
    }

    fn enum_number(&self, value: &str) -> String {
        match self.library {
            Library::Prost => value.to_owned(),
            Library::Protobuf => format!("{value}.value()"),
        }
    }

    fn union(&self, index: usize, def: &Message, out: &mut String) {
        let Body::Union(alternatives) = &def.body else {
            return;
        };
        let function = self.natives.function(index);
        let (native, message, kind) = (
            self.natives.of_message(index),
            self.path(index),
            self.kind(def),
        );
        let (mut to, mut from, mut walk) = (String::new(), String::new(), String::new());
        for (number, alternative) in alternatives.iter().enumerate() {
            let variant = format!("{native}::{}", ident(&alternative.native));
            let case = format!("{kind}::{}", names::pascal(&alternative.name));
            match &alternative.payload {
                Payload::Unit(unit) => {
                    let unit = unit.expect("a oneof's unit variant holds a message");
                    let unit = self.construct(unit, "");
                    let _ = writeln!(to, "        {variant} => {case}({unit}),");
                    let _ = writeln!(from, "        {case}(_) => {variant},");
                    let _ = writeln!(walk, "        Some({case}(_)) => sink.variant({number}),");
                }
                Payload::Value(ty) => {
                    let value = self.to(ty, "(*value)");
                    let _ = writeln!(to, "        {variant}(value) => {case}({value}),");
                    let value = self.from(ty, "value", &def.name);
                    let _ = writeln!(from, "        {case}(value) => {variant}({value}),");
                    let value = self.walk(ty, "(*value)");
                    let _ = writeln!(
                        walk,
                        "        Some({case}(value)) => {{ sink.variant({number}); {value} }}"
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
                    let inner = &self.model.messages[*message];
                    let value = literal(&variant, fields, |field| {
                        self.take_field(inner, field, "value")
                    });
                    let _ = writeln!(from, "        {case}(value) => {value},");
                    let _ = writeln!(
                        walk,
                        "        Some({case}(value)) => {{ sink.variant({number}); walk_{}(value, sink) }}",
                        self.natives.function(*message)
                    );
                }
            }
        }
        let _ = writeln!(
            out,
            "#[inline]
fn to_{function}(native: &{native}) -> {message} {{
    let kind = match native {{
{to}    }};
    {}
}}
#[inline]
fn from_{function}(message: {message}) -> Result<{native}, Error> {{
    Ok(match convert::required(message.kind, \"{}.kind\")? {{
{from}        #[allow(unreachable_patterns)]
        _ => return Err(convert::missing(\"{}.kind\")),
    }})
}}
#[inline]
fn walk_{function}<S: Sink>(message: &{message}, sink: &mut S) {{
    match &message.kind {{
{walk}        _ => sink.variant(u32::MAX),
    }}
}}",
            self.construct(index, "kind: Some(kind), "),
            def.name,
            def.name,
        );
    }

    fn walk_fields(&self, index: usize, def: &Message, fields: &[Field], out: &mut String) {
        let body: String = match def.origin {
            Origin::Tensor(scalar) => self.walk_tensor(scalar),
            _ => fields
                .iter()
                .map(|field| {
                    format!(
                        "    {};\n",
                        self.walk_field(&field.ty, &format!("message.{}", field.name))
                    )
                })
                .collect(),
        };
        let _ = writeln!(
            out,
            "#[inline]
fn walk_{}<S: Sink>(message: &{}, sink: &mut S) {{
{body}}}",
            self.natives.function(index),
            self.path(index)
        );
    }

    fn walk_tensor(&self, scalar: Scalar) -> String {
        let narrow = match scalar {
            Scalar::U8 => "message.data[i]".to_owned(),
            _ => narrowed(scalar, "message.data[i]"),
        };
        format!(
            "    sink.count(message.shape.len());
    for dim in &message.shape {{
        sink.scalar(*dim);
    }}
    sink.elements(message.data.len(), |i| {narrow});
"
        )
    }

    fn walk_field(&self, ty: &Ty, place: &str) -> String {
        match ty.peel() {
            Ty::Message(_) => {
                let value = self.walk(ty, "(*value)");
                format!("if let Some(value) = {place}.as_ref() {{ {value} }}")
            }
            Ty::Optional(inner) => {
                let value = self.walk(inner, "(*value)");
                format!(
                    "sink.present({place}.is_some()); if let Some(value) = {place}.as_ref() {{ {value} }}"
                )
            }
            _ => self.walk(ty, place),
        }
    }

    fn walk(&self, ty: &Ty, place: &str) -> String {
        match ty.peel() {
            Ty::Scalar(scalar) => format!("sink.scalar({})", narrowed(*scalar, place)),
            Ty::String => format!("sink.blob({place}.as_bytes())"),
            Ty::Bytes => format!("sink.blob(&{place})"),
            Ty::ByteList(len) => format!(
                "{}for item in &{place} {{ sink.scalar(*item); }}",
                count(*len, place)
            ),
            Ty::Enum(_) => format!("sink.variant({} as u32)", self.enum_number(place)),
            Ty::Message(index) => format!("walk_{}(&{place}, sink)", self.natives.function(*index)),
            Ty::List(element, len) => format!(
                "{}for item in &{place} {{ {} }}",
                count(*len, place),
                self.walk(element, "(*item)")
            ),
            Ty::Map(inner) => {
                let item = self.walk(inner, "(*item)");
                let entries = match self.library {
                    Library::Prost => format!("&{place}"),
                    // Hashed: the canonical order has to be made.
                    Library::Protobuf => format!("convert::sorted(&{place})"),
                };
                format!(
                    "sink.count({place}.len()); for (key, item) in {entries} {{ sink.blob(key.as_bytes()); {item} }}"
                )
            }
            Ty::Optional(_) | Ty::Entries(_) | Ty::Newtype(..) => {
                unreachable!("not a single value in protobuf")
            }
        }
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

/// Tells the sink the length of what is not of fixed length.
fn count(len: Option<u32>, place: &str) -> String {
    match len {
        Some(_) => String::new(),
        None => format!("sink.count({place}.len()); "),
    }
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

/// The module in which `protobuf` puts what is nested in a message.
fn module_of(message: &str) -> String {
    let mut out = String::new();
    let mut after_lower = false;
    for c in message.chars() {
        if c.is_ascii_uppercase() && after_lower {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
        after_lower = c.is_ascii_lowercase();
    }
    ident(&out)
}
