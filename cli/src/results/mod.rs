//! What a run found: the saved file, from which every table is made.
//!
//! Numbers are raw and in fixed units (bytes, picoseconds, nanoseconds); what can be computed from
//! them, such as percentiles and ratios, is computed when a report is made and never stored.

mod machine;
mod model;
pub mod statistics;
pub mod store;

pub use machine::{Machine, ProcessorTime, memory_for_plugins, warnings};
pub use model::*;
pub use store::{load, save};
