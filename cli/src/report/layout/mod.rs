//! The layouts: what a report says of the results. One file each.

mod intervals;
mod notes;
mod operations;
mod raw;
mod relative;
mod spread;
mod summary;

use super::{Document, Filter};
use crate::args::{Layout as Name, ReportArgs};
use crate::results::Results;

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

/// The zstd levels of all runs, 3 and 22 among them, so that the columns do not depend on the run.
fn zstd_levels(results: &Results) -> Vec<i32> {
    let mut levels = vec![3, 22];
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
