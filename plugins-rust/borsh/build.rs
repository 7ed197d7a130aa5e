//! Generates the types of every dataset.

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .derive("borsh::BorshSerialize, borsh::BorshDeserialize")
        .library("borsh")
        .generate();
}
