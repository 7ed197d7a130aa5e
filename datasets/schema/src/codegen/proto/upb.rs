//! Conversions between the native Rust types and the messages of Google's `protobuf` (4.x, on upb),
//! and the walk over such a message. Its messages are opaque: they are filled by setters, and read
//! through views.

use std::fmt::Write as _;

use super::model;
use super::rust::{enumeration, narrowed, wide};
use crate::codegen::idl::rust::{Natives, literal, member, scalar_from, scalar_to};
use crate::codegen::idl::{Alternative, Body, Field, Message, Origin, Payload, Ty, names};
use crate::codegen::rust::ident;
use crate::model::{Scalar, Schema};

/// The module of a dataset: a conversion in each direction, the walk, and an implementation of
/// `serbench_plugin::Native` for the root type. The library's own generator makes the messages, which are at
/// `crate::protos`.
pub fn module(dataset: &str, schema: &Schema) -> String {
    let model = model(schema);
    let writer = Writer {
        natives: Natives::new(schema, &model),
    };
    let mut out = writer.natives.header(dataset);
    let file = crate::codegen::idl::package(dataset);
    let _ = writeln!(out, "use crate::protos::{file}_proto as proto;");
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
}

impl Writer<'_> {
    fn name(&self, message: usize) -> &str {
        &self.natives.model.messages[message].name
    }

    fn function(&self, message: usize) -> String {
        self.natives.function(message)
    }

    /// Implements `serbench_plugin::Native` for the root.
    fn native(&self, out: &mut String) {
        let root = self.natives.model.root;
        let (name, function) = (self.name(root), self.function(root));
        let _ = writeln!(
            out,
            "{}    type Message = proto::{name};
    fn to_message(&self) -> Self::Message {{
        let mut message = proto::{name}::new();
        fill_{function}(self, message.as_mut());
        message
    }}
    fn from_message(message: Self::Message) -> Result<Self, Error> {{
        from_{function}(message.as_view())
    }}
}}
#[inline]
fn walk_message<S: Sink>(message: &proto::{name}, sink: &mut S) {{
    walk_{function}(message.as_view(), sink);
}}
{}",
            self.natives
                .root_impl(super::MESSAGE_TRAIT, &super::notes(self.natives.schema)),
            self.natives
                .decoded(&format!("proto::{name}"), "walk_message"),
        );
    }

    /// The three functions of a message; a variant's fields are converted where the union is.
    fn message(&self, index: usize, def: &Message, out: &mut String) {
        let native = self.natives.of_message(index);
        let (fill, from, walk) = match (&def.body, &def.origin) {
            (_, Origin::Unit) => return,
            (Body::Union(alternatives), _) => self.union(&native, def, alternatives),
            (Body::Fields(fields), origin) => self.fields(index, def, origin, fields),
        };
        let (function, name) = (self.function(index), &def.name);
        if !matches!(def.origin, Origin::Variant(..)) {
            let _ = writeln!(
                out,
                "#[inline]
fn fill_{function}(native: &{native}, mut message: proto::{name}Mut<'_>) {{
{fill}}}
#[inline]
fn from_{function}(message: proto::{name}View<'_>) -> Result<{native}, Error> {{
{from}}}"
            );
        }
        let _ = writeln!(
            out,
            "#[inline]
fn walk_{function}<S: Sink>(message: proto::{name}View<'_>, sink: &mut S) {{
{walk}}}"
        );
    }

    /// The bodies of `fill`, `from` and `walk`.
    fn fields(
        &self,
        index: usize,
        def: &Message,
        origin: &Origin,
        fields: &[Field],
    ) -> (String, String, String) {
        let take = |field: &Field| self.take(&field.ty, &field.name, &def.name);
        let (fill, from): (String, String) = match origin {
            Origin::Wrapper => (
                self.fill(&fields[0].ty, &fields[0].name, "(*native)"),
                take(&fields[0]),
            ),
            _ => (
                fields
                    .iter()
                    .map(|field| {
                        let place = format!("native.{}", member(&field.native));
                        self.fill(&field.ty, &field.name, &place)
                    })
                    .collect(),
                self.natives.value(index, fields, take),
            ),
        };
        let walk = match origin {
            Origin::Tensor(scalar) => tensor(*scalar),
            _ => fields.iter().map(|field| self.walk_field(field)).collect(),
        };
        (fill, format!("    Ok({from})\n"), walk)
    }

    /// The same for a union.
    fn union(
        &self,
        native: &str,
        def: &Message,
        alternatives: &[Alternative],
    ) -> (String, String, String) {
        let mut fill = "    match native {\n".to_owned();
        let (mut from, mut walk) = (String::new(), String::new());
        for (number, alternative) in alternatives.iter().enumerate() {
            let variant = format!("{native}::{}", ident(&alternative.native));
            let name = &alternative.name;
            let (pattern, set, value, visit) = match &alternative.payload {
                Payload::Unit(_) => (
                    variant.clone(),
                    format!("message.{name}_mut();"),
                    variant,
                    String::new(),
                ),
                Payload::Value(ty) => (
                    format!("{variant}(value)"),
                    self.fill(ty, name, "(*value)"),
                    format!("{variant}({})", self.take(ty, name, &def.name)),
                    self.walk(ty, &format!("message.{name}()")),
                ),
                Payload::Fields(message) => self.variant(&variant, name, *message),
            };
            let _ = writeln!(fill, "        {pattern} => {{ {set} }}");
            let _ = writeln!(
                from,
                "    if message.has_{name}() {{ return Ok({value}); }}"
            );
            let _ = writeln!(
                walk,
                "    if message.has_{name}() {{ sink.variant({number}); {visit} return; }}"
            );
        }
        fill += "    }\n";
        let _ = writeln!(from, "    Err(convert::missing(\"{}.kind\"))", def.name);
        walk += "    sink.variant(u32::MAX);\n";
        (fill, from, walk)
    }

    /// A struct variant: how it is matched, set, made and walked.
    fn variant(
        &self,
        variant: &str,
        name: &str,
        message: usize,
    ) -> (String, String, String, String) {
        let fields = self.natives.model.fields(message);
        let owner = self.name(message);
        let (mut bind, mut set) = (String::new(), String::new());
        for (i, field) in fields.iter().enumerate() {
            let _ = write!(bind, "{}: f{i}, ", ident(&field.native));
            set += &self.fill(&field.ty, &field.name, &format!("(*f{i})"));
        }
        let value = literal(variant, fields, |field| {
            self.take(&field.ty, &field.name, owner)
        });
        (
            format!("{variant} {{ {bind}}}"),
            format!("let mut message = message.{name}_mut(); {set}"),
            format!("{{ let message = message.{name}(); {value} }}"),
            format!("walk_{}(message.{name}(), sink);", self.function(message)),
        )
    }

    /// Sets a field of `message` to the native value at `place`.
    fn fill(&self, ty: &Ty, name: &str, place: &str) -> String {
        let (ty, place) = peel(ty, place);
        match ty {
            Ty::Message(index) => format!(
                "    fill_{}(&{place}, message.{name}_mut());\n",
                self.function(*index)
            ),
            Ty::Optional(inner) => format!(
                "    if let Some(value) = {place}.as_ref() {{ {} }}\n",
                self.fill(inner, name, "(*value)")
            ),
            Ty::List(element, _) => match peel(element, "(*item)") {
                (Ty::Message(index), item) => format!(
                    "    {{ let mut list = message.{name}_mut(); for item in {place}.iter() {{ fill_{}(&{item}, list.push_default()); }} }}\n",
                    self.function(*index)
                ),
                _ => format!(
                    "    message.{name}_mut().extend({place}.iter().map(|item| {}));\n",
                    self.value(element, "(*item)")
                ),
            },
            Ty::Map(inner) => {
                let value = match peel(inner, "(*item)") {
                    (Ty::Message(index), item) => format!(
                        "{{ let mut value = proto::{}::new(); fill_{}(&{item}, value.as_mut()); value }}",
                        self.name(*index),
                        self.function(*index)
                    ),
                    _ => self.value(inner, "(*item)"),
                };
                format!(
                    "    {{ let mut map = message.{name}_mut(); for (key, item) in {place}.iter() {{ map.insert(key.as_str(), {value}); }} }}\n"
                )
            }
            _ => format!("    message.set_{name}({});\n", self.value(ty, &place)),
        }
    }

    /// What a setter takes for the native value at `place`.
    fn value(&self, ty: &Ty, place: &str) -> String {
        match peel(ty, place) {
            (Ty::Scalar(scalar), place) => scalar_to(*scalar, &place, wide(*scalar)),
            (Ty::String, place) => format!("{place}.as_str()"),
            (Ty::Bytes, place) => format!("{place}.0.as_slice()"),
            (Ty::ByteList(_), place) => format!("{place}.as_slice()"),
            (Ty::Enum(index), place) => {
                let name = &self.natives.model.enums[*index].name;
                format!("proto::{name}::from(to_{}(&{place}))", names::snake(name))
            }
            (other, _) => unreachable!("{other:?} is not set at once"),
        }
    }

    /// The native value made from a field of `message`, which is one of `owner`'s.
    fn take(&self, ty: &Ty, name: &str, owner: &str) -> String {
        match ty {
            Ty::Newtype(index, inner) => {
                self.natives.newtype(*index, &self.take(inner, name, owner))
            }
            Ty::Message(index) => format!(
                "from_{}(convert::required(message.{name}_opt(), \"{owner}.{name}\")?)?",
                self.function(*index)
            ),
            Ty::Optional(inner) => format!(
                "message.{name}_opt().map(|value| Ok::<_, Error>({})).transpose()?",
                self.from(inner, "value")
            ),
            Ty::List(element, len) => array(
                *len,
                &format!(
                    "message.{name}().iter().map(|item| Ok({})).collect::<Result<Vec<_>, Error>>()?",
                    self.from(element, "item")
                ),
                &format!("{owner}.{name}"),
            ),
            Ty::ByteList(len) => array(
                *len,
                &format!("message.{name}().to_vec()"),
                &format!("{owner}.{name}"),
            ),
            Ty::Map(inner) => format!(
                "message.{name}().iter().map(|(key, item)| Ok((key.to_str()?.to_owned(), {}))).collect::<Result<_, Error>>()?",
                self.from(inner, "item")
            ),
            _ => self.from(ty, &format!("message.{name}()")),
        }
    }

    fn from(&self, ty: &Ty, value: &str) -> String {
        match ty {
            Ty::Newtype(index, inner) => self.natives.newtype(*index, &self.from(inner, value)),
            Ty::Scalar(scalar) => scalar_from(*scalar, value, wide(*scalar)),
            Ty::String => format!("{value}.to_str()?.to_owned()"),
            Ty::Bytes => format!("{}({value}.to_vec())", self.natives.support("Bytes")),
            Ty::ByteList(len) => array(*len, &format!("{value}.to_vec()"), "bytes"),
            Ty::Enum(index) => format!(
                "from_{}(i32::from({value}))?",
                names::snake(&self.natives.model.enums[*index].name)
            ),
            Ty::Message(index) => format!("from_{}({value})?", self.function(*index)),
            other => unreachable!("{other:?} is not a single value in protobuf"),
        }
    }

    fn walk_field(&self, field: &Field) -> String {
        let name = &field.name;
        let place = format!("message.{name}()");
        match field.ty.peel() {
            Ty::Message(_) => format!(
                "    if message.has_{name}() {{ {} }}\n",
                self.walk(&field.ty, &place)
            ),
            Ty::Optional(inner) => format!(
                "    sink.present(message.has_{name}()); if message.has_{name}() {{ {} }}\n",
                self.walk(inner, &place)
            ),
            _ => format!("    {}\n", self.walk(&field.ty, &place)),
        }
    }

    fn walk(&self, ty: &Ty, place: &str) -> String {
        match ty.peel() {
            Ty::Scalar(scalar) => format!("sink.scalar({});", narrowed(*scalar, place)),
            Ty::String => format!("sink.blob({place}.as_bytes());"),
            Ty::Bytes => format!("sink.blob({place});"),
            Ty::ByteList(len) => format!(
                "{{ let list = {place}; {}for item in list {{ sink.scalar(*item); }} }}",
                count(*len)
            ),
            Ty::Enum(_) => format!("sink.variant(i32::from({place}) as u32);"),
            Ty::Message(index) => format!("walk_{}({place}, sink);", self.function(*index)),
            Ty::List(element, len) => format!(
                "{{ let list = {place}; {}for item in list {{ {} }} }}",
                count(*len),
                self.walk(element, "item")
            ),
            // Hashed: the canonical order has to be made.
            Ty::Map(inner) => format!(
                "{{ let mut entries: Vec<_> = {place}.iter().collect(); entries.sort_unstable_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes())); sink.count(entries.len()); for (key, item) in entries {{ sink.blob(key.as_bytes()); {} }} }}",
                self.walk(inner, "item")
            ),
            other => unreachable!("{other:?} is not a single value in protobuf"),
        }
    }
}

/// A type and a place without the newtypes around them.
fn peel<'a>(ty: &'a Ty, place: &str) -> (&'a Ty, String) {
    match ty {
        Ty::Newtype(_, inner) => peel(inner, &format!("{place}.0")),
        _ => (ty, place.to_owned()),
    }
}

/// A list, or the fixed array that it has to be.
fn array(len: Option<u32>, list: &str, what: &str) -> String {
    match len {
        Some(_) => format!("convert::array({list}, \"{what}\")?"),
        None => list.to_owned(),
    }
}

/// Tells the sink the length of `list`, unless it is fixed.
fn count(len: Option<u32>) -> &'static str {
    match len {
        Some(_) => "",
        None => "sink.count(list.len()); ",
    }
}

fn tensor(scalar: Scalar) -> String {
    let element = match scalar {
        Scalar::U8 => "data[i]".to_owned(),
        _ => narrowed(scalar, "data.get(i).unwrap_or_default()"),
    };
    format!(
        "    let (shape, data) = (message.shape(), message.data());
    sink.count(shape.len());
    for dim in shape {{ sink.scalar(dim); }}
    sink.elements(data.len(), |i| {element});
"
    )
}
