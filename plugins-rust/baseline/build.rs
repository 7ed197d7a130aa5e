//! Generates the types of every dataset.

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .canonical_is_timed()
        .generate();
}
