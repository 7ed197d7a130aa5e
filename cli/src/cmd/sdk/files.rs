//! The files of an SDK.

use std::collections::BTreeMap;
use std::fmt::Write;

use serbench_datasets::build::{RustPlugin, cpp_files};
use serbench_datasets::{Dataset, schema};
use serbench_plugin::abi;

use crate::embedded::{FILLED, SOURCES};

/// Texts by their paths in the folder.
pub type Files = BTreeMap<String, String>;

/// The ABI's version that an SDK is of.
pub fn abi_version() -> String {
    format!("{}.{}", abi::ABI_MAJOR, abi::ABI_MINOR)
}

/// All files for these datasets.
pub fn of(datasets: &[Dataset]) -> Files {
    let mut files: Files = SOURCES
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect();
    for (name, text) in FILLED {
        files.insert((*name).to_owned(), filled(text, datasets));
    }
    for (name, text) in cpp_files(datasets) {
        files.insert(format!("include/{name}"), text);
    }
    files.insert("include/serbench/datasets.h".to_owned(), c_header(datasets));
    // A build script needs the types, not the values.
    for dataset in datasets {
        files.insert(
            format!("rust/datasets/catalog/{}/schema.rs", dataset.name),
            schema::print(&dataset.schema, &dataset.summary),
        );
    }
    files.insert("rust/datasets.rs".to_owned(), rust_types(datasets));
    files
}

fn filled(text: &str, datasets: &[Dataset]) -> String {
    let list: String = datasets
        .iter()
        .map(|dataset| format!("- `{}`: {}\n", dataset.name, dataset.summary))
        .collect();
    text.replace("@VERSION@", env!("CARGO_PKG_VERSION"))
        .replace("@REPOSITORY@", env!("CARGO_PKG_REPOSITORY"))
        .replace("@ABI@", &abi_version())
        .replace("@DATASETS@", list.trim_end())
}

/// What a plugin in C says of the datasets that it knows.
fn c_header(datasets: &[Dataset]) -> String {
    let mut text = String::from(
        "/* The datasets' names and fingerprints, each to initialise a serbench_dataset_id.\n \
         * Generated: do not edit. */\n\
         #ifndef SERBENCH_DATASETS_H\n#define SERBENCH_DATASETS_H\n\n",
    );
    for dataset in datasets {
        let Dataset {
            name, fingerprint, ..
        } = dataset;
        let _ = writeln!(
            text,
            "#define SERBENCH_DATASET_{} {{\"{name}\", \"{fingerprint}\"}}",
            name.to_uppercase()
        );
    }
    text + "\n#endif /* SERBENCH_DATASETS_H */\n"
}

fn rust_types(datasets: &[Dataset]) -> String {
    format!(
        "// The types of the datasets, with serde's derives, and `Datasets`, which the macro\n\
         // `serbench_plugin::plugin!` takes: mod datasets {{ include!(\"…/datasets.rs\"); }}\n\
         // Generated: do not edit.\n\n{}",
        RustPlugin::new().serde().source(datasets)
    )
}
