//! The layouts: what a report says of the results. One file each.

mod intervals;
mod notes;
mod operations;
mod raw;
mod relative;
pub(super) mod robustness;
mod runs;
mod spread;
mod summary;

use super::{Document, Filter, Table};
use crate::args::{Layout as Name, ReportArgs};
use crate::error::Error;
use crate::protocol::Mode;
use crate::results::{DatasetResult, Results, Run, ZSTD_LEVELS};

use notes::Legend;
pub use notes::op_name;

/// A view of results.
pub trait Layout {
    /// Makes the document.
    fn document(&self, results: &Results, filter: &Filter) -> Document;
}

/// The layout that the command line asks for.
pub fn of(args: &ReportArgs) -> Box<dyn Layout> {
    match args.layout {
        Name::Raw => Box::new(raw::Raw),
        Name::Relative => Box::new(relative::Relative),
        Name::Spread => Box::new(spread::Spread),
        Name::Operations => Box::new(operations::Operations),
        Name::Intervals => Box::new(intervals::Intervals),
        Name::Summary => Box::new(summary::Summary { link: args.link }),
    }
}

/// Refuses to show runs of different modes as if they could be compared. Only `operations` shows
/// aligned beside misaligned input.
pub fn check_modes(layout: Name, results: &Results) -> Result<(), Error> {
    let mode = |mode: Mode| Mode {
        misaligned_input: mode.misaligned_input && layout != Name::Operations,
        ..mode
    };
    let mut modes = results.runs.iter().map(|run| mode(run.settings.mode));
    let first = modes.next();
    match modes.find(|other| Some(*other) != first) {
        None => Ok(()),
        Some(_) => Err(Error::usage(
            "these runs were measured in different modes (output buffers or input alignment), \
             which are never mixed in one report; report them one by one, or use --layout \
             operations for aligned beside misaligned input",
        )),
    }
}

/// A table for every dataset of every run; beneath them what is said once.
fn by_dataset(
    results: &Results,
    filter: &Filter,
    table: impl Fn(&Run, &DatasetResult, &mut Legend) -> Table,
) -> Document {
    let mut legend = Legend::default();
    let mut tables = Vec::new();
    for (number, run) in (1..).zip(&results.runs) {
        let datasets = run.datasets.iter();
        for dataset in datasets.filter(|dataset| filter.datasets.pass(&dataset.name)) {
            let mut table = table(run, dataset, &mut legend);
            table.title = notes::title(dataset) + &runs::which(results, number);
            runs::tell(&mut table, run, number);
            tables.push(table);
        }
    }
    Document {
        tables,
        notes: legend
            .lines()
            .into_iter()
            .chain(runs::notes(results, filter))
            .collect(),
    }
}

/// The zstd levels of all runs, the default ones among them, so that the columns do not depend on the
/// run.
fn zstd_levels(results: &Results) -> Vec<i32> {
    let mut levels = ZSTD_LEVELS.to_vec();
    let rows = results
        .runs
        .iter()
        .flat_map(|run| &run.datasets)
        .flat_map(|dataset| &dataset.rows);
    for sizes in rows.filter_map(|row| row.sizes.as_ref()) {
        levels.extend(sizes.zstd.iter().map(|zstd| zstd.level));
    }
    levels.sort_unstable();
    levels.dedup();
    levels
}
