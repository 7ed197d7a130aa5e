//! Generates the types of every dataset that FlatMessage can express, in three sets: flat structs, and
//! nested ones of either kind.

use serbench_datasets::build::RustPlugin;
use serbench_datasets::schema::Schema;
use serbench_datasets::schema::model::{Shape, Type, TypeDef};

fn main() {
    types(
        "#[derive(flat_message::FlatMessage)] #[flat_message_options(store_name = false)]",
        None,
    )
    .library("flat_message")
    .generate();
    let root = "#[derive(flat_message::FlatMessage)]";
    types(root, Some(("packed", "FlatMessagePacked")))
        .file("packed")
        .generate();
    types(root, Some(("struct", "FlatMessageStruct")))
        .file("nested")
        .generate();
}

/// Types whose root is a message; the structs in it, if there may be some, are of one of the two
/// kinds that the library has, with a derive of that name.
fn types(root: &'static str, inner: Option<(&'static str, &'static str)>) -> RustPlugin {
    RustPlugin::new()
        .prelude("#[allow(unused_imports)] use flat_message::*;")
        .type_attrs(move |schema, def| match inner {
            Some((_, derive)) if !is_root(schema, def) => format!("#[derive({derive})]"),
            _ => root.to_owned(),
        })
        .field_attrs(move |schema, _, field, _| match (inner, &field.ty) {
            (Some((kind, _)), Type::Named(_)) => {
                // A message of its own stands on 4 bytes at least, for its table of hashes.
                let least = if kind == "struct" { 4 } else { 1 };
                let align = alignment(schema, &field.ty).max(least);
                format!("#[flat_message_item(kind = {kind}, align = {align})]")
            }
            _ => String::new(),
        })
        .supports(move |schema| expressible(schema, inner.map(|(kind, _)| kind)))
}

fn is_root(schema: &Schema, def: &TypeDef) -> bool {
    matches!(schema.root, Type::Named(index) if schema.def(index) == def)
}

/// Only vectors are aligned, and the structs that have some.
fn alignment(schema: &Schema, ty: &Type) -> usize {
    match ty {
        Type::List(element) => match **element {
            Type::Scalar(scalar) => scalar.size(),
            _ => 1,
        },
        Type::Named(index) => match &schema.def(*index).shape {
            Shape::Struct(fields) => fields
                .iter()
                .map(|field| alignment(schema, &field.ty))
                .max()
                .unwrap_or(1),
            _ => 1,
        },
        _ => 1,
    }
}

/// Whether the library's derives can express every type of a dataset.
fn expressible(schema: &Schema, nested: Option<&str>) -> Result<(), String> {
    let root = match &schema.root {
        Type::Named(index) => &schema.def(*index).shape,
        _ => return Err("a FlatMessage is a struct, and this dataset is none".to_owned()),
    };
    if !matches!(root, Shape::Struct(_)) {
        return Err(
            "a FlatMessage is a struct with named fields, and this dataset is none".to_owned(),
        );
    }
    for def in &schema.types {
        let Shape::Struct(fields) = &def.shape else {
            return Err(format!("{} is no struct with named fields", def.name));
        };
        for field in fields {
            let fits = match &field.ty {
                Type::Named(_) => nested.is_some(),
                Type::List(element) => is_basic(element),
                Type::Option(inner) => {
                    is_basic(inner) && (nested != Some("packed") || is_root(schema, def))
                }
                other => is_basic(other),
            };
            if !fits {
                return Err(format!(
                    "{}.{} is of a type that it cannot express",
                    def.name, field.name
                ));
            }
        }
    }
    Ok(())
}

fn is_basic(ty: &Type) -> bool {
    matches!(ty, Type::Scalar(_) | Type::String)
}
