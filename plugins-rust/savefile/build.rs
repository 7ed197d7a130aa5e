//! Generates the types of every dataset.

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .derive("savefile::prelude::Savefile")
        .library("savefile")
        .generate();
}
