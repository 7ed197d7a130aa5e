//! Generates the types of every dataset that Fory can express, and what registers them.

use serbench_datasets::build::{RustPlugin, conversions};
use serbench_datasets::schema::Schema;
use serbench_datasets::schema::codegen::rust::ident;
use serbench_datasets::schema::model::{Payload, Shape, Type, TypeDef, Variant};

fn main() {
    RustPlugin::new()
        .supports(expressible)
        .type_attrs(|_, def| format!("#[derive(fory::{})]", derive(def)))
        .variant_attrs(|_, def, _, index| match (derive(def), index) {
            ("ForyUnion", 0) => "#[fory(default)]".to_owned(),
            _ => String::new(),
        })
        .library("fory")
        .generate();
    conversions(registration);
}

fn derive(def: &TypeDef) -> &'static str {
    match &def.shape {
        Shape::Enum { variants, .. } => match variants.iter().all(is_unit) {
            true => "ForyEnum",
            false => "ForyUnion",
        },
        _ => "ForyStruct",
    }
}

fn is_unit(variant: &Variant) -> bool {
    variant.payload == Payload::Unit
}

/// Gives every type of a dataset a number.
fn registration(dataset: &str, schema: &Schema) -> String {
    if expressible(schema).is_err() {
        return String::new();
    }
    let module = format!("crate::datasets::{}", ident(dataset));
    let calls = (1_u32..).zip(&schema.types).map(|(number, def)| {
        format!(
            "        fory.register::<{module}::{}>({number})?;\n",
            ident(&def.name)
        )
    });
    format!(
        "impl crate::Registered for {module}::Root {{
    fn register(fory: &mut ::fory::Fory) -> ::std::result::Result<(), ::fory::Error> {{
{}        ::std::result::Result::Ok(())
    }}
}}
",
        calls.collect::<String>()
    )
}

/// Whether the library's derives can express every type of a dataset.
fn expressible(schema: &Schema) -> Result<(), String> {
    if schema.needs_self_describing() {
        return Err("in its native mode Fory leaves out no field".to_owned());
    }
    fits(&schema.root)?;
    schema.types.iter().try_for_each(|def| match &def.shape {
        Shape::Struct(fields) => fields
            .iter()
            .try_for_each(|field| match field.name.as_str() {
                // What the derive calls a variable of its own.
                "field" => Err("its derive cannot have a field called field".to_owned()),
                _ => fits(&field.ty),
            }),
        Shape::Tuple(types) => types.iter().try_for_each(fits),
        Shape::Newtype(inner) => fits(inner),
        Shape::Enum { variants, .. } => union(&def.name, variants),
    })
}

/// A union whose cases have one value at most must have a further case, for what is unknown.
fn union(name: &str, variants: &[Variant]) -> Result<(), String> {
    let mut needs_unknown = false;
    let mut has_record = false;
    for variant in variants {
        match &variant.payload {
            Payload::Unit => {}
            Payload::Newtype(inner) => {
                fits(inner)?;
                needs_unknown = true;
            }
            Payload::Struct(fields) => {
                fields.iter().try_for_each(|field| fits(&field.ty))?;
                match fields.as_slice() {
                    [_] => needs_unknown = true,
                    _ => has_record = true,
                }
            }
        }
    }
    match needs_unknown && !has_record {
        true => Err(format!(
            "a Fory union has a case for the unknown, and {name} has none"
        )),
        false => Ok(()),
    }
}

fn fits(ty: &Type) -> Result<(), String> {
    match ty {
        Type::Bytes | Type::Tensor(_) => {
            Err("its derive takes no type that is not of the dataset".to_owned())
        }
        Type::List(inner) | Type::Array(inner, _) | Type::Option(inner) | Type::Map(inner) => {
            fits(inner)
        }
        Type::Scalar(_) | Type::String | Type::Named(_) => Ok(()),
    }
}
