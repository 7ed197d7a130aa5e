//! The message structs of `prost`, as its own generator writes them.

use std::fmt::Write as _;

use super::rust::wide;
use crate::codegen::idl::{Body, Enum, Field, Message, Model, Payload, Ty, names};

/// Every message, `oneof` and enum of a dataset.
pub(super) fn messages(model: &Model) -> String {
    let mut out = String::new();
    for def in &model.enums {
        enumeration(def, &mut out);
    }
    for def in &model.messages {
        message(model, def, &mut out);
    }
    out
}

fn enumeration(def: &Enum, out: &mut String) {
    let _ = write!(
        out,
        "#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ::prost::Enumeration)]
#[repr(i32)]
pub enum {} {{
",
        def.name
    );
    for (number, value) in def.values.iter().enumerate() {
        let _ = writeln!(out, "    {} = {number},", names::pascal(value));
    }
    out.push_str("}\n");
}

fn message(model: &Model, def: &Message, out: &mut String) {
    let _ = write!(
        out,
        "#[derive(Clone, PartialEq, ::prost::Message)]\npub struct {} {{\n",
        def.name
    );
    match &def.body {
        Body::Fields(fields) => {
            for (field, tag) in fields.iter().zip(1..) {
                let (attribute, ty) = field_type(model, field);
                let _ = write!(
                    out,
                    "    #[prost({attribute}, tag = \"{tag}\")]\n    pub {}: {ty},\n",
                    field.name
                );
            }
            out.push_str("}\n");
        }
        Body::Union(alternatives) => {
            let tags: Vec<String> = (1..=alternatives.len())
                .map(|tag| tag.to_string())
                .collect();
            let _ = write!(
                out,
                "    #[prost(oneof = \"{0}Kind\", tags = \"{1}\")]
    pub kind: ::core::option::Option<{0}Kind>,
}}
#[derive(Clone, PartialEq, ::prost::Oneof)]
pub enum {0}Kind {{
",
                def.name,
                tags.join(", ")
            );
            for (alternative, tag) in alternatives.iter().zip(1..) {
                let (attribute, ty) = match &alternative.payload {
                    Payload::Unit(Some(index)) | Payload::Fields(index) => {
                        single(model, &Ty::Message(*index))
                    }
                    Payload::Value(ty) => single(model, ty),
                    Payload::Unit(None) => unreachable!("a oneof's unit variant holds a message"),
                };
                let _ = write!(
                    out,
                    "    #[prost({attribute}, tag = \"{tag}\")]\n    {}({ty}),\n",
                    names::pascal(&alternative.name)
                );
            }
            out.push_str("}\n");
        }
    }
}

/// The attribute and the Rust type of a field.
fn field_type(model: &Model, field: &Field) -> (String, String) {
    let option = |(attribute, ty): (String, String)| {
        (
            format!("{attribute}, optional"),
            format!("::core::option::Option<{ty}>"),
        )
    };
    match field.ty.peel() {
        Ty::Message(_) => option(single(model, &field.ty)),
        Ty::Optional(inner) => option(single(model, inner)),
        Ty::List(element, _) => {
            let (attribute, ty) = single(model, element);
            (
                format!("{attribute}, repeated"),
                format!("::std::vec::Vec<{ty}>"),
            )
        }
        Ty::Map(value) => {
            let (attribute, ty) = single(model, value);
            let attribute = match attribute.as_str() {
                "bytes = \"vec\"" => "bytes".to_owned(),
                other => other
                    .replace("enumeration = \"", "enumeration(")
                    .replace('"', ")"),
            };
            (
                format!("btree_map = \"string, {attribute}\""),
                format!("::std::collections::BTreeMap<::std::string::String, {ty}>"),
            )
        }
        _ => single(model, &field.ty),
    }
}

fn single(model: &Model, ty: &Ty) -> (String, String) {
    let pair = |attribute: &str, ty: &str| (attribute.to_owned(), ty.to_owned());
    match ty.peel() {
        Ty::Scalar(scalar) => pair(super::text::scalar_type(*scalar), wide(*scalar)),
        Ty::String => pair("string", "::std::string::String"),
        Ty::Bytes | Ty::ByteList(_) => pair("bytes = \"vec\"", "::std::vec::Vec<u8>"),
        Ty::Enum(index) => pair(
            &format!("enumeration = \"{}\"", model.enums[*index].name),
            "i32",
        ),
        Ty::Message(index) => pair("message", &model.messages[*index].name),
        other => unreachable!("lowering wraps {other:?}"),
    }
}
