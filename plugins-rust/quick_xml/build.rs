//! Generates the types of every dataset.

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .derive("serde::Serialize, serde::Deserialize")
        .serde()
        .library("quick-xml")
        .generate();
}
