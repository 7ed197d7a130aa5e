//! The formats: how a document is written. One file each.

mod csv;
mod json;
mod markdown;
mod table;

use std::env;

use super::{Document, Shown, Table};
use crate::args::Format as Name;

/// A way to write documents. Writing goes to memory, so nothing can fail.
pub trait Format {
    /// Appends the document to `out`.
    fn write(&self, document: &Document, screen: &Screen, out: &mut Vec<u8>);
}

/// The format of that name.
pub fn of(name: Name) -> &'static dyn Format {
    match name {
        Name::Table => &table::Text,
        Name::Markdown => &markdown::Markdown,
        Name::Csv => &csv::Csv,
        Name::Json => &json::Json,
    }
}

/// What the output is shown on.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    /// How many columns it has; none: as many as it takes.
    pub width: Option<usize>,
    /// Whether escape sequences for bold text are understood and wanted.
    pub styled: bool,
}

impl Screen {
    /// That of stdout. COLUMNS overrules the terminal; NO_COLOR switches styles off.
    pub fn new(is_terminal: bool) -> Self {
        let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
        let columns = set("COLUMNS").and_then(|columns| columns.parse().ok());
        let terminal = || {
            let (width, _) = terminal_size::terminal_size()?;
            is_terminal.then_some(usize::from(width.0))
        };
        Self {
            width: columns.or_else(terminal).filter(|width| *width > 0),
            styled: is_terminal
                && set("NO_COLOR").is_none()
                && set("TERM").is_none_or(|terminal| terminal != "dumb"),
        }
    }

    /// A file, which is as wide as it takes.
    pub fn file() -> Self {
        Self {
            width: None,
            styled: false,
        }
    }
}

/// The positions of the columns that machines, or else people, get to see.
fn visible(table: &Table, hidden: Shown) -> Vec<usize> {
    (0..table.columns.len())
        .filter(|column| table.columns[*column].shown != hidden)
        .collect()
}

/// Text on one line: what would break it, or control a terminal, is shown as an escape.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\r' | '\t' => ' '.to_string(),
            c if c.is_control() => c.escape_default().to_string(),
            c => c.to_string(),
        })
        .collect()
}
