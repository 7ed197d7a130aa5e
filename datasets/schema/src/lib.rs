//! The schema language: what a dataset's types are, how its values are loaded, checked, compared
//! and shown without compiling anything, and the code that carries them at native speed.
//!
//! `datasets/README.md` is the guide to the language and the specification of the canonical
//! encoding.

pub mod canonical;
pub mod codegen;
mod defaults;
pub mod infer;
pub mod json;
pub mod model;
mod normal;
mod parse;
mod print;

pub use defaults::default_bytes;
pub use model::Schema;
pub use parse::{SchemaError, parse, summary};
pub use print::{print, type_text};
