//! The text of a `.capnp` file.

use std::fmt::Write as _;

use super::{is_pointer, model};
use crate::codegen::idl::{
    self, Alternative, Body, Enum, Field, Message, Model, Payload, Ty, names,
};
use crate::model::{Scalar, Schema};

/// The C++ namespace of a dataset's structs.
pub fn cpp_namespace(dataset: &str) -> String {
    format!("serbench::capnproto::{}", idl::package(dataset))
}

/// The `.capnp` file of a dataset; `cpp_namespace` is for C++ only, since it needs the import file
/// that comes with the C++ library.
pub fn text(dataset: &str, schema: &Schema, cpp_namespace: Option<&str>) -> String {
    let model = model(schema);
    let mut out = format!(
        "# Generated from the schema of dataset {dataset}.\n@0x{:016x};\n",
        file_id(dataset)
    );
    if let Some(namespace) = cpp_namespace {
        let _ = write!(
            out,
            "\nusing Cxx = import \"/capnp/c++.capnp\";\n$Cxx.namespace(\"{namespace}\");\n"
        );
    }
    for def in &model.enums {
        enumeration(def, &mut out);
    }
    for def in &model.messages {
        message(&model, def, &mut out);
    }
    out
}

/// An id for the file, with the highest bit set as the format asks: FNV-1a of the name.
fn file_id(dataset: &str) -> u64 {
    let hash = dataset
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    hash | 1 << 63
}

fn enumeration(def: &Enum, out: &mut String) {
    let _ = write!(out, "\nenum {} {{\n", def.name);
    for (ordinal, value) in def.values.iter().enumerate() {
        let _ = writeln!(out, "  {} @{ordinal};", names::camel(value));
    }
    out.push_str("}\n");
}

fn message(model: &Model, def: &Message, out: &mut String) {
    let _ = write!(out, "\nstruct {} {{\n", def.name);
    match &def.body {
        Body::Fields(list) => fields(model, list, out),
        Body::Union(list) => union(model, list, out),
    }
    out.push_str("}\n");
}

fn fields(model: &Model, list: &[Field], out: &mut String) {
    let mut ordinals = 0..;
    let mut ordinal = move || ordinals.next().unwrap_or(0);
    for field in list {
        let name = names::camel(&field.name);
        match field.ty.peel() {
            Ty::Optional(inner) if !is_pointer(inner) => {
                let ty = type_text(model, inner);
                let (none, some) = (ordinal(), ordinal());
                let _ = writeln!(
                    out,
                    "  {name} :union {{ none @{none} :Void; some @{some} :{ty}; }}"
                );
            }
            ty => {
                let _ = writeln!(out, "  {name} @{} :{};", ordinal(), type_text(model, ty));
            }
        }
    }
}

/// A union has two members at least, so a lone one gets company.
fn union(model: &Model, list: &[Alternative], out: &mut String) {
    out.push_str("  union {\n");
    for (ordinal, alternative) in list.iter().enumerate() {
        let ty = match &alternative.payload {
            Payload::Value(ty) => type_text(model, ty),
            Payload::Unit(_) => "Void".to_owned(),
            Payload::Fields(message) => model.messages[*message].name.clone(),
        };
        let _ = writeln!(
            out,
            "    {} @{ordinal} :{ty};",
            names::camel(&alternative.name)
        );
    }
    if list.len() == 1 {
        out.push_str("    unusedAlternative @1 :Void;\n");
    }
    out.push_str("  }\n");
}

fn type_text(model: &Model, ty: &Ty) -> String {
    match ty.peel() {
        Ty::Scalar(scalar) => scalar_type(*scalar).to_owned(),
        Ty::String => "Text".to_owned(),
        Ty::Bytes | Ty::ByteList(_) => "Data".to_owned(),
        Ty::Enum(index) => model.enums[*index].name.clone(),
        Ty::Message(index) => model.messages[*index].name.clone(),
        Ty::List(element, _) => format!("List({})", type_text(model, element)),
        Ty::Entries(entry) => format!("List({})", model.messages[*entry].name),
        Ty::Optional(inner) => type_text(model, inner),
        other => unreachable!("lowering does not make {other:?}"),
    }
}

fn scalar_type(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "Bool",
        Scalar::I8 => "Int8",
        Scalar::I16 => "Int16",
        Scalar::I32 => "Int32",
        Scalar::I64 => "Int64",
        Scalar::U8 => "UInt8",
        Scalar::U16 => "UInt16",
        Scalar::U32 => "UInt32",
        Scalar::U64 => "UInt64",
        Scalar::F32 => "Float32",
        Scalar::F64 => "Float64",
    }
}
