//! Generates the types of every dataset.

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .derive("bitcode::Encode, bitcode::Decode")
        .serde()
        .library("bitcode")
        .generate();
}
