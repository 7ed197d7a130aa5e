//! From the text of a `schema.rs` to a [`Schema`].

mod attributes;
mod extent;
mod literal;
mod names;
mod resolve;
mod rules;

use std::fmt;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

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

/// How long a source may be.
const MAX_SOURCE: usize = 64 << 10;
/// How much of the stack a byte of the source may take: syn descends wherever the source nests, which
/// is at every byte if it is nothing but brackets.
const STACK_PER_BYTE: usize = if cfg!(debug_assertions) {
    64 << 10
} else {
    16 << 10
};

/// Parses a schema. `file` is only named in errors.
pub fn parse(source: &str, file: &Path) -> Result<Schema, SchemaError> {
    let failed = |message: String| SchemaError {
        file: file.to_owned(),
        line: 1,
        column: 1,
        message,
    };
    if source.len() > MAX_SOURCE {
        let message = format!("a schema has at most {MAX_SOURCE} bytes");
        return Err(failed(message));
    }
    // Only what is used of a stack is ever taken from the machine.
    let stack = (1 << 20) + source.len() * STACK_PER_BYTE;
    thread::scope(|scope| {
        let parsing = thread::Builder::new()
            .stack_size(stack)
            .spawn_scoped(scope, || parse_here(source, file))
            .map_err(|error| failed(format!("there is no memory to parse it: {error}")))?;
        parsing.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

fn parse_here(source: &str, file: &Path) -> Result<Schema, SchemaError> {
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
    let docs = lines(source).filter_map(|line| line.trim().strip_prefix("//!"));
    let first = docs.map(str::trim).find(|line| !line.is_empty());
    first.unwrap_or_default().to_owned()
}

/// The lines of a text that may go into comments, where a carriage return cannot stand alone.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| line.split('\r'))
}
