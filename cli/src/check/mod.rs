//! `serbench check`: holds plugins to the contract of `serbench.h`, one promise after another. What
//! loads a plugin is a worker process; here it is decided what is asked of it, and what a death
//! means.

mod draw;
mod exports;
mod host;
mod material;
mod promises;
pub mod random;
mod report;
mod suite;

pub use material::Material;
pub use report::{Outcome as Result, Report};
pub use suite::Suite;
