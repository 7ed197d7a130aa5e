//! Generates the types of every dataset.

use serbench_datasets::build::{RustPlugin, Strings};

fn main() {
    RustPlugin::new()
        .derive("wincode::SchemaWrite, wincode::SchemaRead")
        .borrowed("wincode::SchemaRead", Strings::Slices)
        .library("wincode")
        .generate();
}
