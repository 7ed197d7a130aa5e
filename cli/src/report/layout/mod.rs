//! The layouts: what a report says of the results. One file each.

mod notes;
mod raw;

use super::{Document, Filter};
use crate::args::Layout as Name;
use crate::results::Results;

/// A view of results.
pub trait Layout {
    /// Makes the document.
    fn document(&self, results: &Results, filter: &Filter) -> Document;
}

/// The layout of that name.
pub fn of(name: Name) -> &'static dyn Layout {
    match name {
        Name::Raw => &raw::Raw,
    }
}
