//! Generates the types of every dataset.

use serbench_datasets::build::{RustPlugin, Strings};

fn main() {
    RustPlugin::new()
        .derive("speedy::Readable, speedy::Writable")
        .borrowed("speedy::Readable", Strings::Slices)
        .library("speedy")
        .generate();
}
