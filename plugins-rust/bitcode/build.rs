//! Generates the types of every dataset.

use serbench_datasets::build::{RustPlugin, Strings};

fn main() {
    RustPlugin::new()
        .derive("bitcode::Encode, bitcode::Decode")
        .serde()
        .borrowed("bitcode::Decode", Strings::StrOnly)
        .library("bitcode")
        .generate();
}
