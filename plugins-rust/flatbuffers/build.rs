//! Generates the types of every dataset, its tables, and the conversions between them.

use serbench_datasets::build::{RustPlugin, conversions};
use serbench_schema::codegen::fbs::rust::module;

fn main() {
    RustPlugin::new().library("flatbuffers").generate();
    conversions(module);
}
