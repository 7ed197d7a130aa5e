//! Generates the types of every dataset that Bilrost can express. Bytes need an encoding of their own.

use serbench_datasets::build::RustPlugin;
use serbench_datasets::schema::Schema;
use serbench_datasets::schema::model::{Payload, Scalar, Shape, Type, TypeDef};

fn main() {
    RustPlugin::new()
        .type_attrs(|_, def| match def.shape {
            Shape::Enum { .. } => "#[derive(Eq, bilrost::Enumeration)]".to_owned(),
            _ => "#[derive(bilrost::Message)]".to_owned(),
        })
        .field_attrs(|_, _, field, _| attribute(&field.ty))
        .element_attrs(|_, def, index| attribute(element(def, index)))
        .variant_attrs(|_, _, _, index| format!("#[bilrost({index})]"))
        .supports(expressible)
        .library("bilrost")
        .generate();
}

fn element(def: &TypeDef, index: usize) -> &Type {
    match &def.shape {
        Shape::Tuple(types) => &types[index],
        Shape::Newtype(inner) => inner,
        _ => unreachable!("only tuples and newtypes have unnamed elements"),
    }
}

fn attribute(ty: &Type) -> String {
    encoding(ty).map_or(String::new(), |e| format!("#[bilrost(encoding({e}))]"))
}

/// The encoding, where there is no general one: 8-bit integers are varints, arrays are packed.
fn encoding(ty: &Type) -> Option<String> {
    match ty {
        Type::Scalar(Scalar::U8 | Scalar::I8) => Some("varint".to_owned()),
        Type::Option(inner) => encoding(inner),
        Type::List(inner) => Some(format!("packed<{}>", encoding(inner)?)),
        Type::Array(inner, _) => Some(match encoding(inner) {
            Some(inner) => format!("packed<{inner}>"),
            None => "packed".to_owned(),
        }),
        Type::Map(inner) => Some(format!("map<general, {}>", encoding(inner)?)),
        _ => None,
    }
}

/// Whether the library's derives can express every type of a dataset.
fn expressible(schema: &Schema) -> Result<(), String> {
    let is_message = match &schema.root {
        Type::Named(index) => !matches!(schema.def(*index).shape, Shape::Enum { .. }),
        _ => false,
    };
    if !is_message {
        return Err("a Bilrost message is a struct, and this dataset is none".to_owned());
    }
    for def in &schema.types {
        let fits = match &def.shape {
            Shape::Struct(fields) => fields.iter().all(|field| fits(&field.ty, true)),
            Shape::Tuple(types) => types.iter().all(|ty| fits(ty, true)),
            Shape::Newtype(inner) => fits(inner, true),
            Shape::Enum { variants, .. } => variants
                .iter()
                .all(|variant| variant.payload == Payload::Unit),
        };
        if !fits {
            return Err(format!(
                "{} has a part that Bilrost cannot express",
                def.name
            ));
        }
    }
    Ok(())
}

/// Options stand in fields only, and not for lists, whose absence is the empty list.
fn fits(ty: &Type, in_field: bool) -> bool {
    match ty {
        Type::Scalar(_) | Type::String | Type::Named(_) => true,
        Type::List(inner) | Type::Array(inner, _) | Type::Map(inner) => fits(inner, false),
        Type::Option(inner) => {
            in_field && matches!(**inner, Type::Scalar(_) | Type::String | Type::Named(_))
        }
        Type::Bytes | Type::Tensor(_) => false,
    }
}
