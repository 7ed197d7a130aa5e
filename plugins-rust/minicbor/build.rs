//! Generates the types of every dataset. Fields, variants and elements are numbered.

use serbench_datasets::schema::model::Shape;

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .derive("minicbor::Encode, minicbor::Decode")
        .support_by_hand()
        .type_attrs(|_, def| match def.shape {
            Shape::Newtype(_) => "#[cbor(transparent)]".to_owned(),
            _ => String::new(),
        })
        .field_attrs(|_, _, _, index| format!("#[n({index})]"))
        .variant_attrs(|_, _, _, index| format!("#[n({index})]"))
        .element_attrs(|_, _, index| format!("#[n({index})]"))
        .library("minicbor")
        .generate();
}
