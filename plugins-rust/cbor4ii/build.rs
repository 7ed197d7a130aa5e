//! Generates the types of every dataset.

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .serde()
        .library("cbor4ii")
        .generate();
}
