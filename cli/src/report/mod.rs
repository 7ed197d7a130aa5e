//! Views of results: a layout makes a document of them, a format writes it. N layouts and M
//! formats, in N + M files.

pub mod charts;
mod document;
mod figures;
pub mod format;
mod html;
pub mod layout;
mod select;
pub mod units;

pub use document::{Align, Cell, Column, Document, Shown, Table, Value};
pub use figures::{Figures, Times};
pub use layout::op_name;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use crate::args::{Format, Globs, ReportArgs, did_you_mean};
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
    let is_page = args.format.of_documents().is_none();
    if is_page && args.out.is_none() && io::stdout().is_terminal() {
        return Err(Error::usage(
            "the page is for a browser, not for a terminal; name a file with --out page.html",
        ));
    }
    let report = render(results, filter, args)?;
    if let Some(folder) = &args.charts {
        charts::write(results, filter, folder)?;
    }
    deliver(&report, args.out.as_deref())
}

/// Makes a report as the command line asks.
pub fn render(results: &Results, filter: &Filter, args: &ReportArgs) -> Result<Vec<u8>, Error> {
    let nothing = || {
        Error::usage(match results.has_rows() {
            true => "no rows are left: the filters match nothing in these results",
            false => "there are no rows in these results: nothing was measured",
        })
    };
    let out = args.out.as_deref();
    let Some(format) = args.format.of_documents() else {
        if !filter.leaves_rows(results) {
            return Err(nothing());
        }
        return Ok(html::page(results, filter).into_bytes());
    };
    layout::check_modes(args.layout, results)?;
    let mut document = layout::of(args).document(results, filter);
    document.tables.retain(|table| !table.rows.is_empty());
    if document.tables.is_empty() {
        return Err(nothing());
    }
    if let Some(column) = &args.sort {
        select::sort(&mut document, column)?;
    }
    if !args.columns.is_empty() {
        select::columns(&mut document, &args.columns)?;
    }
    Ok(text(&document, format, out))
}

/// Writes a document in that format to stdout, or to a file.
pub fn print(document: &Document, format: Format, out: Option<&Path>) -> Result<(), Error> {
    deliver(&text(document, format, out), out)
}

fn text(document: &Document, format: Format, out: Option<&Path>) -> Vec<u8> {
    let screen = match out {
        None => format::Screen::new(io::stdout().is_terminal()),
        Some(_) => format::Screen::file(),
    };
    let mut text = Vec::new();
    format::of(format).write(document, &screen, &mut text);
    text
}

/// Writes text to stdout, or to a file.
pub fn deliver(text: &[u8], out: Option<&Path>) -> Result<(), Error> {
    let Some(path) = out else {
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(text).and_then(|()| stdout.flush());
        return written.map_err(|error| Error::output(&error));
    };
    std::fs::write(path, text).map_err(|error| {
        Error::failed(format!(
            "cannot write {}: {error}; name another place with --out FILE",
            path.display()
        ))
    })
}

impl Filter {
    /// Refuses a name or pattern that nothing in these results matches: it is most likely a slip.
    pub fn check(&self, results: &[&Results]) -> Result<(), Error> {
        let runs = results.iter().flat_map(|results| &results.runs);
        let datasets = runs.flat_map(|run| &run.datasets);
        let names = datasets.clone().map(|dataset| dataset.name.as_str());
        let rows = datasets.flat_map(|dataset| &dataset.rows);
        let codecs = rows.map(|row| row.codec.as_str());
        matches("dataset", &self.datasets, names)?;
        matches("codec", &self.codecs, codecs)
    }

    /// Whether any row passes.
    fn leaves_rows(&self, results: &Results) -> bool {
        let datasets = results.runs.iter().flat_map(|run| &run.datasets);
        datasets
            .filter(|dataset| self.datasets.pass(&dataset.name))
            .any(|dataset| dataset.rows.iter().any(|row| self.codecs.pass(&row.codec)))
    }
}

fn matches<'a>(
    what: &str,
    globs: &Globs,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Result<(), Error> {
    let Some(missing) = globs.first_without_match(names.clone()) else {
        return Ok(());
    };
    let known = names.collect::<BTreeSet<_>>();
    Err(Error::usage(format!(
        "no rows are left: no {what} in these results matches {missing:?}{}",
        did_you_mean(missing, known.into_iter())
    )))
}
