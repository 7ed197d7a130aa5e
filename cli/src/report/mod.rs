//! Views of results: a layout makes a document of them, a format writes it. N layouts and M
//! formats, in N + M files.

mod document;
mod figures;
pub mod format;
pub mod layout;
mod select;
mod units;

pub use document::{Align, Cell, Column, Document, Shown, Table, Value};
pub use figures::Figures;

use std::io::{self, IsTerminal, Write};

use crate::args::{Globs, ReportArgs};
use crate::error::Error;
use crate::results::Results;

/// Which rows are shown.
pub struct Filter {
    /// By the codec's id.
    pub codecs: Globs,
    /// By the dataset's name.
    pub datasets: Globs,
}

/// Makes a report as the command line asks, and writes it to where it says.
pub fn write(results: &Results, filter: &Filter, args: &ReportArgs) -> Result<(), Error> {
    let mut document = layout::of(args.layout).document(results, filter);
    if document.tables.iter().all(|table| table.rows.is_empty()) {
        return Err(Error::usage(
            "no rows are left: the filters match nothing in these results",
        ));
    }
    if let Some(column) = &args.sort {
        select::sort(&mut document, column)?;
    }
    if !args.columns.is_empty() {
        select::columns(&mut document, &args.columns)?;
    }
    print(&document, args)
}

/// Writes a document in the format and to the place that the command line asks for.
pub fn print(document: &Document, args: &ReportArgs) -> Result<(), Error> {
    let format = format::of(args.format);
    let mut text = Vec::new();
    match &args.out {
        None => {
            let stdout = io::stdout();
            let screen = format::Screen::new(stdout.is_terminal());
            format.write(document, &screen, &mut text);
            let mut stdout = stdout.lock();
            stdout
                .write_all(&text)
                .and_then(|()| stdout.flush())
                .map_err(|error| Error::output(&error))
        }
        Some(path) => {
            format.write(document, &format::Screen::file(), &mut text);
            std::fs::write(path, text)
                .map_err(|error| Error::failed(format!("cannot write {}: {error}", path.display())))
        }
    }
}
