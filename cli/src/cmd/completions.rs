//! `serbench completions` and `serbench man`: for shells and for `man`, made from the command line's
//! own definition.

use std::io;
use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::args::Cli;
use crate::error::{Error, Outcome};
use crate::report;

/// Print the completions of a shell
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Write the man pages
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write a page for every command into this folder; without it, the first one goes to stdout
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Prints the completions.
pub fn completions(args: &CompletionsArgs) -> Result<Outcome, Error> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "serbench", &mut text);
    report::deliver(&text, None)?;
    Ok(Outcome::Ok)
}

/// Writes the man pages.
pub fn man(args: &ManArgs) -> Result<Outcome, Error> {
    let failed = |error: io::Error| Error::failed(format!("cannot write the man page: {error}"));
    match &args.folder {
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(failed)?;
            clap_mangen::generate_to(Cli::command(), folder).map_err(failed)?;
        }
        None => {
            let mut text = Vec::new();
            clap_mangen::Man::new(Cli::command())
                .render(&mut text)
                .map_err(failed)?;
            report::deliver(&text, None)?;
        }
    }
    Ok(Outcome::Ok)
}
