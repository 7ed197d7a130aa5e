//! Generates the types of every dataset.

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .derive("parity_scale_codec::Encode, parity_scale_codec::Decode")
        .library("parity-scale-codec")
        .generate();
}
