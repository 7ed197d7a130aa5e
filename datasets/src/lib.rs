//! The catalog of datasets, datasets in folders of a user's own, and what the build scripts of
//! plugins make of both.
//!
//! `README.md` is the guide: the schema language, the canonical encoding, the rules for JSON.

pub mod build;
mod dataset;
mod emit;
mod entries;
mod error;
mod file;
mod rng;
mod values;

pub use dataset::{Dataset, catalog, check_name, find, open_dir};
pub use error::DatasetError;
pub use file::FileText;
pub use serbench_schema as schema;
pub use values::Values;
