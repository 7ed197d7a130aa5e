//! Generates the types of every dataset twice: as they are by default, whose fields may change over
//! time, and packed.

use serbench_datasets::build::{RustPlugin, Strings};
use serbench_datasets::schema::model::Shape;

fn main() {
    types("")
        .borrowed("musli::Decode", Strings::StrOnly)
        .library("musli")
        .generate();
    types("#[musli(packed)]").file("packed").generate();
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
