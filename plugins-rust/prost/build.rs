//! Generates the types of every dataset, its prost messages, and the conversions between them.

use serbench_datasets::build::{RustPlugin, conversions};
use serbench_schema::codegen::proto::rust::{Library, module};

fn main() {
    RustPlugin::new().library("prost").generate();
    conversions(|dataset, schema| module(dataset, schema, Library::Prost));
}
