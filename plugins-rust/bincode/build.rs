//! Generates the types of every dataset.

use serbench_datasets::build::{RustPlugin, Strings};

fn main() {
    RustPlugin::new()
        .derive("bincode::Encode, bincode::Decode")
        .serde()
        .borrowed("bincode::BorrowDecode", Strings::Slices)
        .library("bincode@2")
        .library("bincode@1")
        .generate();
}
