//! The catalog of datasets, datasets in folders of a user's own, and what the build scripts of
//! plugins make of both.
//!
//! `README.md` is the guide: the schema language, the canonical encoding, the rules for JSON.

pub mod build;
mod dataset;
#[cfg(feature = "values")]
mod emit;
mod entries;
mod error;
#[cfg(feature = "values")]
mod file;
#[cfg(feature = "values")]
mod rng;
#[cfg(feature = "values")]
mod source;
#[cfg(feature = "values")]
mod values;

pub use dataset::{Dataset, catalog, check_name, find, open_dir};
pub use error::DatasetError;
#[cfg(feature = "values")]
pub use file::FileText;
pub use serbench_schema as schema;
#[cfg(feature = "values")]
pub use values::Values;
