//! Generates the types of every dataset, its `.capnp` file, what `capnpc` makes of that by the
//! `capnp` tool, and the conversions.

use std::fs;
use std::path::{Path, PathBuf};

use serbench_datasets::build::{RustPlugin, conversions, interface_files};
use serbench_schema::codegen::capnp::{rust::module, text};

fn main() {
    RustPlugin::new().library("capnp").generate();
    conversions(module);
    let files = interface_files("capnp", |dataset, schema| text(dataset, schema, None));
    if let Err(error) = compile(&files) {
        println!(
            "cargo::error=the capnp tool (Debian package capnproto) cannot compile the schemas: \
             {error}"
        );
        std::process::exit(1);
    }
}

/// Writes `$OUT_DIR/schemas.rs`: a module for each file.
fn compile(files: &[PathBuf]) -> Result<(), Box<dyn std::error::Error>> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let mut command = capnpc::CompilerCommand::new();
    command.src_prefix(out.join("idl")).output_path(&out);
    command.default_parent_module(vec!["schemas".to_owned()]);
    let mut modules = String::new();
    for file in files {
        command.file(file);
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let generated = Path::new(&out).join(format!("{name}_capnp.rs"));
        modules += &format!("pub mod {name}_capnp {{ include!({generated:?}); }}\n");
    }
    command.run()?;
    fs::write(out.join("schemas.rs"), modules)?;
    Ok(())
}
