//! Conversions between the native Rust types and the builders and readers that `capnpc` generates,
//! and the walk over a reader.

use std::fmt::Write as _;

use super::{is_pointer, model};
use crate::codegen::idl::rust::{Natives, literal, member};
use crate::codegen::idl::{self, Body, Enum, Field, Message, Model, Origin, Payload, Ty, names};
use crate::codegen::rust::ident;
use crate::model::{Scalar, Schema};

/// Module names that `capnpc` escapes.
const KEYWORDS: &str = "abstract alignof as be become box break const continue crate do else enum \
    extern false final fn for if impl in let loop macro match mod move mut offsetof once override \
    priv proc pub pure ref return self sizeof static struct super trait true type typeof unsafe \
    unsized use virtual where while yield";

/// The module of a dataset: building a message, reading a native value from one, the walk over one,
/// and an implementation of `crate::Native` for the root type. What `capnpc` generated from
/// [`text`](super::text) is expected at `crate::schemas::<package>_capnp`.
pub fn module(dataset: &str, schema: &Schema) -> String {
    let model = model(schema);
    let writer = Writer {
        natives: Natives::new(schema, &model),
        model: &model,
    };
    let mut out = writer.natives.header(dataset);
    let _ = writeln!(
        out,
        "use crate::schemas::{}_capnp as schema;",
        idl::package(dataset)
    );
    for def in &model.enums {
        writer.enumeration(def, &mut out);
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
}

/// Where a value is put: a field of `builder`, or element `i` of `list`.
#[derive(Clone, Copy)]
enum Target<'a> {
    Field(&'a str),
    Element,
}

impl Writer<'_> {
    fn path(&self, message: usize) -> String {
        format!(
            "schema::{}",
            module_name(&self.model.messages[message].name)
        )
    }

    fn enum_function(&self, index: usize) -> String {
        names::snake(&self.model.enums[index].name)
    }

    fn native(&self, out: &mut String) {
        let root = self.model.root;
        let (function, path) = (self.natives.function(root), self.path(root));
        let _ = writeln!(
            out,
            "{}    fn build<A: ::capnp::message::Allocator>(&self, message: &mut ::capnp::message::Builder<A>) {{
        build_{function}(self, message.init_root::<{path}::Builder<'_>>());
    }}
    fn read<S: ::capnp::message::ReaderSegments>(
        message: &::capnp::message::Reader<S>,
    ) -> Result<Self, Error> {{
        read_{function}(message.get_root::<{path}::Reader<'_>>()?)
    }}
    fn walk<S: ::capnp::message::ReaderSegments>(
        message: &::capnp::message::Reader<S>,
        sink: &mut impl Sink,
    ) -> Result<(), Error> {{
        walk_{function}(message.get_root::<{path}::Reader<'_>>()?, sink)
    }}
}}",
            self.natives.root_impl("crate::Native", &super::notes(self.natives.schema)),
        );
    }

    fn enumeration(&self, def: &Enum, out: &mut String) {
        let function = names::snake(&def.name);
        let native = format!("native::{}", ident(&self.natives.schema.def(def.def).name));
        let (mut to, mut from) = (String::new(), String::new());
        for (name, value) in def.natives.iter().zip(&def.values) {
            let (name, value) = (ident(name), names::pascal(value));
            let _ = writeln!(
                to,
                "        {native}::{name} => schema::{}::{value},",
                def.name
            );
            let _ = writeln!(
                from,
                "        schema::{}::{value} => {native}::{name},",
                def.name
            );
        }
        let _ = writeln!(
            out,
            "fn to_{function}(value: &{native}) -> schema::{} {{
    match value {{
{to}    }}
}}
fn from_{function}(value: schema::{}) -> {native} {{
    match value {{
{from}    }}
}}",
            def.name, def.name
        );
    }

    fn message(&self, index: usize, def: &Message, out: &mut String) {
        match &def.body {
            Body::Union(_) => self.union(index, def, out),
            Body::Fields(fields) => {
                // A variant's fields are converted where the union is.
                if !matches!(def.origin, Origin::Variant(..)) {
                    self.struct_conversions(index, def, fields, out);
                }
                self.walk_fields(index, def, fields, out);
            }
        }
    }

    fn struct_conversions(&self, index: usize, def: &Message, fields: &[Field], out: &mut String) {
        let function = self.natives.function(index);
        let (native, path) = (self.natives.of_message(index), self.path(index));
        let parameters = match def.origin {
            Origin::Entry => format!("key: &String, value: &{native}"),
            _ => format!("native: &{native}"),
        };
        let place = |field: &Field| match def.origin {
            Origin::Wrapper => "(*native)".to_owned(),
            Origin::Entry => format!("(*{})", field.name),
            _ => format!("native.{}", member(&field.native)),
        };
        let build: String = fields
            .iter()
            .map(|field| {
                let name = setter(&field.name);
                self.build(&field.ty, Target::Field(&name), &place(field))
            })
            .collect();
        let from = |field: &Field| self.read_field(def, field, "reader");
        let (result, read) = match def.origin {
            Origin::Wrapper => (native.clone(), from(&fields[0])),
            Origin::Entry => (
                format!("(String, {native})"),
                format!("({}, {})", from(&fields[0]), from(&fields[1])),
            ),
            _ => (native.clone(), self.natives.value(index, fields, from)),
        };
        let _ = writeln!(
            out,
            "#[inline]
fn build_{function}({parameters}, mut builder: {path}::Builder<'_>) {{
{build}}}
#[inline]
fn read_{function}(reader: {path}::Reader<'_>) -> Result<{result}, Error> {{
    Ok({read})
}}"
        );
    }

    /// A statement that puts the native value at `place` where `target` says.
    fn build(&self, ty: &Ty, target: Target<'_>, place: &str) -> String {
        let set = |value: &str| match target {
            Target::Field(name) => format!("    builder.set_{name}({value});\n"),
            Target::Element => format!("    list.set(i as u32, {value});\n"),
        };
        // Setting a list fails where it is too long for the format.
        let set_list = |value: &str| match target {
            Target::Field(name) => {
                format!("    builder.set_{name}({value}).expect(\"a list fits a message\");\n")
            }
            Target::Element => {
                format!("    list.set(i as u32, {value}).expect(\"a list fits a message\");\n")
            }
        };
        let init = |len: &str| match target {
            Target::Field(name) => format!("builder.reborrow().init_{name}({len})"),
            Target::Element if len.is_empty() => "list.reborrow().get(i as u32)".to_owned(),
            Target::Element => format!("list.reborrow().init(i as u32, {len})"),
        };
        match ty {
            Ty::Newtype(_, inner) => self.build(inner, target, &format!("{place}.0")),
            Ty::Scalar(_) => set(place),
            Ty::String => set(&format!("{place}.as_str()")),
            Ty::Bytes => set(&format!("&{place}.0[..]")),
            Ty::ByteList(_) => set(&format!("&{place}[..]")),
            Ty::Enum(index) => set(&format!("to_{}(&{place})", self.enum_function(*index))),
            Ty::Message(index) => {
                format!(
                    "    build_{}(&{place}, {});\n",
                    self.natives.function(*index),
                    init("")
                )
            }
            Ty::List(element, _) => match **element {
                Ty::Scalar(_) => set_list(&format!("&{place}[..]")),
                _ => format!(
                    "    {{
    let mut list = {};
    for (i, item) in {place}.iter().enumerate() {{
{}    }}
    }}\n",
                    init(&format!("{place}.len() as u32")),
                    self.build(element, Target::Element, "(*item)")
                ),
            },
            Ty::Entries(entry) => format!(
                "    {{
    let mut list = {};
    for (i, (key, value)) in {place}.iter().enumerate() {{
        build_{}(key, value, list.reborrow().get(i as u32));
    }}
    }}\n",
                init(&format!("{place}.len() as u32")),
                self.natives.function(*entry)
            ),
            Ty::Optional(inner) if is_pointer(inner) => format!(
                "    if let Some(value) = &{place} {{\n{}    }}\n",
                self.build(inner, target, "(*value)")
            ),
            Ty::Optional(inner) => format!(
                "    {{
    let mut builder = {};
    match &{place} {{
        Some(value) => {{\n{}        }}
        None => builder.set_none(()),
    }}
    }}\n",
                init(""),
                self.build(inner, Target::Field("some"), "(*value)")
            ),
            Ty::Map(_) => unreachable!("not made for Cap'n Proto"),
        }
    }

    fn read_field(&self, def: &Message, field: &Field, reader: &str) -> String {
        let what = format!("{}.{}", def.name, field.name);
        if let Ty::Optional(inner) = field.ty.peel() {
            return self.newtypes(
                &field.ty,
                &self.read_optional(def, field, inner, reader, &what),
            );
        }
        let value = format!(
            "{reader}.get_{}(){}",
            setter(&field.name),
            question(&field.ty)
        );
        self.read(&field.ty, &value, &what)
    }

    /// The newtypes around an optional field, around its value.
    fn newtypes(&self, ty: &Ty, value: &str) -> String {
        match ty {
            Ty::Newtype(index, inner) => self.natives.newtype(*index, &self.newtypes(inner, value)),
            _ => value.to_owned(),
        }
    }

    fn read_optional(
        &self,
        def: &Message,
        field: &Field,
        inner: &Ty,
        reader: &str,
        what: &str,
    ) -> String {
        let name = setter(&field.name);
        if is_pointer(inner) {
            let value = self.read(inner, &format!("{reader}.get_{name}()?"), what);
            return format!("if {reader}.has_{name}() {{ Some({value}) }} else {{ None }}");
        }
        let which = format!(
            "{}::{}::Which",
            self.module(def),
            module_name_of_field(&field.name)
        );
        let value = self.read(inner, &format!("value{}", question(inner)), what);
        format!(
            "match {reader}.get_{name}().which()? {{ {which}::None(()) => None, {which}::Some(value) => Some({value}) }}"
        )
    }

    fn module(&self, def: &Message) -> String {
        format!("schema::{}", module_name(&def.name))
    }

    /// The native value made from a value of the reader's.
    fn read(&self, ty: &Ty, value: &str, what: &str) -> String {
        match ty {
            Ty::Newtype(index, inner) => {
                self.natives.newtype(*index, &self.read(inner, value, what))
            }
            Ty::Scalar(_) => value.to_owned(),
            Ty::String => format!("{value}.to_str()?.to_owned()"),
            Ty::Bytes => format!("{}({value}.to_vec())", self.natives.support("Bytes")),
            Ty::ByteList(None) => format!("{value}.to_vec()"),
            Ty::ByteList(Some(_)) => format!("convert::array({value}.to_vec(), \"{what}\")?"),
            Ty::Enum(index) => format!("from_{}({value})", self.enum_function(*index)),
            Ty::Message(index) => format!("read_{}({value})?", self.natives.function(*index)),
            Ty::List(element, len) => {
                let list = match **element {
                    Ty::Scalar(_) => format!("{value}.iter().collect::<Vec<_>>()"),
                    _ => format!(
                        "{value}.iter().map(|item| Ok({})).collect::<Result<Vec<_>, Error>>()?",
                        self.read(element, &format!("item{}", item_question(element)), what)
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
            Ty::Optional(_) | Ty::Map(_) => {
                unreachable!("not a value by itself in Cap'n Proto")
            }
        }
    }

    fn union(&self, index: usize, def: &Message, out: &mut String) {
        let Body::Union(alternatives) = &def.body else {
            return;
        };
        let function = self.natives.function(index);
        let (native, path) = (self.natives.of_message(index), self.path(index));
        let (mut build, mut read, mut walk) = (String::new(), String::new(), String::new());
        for (number, alternative) in alternatives.iter().enumerate() {
            let variant = format!("{native}::{}", ident(&alternative.native));
            let name = setter(&alternative.name);
            let case = format!("{path}::Which::{}", names::pascal(&alternative.name));
            match &alternative.payload {
                Payload::Unit(_) => {
                    let _ = writeln!(build, "        {variant} => builder.set_{name}(()),");
                    let _ = writeln!(read, "        {case}(()) => {variant},");
                    let _ = writeln!(walk, "        {case}(()) => sink.variant({number}),");
                }
                Payload::Value(ty) => {
                    let set = self.build(ty, Target::Field(&name), "(*value)");
                    let _ = writeln!(build, "        {variant}(value) => {{\n{set}        }}");
                    let item = format!("value{}", question(ty));
                    let value = self.read(ty, &item, &def.name);
                    let _ = writeln!(read, "        {case}(value) => {variant}({value}),");
                    let value = self.walk(ty, &item);
                    let _ = writeln!(
                        walk,
                        "        {case}(value) => {{ sink.variant({number}); {value}; }}"
                    );
                }
                Payload::Fields(message) => {
                    let inner = &self.model.messages[*message];
                    let fields = self.model.fields(*message);
                    let bind: String = (0..)
                        .zip(fields)
                        .map(|(i, field)| format!("{}: f{i}, ", ident(&field.native)))
                        .collect();
                    let sets: String = (0..)
                        .zip(fields)
                        .map(|(i, field)| {
                            let name = setter(&field.name);
                            self.build(&field.ty, Target::Field(&name), &format!("(*f{i})"))
                        })
                        .collect();
                    let _ = writeln!(
                        build,
                        "        {variant} {{ {bind}}} => {{
    let mut builder = builder.reborrow().init_{name}();
{sets}        }}"
                    );
                    let value = literal(&variant, fields, |field| {
                        self.read_field(inner, field, "reader")
                    });
                    let _ = writeln!(
                        read,
                        "        {case}(reader) => {{ let reader = reader?; {value} }}"
                    );
                    let _ = writeln!(
                        walk,
                        "        {case}(reader) => {{ sink.variant({number}); walk_{}(reader?, sink)?; }}",
                        self.natives.function(*message)
                    );
                }
            }
        }
        let _ = writeln!(
            out,
            "#[inline]
fn build_{function}(native: &{native}, mut builder: {path}::Builder<'_>) {{
    match native {{
{build}    }}
}}
#[inline]
fn read_{function}(reader: {path}::Reader<'_>) -> Result<{native}, Error> {{
    Ok(match reader.which()? {{
{read}        #[allow(unreachable_patterns)]
        _ => return Err(convert::missing(\"{}\")),
    }})
}}
#[inline]
fn walk_{function}<S: Sink>(reader: {path}::Reader<'_>, sink: &mut S) -> Result<(), Error> {{
    match reader.which()? {{
{walk}        #[allow(unreachable_patterns)]
        _ => return Err(convert::missing(\"{}\")),
    }}
    Ok(())
}}",
            def.name, def.name
        );
    }

    fn walk_fields(&self, index: usize, def: &Message, fields: &[Field], out: &mut String) {
        let body: String = match def.origin {
            Origin::Tensor(scalar) => {
                let element = match scalar {
                    Scalar::U8 => "data[i]",
                    _ => "data.get(i as u32)",
                };
                format!(
                    "    let shape = reader.get_shape()?;
    sink.count(shape.len() as usize);
    for dim in shape.iter() {{
        sink.scalar(dim);
    }}
    let data = reader.get_data()?;
    sink.elements(data.len() as usize, |i| {element});
"
                )
            }
            _ => fields
                .iter()
                .map(|field| format!("    {};\n", self.walk_field(def, field)))
                .collect(),
        };
        let _ = writeln!(
            out,
            "#[inline]
fn walk_{}<S: Sink>(reader: {}::Reader<'_>, sink: &mut S) -> Result<(), Error> {{
{body}    Ok(())
}}",
            self.natives.function(index),
            self.path(index)
        );
    }

    fn walk_field(&self, def: &Message, field: &Field) -> String {
        let name = setter(&field.name);
        let Ty::Optional(inner) = field.ty.peel() else {
            return self.walk(
                &field.ty,
                &format!("reader.get_{name}(){}", question(&field.ty)),
            );
        };
        if is_pointer(inner) {
            let value = self.walk(inner, &format!("reader.get_{name}()?"));
            return format!(
                "sink.present(reader.has_{name}()); if reader.has_{name}() {{ {value}; }}"
            );
        }
        let which = format!(
            "{}::{}::Which",
            self.module(def),
            module_name_of_field(&field.name)
        );
        let value = self.walk(inner, &format!("value{}", question(inner)));
        format!(
            "match reader.get_{name}().which()? {{ {which}::None(()) => sink.present(false), {which}::Some(value) => {{ sink.present(true); {value}; }} }}"
        )
    }

    fn walk(&self, ty: &Ty, value: &str) -> String {
        match ty.peel() {
            Ty::Scalar(_) => format!("sink.scalar({value})"),
            Ty::String => format!("sink.blob({value}.to_str()?.as_bytes())"),
            Ty::Bytes => format!("sink.blob({value})"),
            Ty::ByteList(len) => {
                let count = match len {
                    Some(_) => "",
                    None => "sink.count(list.len()); ",
                };
                format!(
                    "{{ let list = {value}; {count}for item in list {{ sink.scalar(*item); }} }}"
                )
            }
            Ty::Enum(_) => format!("sink.variant({value} as u32)"),
            Ty::Message(index) => {
                format!("walk_{}({value}, sink)?", self.natives.function(*index))
            }
            Ty::List(element, len) => {
                let count = match len {
                    Some(_) => "",
                    None => "sink.count(list.len() as usize); ",
                };
                let item = self.walk(element, &format!("item{}", item_question(element)));
                format!("{{ let list = {value}; {count}for item in list.iter() {{ {item}; }} }}")
            }
            Ty::Entries(entry) => format!(
                "{{ let list = {value}; sink.count(list.len() as usize); for item in list.iter() {{ walk_{}(item, sink)?; }} }}",
                self.natives.function(*entry)
            ),
            Ty::Optional(_) | Ty::Map(_) | Ty::Newtype(..) => {
                unreachable!("not a value by itself in Cap'n Proto")
            }
        }
    }
}

/// What follows a getter's call: all but scalars may be malformed.
fn question(ty: &Ty) -> &'static str {
    match ty.peel() {
        Ty::Scalar(_) => "",
        _ => "?",
    }
}

/// What follows an item of a list: scalars and structs are there, whatever the bytes say.
fn item_question(ty: &Ty) -> &'static str {
    match ty.peel() {
        Ty::Scalar(_) | Ty::Message(_) => "",
        _ => "?",
    }
}

/// A member's name as `capnpc` writes it after `get_` and `set_`.
fn setter(name: &str) -> String {
    snake(&names::camel(name))
}

/// The module of what a group holds.
fn module_name_of_field(name: &str) -> String {
    module_name(&names::camel(name))
}

/// The module that `capnpc` makes for a name.
fn module_name(name: &str) -> String {
    let name = snake(name);
    match KEYWORDS.split_whitespace().any(|keyword| keyword == name) {
        true => format!("{name}_"),
        false => name,
    }
}

/// `camelCase` in `snake_case`, as the code generators of Cap'n Proto do it.
pub(super) fn snake(name: &str) -> String {
    let mut out = String::new();
    for (index, c) in name.char_indices() {
        if c.is_uppercase() && index > 0 {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
