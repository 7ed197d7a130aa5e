//! Generates the types of every dataset twice: for the library's derive, where it can express them,
//! and for serde.

use serbench_datasets::build::RustPlugin;
use serbench_datasets::schema::Schema;
use serbench_datasets::schema::model::{Payload, Shape, Type};

/// What the derive calls variables of its own, which a field of that name would hide.
const ITS_NAMES: [&str; 4] = ["n", "buf", "bytes", "slf"];

fn main() {
    RustPlugin::new()
        .derive("msgpacker::MsgPacker")
        .supports(expressible)
        .library("msgpacker")
        .generate();
    RustPlugin::new().serde().file("serde_types").generate();
}

/// Whether the library's derive can express every type of a dataset.
fn expressible(schema: &Schema) -> Result<(), String> {
    if schema.needs_self_describing() {
        return Err("its derive leaves out no field".to_owned());
    }
    fits(&schema.root)?;
    for def in &schema.types {
        let (fields, types): (Vec<_>, Vec<_>) = match &def.shape {
            Shape::Struct(fields) => (fields.iter().collect(), Vec::new()),
            Shape::Tuple(types) => (Vec::new(), types.iter().collect()),
            Shape::Newtype(inner) => (Vec::new(), vec![inner]),
            Shape::Enum { variants, .. } => {
                let payloads = || variants.iter().map(|variant| &variant.payload);
                let fields = payloads().filter_map(|payload| match payload {
                    Payload::Struct(fields) => Some(fields),
                    _ => None,
                });
                let types = payloads().filter_map(|payload| match payload {
                    Payload::Newtype(inner) => Some(inner),
                    _ => None,
                });
                (fields.flatten().collect(), types.collect())
            }
        };
        if let Some(field) = fields.iter().find(|f| ITS_NAMES.contains(&f.name.as_str())) {
            return Err(format!(
                "its derive cannot have a field called {}",
                field.name
            ));
        }
        let types = types
            .into_iter()
            .chain(fields.iter().map(|field| &field.ty));
        types.into_iter().try_for_each(fits)?;
    }
    Ok(())
}

fn fits(ty: &Type) -> Result<(), String> {
    match ty {
        Type::Array(..) => Err("it has no fixed arrays".to_owned()),
        Type::Bytes | Type::Tensor(_) => Err("its derive has no type of bytes alone".to_owned()),
        Type::List(inner) | Type::Option(inner) | Type::Map(inner) => fits(inner),
        _ => Ok(()),
    }
}
