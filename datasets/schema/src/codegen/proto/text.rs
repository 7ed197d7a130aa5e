//! The text of a `.proto` file.

use std::fmt::Write as _;

use super::model;
use crate::codegen::idl::{self, Body, Enum, Message, Model, Payload, Ty, names};
use crate::model::{Scalar, Schema};

/// The package of a dataset's messages, as in `serbench.pb.game_level`.
pub fn package(dataset: &str) -> String {
    format!("serbench.pb.{}", idl::package(dataset))
}

/// The `.proto` file of a dataset.
pub fn text(dataset: &str, schema: &Schema) -> String {
    file(dataset, schema, "proto3", |model, ty| {
        (field_type(model, ty), String::new())
    })
}

/// How a field of a type is declared: what stands before its name, and what stands behind its number.
pub(super) type Declare = fn(&Model, &Ty) -> (String, String);

/// The file in a syntax, with the fields declared as this syntax has them.
pub(super) fn file(dataset: &str, schema: &Schema, syntax: &str, declare: Declare) -> String {
    let model = model(schema);
    let mut out = format!(
        "// Generated from the schema of dataset {dataset}.\nsyntax = \"{syntax}\";\n\npackage {};\n",
        package(dataset)
    );
    for def in &model.enums {
        enumeration(def, &mut out);
    }
    for def in &model.messages {
        message(&model, def, declare, &mut out);
    }
    out
}

fn enumeration(def: &Enum, out: &mut String) {
    let _ = write!(out, "\nenum {} {{\n", def.name);
    for (number, value) in def.values.iter().enumerate() {
        let _ = writeln!(out, "  {} = {number};", enum_value(&def.name, value));
    }
    out.push_str("}\n");
}

/// The name of an enum's value, which shares its scope with the enum's siblings.
pub(super) fn enum_value(name: &str, value: &str) -> String {
    format!("{}_{value}", names::snake(name)).to_uppercase()
}

fn message(model: &Model, def: &Message, declare: Declare, out: &mut String) {
    let _ = write!(out, "\nmessage {} {{\n", def.name);
    match &def.body {
        Body::Fields(fields) => {
            for (field, number) in fields.iter().zip(1..) {
                let (ty, options) = declare(model, &field.ty);
                let _ = writeln!(out, "  {ty} {} = {number}{options};", field.name);
            }
        }
        Body::Union(alternatives) => {
            out.push_str("  oneof kind {\n");
            for (alternative, number) in alternatives.iter().zip(1..) {
                let ty = match &alternative.payload {
                    Payload::Value(ty) => single_type(model, ty),
                    Payload::Unit(message) => {
                        let message = message.expect("a oneof's unit variant holds a message");
                        model.messages[message].name.clone()
                    }
                    Payload::Fields(message) => model.messages[*message].name.clone(),
                };
                let _ = writeln!(out, "    {ty} {} = {number};", alternative.name);
            }
            out.push_str("  }\n");
        }
    }
    out.push_str("}\n");
}

pub(super) fn field_type(model: &Model, ty: &Ty) -> String {
    match ty.peel() {
        Ty::Optional(inner) => match inner.peel() {
            Ty::Message(_) => single_type(model, inner),
            _ => format!("optional {}", single_type(model, inner)),
        },
        Ty::List(element, _) => format!("repeated {}", single_type(model, element)),
        Ty::Map(value) => format!("map<string, {}>", single_type(model, value)),
        _ => single_type(model, ty),
    }
}

pub(super) fn single_type(model: &Model, ty: &Ty) -> String {
    match ty.peel() {
        Ty::Scalar(scalar) => scalar_type(*scalar).to_owned(),
        Ty::String => "string".to_owned(),
        Ty::Bytes | Ty::ByteList(_) => "bytes".to_owned(),
        Ty::Enum(index) => model.enums[*index].name.clone(),
        Ty::Message(index) => model.messages[*index].name.clone(),
        other => unreachable!("lowering wraps {other:?}"),
    }
}

/// Signed integers are zigzag-coded: what can be negative in a schema is expected to be.
pub(super) fn scalar_type(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 | Scalar::I16 | Scalar::I32 => "sint32",
        Scalar::I64 => "sint64",
        Scalar::U8 | Scalar::U16 | Scalar::U32 => "uint32",
        Scalar::U64 => "uint64",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}
