//! Generates the types of every dataset twice: as they are by default, whose fields may change over
//! time, and packed.

use serbench_datasets::build::RustPlugin;
use serbench_datasets::schema::Schema;
use serbench_datasets::schema::model::{Field, Payload, Shape, Type};

fn main() {
    types("").library("musli").generate();
    types("#[musli(packed)]")
        .supports(packable)
        .file("packed")
        .generate();
}

/// Types with an attribute for structs; newtypes are nothing but their content.
fn types(structs: &'static str) -> RustPlugin {
    RustPlugin::new()
        .derive("musli::Encode, musli::Decode")
        .type_attrs(move |_, def| match def.shape {
            Shape::Newtype(_) => "#[musli(transparent)]".to_owned(),
            Shape::Struct(_) | Shape::Tuple(_) => structs.to_owned(),
            Shape::Enum { .. } => String::new(),
        })
}

/// The packed format has optional fields at the end only, and does not tag those of a variant.
fn packable(schema: &Schema) -> Result<(), String> {
    let optional = |fields: &[Field]| fields.iter().any(|field| is_optional(&field.ty));
    for def in &schema.types {
        let reason = match &def.shape {
            Shape::Struct(fields) if optional(fields) => "has optional fields",
            Shape::Tuple(types) if types.iter().any(is_optional) => "has optional elements",
            Shape::Enum { variants, .. } => {
                let payloads = variants.iter().map(|variant| &variant.payload);
                match payloads
                    .into_iter()
                    .any(|payload| matches!(payload, Payload::Struct(_)))
                {
                    true => "has variants with fields",
                    false => continue,
                }
            }
            _ => continue,
        };
        return Err(format!(
            "{} {reason}, which the packed format cannot tell apart",
            def.name
        ));
    }
    Ok(())
}

fn is_optional(ty: &Type) -> bool {
    match ty {
        Type::Option(_) => true,
        Type::List(inner) | Type::Array(inner, _) | Type::Map(inner) => is_optional(inner),
        _ => false,
    }
}
