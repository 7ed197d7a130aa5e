//! Generates the types of every dataset.

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .derive("rkyv::Archive, rkyv::Serialize, rkyv::Deserialize")
        .mirror("crate::walk::Walk", |name| format!("Archived{name}"))
        .library("rkyv")
        .generate();
}
