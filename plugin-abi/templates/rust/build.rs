//! Generates the types of every dataset in `sdk`, with the derives that the library needs.

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .serde()
        .library("postcard")
        .generate();
}
