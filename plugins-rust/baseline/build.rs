//! Generates the types of every dataset.

fn main() {
    serbench_datasets::build::RustPlugin::new().generate();
}
