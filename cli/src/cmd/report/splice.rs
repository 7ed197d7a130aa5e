//! `serbench report --splice`: tables in a Markdown file, each beneath the command that makes it.

use std::fs;
use std::path::Path;

use clap::Parser;

use crate::args::{Cli, ReportFormat};
use crate::cmd::Command;
use crate::error::Error;
use crate::report;

const BEGIN: &str = "<!-- serbench report ";
const CLOSE: &str = "-->";
const END: &str = "<!-- serbench end -->";

/// Makes every table of the file anew. The file is written only when all of them could be made.
pub fn splice(path: &Path) -> Result<(), Error> {
    let cannot = |what: &str, error: &dyn std::fmt::Display| {
        Error::failed(format!("cannot {what} {}: {error}", path.display()))
    };
    let text = fs::read_to_string(path).map_err(|error| cannot("read", &error))?;
    let spliced = replace(&text, table)
        .map_err(|message| Error::usage(format!("{}: {message}", path.display())))?;
    if spliced != text {
        fs::write(path, spliced).map_err(|error| cannot("write", &error))?;
    }
    Ok(())
}

/// Replaces what stands between the markers by what `make` makes of the command.
fn replace(text: &str, make: impl Fn(&str) -> Result<String, String>) -> Result<String, String> {
    let mut replaced = String::new();
    let mut lines = text.split_inclusive('\n').enumerate();
    let mut tables = 0;
    while let Some((number, line)) = lines.next() {
        replaced += line;
        let marker = line.trim();
        let Some(command) = marker
            .strip_prefix(BEGIN)
            .and_then(|rest| rest.strip_suffix(CLOSE))
        else {
            continue;
        };
        let place = |message: String| format!("line {}: {message}", number + 1);
        let Some((_, end)) = lines.find(|(_, line)| line.trim() == END) else {
            return Err(place(format!("the table has no end: {END} is missing")));
        };
        let table = make(command.trim()).map_err(place)?;
        replaced += &format!("\n{}\n\n{end}", table.trim());
        tables += 1;
    }
    match tables {
        0 => Err(format!("there is no line {BEGIN}FILE … {CLOSE}")),
        _ => Ok(replaced),
    }
}

/// The table that a command makes, and the command.
fn table(command: &str) -> Result<String, String> {
    let words = shlex::split(command).ok_or("the quotes in the command do not match")?;
    let words = ["serbench".to_owned(), "report".to_owned()]
        .into_iter()
        .chain(words);
    let cli = Cli::try_parse_from(words).map_err(|error| error.to_string())?;
    let Command::Report(mut args) = cli.command else {
        return Err("only reports can be spliced in".to_owned());
    };
    args.report.format = ReportFormat::Markdown;
    if args.splice.is_some() {
        return Err("a table cannot be spliced into another".to_owned());
    }
    let render = || {
        let (results, filter) = args.load()?;
        report::render(&results, &filter, &args.report)
    };
    let text = render().map_err(|error| error.to_string())?;
    let text = String::from_utf8(text).map_err(|error| error.to_string())?;
    Ok(format!(
        "{}\n\nMade by `serbench report {command}`.",
        text.trim_end()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shout(command: &str) -> Result<String, String> {
        match command {
            "bad" => Err("no".to_owned()),
            command => Ok(command.to_uppercase()),
        }
    }

    #[test]
    fn only_what_is_between_the_markers_changes() {
        let text = "a\n<!-- serbench report x y -->\nold\n<!-- serbench end -->\nb\n";
        let once = replace(text, shout).unwrap();
        assert_eq!(
            once,
            "a\n<!-- serbench report x y -->\n\nX Y\n\n<!-- serbench end -->\nb\n"
        );
        assert_eq!(replace(&once, shout).unwrap(), once);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let end = replace("a\n<!-- serbench report x -->\nold\n", shout).unwrap_err();
        assert!(end.starts_with("line 2: the table has no end"), "{end}");
        let bad = "<!-- serbench report bad -->\n<!-- serbench end -->\n";
        assert_eq!(replace(bad, shout).unwrap_err(), "line 1: no");
        assert!(replace("nothing\n", shout).is_err());
    }
}
