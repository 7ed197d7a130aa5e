//! `serbench dataset`: folders of a user's own, and what is in any dataset.

mod check;
mod new;
mod show;

use clap::{Args, Subcommand};

use crate::error::{Error, Outcome};

/// Make, check and show datasets
#[derive(Debug, Args)]
pub struct DatasetArgs {
    #[command(subcommand)]
    action: Action,
}

/// What to do.
#[derive(Debug, Subcommand)]
enum Action {
    New(new::NewArgs),
    Check(check::CheckArgs),
    Show(show::ShowArgs),
}

/// Carries it out.
pub fn dataset(args: &DatasetArgs) -> Result<Outcome, Error> {
    match &args.action {
        Action::New(args) => new::new(args),
        Action::Check(args) => check::check(args),
        Action::Show(args) => show::show(args),
    }
}
