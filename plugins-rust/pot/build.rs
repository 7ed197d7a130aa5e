//! Generates the types of every dataset.

use serbench_datasets::build::{RustPlugin, Strings};

fn main() {
    RustPlugin::new()
        .serde()
        .borrowed("serde::Deserialize", Strings::Slices)
        .library("pot")
        .generate();
}
