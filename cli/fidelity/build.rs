//! Generates the types of every dataset, as the build scripts of the plugins do, and has the plugins
//! linked that `make linked` has made object files of.

use std::fs;
use std::path::Path;

fn main() {
    serbench_datasets::build::RustPlugin::new()
        .derive("bincode::Encode, bincode::Decode")
        .derive("bitcode::Encode, bitcode::Decode")
        .serde()
        .generate();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/linked");
    // It must be there for Cargo to notice what comes into it.
    fs::create_dir_all(&folder).expect("a folder of build products");
    println!("cargo::rerun-if-changed={}", folder.display());
    let objects = fs::read_dir(folder)
        .expect("it is there")
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "o"));
    for object in objects {
        println!("cargo::rustc-link-arg-benches={}", object.display());
    }
    // The benchmark looks them up by name.
    println!("cargo::rustc-link-arg-benches=-Wl,--export-dynamic");
}
