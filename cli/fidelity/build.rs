//! Generates the types of every dataset, as the build scripts of the plugins do.

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .derive("bincode::Encode, bincode::Decode")
        .derive("bitcode::Encode, bitcode::Decode")
        .serde()
        .generate();
}
