//! Checks plugins against the contract: every codec on every dataset.
//!
//!     serbench-conformance target/debug/libserbench_codec_*.so
//!     serbench-conformance --codec 'rmp*' --dataset log ./plugins
//!
//! A value must come back as it went in, by its checksum and by its bytes, in every mode, and be
//! written alike each time; a checked codec must answer bytes that are cut short or altered with an
//! error or a valid value. Each plugin runs in a process of its own, so that what one of them does
//! ends nothing else. A debug build checks more: there the standard library refuses misuse of
//! unsafe functions.

mod child;
mod hostile;
mod parent;
mod plugin;
mod protocol;
mod random;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use globset::Glob;

#[derive(Parser)]
#[command(version, about = "Checks plugins against the contract of serbench.h")]
struct Args {
    /// Plugins, or folders of them.
    #[arg(required = true)]
    plugins: Vec<PathBuf>,
    /// Only codecs whose id matches.
    #[arg(long, default_value = "*")]
    codec: Glob,
    /// Only datasets whose name matches.
    #[arg(long, default_value = "*")]
    dataset: Glob,
    /// Prints which codec carries which dataset, as a Markdown table, in place of a line for each.
    #[arg(long)]
    table: bool,
    /// In the process of one plugin: how many pairs of codec and dataset are done already.
    #[arg(long, hide = true)]
    resume: Option<usize>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match args.resume {
        Some(done) => child::run(&args, done),
        None => parent::run(&args),
    }
}
