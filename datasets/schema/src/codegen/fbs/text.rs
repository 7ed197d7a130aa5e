//! The text of a `.fbs` file.

use std::fmt::Write as _;

use super::model;
use crate::codegen::idl::{
    self, Alternative, Body, Enum, Field, Message, Model, Payload, Ty, names,
};
use crate::model::{Scalar, Schema};

/// The C++ namespace of a dataset's tables.
pub fn cpp_namespace(dataset: &str) -> String {
    format!("serbench::fbs::{}", idl::package(dataset))
}

/// The `.fbs` file of a dataset.
pub fn text(dataset: &str, schema: &Schema) -> String {
    let model = model(schema);
    let mut out = format!(
        "// Generated from the schema of dataset {dataset}.\nnamespace {};\n",
        cpp_namespace(dataset).replace("::", ".")
    );
    for def in &model.enums {
        enumeration(def, &mut out);
    }
    for def in &model.messages {
        message(&model, def, &mut out);
    }
    let _ = write!(out, "\nroot_type {};\n", model.messages[model.root].name);
    out
}

fn enumeration(def: &Enum, out: &mut String) {
    let base = if enum_size(def) == 1 {
        "ubyte"
    } else {
        "ushort"
    };
    let values: Vec<String> = def
        .values
        .iter()
        .map(|value| names::pascal(value))
        .collect();
    let _ = write!(
        out,
        "\nenum {} : {base} {{ {} }}\n",
        def.name,
        values.join(", ")
    );
}

/// How many bytes a value of the enum takes.
pub(super) fn enum_size(def: &Enum) -> usize {
    if def.values.len() <= 256 { 1 } else { 2 }
}

fn message(model: &Model, def: &Message, out: &mut String) {
    match &def.body {
        Body::Fields(list) => fields(model, def, list, out),
        Body::Union(list) => union(model, def, list, out),
    }
}

fn fields(model: &Model, def: &Message, list: &[Field], out: &mut String) {
    let keyword = if def.fixed { "struct" } else { "table" };
    let _ = write!(out, "\n{keyword} {} {{\n", def.name);
    for field in list {
        let ty = type_text(model, &field.ty);
        let rest = if def.fixed { "" } else { attributes(&field.ty) };
        let _ = writeln!(out, "  {}: {ty}{rest};", field.name);
    }
    out.push_str("}\n");
}

/// A union cannot be an element or the root, so each is the one field of a table.
fn union(model: &Model, def: &Message, list: &[Alternative], out: &mut String) {
    let _ = write!(out, "\nunion {}Union {{\n", def.name);
    for alternative in list {
        let message = match &alternative.payload {
            Payload::Unit(message) => *message,
            Payload::Fields(message) => Some(*message),
            Payload::Value(ty) => match ty.peel() {
                Ty::Message(message) => Some(*message),
                _ => None,
            },
        };
        let message = message.expect("lowering makes every alternative a table");
        let ty = &model.messages[message].name;
        let _ = writeln!(out, "  {}: {ty},", names::pascal(&alternative.name));
    }
    let _ = write!(
        out,
        "}}\n\ntable {} {{\n  value: {}Union (required);\n}}\n",
        def.name, def.name
    );
}

/// What follows a field's type: absent scalars are null, and what has an offset and is never
/// absent is required.
fn attributes(ty: &Ty) -> &'static str {
    match ty.peel() {
        Ty::Scalar(_) | Ty::Enum(_) => "",
        Ty::Optional(inner) => match inner.peel() {
            Ty::Scalar(_) | Ty::Enum(_) => " = null",
            _ => "",
        },
        _ => " (required)",
    }
}

fn type_text(model: &Model, ty: &Ty) -> String {
    match ty.peel() {
        Ty::Scalar(scalar) => scalar_type(*scalar).to_owned(),
        Ty::String => "string".to_owned(),
        Ty::Bytes => "[ubyte]".to_owned(),
        Ty::Enum(index) => model.enums[*index].name.clone(),
        Ty::Message(index) => model.messages[*index].name.clone(),
        Ty::List(element, _) => format!("[{}]", type_text(model, element)),
        Ty::Entries(entry) => format!("[{}]", model.messages[*entry].name),
        Ty::Optional(inner) => type_text(model, inner),
        other => unreachable!("lowering does not make {other:?}"),
    }
}

pub(super) fn scalar_type(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 => "byte",
        Scalar::I16 => "short",
        Scalar::I32 => "int",
        Scalar::I64 => "long",
        Scalar::U8 => "ubyte",
        Scalar::U16 => "ushort",
        Scalar::U32 => "uint",
        Scalar::U64 => "ulong",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}
