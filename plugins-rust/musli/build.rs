//! Generates the types of every dataset.

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .derive("musli::Encode, musli::Decode")
        .library("musli")
        .generate();
}
