//! What was found, as lines for people and as JSON for machines.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Serialize;

/// What was found in one plugin.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Its file.
    pub path: PathBuf,
    /// Its id, where it could be loaded.
    pub plugin: Option<String>,
    /// The ids of its codecs, those that were not chosen included.
    pub codecs: Vec<String>,
    /// The checks, in the order in which they were made.
    pub checks: Vec<Line>,
}

/// What came of one check.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// The codec; none where the check is of the whole plugin.
    pub codec: Option<String>,
    /// What was checked.
    pub check: &'static str,
    /// How it went.
    pub result: Outcome,
    /// On how many datasets.
    pub datasets: usize,
    /// What was looked at, or why nothing was.
    pub detail: String,
    /// What is wrong, dataset by dataset.
    pub failures: Vec<Fault>,
    /// What to do about it.
    pub hint: Option<&'static str>,
}

/// How a check went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The promise was kept.
    Ok,
    /// It was not.
    Failed,
    /// It was not, by a fault of the library that the codec has declared.
    Known,
    /// It was not made.
    Exempt,
}

/// What is wrong.
#[derive(Debug, Clone, Serialize)]
pub struct Fault {
    /// On which dataset.
    pub dataset: Option<String>,
    /// What.
    pub message: String,
}

/// So many faults of a check are shown to people; machines get them all.
const SHOWN: usize = 3;

impl Report {
    /// How many checks went so.
    pub fn count(&self, result: Outcome) -> usize {
        let is_so = |line: &&Line| line.result == result;
        self.checks.iter().filter(is_so).count()
    }

    /// Whether any codec was put to the test on any dataset.
    pub fn tested_something(&self) -> bool {
        let mut lines = self.checks.iter();
        lines.any(|line| line.codec.is_some() && line.datasets > 0)
    }
}

impl Line {
    /// A check that was made, on so many datasets.
    pub fn made(
        codec: Option<&str>,
        (check, hint): (&'static str, &'static str),
        datasets: usize,
        detail: impl Into<String>,
        failures: Vec<Fault>,
    ) -> Self {
        let failed = !failures.is_empty();
        Self {
            codec: codec.map(str::to_owned),
            check,
            result: if failed { Outcome::Failed } else { Outcome::Ok },
            datasets,
            detail: detail.into(),
            failures,
            hint: failed.then_some(hint),
        }
    }

    /// With the faults that the codec has declared, and what it says of them: they are what came of
    /// the check, unless others were found, too.
    pub fn with_known(mut self, known: Vec<Fault>, notes: &str) -> Self {
        if self.result == Outcome::Ok && !known.is_empty() {
            self.result = Outcome::Known;
            self.detail = notes.to_owned();
            self.failures = known;
        }
        self
    }

    /// A check of a promise that was not made.
    pub fn exempt(codec: &str, check: &'static str, why: impl Into<String>) -> Self {
        Self {
            codec: Some(codec.to_owned()),
            check,
            result: Outcome::Exempt,
            datasets: 0,
            detail: why.into(),
            failures: Vec::new(),
            hint: None,
        }
    }

    /// For people: one line, and below it what is wrong and what to do.
    pub fn text(&self, plugin: &str, width: usize) -> String {
        let result = match self.result {
            Outcome::Ok => "ok",
            Outcome::Failed => "FAILED",
            Outcome::Known => "known",
            Outcome::Exempt => "-",
        };
        let name = self.codec.as_deref().unwrap_or(plugin);
        let mut text = format!("{result:<7} {name:<width$}  {:<16}  ", self.check);
        match self.failures.len() {
            0 => text += &self.detail,
            _ if self.datasets == 0 => text += "see below",
            failed => _ = write!(text, "{failed} of {}", count(self.datasets, "dataset")),
        }
        if self.result == Outcome::Known {
            _ = write!(text, ": {}", self.detail);
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        for Fault { dataset, message } in self.failures.iter().take(SHOWN) {
            let dataset = dataset.as_ref().map(|name| format!("{name}: "));
            let _ = writeln!(text, "          {}{message}", dataset.unwrap_or_default());
        }
        if self.failures.len() > SHOWN {
            let more = self.failures.len() - SHOWN;
            let _ = writeln!(
                text,
                "          and {more} more; --format json has them all"
            );
        }
        if let Some(hint) = self.hint {
            let _ = writeln!(text, "          hint: {hint}");
        }
        text
    }
}

impl Fault {
    /// A fault of the plugin, or of a codec on a dataset.
    pub fn new(dataset: Option<&str>, message: impl Into<String>) -> Self {
        Self {
            dataset: dataset.map(str::to_owned),
            message: message.into(),
        }
    }
}

/// "1 dataset", "2 datasets".
pub fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_each_check_and_the_rest_below() {
        let check = ("round trip", "mend it");
        let ok = Line::made(Some("mine"), check, 2, "2 datasets", Vec::new());
        assert_eq!(
            ok.text("p", 6),
            "ok      mine    round trip        2 datasets\n"
        );
        let exempt = Line::exempt("mine", "truncation", "trusted");
        assert_eq!(
            exempt.text("p", 6),
            "-       mine    truncation        trusted\n"
        );
        let known = Line::made(Some("mine"), check, 2, "2 datasets", Vec::new());
        let known = known.with_known(vec![Fault::new(Some("d"), "much")], "asks for much");
        assert_eq!(
            known.text("p", 6),
            "known   mine    round trip        1 of 2 datasets: asks for much\n          d: much\n"
        );
        let faults = (0..5).map(|n| Fault::new(Some(&format!("d{n}")), "lost"));
        let failed = Line::made(Some("mine"), check, 9, "", faults.collect());
        let text = failed.text("p", 6);
        let lines: Vec<_> = text.lines().map(str::trim).collect();
        assert_eq!(
            lines,
            [
                "FAILED  mine    round trip        5 of 9 datasets",
                "d0: lost",
                "d1: lost",
                "d2: lost",
                "and 2 more; --format json has them all",
                "hint: mend it"
            ]
        );
    }
}
