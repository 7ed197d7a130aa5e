//! Generates the types of every dataset.

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .derive("wincode::SchemaWrite, wincode::SchemaRead")
        .library("wincode")
        .generate();
}
