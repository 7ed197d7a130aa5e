//! Generates the types of every dataset, its `.proto` file, what `protobuf-codegen` makes of that,
//! and the conversions.

use serbench_datasets::build::{RustPlugin, conversions, interface_files};
use serbench_schema::codegen::proto::rust::{Library, module};
use serbench_schema::codegen::proto::text;

fn main() {
    RustPlugin::new().library("protobuf").generate();
    conversions(|dataset, schema| module(dataset, schema, Library::Protobuf));
    let files = interface_files("proto", text);
    let folders = files.first().and_then(|file| file.parent());
    protobuf_codegen::Codegen::new()
        .pure()
        .includes(folders)
        .inputs(&files)
        .cargo_out_dir("protos")
        .run_from_script();
}
