//! C++17: plain aggregates, and beside them what a codec must know of them.
//!
//! The aggregates stand in `serbench::data::<dataset>`; names on the wire, defaults, variants and
//! field lists in specialisations of `serbench::Meta` (`plugin-abi/include/serbench/data.hpp`).
//! Newtypes are aliases, enums without payloads `enum class`, enums with payloads a struct around
//! `std::variant value`.

mod literals;
pub(crate) mod names;
mod types;

use std::fmt::Write;

use crate::model::Schema;
use names::{Names, identifier};

/// A dataset to generate C++ for.
#[derive(Debug, Clone, Copy)]
pub struct CppDataset<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its types.
    pub schema: &'a Schema,
    /// The fingerprint of the schema.
    pub fingerprint: &'a str,
}

/// The headers for some datasets, each by its path in an include folder:
/// `serbench/datasets/<name>.hpp` for each, and `serbench/datasets.hpp` with the list of all.
pub fn generate(datasets: &[CppDataset<'_>]) -> Vec<(String, String)> {
    let mut files: Vec<_> = datasets
        .iter()
        .map(|dataset| {
            let path = format!("serbench/datasets/{}.hpp", dataset.name);
            (path, dataset_header(dataset))
        })
        .collect();
    files.push(("serbench/datasets.hpp".to_owned(), list_header(datasets)));
    files
}

/// The namespace of a dataset, without `serbench::data::`.
fn namespace(dataset: &str) -> String {
    identifier(dataset, |_| false)
}

fn dataset_header(dataset: &CppDataset<'_>) -> String {
    let CppDataset {
        name,
        schema,
        fingerprint,
    } = dataset;
    let names = Names::new(schema);
    let space = namespace(name);
    let mut declarations = String::new();
    let mut metas = String::new();
    for index in 0..schema.types.len() {
        types::declare(schema, &names, index, &mut declarations);
        types::describe(schema, &names, &space, index, &mut metas);
    }
    let root = types::spell(&names, &schema.root);
    let needs_self_describing = schema.needs_self_describing();
    let literal = literals::string(name);
    format!(
        "// The types of the dataset {name}. Generated: do not edit.\n\
         #pragma once\n\n\
         #include <serbench.hpp>\n\n\
         namespace serbench::data::{space} {{\n\n\
         {declarations}\
         using Root = {root};\n\n\
         struct Dataset {{\n\
         \x20 using Root = {space}::Root;\n\
         \x20 static constexpr const char *name = {literal};\n\
         \x20 static constexpr const char *fingerprint = \"{fingerprint}\";\n\
         \x20 static constexpr bool needs_self_describing = {needs_self_describing};\n\
         }};\n\n\
         }}  // namespace serbench::data::{space}\n\n\
         namespace serbench {{\n\n\
         {metas}\
         SERBENCH_CANONICAL(data::{space}::Dataset)\n\n\
         }}  // namespace serbench\n"
    )
}

fn list_header(datasets: &[CppDataset<'_>]) -> String {
    let mut out = String::from(
        "// Every dataset of this build. Generated: do not edit.\n#pragma once\n\n\
         #include <serbench.hpp>\n\n",
    );
    for dataset in datasets {
        writeln!(out, "#include \"datasets/{}.hpp\"", dataset.name).expect("writing to a String");
    }
    let list: Vec<_> = datasets
        .iter()
        .map(|dataset| format!("{}::Dataset", namespace(dataset.name)))
        .collect();
    let list = list.join(",\n                          ");
    write!(
        out,
        "\nnamespace serbench::data {{\n\nusing Datasets = TypeList<{list}>;\n\n\
         }}  // namespace serbench::data\n"
    )
    .expect("writing to a String");
    out
}
