//! Generates the types of every dataset, its `.proto` file, what `pb-rs` makes of that, and the
//! conversions.

use std::path::PathBuf;
use std::{env, fs};

use pb_rs::ConfigBuilder;
use pb_rs::types::FileDescriptor;
use serbench_datasets::build::{RustPlugin, conversions, interface_files};
use serbench_schema::codegen::proto::quick;
use serbench_schema::codegen::proto::rust::{Library, module};

fn main() {
    RustPlugin::new().library("quick-protobuf").generate();
    conversions(|dataset, schema| module(dataset, schema, Library::QuickProtobuf));
    let files = interface_files("proto", quick::text);
    if let Err(error) = compile(&files) {
        println!("cargo::error=pb-rs cannot compile the .proto files: {error}");
        std::process::exit(1);
    }
}

/// Writes `$OUT_DIR/protos/mod.rs`, with a module for each package.
fn compile(files: &[PathBuf]) -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(env::var("OUT_DIR")?).join("protos");
    // It adds to the modules that there are.
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir(&folder)?;
    let config = ConfigBuilder::new(files, None, Some(&folder), &[])?;
    FileDescriptor::run(&config.build())?;
    Ok(())
}
