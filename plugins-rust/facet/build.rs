//! Generates the types of every dataset, with `facet`'s own attributes for names, tags and defaults.

use serbench_datasets::build::RustPlugin;
use serbench_datasets::schema::codegen::rust::default_functions;
use serbench_datasets::schema::model::{Field, Payload, Shape, Tagging, TypeDef};

fn main() {
    RustPlugin::new()
        .derive("facet::Facet")
        .type_attrs(|_, def| match &def.shape {
            Shape::Newtype(_) => "#[facet(transparent)]".to_owned(),
            Shape::Enum { tagging, .. } => match tagging {
                Tagging::External => "#[repr(u16)]".to_owned(),
                Tagging::Internal(tag) => format!("#[repr(u16)] #[facet(tag = {tag:?})]"),
            },
            _ => String::new(),
        })
        .variant_attrs(|_, _, variant, _| rename(&variant.name, &variant.wire_name))
        .field_attrs(|_, def, field, _| {
            rename(&field.name, &field.wire_name) + &skipped(def, field)
        })
        .library("facet-json")
        .library("facet-msgpack")
        .generate();
}

fn rename(name: &str, wire_name: &str) -> String {
    match name == wire_name {
        true => String::new(),
        false => format!("#[facet(rename = {wire_name:?})]"),
    }
}

/// What makes a field be left out where it equals its default.
fn skipped(def: &TypeDef, field: &Field) -> String {
    if !field.skip_default {
        return String::new();
    }
    let (default, skip) = default_functions(&owner(def, field), &field.name);
    format!("#[facet(default = {default}(), skip_serializing_if = {skip})]")
}

/// The struct or the struct variant that a field stands in, as the functions for it are called.
fn owner(def: &TypeDef, field: &Field) -> String {
    if let Shape::Enum { variants, .. } = &def.shape {
        for variant in variants {
            if let Payload::Struct(fields) = &variant.payload
                && fields.iter().any(|other| std::ptr::eq(other, field))
            {
                return format!("{}_{}", def.name, variant.name);
            }
        }
    }
    def.name.clone()
}
