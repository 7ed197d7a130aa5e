//! Conversions between the native C++ types and the message classes that `protoc` generates, and
//! the walk over such a message.

use std::fmt::Write as _;

use super::model;
use crate::codegen::idl::cpp::{Header, Natives, scalar};
use crate::codegen::idl::{self, Body, Field, Message, Model, Origin, Payload, Ty, names};
use crate::model::{Scalar, Schema};

/// The header of a dataset, as `serbench/idl/<package>.pb.hpp`: `to_message`, `from_message` and
/// `visit` for every message, and a specialisation of `serbench::pb::Conversion`.
pub fn header(dataset: &str, schema: &Schema) -> String {
    let model = model(schema);
    let natives = Natives::new(dataset, schema, &model);
    let writer = Writer {
        natives: &natives,
        model: &model,
    };
    let functions: String = (0..model.messages.len())
        .map(|index| writer.message(index))
        .collect();
    let package = idl::package(dataset);
    let root = &model.messages[model.root].name;
    Header {
        dataset,
        includes: &[
            format!("\"{package}.pb.h\""),
            "<serbench/convert.hpp>".to_owned(),
            format!("<serbench/datasets/{dataset}.hpp>"),
        ],
        namespace: &format!("serbench::pb::{package}"),
        functions: &functions,
        template: ("serbench::pb", "Conversion"),
        root: &natives.root(),
        members: &format!(
            "  using Message = {package}::{root};\n  static constexpr const char *note = {:?};\n",
            super::notes(schema).join("; ")
        ),
    }
    .text()
}

struct Writer<'a> {
    natives: &'a Natives<'a>,
    model: &'a Model,
}

impl Writer<'_> {
    /// The functions of one message.
    fn message(&self, index: usize) -> String {
        let def = &self.model.messages[index];
        if def.origin == Origin::Unit {
            return String::new();
        }
        let (to, from, visit) = match &def.body {
            Body::Union(_) => self.union(def),
            Body::Fields(fields) => self.fields(index, def, fields),
        };
        let (native, name) = (self.natives.of_message(index), &def.name);
        format!(
            "inline void to_message(const {native} &native, {name} &message) {{\n{to}}}\n\
             inline void from_message(const {name} &message, {native} &native) {{\n{from}}}\n\
             template <class Sink>\nvoid visit(Sink &sink, const {name} &message) {{\n{visit}}}\n\n"
        )
    }

    fn fields(&self, index: usize, def: &Message, fields: &[Field]) -> (String, String, String) {
        let places = self.natives.places(index, fields, "native");
        let (mut to, mut from, mut visit) = (String::new(), String::new(), String::new());
        for (field, place) in fields.iter().zip(&places) {
            to += &self.to(&field.ty, &field.name, place);
            from += &self.from(def, field, place);
            visit += &self.visit(&field.ty, &field.name);
        }
        if let Origin::Tensor(element) = def.origin {
            from += "  ::serbench::expect_elements(native);\n";
            visit = tensor(element);
        }
        (to, from, visit)
    }

    /// Statements that set a field of `message` from the native value at `place`.
    fn to(&self, ty: &Ty, name: &str, place: &str) -> String {
        match ty.peel() {
            Ty::List(element, _) => self.list_to(element, name, place),
            Ty::Map(value) => {
                let set = match value.peel() {
                    Ty::Message(_) => "to_message(value, map[key]);".to_owned(),
                    other => format!("map[key] = {};", self.single(other, "value")),
                };
                format!(
                    "  {{\n    auto &map = *message.mutable_{name}();\n    for (const auto &[key, value] : {place}) {set}\n  }}\n"
                )
            }
            Ty::Optional(inner) => {
                format!(
                    "  if ({place}) {{\n  {}  }}\n",
                    self.to(inner, name, &format!("(*{place})"))
                )
            }
            Ty::Message(_) => format!("  to_message({place}, *message.mutable_{name}());\n"),
            Ty::Bytes | Ty::ByteList(_) => {
                format!("  message.set_{name}({place}.data(), {place}.size());\n")
            }
            other => format!("  message.set_{name}({});\n", self.single(other, place)),
        }
    }

    fn list_to(&self, element: &Ty, name: &str, place: &str) -> String {
        let add = match element.peel() {
            Ty::Scalar(_) => {
                return format!(
                    "  message.mutable_{name}()->Add({place}.begin(), {place}.end());\n"
                );
            }
            Ty::Message(_) => format!("to_message(item, *message.add_{name}());"),
            Ty::Bytes | Ty::ByteList(_) => format!("message.add_{name}(item.data(), item.size());"),
            other => format!("message.add_{name}({});", self.single(other, "item")),
        };
        format!(
            "  message.mutable_{name}()->Reserve(static_cast<int>({place}.size()));\n  for (const auto &item : {place}) {add}\n"
        )
    }

    /// A value that is no message, as the message has it.
    fn single(&self, ty: &Ty, place: &str) -> String {
        match ty.peel() {
            Ty::Enum(index) => {
                format!("static_cast<{}>({place})", self.model.enums[*index].name)
            }
            Ty::Bytes | Ty::ByteList(_) => {
                format!("::serbench::string_of({place})")
            }
            _ => place.to_owned(),
        }
    }

    fn from(&self, def: &Message, field: &Field, place: &str) -> String {
        let what = format!("\"{}.{}\"", def.name, field.name);
        self.take_field(&field.ty, &field.name, place, &what)
    }

    /// Statements that set the native value at `place` from a field of `message`.
    fn take_field(&self, ty: &Ty, name: &str, place: &str, what: &str) -> String {
        let get = format!("message.{name}()");
        match ty.peel() {
            Ty::List(element, len) => {
                let size = match len {
                    Some(_) => format!(
                        "  ::serbench::expect_size({get}.size(), {place}.size(), {what});\n"
                    ),
                    None => String::new(),
                };
                match (element.peel(), len) {
                    (Ty::Scalar(scalar), None) if !is_narrow(*scalar) => {
                        format!("  {place}.assign({get}.begin(), {get}.end());\n")
                    }
                    (_, Some(_)) => format!(
                        "{size}  for (std::size_t i = 0; i < {place}.size(); ++i) {{\n    const auto &item = {get}[static_cast<int>(i)];\n  {}  }}\n",
                        self.assign(element, "item", &format!("{place}[i]"), what)
                    ),
                    (_, None) => format!(
                        "  {place}.clear();\n  {place}.reserve({get}.size());\n  for (const auto &item : {get}) {{\n    auto &native_item = {place}.emplace_back();\n  {}  }}\n",
                        self.assign(element, "item", "native_item", what)
                    ),
                }
            }
            Ty::Map(value) => format!(
                "  for (const auto &[key, item] : {get}) {{\n  {}  }}\n",
                self.assign(value, "item", &format!("{place}[key]"), what)
            ),
            Ty::Optional(inner) => format!(
                "  if (message.has_{name}()) {{\n    auto &value = {place}.emplace();\n  {}  }} else {{\n    {place}.reset();\n  }}\n",
                self.assign(inner, &get, "value", what)
            ),
            Ty::Message(_) => format!(
                "  ::serbench::expect_present(message.has_{name}(), {what});\n{}",
                self.assign(ty, &get, place, what)
            ),
            _ => self.assign(ty, &get, place, what),
        }
    }

    /// A statement that sets the native value at `place` from a single value.
    fn assign(&self, ty: &Ty, value: &str, place: &str, what: &str) -> String {
        match ty.peel() {
            Ty::Scalar(scalar) if is_narrow(*scalar) => {
                format!(
                    "  {place} = ::serbench::narrow<{}>({value}, {what});\n",
                    self::scalar(*scalar)
                )
            }
            Ty::Enum(index) => {
                let def = &self.model.enums[*index];
                format!(
                    "  {place} = ::serbench::enumerator<{}>({value}, {}, {what});\n",
                    self.natives.ty(ty.peel()),
                    def.values.len()
                )
            }
            Ty::Message(_) => format!("  from_message({value}, {place});\n"),
            Ty::Bytes | Ty::ByteList(_) => {
                format!("  ::serbench::assign_bytes({place}, {value}, {what});\n")
            }
            _ => format!("  {place} = {value};\n"),
        }
    }

    fn visit(&self, ty: &Ty, name: &str) -> String {
        let get = format!("message.{name}()");
        match ty.peel() {
            Ty::List(element, len) => {
                let count = match len {
                    Some(_) => String::new(),
                    None => format!("  sink.count(static_cast<std::size_t>({get}.size()));\n"),
                };
                format!(
                    "{count}  for (const auto &item : {get}) {}",
                    self.visit_single(element, "item")
                )
            }
            Ty::Map(value) => format!(
                "  sink.count({get}.size());\n  for (const auto *entry : ::serbench::sorted({get})) {{\n    sink.blob(::serbench::input_of(entry->first));\n  {}  }}\n",
                self.visit_single(value, "entry->second")
            ),
            Ty::Optional(inner) => format!(
                "  sink.present(message.has_{name}());\n  if (message.has_{name}()) {}",
                self.visit_single(inner, &get)
            ),
            _ => self.visit_single(ty, &get),
        }
    }

    /// A statement that visits a single value.
    fn visit_single(&self, ty: &Ty, value: &str) -> String {
        match ty.peel() {
            Ty::Scalar(scalar) => {
                format!(
                    "  sink.scalar(static_cast<{}>({value}));\n",
                    self::scalar(*scalar)
                )
            }
            Ty::Enum(_) => format!("  sink.variant(static_cast<std::uint32_t>({value}));\n"),
            Ty::Message(_) => format!("  visit(sink, {value});\n"),
            Ty::ByteList(len) => {
                let bytes = format!(
                    "for (char byte : {value}) sink.scalar(static_cast<std::uint8_t>(byte));"
                );
                match len {
                    Some(_) => format!("  {bytes}\n"),
                    None => format!("  {{\n    sink.count({value}.size());\n    {bytes}\n  }}\n"),
                }
            }
            _ => format!("  sink.blob(::serbench::input_of({value}));\n"),
        }
    }

    fn union(&self, def: &Message) -> (String, String, String) {
        let Body::Union(alternatives) = &def.body else {
            return Default::default();
        };
        let (mut to, mut from, mut visit) = (String::new(), String::new(), String::new());
        for (i, alternative) in alternatives.iter().enumerate() {
            let name = &alternative.name;
            let case = format!("    case {}::k{}: {{\n", def.name, constant(name));
            let what = format!("\"{}.{name}\"", def.name);
            let (set, get, see) = match &alternative.payload {
                Payload::Unit(_) => (
                    format!("  message.mutable_{name}();\n"),
                    format!("  native.value.emplace<{i}>();\n"),
                    String::new(),
                ),
                Payload::Value(ty) => (
                    format!(
                        "  const auto &value = *std::get_if<{i}>(&native.value);\n{}",
                        self.to(ty, name, "value")
                    ),
                    format!(
                        "  auto &value = native.value.emplace<{i}>();\n{}",
                        self.assign(ty, &format!("message.{name}()"), "value", &what)
                    ),
                    self.visit_single(ty, &format!("message.{name}()")),
                ),
                Payload::Fields(_) => (
                    format!(
                        "  to_message(*std::get_if<{i}>(&native.value), *message.mutable_{name}());\n"
                    ),
                    format!("  from_message(message.{name}(), native.value.emplace<{i}>());\n"),
                    format!("  visit(sink, message.{name}());\n"),
                ),
            };
            let _ = write!(to, "    case {i}: {{\n{set}  break;\n    }}\n");
            let _ = write!(from, "{case}{get}  break;\n    }}\n");
            let _ = write!(visit, "{case}  sink.variant({i});\n{see}  break;\n    }}\n");
        }
        (
            format!("  switch (native.value.index()) {{\n{to}  }}\n"),
            format!(
                "  switch (message.kind_case()) {{\n{from}    default:\n      ::serbench::expect_present(false, \"{}.kind\");\n  }}\n",
                def.name
            ),
            format!(
                "  switch (message.kind_case()) {{\n{visit}    default:\n      sink.variant(UINT32_MAX);\n  }}\n"
            ),
        )
    }
}

fn tensor(element: Scalar) -> String {
    format!(
        "  sink.count(static_cast<std::size_t>(message.shape().size()));
  for (std::uint32_t dim : message.shape()) sink.scalar(dim);
  sink.template elements<{0}>(static_cast<std::size_t>(message.data().size()), [&](std::size_t i) {{
    return static_cast<{0}>(message.data()[static_cast<int>(i)]);
  }});
",
        scalar(element)
    )
}

fn is_narrow(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::I8 | Scalar::I16 | Scalar::U8 | Scalar::U16)
}

/// The name of an alternative's constant, without its `k`: a digit ends a word.
fn constant(name: &str) -> String {
    let mut out = String::new();
    let mut capital = true;
    for c in names::pascal(name).chars() {
        out.push(if capital { c.to_ascii_uppercase() } else { c });
        capital = c.is_ascii_digit();
    }
    out
}
