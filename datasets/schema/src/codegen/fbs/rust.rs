//! Conversions between the native Rust types and the tables and structs for the `flatbuffers`
//! crate, which are generated along, and the walk over a table.

use std::fmt::Write as _;

use super::layout;
use super::model;
use super::tables::{alternative_message, inline_type, slot, tables};
use crate::codegen::idl::rust::{Natives, literal, member};
use crate::codegen::idl::{Body, Enum, Field, Message, Model, Origin, Payload, Ty, names};
use crate::codegen::rust::ident;
use crate::model::Schema;

/// The module of a dataset: its tables and structs, building a table, reading a native value from
/// one, the walk over one, and an implementation of `crate::Native` for the root type.
pub fn module(dataset: &str, schema: &Schema) -> String {
    let model = model(schema);
    let writer = Writer {
        natives: Natives::new(schema, &model),
        model: &model,
    };
    let mut out = writer.natives.header(dataset);
    let _ = writeln!(
        out,
        "use ::flatbuffers::{{FlatBufferBuilder, UnionWIPOffset, WIPOffset}};
pub mod schema {{\n{}}}",
        tables(&model)
    );
    for def in &model.enums {
        writer.enumeration(def, &mut out);
    }
    for (index, def) in model.messages.iter().enumerate() {
        match &def.body {
            Body::Fields(fields) if def.fixed => writer.structure(index, def, fields, &mut out),
            Body::Fields(fields) => writer.table(index, def, fields, &mut out),
            Body::Union(_) => writer.union(index, def, &mut out),
        }
    }
    writer.native(&mut out);
    out.push_str("}\n");
    out
}

struct Writer<'a> {
    natives: Natives<'a>,
    model: &'a Model,
}

impl Writer<'_> {
    fn path(&self, message: usize) -> String {
        format!("schema::{}", self.model.messages[message].name)
    }

    fn enum_function(&self, index: usize) -> String {
        names::snake(&self.model.enums[index].name)
    }

    fn native(&self, out: &mut String) {
        let root = self.model.root;
        let (function, path) = (self.natives.function(root), self.path(root));
        let _ = writeln!(
            out,
            "{}    type Table<'a> = {path}<'a>;
    fn build<'b>(&self, builder: &mut FlatBufferBuilder<'b>) -> WIPOffset<UnionWIPOffset> {{
        build_{function}(self, builder)
    }}
    fn read(table: Self::Table<'_>) -> Result<Self, Error> {{
        read_{function}(table)
    }}
}}
{}",
            self.natives
                .root_impl("crate::Native", &super::notes(self.natives.schema)),
            self.natives
                .decoded(&format!("{path}<'_>"), &format!("walk_{function}")),
        );
    }

    fn enumeration(&self, def: &Enum, out: &mut String) {
        let function = names::snake(&def.name);
        let native = format!("native::{}", ident(&self.natives.schema.def(def.def).name));
        let (mut to, mut from) = (String::new(), String::new());
        for (number, name) in def.natives.iter().enumerate() {
            let name = ident(name);
            let _ = writeln!(to, "        {native}::{name} => {number},");
            let _ = writeln!(from, "        {number} => Ok({native}::{name}),");
        }
        let index = self
            .model
            .enums
            .iter()
            .position(|other| other.def == def.def);
        let ty = inline_type(self.model, &Ty::Enum(index.unwrap_or_default()));
        let _ = writeln!(
            out,
            "fn to_{function}(value: &{native}) -> {ty} {{
    match value {{
{to}    }}
}}
fn from_{function}(value: {ty}) -> Result<{native}, Error> {{
    match value {{
{from}        other => Err(convert::unknown(\"{}\", other)),
    }}
}}",
            def.name
        );
    }

    /// The native value behind each field of a message, and the parameters that they come from.
    fn places(&self, index: usize, fields: &[Field]) -> (String, Vec<String>) {
        let def = &self.model.messages[index];
        let native = self.natives.of_message(index);
        match def.origin {
            Origin::Wrapper => (format!("native: &{native}, "), vec!["(*native)".to_owned()]),
            Origin::Entry => (
                format!("key: &String, value: &{native}, "),
                vec!["(*key)".to_owned(), "(*value)".to_owned()],
            ),
            Origin::Variant(..) => (0..)
                .zip(fields)
                .map(|(i, field)| {
                    (
                        format!("f{i}: &{}, ", self.natives.ty(&field.ty)),
                        format!("(*f{i})"),
                    )
                })
                .unzip(),
            Origin::Array(..) => (
                format!("native: &{native}, "),
                (0..fields.len()).map(|i| format!("native[{i}]")).collect(),
            ),
            Origin::Unit => (String::new(), Vec::new()),
            Origin::Named(_) | Origin::Tensor(_) => (
                format!("native: &{native}, "),
                fields
                    .iter()
                    .map(|f| format!("native.{}", member(&f.native)))
                    .collect(),
            ),
        }
    }

    fn structure(&self, index: usize, def: &Message, fields: &[Field], out: &mut String) {
        let function = self.natives.function(index);
        let (parameters, places) = self.places(index, fields);
        let values: Vec<String> = fields
            .iter()
            .zip(&places)
            .map(|(field, place)| {
                let value = self.inline(&field.ty, place);
                match field.ty.peel() {
                    Ty::Message(_) => format!("&{value}"),
                    _ => value,
                }
            })
            .collect();
        let _ = writeln!(
            out,
            "#[inline]
fn to_{function}({parameters}) -> {0} {{
    {0}::new({1})
}}",
            self.path(index),
            values.join(", ")
        );
        let reader = format!("&{}", self.path(index));
        self.read_and_walk(index, def, fields, &reader, out);
    }

    fn table(&self, index: usize, def: &Message, fields: &[Field], out: &mut String) {
        let function = self.natives.function(index);
        let (parameters, places) = self.places(index, fields);
        let mut offsets = String::new();
        for (i, (field, place)) in fields.iter().zip(&places).enumerate() {
            if let Some(offset) = self.offset(&field.ty, place) {
                let _ = writeln!(offsets, "    let offset{i} = {offset};");
            }
        }
        let pushes: String = self
            .push_order(fields)
            .into_iter()
            .map(|i| self.push(i, &fields[i].ty, &places[i]))
            .collect();
        let _ = writeln!(
            out,
            "#[inline]
fn build_{function}<'b>({parameters}builder: &mut FlatBufferBuilder<'b>) -> WIPOffset<UnionWIPOffset> {{
{offsets}    let table = builder.start_table();
{pushes}    builder.end_table(table).as_union_value()
}}"
        );
        self.read_and_walk(
            index,
            def,
            fields,
            &format!("{}<'_>", self.path(index)),
            out,
        );
    }

    /// The widest first, so that there is no padding between them, and the last first, since
    /// buffers grow downwards: as `flatc` orders them.
    fn push_order(&self, fields: &[Field]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..fields.len()).rev().collect();
        order.sort_by_key(|i| {
            let ty = match fields[*i].ty.peel() {
                Ty::Optional(inner) => inner.peel(),
                other => other,
            };
            let size = match ty {
                Ty::Scalar(_) | Ty::Enum(_) => layout::of(self.model, ty).size,
                _ => 4,
            };
            std::cmp::Reverse(size)
        });
        order
    }

    /// A statement that puts a field into the table.
    fn push(&self, index: usize, ty: &Ty, place: &str) -> String {
        let slot = slot(index);
        let place = newtype_place(ty, place);
        match ty.peel() {
            Ty::Scalar(scalar) => {
                let default = match scalar.name() {
                    "bool" => "false",
                    "f32" | "f64" => "0.0",
                    _ => "0",
                };
                format!("    builder.push_slot({slot}, {place}, {default});\n")
            }
            Ty::Enum(_) => {
                format!(
                    "    builder.push_slot({slot}, {}, 0);\n",
                    self.inline(ty.peel(), &place)
                )
            }
            Ty::Optional(inner) if self.offset(inner, "").is_none() => format!(
                "    if let Some(value) = &{place} {{ builder.push_slot_always({slot}, {}); }}\n",
                self.inline(inner, "(*value)")
            ),
            Ty::Optional(_) => format!(
                "    if let Some(offset) = offset{index} {{ builder.push_slot_always({slot}, offset); }}\n"
            ),
            other if self.offset(other, "").is_none() => {
                format!(
                    "    builder.push_slot_always({slot}, {});\n",
                    self.inline(other, &place)
                )
            }
            _ => format!("    builder.push_slot_always({slot}, offset{index});\n"),
        }
    }

    /// A value that lies inline, made from the native one at `place`.
    fn inline(&self, ty: &Ty, place: &str) -> String {
        match ty {
            Ty::Newtype(_, inner) => self.inline(inner, &format!("{place}.0")),
            Ty::Enum(index) => format!("to_{}(&{place})", self.enum_function(*index)),
            Ty::Message(index) => format!("to_{}(&{place})", self.natives.function(*index)),
            _ => place.to_owned(),
        }
    }

    /// An expression that builds what is reached by an offset, from the native value at `place`.
    fn offset(&self, ty: &Ty, place: &str) -> Option<String> {
        Some(match ty {
            Ty::Newtype(_, inner) => return self.offset(inner, &format!("{place}.0")),
            Ty::Scalar(_) | Ty::Enum(_) => return None,
            Ty::Message(index) => match self.model.messages[*index].fixed {
                true => return None,
                false => format!("build_{}(&{place}, builder)", self.natives.function(*index)),
            },
            Ty::String => format!("builder.create_string(&{place})"),
            Ty::Bytes => format!("builder.create_vector(&{place}.0[..])"),
            Ty::List(element, _) => match (&**element, self.offset(element, "(*item)")) {
                (Ty::Scalar(_), _) => format!("builder.create_vector(&{place}[..])"),
                (element, None) => format!(
                    "builder.create_vector_from_iter({place}.iter().map(|item| {}))",
                    self.inline(element, "(*item)")
                ),
                (_, Some(offset)) => format!(
                    "{{ let items: Vec<_> = {place}.iter().map(|item| {offset}).collect(); builder.create_vector(&items) }}"
                ),
            },
            Ty::Entries(entry) => format!(
                "{{ let items: Vec<_> = {place}.iter().map(|(key, value)| build_{}(key, value, builder)).collect(); builder.create_vector(&items) }}",
                self.natives.function(*entry)
            ),
            Ty::Optional(inner) => {
                let offset = self.offset(inner, "(*value)")?;
                format!("{place}.as_ref().map(|value| {offset})")
            }
            Ty::ByteList(_) | Ty::Map(_) => unreachable!("not made for FlatBuffers"),
        })
    }

    fn read_and_walk(
        &self,
        index: usize,
        def: &Message,
        fields: &[Field],
        reader: &str,
        out: &mut String,
    ) {
        let function = self.natives.function(index);
        let walk: String = match def.origin {
            Origin::Tensor(_) => "    let shape = reader.shape();
    sink.count(shape.len());
    for dim in shape.iter() {
        sink.scalar(dim);
    }
    let data = reader.data();
    sink.elements(data.len(), |i| data.get(i));
"
            .to_owned(),
            _ => fields
                .iter()
                .map(|field| format!("    {};\n", self.walk(&field.ty, &getter(field))))
                .collect(),
        };
        let _ = writeln!(
            out,
            "#[inline]
fn walk_{function}<S: Sink>(reader: &{}, sink: &mut S) {{
{walk}}}",
            reader.trim_start_matches('&')
        );
        let from = |field: &Field| {
            self.read(
                &field.ty,
                &getter(field),
                &format!("{}.{}", def.name, field.name),
            )
        };
        let native = self.natives.of_message(index);
        let (result, read) = match &def.origin {
            Origin::Wrapper => (native, from(&fields[0])),
            Origin::Entry => (
                format!("(String, {native})"),
                format!("({}, {})", from(&fields[0]), from(&fields[1])),
            ),
            Origin::Array(..) => {
                let elements: Vec<String> = fields.iter().map(from).collect();
                (native, format!("[{}]", elements.join(", ")))
            }
            Origin::Variant(enumeration, variant) => {
                let alternative = self.natives.variant(*enumeration, *variant);
                (native, literal(&alternative, fields, from))
            }
            Origin::Unit => return,
            Origin::Named(_) | Origin::Tensor(_) => {
                (native, self.natives.value(index, fields, from))
            }
        };
        let _ = writeln!(
            out,
            "#[inline]
fn read_{function}(reader: {reader}) -> Result<{result}, Error> {{
    Ok({read})
}}"
        );
    }

    fn union(&self, index: usize, def: &Message, out: &mut String) {
        let Body::Union(alternatives) = &def.body else {
            return;
        };
        let function = self.natives.function(index);
        let (native, path) = (self.natives.of_message(index), self.path(index));
        let (mut build, mut read, mut walk) = (String::new(), String::new(), String::new());
        for (i, alternative) in alternatives.iter().enumerate() {
            let number = i + 1;
            let variant = format!("{native}::{}", ident(&alternative.native));
            let message = alternative_message(&alternative.payload);
            let inner = self.natives.function(message);
            let value = format!("reader.value::<{}<'_>>()", self.path(message));
            let walk_value = format!("walk_{inner}(&{value}, sink)");
            match &alternative.payload {
                Payload::Unit(_) => {
                    let _ = writeln!(
                        build,
                        "        {variant} => ({number}, build_{inner}(builder)),"
                    );
                    let _ = writeln!(read, "        {number} => {variant},");
                    let _ = writeln!(walk, "        {number} => sink.variant({i}),");
                }
                Payload::Value(ty) => {
                    let place = newtype_place(ty, "(*value)");
                    let _ = writeln!(
                        build,
                        "        {variant}(value) => ({number}, build_{inner}(&{place}, builder)),"
                    );
                    let value = self.read(ty, &value, &def.name);
                    let _ = writeln!(read, "        {number} => {variant}({value}),");
                    let _ = writeln!(
                        walk,
                        "        {number} => {{ sink.variant({i}); {walk_value} }}"
                    );
                }
                Payload::Fields(message) => {
                    let fields = self.model.fields(*message);
                    let numbered = || (0..).zip(fields);
                    let bind: String = numbered()
                        .map(|(i, f)| format!("{}: f{i}, ", ident(&f.native)))
                        .collect();
                    let arguments: String = numbered().map(|(i, _)| format!("f{i}, ")).collect();
                    let _ = writeln!(
                        build,
                        "        {variant} {{ {bind}}} => ({number}, build_{inner}({arguments}builder)),"
                    );
                    let _ = writeln!(read, "        {number} => read_{inner}({value})?,");
                    let _ = writeln!(
                        walk,
                        "        {number} => {{ sink.variant({i}); {walk_value} }}"
                    );
                }
            }
        }
        let _ = writeln!(
            out,
            "#[inline]
fn build_{function}<'b>(native: &{native}, builder: &mut FlatBufferBuilder<'b>) -> WIPOffset<UnionWIPOffset> {{
    let (kind, value): (u8, _) = match native {{
{build}    }};
    let table = builder.start_table();
    builder.push_slot_always({}, value);
    builder.push_slot({}, kind, 0);
    builder.end_table(table).as_union_value()
}}
#[inline]
fn read_{function}(reader: {path}<'_>) -> Result<{native}, Error> {{
    Ok(match reader.value_type() {{
{read}        other => return Err(convert::unknown(\"{}\", other)),
    }})
}}
#[inline]
fn walk_{function}<S: Sink>(reader: &{path}<'_>, sink: &mut S) {{
    match reader.value_type() {{
{walk}        _ => sink.variant(u32::MAX),
    }}
}}",
            slot(1),
            slot(0),
            def.name,
        );
    }

    /// The native value made from what a getter returned.
    fn read(&self, ty: &Ty, value: &str, what: &str) -> String {
        match ty {
            Ty::Newtype(index, inner) => {
                self.natives.newtype(*index, &self.read(inner, value, what))
            }
            Ty::Scalar(_) => value.to_owned(),
            Ty::Enum(index) => format!("from_{}({value})?", self.enum_function(*index)),
            Ty::String => format!("{value}.to_owned()"),
            Ty::Bytes => format!(
                "{}({value}.bytes().to_vec())",
                self.natives.support("Bytes")
            ),
            Ty::Message(index) => format!("read_{}({value})?", self.natives.function(*index)),
            Ty::List(element, len) => {
                let list = match **element {
                    Ty::Scalar(_) => format!("{value}.iter().collect::<Vec<_>>()"),
                    _ => format!(
                        "{value}.iter().map(|item| Ok({})).collect::<Result<Vec<_>, Error>>()?",
                        self.read(element, "item", what)
                    ),
                };
                match len {
                    Some(_) => format!("convert::array({list}, \"{what}\")?"),
                    None => list,
                }
            }
            Ty::Entries(entry) => format!(
                "{value}.iter().map(read_{}).collect::<Result<_, Error>>()?",
                self.natives.function(*entry)
            ),
            Ty::Optional(inner) => format!(
                "match {value} {{ Some(value) => Some({}), None => None }}",
                self.read(inner, "value", what)
            ),
            Ty::ByteList(_) | Ty::Map(_) => unreachable!("not made for FlatBuffers"),
        }
    }

    fn walk(&self, ty: &Ty, value: &str) -> String {
        match ty.peel() {
            Ty::Scalar(_) => format!("sink.scalar({value})"),
            Ty::Enum(_) => format!("sink.variant({value} as u32)"),
            Ty::String => format!("sink.blob({value}.as_bytes())"),
            Ty::Bytes => format!("sink.blob({value}.bytes())"),
            Ty::Message(index) => {
                let by_reference = if self.model.messages[*index].fixed {
                    ""
                } else {
                    "&"
                };
                format!(
                    "walk_{}({by_reference}{value}, sink)",
                    self.natives.function(*index)
                )
            }
            Ty::List(element, len) => {
                let count = match len {
                    Some(_) => "",
                    None => "sink.count(list.len()); ",
                };
                let item = self.walk(element, "item");
                format!("{{ let list = {value}; {count}for item in list.iter() {{ {item}; }} }}")
            }
            Ty::Entries(entry) => format!(
                "{{ let list = {value}; sink.count(list.len()); for item in list.iter() {{ walk_{}(&item, sink); }} }}",
                self.natives.function(*entry)
            ),
            Ty::Optional(inner) => format!(
                "{{ let value = {value}; sink.present(value.is_some()); if let Some(value) = value {{ {}; }} }}",
                self.walk(inner, "value")
            ),
            Ty::ByteList(_) | Ty::Map(_) | Ty::Newtype(..) => {
                unreachable!("not made for FlatBuffers")
            }
        }
    }
}

fn getter(field: &Field) -> String {
    format!("reader.{}()", field.name)
}

/// The place of what is in the newtypes at `place`.
fn newtype_place(ty: &Ty, place: &str) -> String {
    match ty {
        Ty::Newtype(_, inner) => newtype_place(inner, &format!("{place}.0")),
        _ => place.to_owned(),
    }
}
