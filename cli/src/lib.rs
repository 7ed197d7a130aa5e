//! `serbench`: which serialization format and library should I use for this data?
//!
//! The commands are in `cmd`, one file each. `run` drives worker processes (`process`, `worker`)
//! that load the plugins (`loader`); it fills a results file (`results`), and every view of one is
//! made by `report`. All of it is a library only so that fuzz targets can reach it; the program is
//! [`main`].

mod args;
mod check;
mod clock;
mod cmd;
mod compare;
mod embedded;
mod error;
mod loader;
mod process;
mod protocol;
mod report;
mod results;
mod run;
mod worker;

#[cfg(any(test, fuzzing))]
#[path = "../fuzz/checks/mod.rs"]
pub mod fuzz;

use std::process::ExitCode;

use clap::Parser;

/// The program.
pub fn main() -> ExitCode {
    if let Some(code) = worker::main_if_worker().or_else(run::main_if_compressing) {
        return code;
    }
    error::report_bugs();
    match cmd::dispatch(args::Cli::parse()) {
        Ok(outcome) => outcome.into(),
        Err(error) => error.report(),
    }
}
