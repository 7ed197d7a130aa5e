//! Generates the types of every dataset.

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .derive("bincode::Encode, bincode::Decode")
        .derive("serde::Serialize, serde::Deserialize")
        .serde()
        .library("bincode")
        .generate();
}
