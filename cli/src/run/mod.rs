//! Measuring: finds the plugins, checks and times their codecs in paired rounds, and collects what
//! is found. No plugin is ever loaded into this process.

pub mod core;
mod examine;
mod fleet;
mod heap;
pub mod interrupt;
mod lane;
pub mod places;
mod processes;
mod progress;
mod recent;
mod robustness;
mod rounds;
mod session;
mod zstd_sizes;
mod zstd_times;

pub use fleet::{Codec, Fleet};
pub use progress::Progress;
pub use session::{Plan, Session};
pub use zstd_sizes::{main_if_compressing, version as zstd_version};
