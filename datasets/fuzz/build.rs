//! The types that the canonical decoder is tried on: those of `tests/typed.rs`.

#[path = "../tests/typed/build.rs"]
mod typed;

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=../tests/typed/build.rs");
    let catalog = serbench_datasets::catalog().iter();
    let text = typed::text(catalog.map(|dataset| (dataset.name.as_str(), &dataset.schema)));
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&out).join("typed.rs"), text).expect("it can be written to");
}
