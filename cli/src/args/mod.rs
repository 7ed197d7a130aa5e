//! The command line: what the commands share. Each command's own arguments stand in its file.

mod globs;
mod quantity;

pub use globs::{Globs, did_you_mean};
pub use quantity::{bits_per_second, duration, fraction, shard};

use std::path::{Path, PathBuf};

use clap::{Args, Parser, ValueEnum};

use crate::cmd::Command;
use crate::process::WorkerOptions;
use crate::results::memory_for_plugins;

/// What the exit code of every command means.
pub const EXIT_CODES: &str = "\
Exit codes:
  0    all well
  1    some codec or plugin failed, crashed or was wrong (its row says why), or a file could not
       be saved
  2    bad usage, or nothing to run
  130  stopped by Ctrl-C; what was measured is printed and saved";

/// Which serialization format and library should I use for this data?
///
/// serbench loads codec plugins (shared libraries written in Rust, C++, C or anything that exports
/// C functions), hands all of them the same data, checks every result, and times them under one
/// clock in paired rounds. A codec that does not round-trip gets an error, not a time.
#[derive(Debug, Parser)]
#[command(name = "serbench", version, after_help = EXIT_CODES, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Where the plugins are.
#[derive(Debug, Clone, Args)]
pub struct PluginArgs {
    /// A plugin, or a folder of plugins; repeatable
    ///
    /// Without it, plugins are looked for in ./plugins, in the folder `plugins` beside this
    /// program, and in the folders of SERBENCH_PLUGIN_PATH (separated by ':'). A file of the same
    /// name in a later place is passed over.
    #[arg(long, short, value_name = "FILE|DIR", num_args = 1..)]
    pub plugins: Vec<PathBuf>,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub workers: WorkerArgs,
}

/// How plugins are run.
#[derive(Debug, Clone, Args)]
pub struct WorkerArgs {
    /// End a plugin that shows no progress for this long
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = duration)]
    pub timeout: std::time::Duration,

    /// Let plugins use the network, start processes, write files and take any amount of memory
    #[arg(long)]
    pub no_sandbox: bool,
}

impl WorkerArgs {
    /// The same for the processes, whose files go to this folder.
    pub fn options(&self, temp_dir: &Path, core: Option<usize>) -> WorkerOptions {
        WorkerOptions {
            temp_dir: temp_dir.to_owned(),
            core,
            timeout: self.timeout,
            memory_bytes: (!self.no_sandbox).then(memory_for_plugins),
        }
    }
}

/// Which rows a report shows.
#[derive(Debug, Clone, Args)]
pub struct FilterArgs {
    /// Only codecs whose id matches, such as `postcard` or 'serde_*'; repeatable
    #[arg(long, short, value_name = "GLOB", num_args = 1..)]
    pub codec: Vec<String>,
}

/// How a report is made.
#[derive(Debug, Clone, Args)]
pub struct ReportArgs {
    /// How the output is written
    #[arg(long, short, value_enum, default_value_t = ReportFormat::Table)]
    pub format: ReportFormat,

    /// Which view of the results is shown
    #[arg(long, short, value_enum, default_value_t = Layout::Raw)]
    pub layout: Layout,

    /// Only these columns, by the names they have in CSV or in the table's head
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    pub columns: Vec<String>,

    /// Sort the rows of each table by this column instead, ascending
    #[arg(long, value_name = "COLUMN")]
    pub sort: Option<String>,

    /// The speed of the link that the summary is about, such as 100mbit or 10gbit
    #[arg(long, value_name = "SPEED", default_value = "1gbit", value_parser = bits_per_second)]
    pub link: f64,

    /// Write to this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Also draw charts into this folder, as SVG files
    #[arg(long, value_name = "DIR")]
    pub charts: Option<PathBuf>,
}

/// How output is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For the screen: fits the terminal, human units
    Table,
    /// For GitHub and the like, human units
    Markdown,
    /// Raw numbers in fixed units
    Csv,
    /// An array of objects: raw numbers in fixed units
    Json,
}

/// How a report of results is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For the screen: fits the terminal, human units
    Table,
    /// For GitHub and the like, human units
    Markdown,
    /// Raw numbers in fixed units
    Csv,
    /// An array of objects: raw numbers in fixed units
    Json,
    /// One self-contained page with charts; it has every view, so --layout does not matter
    Html,
}

impl ReportFormat {
    /// The same as a format that any document can be written in; the page is none.
    pub fn of_documents(self) -> Option<Format> {
        match self {
            Self::Table => Some(Format::Table),
            Self::Markdown => Some(Format::Markdown),
            Self::Csv => Some(Format::Csv),
            Self::Json => Some(Format::Json),
            Self::Html => None,
        }
    }
}

/// Which view of the results is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Layout {
    /// Sizes and times of every codec, by dataset
    Raw,
    /// Everything divided by the best in the dataset, as geometric means over the datasets
    Relative,
    /// Medians with the range over rounds, and the size's overhead; sorted by round trip
    Spread,
    /// Every operation, grouped by format, for aligned and misaligned input
    Operations,
    /// A line for each operation: [low estimate high]
    Intervals,
    /// For a person in a hurry: the winners, and what a choice means for a link
    Summary,
}
