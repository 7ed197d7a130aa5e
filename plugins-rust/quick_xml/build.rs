//! Generates the types of every dataset that XML can express.

use serbench_datasets::build::RustPlugin;
use serbench_datasets::schema::Schema;
use serbench_datasets::schema::model::{Field, Payload, Shape, Type};

fn main() {
    RustPlugin::new()
        .serde()
        .supports(expressible)
        .field_attrs(|schema, _, field, _| absent_when_empty(schema, field))
        .library("quick-xml")
        .generate();
}

/// The library writes a list as an element for each item, so that a list within a list cannot be told
/// from a longer list.
fn expressible(schema: &Schema) -> Result<(), String> {
    let mut types = vec![&schema.root];
    for def in &schema.types {
        match &def.shape {
            Shape::Struct(fields) => types.extend(fields.iter().map(|field| &field.ty)),
            Shape::Tuple(elements) => {
                if elements.iter().any(|element| is_list(schema, element)) {
                    return Err(format!("{} has a list within a list", def.name));
                }
                types.extend(elements);
            }
            Shape::Newtype(inner) => types.push(inner),
            Shape::Enum { variants, .. } => {
                for variant in variants {
                    match &variant.payload {
                        Payload::Unit => {
                            return Err(format!("{} has variants without content", def.name));
                        }
                        Payload::Newtype(inner) => types.push(inner),
                        Payload::Struct(_) => {
                            return Err(format!("{} has variants with named fields", def.name));
                        }
                    }
                }
            }
        }
    }
    types.into_iter().try_for_each(|ty| flat(schema, ty))
}

/// A list without items leaves no trace in the XML, so that an absent field has to be an empty list.
fn absent_when_empty(schema: &Schema, field: &Field) -> String {
    let list = matches!(schema.resolve(&field.ty), Type::List(_));
    // Fields with a default, or left out when they equal it, have the attribute already.
    match list && !field.skip_default && field.default.is_none() {
        true => "#[serde(default)]".to_owned(),
        false => String::new(),
    }
}

fn flat(schema: &Schema, ty: &Type) -> Result<(), String> {
    match ty {
        Type::Tensor(_) => Err("a tensor is a list within a list".to_owned()),
        Type::List(inner) | Type::Array(inner, _) | Type::Option(inner) | Type::Map(inner) => {
            if is_list(schema, inner) {
                return Err("there is a list within a list".to_owned());
            }
            flat(schema, inner)
        }
        _ => Ok(()),
    }
}

fn is_list(schema: &Schema, ty: &Type) -> bool {
    match schema.resolve(ty) {
        Type::List(_) | Type::Array(..) | Type::Tensor(_) => true,
        Type::Named(index) => matches!(schema.def(*index).shape, Shape::Tuple(_)),
        _ => false,
    }
}
