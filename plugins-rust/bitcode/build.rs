//! Generates the types of every dataset.

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .derive("bitcode::Encode, bitcode::Decode")
        .derive("serde::Serialize, serde::Deserialize")
        .serde()
        .library("bitcode")
        .generate();
}
