//! Conversions between the native C++ types and the builders and readers that `capnp` generates
//! for C++, and the walk over a reader.

use std::fmt::Write as _;

use super::rust::snake;
use super::{is_pointer, model, text};
use crate::codegen::idl::cpp::{Header, Natives, scalar};
use crate::codegen::idl::{self, Body, Field, Message, Model, Origin, Payload, Ty, names};
use crate::model::{Scalar, Schema};

/// The header of a dataset, as `serbench/idl/<package>.capnp.hpp`: `build`, `read` and `visit` for
/// every struct, and a specialisation of `serbench::capnproto::Conversion`.
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
            format!("\"{package}.capnp.h\""),
            "<serbench/convert.hpp>".to_owned(),
            format!("<serbench/datasets/{dataset}.hpp>"),
        ],
        namespace: &text::cpp_namespace(dataset),
        functions: &functions,
        template: ("serbench::capnproto", "Conversion"),
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

/// Where a value is put: a field of `builder`, or the present element of a list that is in so many
/// others.
#[derive(Clone, Copy)]
enum Target<'a> {
    Field(&'a str),
    Element(usize),
}

impl Target<'_> {
    fn set(self, value: &str) -> String {
        match self {
            Target::Field(name) => format!("  builder.set{name}({value});\n"),
            Target::Element(depth) => format!("  list{depth}.set(i{depth}, {value});\n"),
        }
    }

    fn init(self, len: Option<&str>) -> String {
        match (self, len) {
            (Target::Field(name), len) => {
                format!("builder.init{name}({})", len.unwrap_or_default())
            }
            (Target::Element(depth), None) => format!("list{depth}[i{depth}]"),
            (Target::Element(depth), Some(len)) => format!("list{depth}.init(i{depth}, {len})"),
        }
    }

    /// How many lists a list there would be in.
    fn depth(self) -> usize {
        match self {
            Target::Field(_) => 0,
            Target::Element(depth) => depth + 1,
        }
    }
}

impl Writer<'_> {
    /// The functions of one struct.
    fn message(&self, index: usize) -> String {
        let def = &self.model.messages[index];
        let (build, read, visit) = match &def.body {
            Body::Union(_) => self.union(def),
            Body::Fields(fields) => self.fields(index, def, fields),
        };
        let (native, name) = (self.natives.of_message(index), &def.name);
        // A map makes its entries itself, once it knows their keys.
        let read = match def.origin {
            Origin::Entry => String::new(),
            _ => {
                format!("inline void read({name}::Reader reader, {native} &native) {{\n{read}}}\n")
            }
        };
        format!(
            "inline void build(const {native} &native, {name}::Builder builder) {{\n{build}}}\n{read}\
             template <class Sink>\nvoid visit(Sink &sink, {name}::Reader reader) {{\n{visit}}}\n\n"
        )
    }

    fn fields(&self, index: usize, def: &Message, fields: &[Field]) -> (String, String, String) {
        let places = self.natives.places(index, fields, "native");
        let (mut build, mut read, mut visit) = (String::new(), String::new(), String::new());
        for (field, place) in fields.iter().zip(&places) {
            let name = member(&field.name);
            build += &self.build(&field.ty, Target::Field(&name), place);
            read += &self.read_field(def, field, place);
            visit += &self.visit_field(field);
        }
        if let Origin::Tensor(element) = def.origin {
            read += "  ::serbench::expect_elements(native);\n";
            visit = tensor(element);
        }
        (build, read, visit)
    }

    /// A statement that puts the native value at `place` where `target` says.
    fn build(&self, ty: &Ty, target: Target<'_>, place: &str) -> String {
        match ty.peel() {
            Ty::Scalar(_) => target.set(place),
            Ty::String => target.set(&format!("::serbench::capnproto::text({place})")),
            Ty::Bytes | Ty::ByteList(_) => {
                target.set(&format!("::serbench::capnproto::data({place})"))
            }
            Ty::Enum(index) => {
                let name = &self.model.enums[*index].name;
                target.set(&format!("static_cast<{name}>({place})"))
            }
            Ty::Message(_) => format!("  build({place}, {});\n", target.init(None)),
            Ty::List(element, _) => {
                let (size, d) = (
                    format!("static_cast<unsigned>({place}.size())"),
                    target.depth(),
                );
                format!(
                    "  {{\n  const auto &items{d} = {place};\n  auto list{d} = {};\n  for (unsigned i{d} = 0; i{d} < list{d}.size(); ++i{d}) {{\n  {}  }}\n  }}\n",
                    target.init(Some(&size)),
                    self.build(element, Target::Element(d), &format!("items{d}[i{d}]"))
                )
            }
            Ty::Entries(_) => {
                let (size, d) = (
                    format!("static_cast<unsigned>({place}.size())"),
                    target.depth(),
                );
                format!(
                    "  {{\n  auto list{d} = {};\n  unsigned i{d} = 0;\n  for (const auto &entry : {place}) build(entry, list{d}[i{d}++]);\n  }}\n",
                    target.init(Some(&size))
                )
            }
            Ty::Optional(inner) if is_pointer(inner) => format!(
                "  if ({place}) {{\n{}  }}\n",
                self.build(inner, target, &format!("(*{place})"))
            ),
            Ty::Optional(inner) => {
                let Target::Field(name) = target else {
                    unreachable!("an option of a scalar is a field")
                };
                format!(
                    "  {{\n  auto group = builder.get{name}();\n  if ({place}) {{\n  auto builder = group;\n{}  }} else {{\n    group.setNone();\n  }}\n  }}\n",
                    self.build(inner, Target::Field("Some"), &format!("(*{place})"))
                )
            }
            other => unreachable!("{other:?} is not made for Cap'n Proto"),
        }
    }

    fn read_field(&self, def: &Message, field: &Field, place: &str) -> String {
        let name = member(&field.name);
        let what = format!("\"{}.{}\"", def.name, field.name);
        let get = format!("reader.get{name}()");
        match field.ty.peel() {
            Ty::Optional(inner) if is_pointer(inner) => format!(
                "  if (reader.has{name}()) {{\n    auto &value = {place}.emplace();\n  {}  }} else {{\n    {place}.reset();\n  }}\n",
                self.read(inner, 0, &get, "value", &what)
            ),
            Ty::Optional(inner) => format!(
                "  if ({get}.isSome()) {{\n    auto &value = {place}.emplace();\n  {}  }} else {{\n    {place}.reset();\n  }}\n",
                self.read(inner, 0, &format!("{get}.getSome()"), "value", &what)
            ),
            _ => self.read(&field.ty, 0, &get, place, &what),
        }
    }

    /// A statement that sets the native value at `place`, which is in `d` lists.
    fn read(&self, ty: &Ty, d: usize, value: &str, place: &str, what: &str) -> String {
        match ty.peel() {
            Ty::Scalar(_) => format!("  {place} = {value};\n"),
            Ty::String | Ty::Bytes => {
                format!("  ::serbench::capnproto::assign({place}, {value});\n")
            }
            Ty::ByteList(_) => {
                format!("  ::serbench::capnproto::assign({place}, {value}, {what});\n")
            }
            Ty::Enum(index) => {
                let def = &self.model.enums[*index];
                format!(
                    "  {place} = ::serbench::enumerator<{}>(static_cast<std::uint16_t>({value}), {}, {what});\n",
                    self.natives.ty(ty.peel()),
                    def.values.len()
                )
            }
            Ty::Message(_) => format!("  read({value}, {place});\n"),
            Ty::List(element, len) => {
                let start = match len {
                    Some(_) => {
                        format!("::serbench::expect_size(list{d}.size(), items{d}.size(), {what});")
                    }
                    None => format!("items{d}.resize(list{d}.size());"),
                };
                let (item, native) = (format!("list{d}[i{d}]"), format!("items{d}[i{d}]"));
                format!(
                    "  {{\n  auto &items{d} = {place};\n  const auto list{d} = {value};\n  {start}\n  for (unsigned i{d} = 0; i{d} < list{d}.size(); ++i{d}) {{\n  {}  }}\n  }}\n",
                    self.read(element, d + 1, &item, &native, what)
                )
            }
            Ty::Entries(entry) => {
                let fields = self.model.fields(*entry);
                format!(
                    "  for (auto reader : {value}) {{\n    auto &item = {place}[std::string(reader.getKey().cStr(), reader.getKey().size())];\n  {}  }}\n",
                    self.read_field(&self.model.messages[*entry], &fields[1], "item")
                )
            }
            other => unreachable!("{other:?} is not a value by itself in Cap'n Proto"),
        }
    }

    fn visit_field(&self, field: &Field) -> String {
        let name = member(&field.name);
        let get = format!("reader.get{name}()");
        match field.ty.peel() {
            Ty::Optional(inner) if is_pointer(inner) => format!(
                "  sink.present(reader.has{name}());\n  if (reader.has{name}()) {}",
                self.visit(inner, &get)
            ),
            Ty::Optional(inner) => format!(
                "  sink.present({get}.isSome());\n  if ({get}.isSome()) {}",
                self.visit(inner, &format!("{get}.getSome()"))
            ),
            _ => self.visit(&field.ty, &get),
        }
    }

    /// A statement that visits a value.
    fn visit(&self, ty: &Ty, value: &str) -> String {
        match ty.peel() {
            Ty::Scalar(scalar) => {
                format!(
                    "  sink.scalar(static_cast<{}>({value}));\n",
                    self::scalar(*scalar)
                )
            }
            Ty::Enum(_) => format!("  sink.variant(static_cast<std::uint16_t>({value}));\n"),
            Ty::String | Ty::Bytes => {
                format!("  sink.blob(::serbench::capnproto::input_of({value}));\n")
            }
            Ty::Message(_) => format!("  visit(sink, {value});\n"),
            Ty::ByteList(len) => {
                let count = match len {
                    Some(_) => "",
                    None => "  sink.count(list.size());\n",
                };
                format!(
                    "  {{\n  const auto list = {value};\n{count}  for (std::uint8_t item : list) sink.scalar(item);\n  }}\n"
                )
            }
            Ty::List(element, len) => {
                let count = match len {
                    Some(_) => "",
                    None => "  sink.count(list.size());\n",
                };
                format!(
                    "  {{\n  const auto list = {value};\n{count}  for (auto item : list) {}  }}\n",
                    self.visit(element, "item")
                )
            }
            Ty::Entries(_) => format!(
                "  {{\n  const auto list = {value};\n  sink.count(list.size());\n  for (auto item : list) visit(sink, item);\n  }}\n"
            ),
            other => unreachable!("{other:?} is not a value by itself in Cap'n Proto"),
        }
    }

    fn union(&self, def: &Message) -> (String, String, String) {
        let Body::Union(alternatives) = &def.body else {
            return Default::default();
        };
        let (mut build, mut read, mut visit) = (String::new(), String::new(), String::new());
        for (i, alternative) in alternatives.iter().enumerate() {
            let name = member(&alternative.name);
            let constant = snake(&names::camel(&alternative.name)).to_uppercase();
            let case = format!("    case {}::{constant}: {{\n", def.name);
            let what = format!("\"{}.{}\"", def.name, alternative.name);
            let (set, get, see) = match &alternative.payload {
                Payload::Unit(_) => (
                    format!("  builder.set{name}();\n"),
                    format!("  native.value.emplace<{i}>();\n"),
                    String::new(),
                ),
                Payload::Value(ty) => (
                    format!(
                        "  const auto &value = *std::get_if<{i}>(&native.value);\n{}",
                        self.build(ty, Target::Field(&name), "value")
                    ),
                    format!(
                        "  auto &value = native.value.emplace<{i}>();\n{}",
                        self.read(ty, 0, &format!("reader.get{name}()"), "value", &what)
                    ),
                    self.visit(ty, &format!("reader.get{name}()")),
                ),
                Payload::Fields(_) => (
                    format!("  build(*std::get_if<{i}>(&native.value), builder.init{name}());\n"),
                    format!("  read(reader.get{name}(), native.value.emplace<{i}>());\n"),
                    format!("  visit(sink, reader.get{name}());\n"),
                ),
            };
            let _ = write!(build, "    case {i}: {{\n{set}  break;\n    }}\n");
            let _ = write!(read, "{case}{get}  break;\n    }}\n");
            let _ = write!(visit, "{case}  sink.variant({i});\n{see}  break;\n    }}\n");
        }
        let unknown = format!(
            "    default:\n      ::serbench::expect_present(false, \"{}\");\n",
            def.name
        );
        (
            format!("  switch (native.value.index()) {{\n{build}  }}\n"),
            format!("  switch (reader.which()) {{\n{read}{unknown}  }}\n"),
            format!("  switch (reader.which()) {{\n{visit}{unknown}  }}\n"),
        )
    }
}

fn tensor(element: Scalar) -> String {
    format!(
        "  const auto shape = reader.getShape();
  sink.count(shape.size());
  for (std::uint32_t dim : shape) sink.scalar(dim);
  const auto data = reader.getData();
  sink.template elements<{}>(data.size(), [&](std::size_t i) {{ return data[static_cast<unsigned>(i)]; }});
",
        scalar(element)
    )
}

/// A member's name as it follows `get` and `set`.
fn member(name: &str) -> String {
    names::pascal(name)
}
