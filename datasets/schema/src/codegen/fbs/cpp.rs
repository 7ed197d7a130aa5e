//! Conversions between the native C++ types and the tables and structs that `flatc` generates for
//! C++, and the walk over a table.

use std::fmt::Write as _;

use super::{model, text};
use crate::codegen::idl::cpp::{Header, Natives, scalar};
use crate::codegen::idl::{self, Body, Field, Message, Model, Origin, Payload, Ty, names};
use crate::model::{Scalar, Schema};

/// The header of a dataset, as `serbench/idl/<package>.fbs.hpp`: `build` for every table and `to`
/// for every struct, `read` and `visit` for both, and a specialisation of
/// `serbench::fbs::Conversion`.
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
            format!("\"{package}_generated.h\""),
            "<serbench/convert.hpp>".to_owned(),
            format!("<serbench/datasets/{dataset}.hpp>"),
        ],
        namespace: &text::cpp_namespace(dataset),
        functions: &functions,
        template: ("serbench::fbs", "Conversion"),
        root: &natives.root(),
        members: &format!(
            "  using Table = {package}::{root};\n  static constexpr const char *note = {:?};\n",
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
    /// The functions of one table or struct.
    fn message(&self, index: usize) -> String {
        let def = &self.model.messages[index];
        let (native, name) = (self.natives.of_message(index), &def.name);
        let (build, read, visit) = match &def.body {
            Body::Union(_) => self.union(def),
            Body::Fields(fields) => self.fields(index, def, fields),
        };
        let build = match def.fixed {
            true => format!("inline {name} to(const {native} &native) {{\n{build}}}\n"),
            // Overloads differ by their last parameter where native types are the same.
            false => format!(
                "inline flatbuffers::Offset<{name}> build(flatbuffers::FlatBufferBuilder &builder, const {native} &native, const {name} *) {{\n{build}}}\n"
            ),
        };
        // A map makes its entries itself, once it knows their keys.
        let read = match def.origin {
            Origin::Entry => String::new(),
            _ => format!("inline void read(const {name} &table, {native} &native) {{\n{read}}}\n"),
        };
        format!(
            "{build}{read}template <class Sink>\nvoid visit(Sink &sink, const {name} &table) {{\n{visit}}}\n\n"
        )
    }

    fn fields(&self, index: usize, def: &Message, fields: &[Field]) -> (String, String, String) {
        let places = self.natives.places(index, fields, "native");
        let (mut read, mut visit) = (String::new(), String::new());
        for (field, place) in fields.iter().zip(&places) {
            let what = format!("\"{}.{}\"", def.name, field.name);
            read += &self.read(&field.ty, &format!("table.{}()", field.name), place, &what);
            visit += &self.visit(&field.ty, &format!("table.{}()", field.name));
        }
        match def.origin {
            Origin::Tensor(element) => {
                read += "  ::serbench::expect_elements(native);\n";
                visit = tensor(element);
            }
            Origin::Unit => {
                read = "  (void)table;\n  (void)native;\n".to_owned();
                visit = "  (void)sink;\n  (void)table;\n".to_owned();
            }
            _ => {}
        }
        let build = match def.fixed {
            true => {
                let values: Vec<String> = fields
                    .iter()
                    .zip(&places)
                    .map(|(field, place)| self.inline(&field.ty, place))
                    .collect();
                format!("  return {}({});\n", def.name, values.join(", "))
            }
            false => self.build_table(def, fields, &places),
        };
        (build, read, visit)
    }

    /// First what is reached by an offset, then the table, by the `Create` function of `flatc`,
    /// which takes the fields in order.
    fn build_table(&self, def: &Message, fields: &[Field], places: &[String]) -> String {
        let mut out = String::new();
        let mut arguments = String::new();
        for (i, (field, place)) in fields.iter().zip(places).enumerate() {
            let argument = match field.ty.peel() {
                Ty::Scalar(_) | Ty::Enum(_) => self.inline(&field.ty, place),
                Ty::Optional(inner) => self.optional(i, inner, place, &mut out),
                Ty::Message(message) if self.model.messages[*message].fixed => {
                    let _ = writeln!(out, "  const auto struct{i} = to({place});");
                    format!("&struct{i}")
                }
                ty => {
                    let _ = writeln!(out, "  const auto offset{i} = {};", self.offset(ty, place));
                    format!("offset{i}")
                }
            };
            let _ = write!(arguments, ", {argument}");
        }
        if def.origin == Origin::Unit {
            out += "  (void)native;\n";
        }
        format!("{out}  return Create{}(builder{arguments});\n", def.name)
    }

    /// The argument for an optional field.
    fn optional(&self, i: usize, inner: &Ty, place: &str, out: &mut String) -> String {
        let value = format!("(*{place})");
        match inner.peel() {
            Ty::Scalar(_) | Ty::Enum(_) => {
                let ty = self.inline_type(inner);
                format!(
                    "{place} ? flatbuffers::Optional<{ty}>({}) : flatbuffers::nullopt",
                    self.inline(inner, &value)
                )
            }
            Ty::Message(message) if self.model.messages[*message].fixed => {
                let name = &self.model.messages[*message].name;
                let _ = writeln!(
                    out,
                    "  const auto struct{i} = {place} ? to({value}) : {name}();"
                );
                format!("{place} ? &struct{i} : nullptr")
            }
            ty => {
                let offset = self.offset(ty, &value);
                let _ = writeln!(
                    out,
                    "  const auto make{i} = [&] {{ return {offset}; }};\n  \
                     const auto offset{i} = {place} ? make{i}() : decltype(make{i}())();"
                );
                format!("offset{i}")
            }
        }
    }

    fn inline_type(&self, ty: &Ty) -> String {
        match ty.peel() {
            Ty::Enum(index) => self.model.enums[*index].name.clone(),
            _ => self.natives.ty(ty.peel()),
        }
    }

    /// A value that lies inline, made from the native one at `place`.
    fn inline(&self, ty: &Ty, place: &str) -> String {
        match ty.peel() {
            Ty::Enum(_) => format!("static_cast<{}>({place})", self.inline_type(ty)),
            Ty::Message(_) => format!("to({place})"),
            _ => place.to_owned(),
        }
    }

    /// An expression that builds what is reached by an offset.
    fn offset(&self, ty: &Ty, place: &str) -> String {
        let build = |message: usize, place: &str| {
            let name = &self.model.messages[message].name;
            format!("build(builder, {place}, static_cast<const {name} *>(nullptr))")
        };
        let size = format!("{place}.size()");
        match ty.peel() {
            Ty::Message(index) => build(*index, place),
            Ty::String => format!("builder.CreateString({place})"),
            Ty::Bytes => format!(
                "builder.CreateVector(reinterpret_cast<const std::uint8_t *>({place}.data()), {size})"
            ),
            Ty::List(element, _) => match element.peel() {
                Ty::Scalar(Scalar::Bool) => format!(
                    "builder.CreateVector<std::uint8_t>({size}, [&](std::size_t i) {{ return static_cast<std::uint8_t>({place}[i]); }})"
                ),
                Ty::Scalar(_) => format!("builder.CreateVector({place}.data(), {size})"),
                Ty::Enum(_) => format!(
                    "builder.CreateVector<{}>({size}, [&](std::size_t i) {{ return {}; }})",
                    self.inline_type(element),
                    self.inline(element, &format!("{place}[i]"))
                ),
                Ty::Message(message) if self.model.messages[*message].fixed => format!(
                    "builder.CreateVectorOfStructs<{0}>({size}, [&](std::size_t i, {0} *item) {{ *item = to({place}[i]); }})",
                    self.model.messages[*message].name
                ),
                element => {
                    let ty = match element {
                        Ty::Message(message) => self.model.messages[*message].name.clone(),
                        _ => "flatbuffers::String".to_owned(),
                    };
                    format!(
                        "builder.CreateVector<flatbuffers::Offset<{ty}>>({size}, [&](std::size_t i) {{ return {}; }})",
                        self.offset(element, &format!("{place}[i]"))
                    )
                }
            },
            Ty::Entries(entry) => {
                let name = &self.model.messages[*entry].name;
                format!(
                    "::serbench::fbs::entries<{name}>(builder, {place}, [&](const auto &entry) {{ return {}; }})",
                    build(*entry, "entry")
                )
            }
            other => unreachable!("{other:?} has no offset"),
        }
    }

    /// A statement that sets the native value at `place` from what a getter returned.
    fn read(&self, ty: &Ty, value: &str, place: &str, what: &str) -> String {
        match ty.peel() {
            Ty::Scalar(_) => format!("  {place} = {value};\n"),
            Ty::Enum(index) => format!(
                "  {place} = ::serbench::enumerator<{}>({value}, {}, {what});\n",
                self.natives.ty(ty.peel()),
                self.model.enums[*index].values.len()
            ),
            Ty::String => format!("  {place} = {value}->str();\n"),
            Ty::Bytes => format!(
                "  ::serbench::assign_bytes({place}, {{reinterpret_cast<const char *>({value}->data()), {value}->size()}}, {what});\n"
            ),
            Ty::Message(_) => format!("  ::serbench::fbs::read_one({value}, {place});\n"),
            Ty::List(element, len) => {
                let start = match len {
                    Some(_) => {
                        format!("::serbench::expect_size({value}->size(), {place}.size(), {what});")
                    }
                    None => format!("{place}.resize({value}->size());"),
                };
                let item = match element.peel() {
                    Ty::Scalar(Scalar::Bool) => format!("{value}->Get(i) != 0"),
                    _ => format!("{value}->Get(i)"),
                };
                format!(
                    "  {start}\n  for (flatbuffers::uoffset_t i = 0; i < {value}->size(); ++i) {{\n  {}  }}\n",
                    self.read(element, &item, &format!("{place}[i]"), what)
                )
            }
            Ty::Entries(entry) => {
                let field = &self.model.fields(*entry)[1];
                format!(
                    "  for (const auto *entry : *{value}) {{\n    auto &item = {place}[entry->key()->str()];\n  {}  }}\n",
                    self.read(&field.ty, "entry->value()", "item", what)
                )
            }
            Ty::Optional(inner) => {
                let inner_value = match inner.peel() {
                    Ty::Scalar(_) | Ty::Enum(_) => format!("*{value}"),
                    _ => value.to_owned(),
                };
                format!(
                    "  if ({value}) {{\n    auto &value = {place}.emplace();\n  {}  }} else {{\n    {place}.reset();\n  }}\n",
                    self.read(inner, &inner_value, "value", what)
                )
            }
            other => unreachable!("{other:?} is not made for FlatBuffers"),
        }
    }

    /// A statement that visits what a getter returned.
    fn visit(&self, ty: &Ty, value: &str) -> String {
        match ty.peel() {
            Ty::Scalar(scalar) => {
                format!(
                    "  sink.scalar(static_cast<{}>({value}));\n",
                    self::scalar(*scalar)
                )
            }
            Ty::Enum(_) => format!("  sink.variant(static_cast<std::uint32_t>({value}));\n"),
            Ty::String => format!("  sink.blob(::serbench::input_of({value}->string_view()));\n"),
            Ty::Bytes => format!("  sink.blob({{{value}->data(), {value}->size()}});\n"),
            Ty::Message(_) => format!("  ::serbench::fbs::visit_one(sink, {value});\n"),
            Ty::List(element, len) => {
                let count = match len {
                    Some(_) => String::new(),
                    None => format!("  sink.count({value}->size());\n"),
                };
                format!(
                    "{count}  for (const auto item : *{value}) {}",
                    self.visit(element, "item")
                )
            }
            Ty::Entries(_) => format!(
                "  sink.count({value}->size());\n  for (const auto *item : *{value}) visit(sink, *item);\n"
            ),
            Ty::Optional(inner) => {
                let inner_value = match inner.peel() {
                    Ty::Scalar(_) | Ty::Enum(_) => format!("*{value}"),
                    _ => value.to_owned(),
                };
                format!(
                    "  sink.present(static_cast<bool>({value}));\n  if ({value}) {{\n  {}  }}\n",
                    self.visit(inner, &inner_value)
                )
            }
            other => unreachable!("{other:?} is not made for FlatBuffers"),
        }
    }

    fn union(&self, def: &Message) -> (String, String, String) {
        let Body::Union(alternatives) = &def.body else {
            return Default::default();
        };
        let (mut build, mut read, mut visit) = (String::new(), String::new(), String::new());
        for (i, alternative) in alternatives.iter().enumerate() {
            let message = super::tables::alternative_message(&alternative.payload);
            let ty = &self.model.messages[message].name;
            let constant = format!("{}Union::{}", def.name, names::pascal(&alternative.name));
            let value = format!("static_cast<const {ty} *>(table.value())");
            let _ = write!(
                build,
                "    case {i}:\n      return Create{}(builder, {constant}, build(builder, *std::get_if<{i}>(&native.value), static_cast<const {ty} *>(nullptr)).Union());\n",
                def.name
            );
            let get = match &alternative.payload {
                Payload::Unit(_) => format!("native.value.emplace<{i}>();"),
                _ => format!("read(*{value}, native.value.emplace<{i}>());"),
            };
            let see = match &alternative.payload {
                Payload::Unit(_) => String::new(),
                _ => format!("visit(sink, *{value});"),
            };
            let _ = write!(read, "    case {constant}:\n      {get}\n      break;\n");
            let _ = write!(
                visit,
                "    case {constant}:\n      sink.variant({i});\n      {see}\n      break;\n"
            );
        }
        let unknown = format!(
            "    default:\n      ::serbench::expect_present(false, \"{}.value\");\n",
            def.name
        );
        (
            format!(
                "  switch (native.value.index()) {{\n{build}    default:\n      throw ::serbench::internal(\"{} has no value\");\n  }}\n",
                def.name
            ),
            format!("  switch (table.value_type()) {{\n{read}{unknown}  }}\n"),
            format!("  switch (table.value_type()) {{\n{visit}{unknown}  }}\n"),
        )
    }
}

fn tensor(element: Scalar) -> String {
    format!(
        "  sink.count(table.shape()->size());
  for (std::uint32_t dim : *table.shape()) sink.scalar(dim);
  const auto &data = *table.data();
  sink.template elements<{}>(data.size(), [&](std::size_t i) {{
    return data.Get(static_cast<flatbuffers::uoffset_t>(i));
  }});
",
        scalar(element)
    )
}
