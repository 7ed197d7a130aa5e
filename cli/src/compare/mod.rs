//! What changed between two results files.
//!
//! The runs of two files were not paired round by round, so the interval of a change is made of
//! the two intervals at hand: its lower end is the lower end of the new one over the upper end of
//! the old one. That is at least as sure as each of them, and only a change whose interval leaves
//! out 1 counts.

mod ci;
mod document;
mod pairs;

pub use ci::{bencher, github_action_benchmark};
pub use document::document;

use std::collections::BTreeSet;

use crate::args::did_you_mean;
use crate::error::Error;
use crate::protocol::Op;
use crate::report::Filter;
use crate::results::statistics::{Estimate, ratio};
use crate::results::{DatasetResult, Machine, Results, Row, Run, Status};
use pairs::Pair;

/// How to compare.
pub struct Rules<'a> {
    /// A change for the worse beyond this fraction is a regression.
    pub limit: f64,
    /// The codec that times are divided by within each run, which takes out how fast the machine
    /// happened to be.
    pub relative_to: Option<&'a str>,
}

/// What changed.
pub struct Comparison<'a> {
    /// Every number that both files have, and every row that has changed its status.
    pub lines: Vec<Line<'a>>,
    /// What else a reader must know.
    pub notes: Vec<String>,
    /// Whether more than one machine takes part.
    pub several_machines: bool,
}

/// One thing that both files tell.
pub struct Line<'a> {
    /// The dataset's name.
    pub dataset: &'a str,
    /// The codec's id.
    pub codec: &'a str,
    /// Where the new one was measured.
    pub machine: &'a Machine,
    /// What was measured.
    pub measure: Measure,
    /// The old number.
    pub base: Option<Estimate>,
    /// The new number.
    pub new: Option<Estimate>,
    /// New over old; none across machines, where it would tell nothing of the codec.
    pub ratio: Option<Estimate>,
    /// What to think of it.
    pub verdict: Verdict,
    /// Why a row has no numbers any more.
    pub reason: Option<&'a str>,
}

/// What was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The mean size of a value.
    Size,
    /// The mean time of a call, or its ratio to the codec that times are relative to.
    Time(Op),
    /// Whether there is a result at all.
    Status,
}

/// What to think of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Worse beyond the limit, or without a result where there was one.
    Regression,
    /// Worse within the limit.
    Worse,
    /// Better.
    Better,
    /// Not separated.
    Same,
    /// Of different machines, and so not compared.
    Apart,
}

impl Verdict {
    /// The name in machine formats.
    pub fn name(self) -> &'static str {
        match self {
            Self::Regression => "regression",
            Self::Worse => "worse",
            Self::Better => "better",
            Self::Same => "same",
            Self::Apart => "apart",
        }
    }

    fn of(ratio: &Estimate, limit: f64) -> Self {
        match ratio.value {
            _ if !ratio.separated() => Self::Same,
            value if value > 1.0 + limit => Self::Regression,
            value if value > 1.0 => Self::Worse,
            _ => Self::Better,
        }
    }
}

impl Measure {
    /// The name in machine formats.
    pub fn name(self) -> &'static str {
        match self {
            Self::Size => "size",
            Self::Status => "status",
            Self::Time(Op::Serialize) => "serialize",
            Self::Time(Op::Deserialize) => "deserialize",
            Self::Time(Op::Read) => "read",
            Self::Time(Op::RoundTrip) => "round_trip",
            Self::Time(Op::DeserializeRead) => "deserialize_read",
        }
    }
}

impl Comparison<'_> {
    /// Whether something got worse beyond the limit.
    pub fn has_regressions(&self) -> bool {
        self.lines
            .iter()
            .any(|line| line.verdict == Verdict::Regression)
    }
}

/// Compares two results.
pub fn compare<'a>(
    base: &'a Results,
    new: &'a Results,
    filter: &Filter,
    rules: &Rules<'_>,
) -> Result<Comparison<'a>, Error> {
    let (pairs, notes) = pairs::of(base, new, filter)?;
    if let Some(codec) = rules.relative_to {
        for (name, results) in [("BASE", base), ("NEW", new)] {
            look_for(codec, name, results)?;
        }
    }
    let machines = pairs
        .iter()
        .flat_map(|pair| [&pair.base.run.machine, &pair.new.run.machine]);
    let several_machines = machines.map(identity).collect::<BTreeSet<_>>().len() > 1;
    let lines = pairs.iter().flat_map(|pair| lines(pair, rules)).collect();
    Ok(Comparison {
        lines,
        notes,
        several_machines,
    })
}

/// Without the codec that times are relative to, no time would be compared, and all seem well.
fn look_for(codec: &str, name: &str, results: &Results) -> Result<(), Error> {
    let datasets = results.runs.iter().flat_map(|run| &run.datasets);
    let rows = datasets.flat_map(|dataset| &dataset.rows);
    let timed = rows.filter(|row| !row.timings.is_empty());
    let timed = timed.map(|row| row.codec.as_str()).collect::<BTreeSet<_>>();
    if timed.contains(codec) {
        return Ok(());
    }
    let hint = did_you_mean(codec, timed.into_iter());
    Err(Error::usage(format!(
        "--relative-to {codec}: {name} has no times of that codec{hint}"
    )))
}

/// What makes two machines the same, as far as a results file can tell.
fn identity(machine: &Machine) -> (&str, &str, usize) {
    (&machine.cpu, &machine.arch, machine.cores)
}

fn lines<'a>(pair: &Pair<'a>, rules: &Rules<'_>) -> Vec<Line<'a>> {
    let (base, new) = (pair.base.row, pair.new.row);
    if base.status != Status::Ok || new.status != Status::Ok {
        return status(pair).into_iter().collect();
    }
    let mut lines = Vec::new();
    lines.extend(size(pair, rules));
    lines.extend(new.timings.keys().filter_map(|op| time(pair, *op, rules)));
    lines
}

impl<'a> Line<'a> {
    fn new(pair: &Pair<'a>, measure: Measure, verdict: Verdict) -> Self {
        Self {
            dataset: &pair.new.dataset.name,
            codec: &pair.new.row.codec,
            machine: &pair.new.run.machine,
            measure,
            base: None,
            new: None,
            ratio: None,
            verdict,
            reason: None,
        }
    }
}

/// A row that has lost its result, or has got one.
fn status<'a>(pair: &Pair<'a>) -> Option<Line<'a>> {
    let (base, new) = (pair.base.row.status, pair.new.row.status);
    let verdict = match (base, new) {
        (Status::Ok, _) => Verdict::Regression,
        (_, Status::Ok) => Verdict::Better,
        (Status::Unsupported, new) if new.is_failure() => Verdict::Regression,
        _ => return None,
    };
    let reason = pair.new.row.reason.as_deref();
    Some(Line {
        reason,
        ..Line::new(pair, Measure::Status, verdict)
    })
}

/// Sizes are exact, on whatever machine.
fn size<'a>(pair: &Pair<'a>, rules: &Rules<'_>) -> Option<Line<'a>> {
    let mean = |dataset: &DatasetResult, row: &Row| {
        let total = row.sizes.as_ref()?.total as f64;
        Some(exact(total / dataset.values.max(1) as f64))
    };
    let base = mean(pair.base.dataset, pair.base.row)?;
    let new = mean(pair.new.dataset, pair.new.row)?;
    if base.value == 0.0 {
        return None;
    }
    let ratio = exact(new.value / base.value);
    let verdict = Verdict::of(&ratio, rules.limit);
    let line = Line::new(pair, Measure::Size, verdict);
    Some(Line {
        base: Some(base),
        new: Some(new),
        ratio: Some(ratio),
        ..line
    })
}

fn exact(value: f64) -> Estimate {
    Estimate {
        value,
        interval: Some((value, value)),
    }
}

fn time<'a>(pair: &Pair<'a>, op: Op, rules: &Rules<'_>) -> Option<Line<'a>> {
    let measured = |side: &pairs::Place<'a>| match rules.relative_to {
        None => side.row.timings.get(&op)?.over_rounds(),
        Some(codec) => relative(side, op, codec),
    };
    let base = measured(&pair.base)?;
    let new = measured(&pair.new)?;
    let ratio = pair.is_of_one_machine().then(|| quotient(&new, &base));
    let verdict = ratio.map_or(Verdict::Apart, |ratio| Verdict::of(&ratio, rules.limit));
    let line = Line::new(pair, Measure::Time(op), verdict);
    Some(Line {
        base: Some(base),
        new: Some(new),
        ratio,
        ..line
    })
}

/// The paired ratio to another codec of the same run.
fn relative(side: &pairs::Place<'_>, op: Op, codec: &str) -> Option<Estimate> {
    let mut rows = side.dataset.rows.iter();
    let other = rows.find(|row| row.codec == codec && row.status == Status::Ok)?;
    let series = side.row.timings.get(&op)?.series();
    ratio(&series, &other.timings.get(&op)?.series())
}

/// The ratio of two estimates that were not measured in pairs.
fn quotient(new: &Estimate, base: &Estimate) -> Estimate {
    let ends = new.interval.zip(base.interval);
    Estimate {
        value: new.value / base.value,
        interval: ends.map(|((low, high), (from, to))| (low / to, high / from)),
    }
}

/// How a run provided buffers, in words.
fn mode(run: &Run) -> String {
    let mode = run.settings.mode;
    format!(
        "{} output and {} input",
        if mode.fresh_output { "fresh" } else { "reused" },
        if mode.misaligned_input {
            "misaligned"
        } else {
            "aligned"
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64, low: f64, high: f64) -> Estimate {
        Estimate {
            value,
            interval: Some((low, high)),
        }
    }

    #[test]
    fn a_quotient_is_as_wide_as_both() {
        let ratio = quotient(&estimate(12.0, 11.0, 13.0), &estimate(10.0, 9.5, 10.5));
        assert_eq!(ratio.value, 1.2);
        assert_eq!(ratio.interval, Some((11.0 / 10.5, 13.0 / 9.5)));
        assert!(ratio.separated());
        let bare = Estimate {
            value: 10.0,
            interval: None,
        };
        assert_eq!(quotient(&bare, &estimate(5.0, 4.0, 6.0)).interval, None);
    }

    #[test]
    fn only_separated_changes_count() {
        let verdict = |value, low, high| Verdict::of(&estimate(value, low, high), 0.05);
        assert_eq!(verdict(1.20, 0.99, 1.40), Verdict::Same);
        assert_eq!(verdict(1.20, 1.01, 1.40), Verdict::Regression);
        assert_eq!(verdict(1.04, 1.01, 1.07), Verdict::Worse);
        assert_eq!(verdict(0.50, 0.40, 0.60), Verdict::Better);
        let bare = Estimate {
            value: 9.0,
            interval: None,
        };
        assert_eq!(Verdict::of(&bare, 0.05), Verdict::Same);
    }
}
