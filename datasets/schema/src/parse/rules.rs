//! What the model can say but no JSON document could tell apart.

use quote::ToTokens;
use syn::Result;

use super::resolve::fail;
use crate::model::{Payload, Schema, Shape, Type, Variant};

/// Refuses an option directly in an option: `null` would mean either.
pub fn check_optional(schema: &Schema, ty: &Type, at: impl ToTokens) -> Result<()> {
    if let Type::Option(inner) = schema.resolve(ty)
        && let Type::Option(_) = schema.resolve(inner)
    {
        return fail(
            at,
            "an option in an option cannot be told apart from an absent value",
        );
    }
    Ok(())
}

/// Refuses what cannot stand in an enum that is tagged inside its content.
pub fn check_tagged(
    schema: &Schema,
    variant: &Variant,
    tag: &str,
    at: impl ToTokens,
) -> Result<()> {
    let fields = match &variant.payload {
        Payload::Unit => return Ok(()),
        Payload::Struct(fields) => fields,
        Payload::Newtype(ty) => match schema.resolve(ty) {
            Type::Named(index) => match &schema.def(*index).shape {
                Shape::Struct(fields) => fields,
                _ => return fail(at, "a tagged enum's variants hold structs or nothing"),
            },
            _ => return fail(at, "a tagged enum's variants hold structs or nothing"),
        },
    };
    match fields.iter().any(|field| field.wire_name == tag) {
        true => fail(at, format!("the tag {tag:?} is also the name of a field")),
        false => Ok(()),
    }
}
