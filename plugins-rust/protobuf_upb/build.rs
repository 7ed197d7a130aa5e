//! Generates the types of every dataset, its `.proto` file, what `protoc` makes of that, and the
//! conversions.

use std::path::Path;

use serbench_datasets::build::{RustPlugin, conversions, interface_files};
use serbench_schema::codegen::proto::{text, upb};

/// What the library defines, and what the linker makes of its sections, stays in the plugin: another
/// copy of it in the process is none of its business.
const HIDDEN: [&str; 2] = ["--exclude-libs,ALL", "-z,start-stop-visibility=hidden"];

fn main() {
    for option in HIDDEN {
        println!("cargo::rustc-cdylib-link-arg=-Wl,{option}");
    }
    RustPlugin::new().library("protobuf").generate();
    conversions(upb::module);
    let files = interface_files("proto", text);
    if let Err(error) = compile(&files) {
        println!("cargo::error=protoc cannot compile the .proto files: {error}");
        std::process::exit(1);
    }
}

/// Writes `$OUT_DIR/protobuf_generated/generated.rs`, with a module for each file.
fn compile(files: &[impl AsRef<Path>]) -> Result<(), Box<dyn std::error::Error>> {
    let names = files.iter().filter_map(|file| file.as_ref().file_name());
    let folder = files.first().and_then(|file| file.as_ref().parent());
    protobuf_codegen::CodeGen::new()
        .protoc_path(protoc_bin_vendored::protoc_bin_path()?)
        .inputs(names)
        .includes(folder.into_iter())
        .generate_and_compile()?;
    Ok(())
}
