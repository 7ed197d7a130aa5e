//! Generates the types of every dataset.

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .derive("nanoserde::SerBin, nanoserde::DeBin")
        .library("nanoserde")
        .generate();
}
