//! Generates the types of every dataset.

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .derive("bincode::Encode, bincode::Decode")
        .serde()
        .library("bincode@2")
        .library("bincode@1")
        .generate();
}
