//! From the text of a `schema.rs` to a [`Schema`].

mod attributes;
mod literal;
mod names;
mod resolve;
mod rules;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::model::Schema;
pub(crate) use names::{CASES, Case};

/// A schema that is not in the language, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    /// The file, as it was named by the caller.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        write!(f, "{file}:{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for SchemaError {}

/// Parses a schema. `file` is only named in errors.
pub fn parse(source: &str, file: &Path) -> Result<Schema, SchemaError> {
    let schema = syn::parse_file(source).and_then(|ast| resolve::schema(&ast));
    schema.map_err(|error| {
        let start = error.span().start();
        SchemaError {
            file: file.to_owned(),
            line: start.line,
            column: start.column + 1,
            message: error.to_string(),
        }
    })
}

/// The first line of a schema's documentation (`//! …`), or nothing.
pub fn summary(source: &str) -> String {
    let lines = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix("//!"));
    let first = lines.map(str::trim).find(|line| !line.is_empty());
    first.unwrap_or_default().to_owned()
}
