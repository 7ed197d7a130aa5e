//! A comparison as a table.

use std::cmp::Ordering;

use super::{Comparison, Line, Measure, Rules, Verdict};
use crate::protocol::Op;
use crate::report::{Align, Cell, Column, Document, Table, Value, units};
use crate::results::statistics::Estimate;

/// Makes a table of what changed; with `all`, of everything.
pub fn document(comparison: &Comparison<'_>, rules: &Rules<'_>, all: bool) -> Document {
    let mut lines = comparison
        .lines
        .iter()
        .filter(|line| all || line.verdict != Verdict::Same)
        .collect::<Vec<_>>();
    lines.sort_by(|a, b| order(a, b));
    let absolute = rules.relative_to.is_none();
    let rows = lines.iter().map(|line| cells(line, absolute)).collect();
    Document {
        tables: vec![Table {
            title: title(comparison, rules),
            columns: columns(comparison.several_machines),
            rows,
            notes: notes(comparison, rules),
        }],
        notes: comparison.notes.clone(),
    }
}

/// The worst first; what is equally grave, by how far it went, to the per cent.
fn order(a: &Line<'_>, b: &Line<'_>) -> Ordering {
    let distance = |line: &Line<'_>| {
        let far = |ratio: Estimate| (ratio.value.ln().abs() * 100.0).round();
        line.ratio.map_or(f64::INFINITY, far)
    };
    a.verdict
        .cmp(&b.verdict)
        .then(distance(b).total_cmp(&distance(a)))
        .then_with(|| (a.dataset, a.codec).cmp(&(b.dataset, b.codec)))
}

fn title(comparison: &Comparison<'_>, rules: &Rules<'_>) -> String {
    let count = |verdict| {
        comparison
            .lines
            .iter()
            .filter(|line| line.verdict == verdict)
            .count()
    };
    let regressions = count(Verdict::Regression);
    format!(
        "{regressions} {} beyond {}, {} worse within it, {} better, {} not separated",
        if regressions == 1 {
            "regression"
        } else {
            "regressions"
        },
        units::percent(rules.limit),
        count(Verdict::Worse),
        count(Verdict::Better),
        count(Verdict::Same),
    )
}

fn notes(comparison: &Comparison<'_>, rules: &Rules<'_>) -> Vec<String> {
    let mut notes = vec![
        "Ratios are NEW over BASE, less is better; the interval is made of both files' 95 % \
         intervals over rounds, and only a ratio whose interval leaves out 1 counts."
            .to_owned(),
    ];
    if let Some(codec) = rules.relative_to {
        notes.push(format!(
            "Times are ratios to {codec}, paired by round within each file."
        ));
    }
    let bare = |line: &&Line<'_>| line.ratio.is_some_and(|ratio| ratio.interval.is_none());
    let bare = comparison.lines.iter().filter(bare).count();
    if bare > 0 {
        notes.push(format!(
            "{bare} ratios have no interval, for one of the files has too few rounds, and count as \
             not separated; a larger --budget helps."
        ));
    }
    notes
}

fn columns(several_machines: bool) -> Vec<Column> {
    let left = |id: &str, rank| Column::new(id, id, Align::Left, rank);
    let right = |id: &str, head: &str| Column::new(id, head, Align::Right, 0);
    let mut machine = left("machine", 1);
    if !several_machines {
        machine = Column::machine("machine");
    }
    vec![
        left("dataset", 0),
        left("codec", 0),
        left("measure", 0),
        machine,
        Column::machine("verdict"),
        right("base", "base"),
        right("new", "new"),
        right("ratio", "ratio"),
        Column::machine("ratio_low"),
        Column::machine("ratio_high"),
        Column::people("change", "change", Align::Left, 0),
        Column::machine("reason"),
    ]
}

fn cells(line: &Line<'_>, absolute: bool) -> Vec<Cell> {
    let number = |number| Cell::from(Value::or_none(number, Value::Number));
    let interval = line.ratio.and_then(|ratio| ratio.interval);
    let ratio = line.ratio.map_or_else(Cell::default, |ratio| {
        Cell::with_text(Value::Number(ratio.value), ratio_text(&ratio, line.measure))
    });
    let value = |estimate: Option<Estimate>| {
        let unit = match line.measure {
            Measure::Size => Value::Bytes,
            Measure::Time(_) if absolute => Value::Nanoseconds,
            Measure::Time(_) | Measure::Status => Value::Number,
        };
        Cell::from(Value::or_none(
            estimate.map(|estimate| estimate.value),
            unit,
        ))
    };
    let reason = line.reason.map(|reason| Value::Text(reason.to_owned()));
    vec![
        line.dataset.into(),
        line.codec.into(),
        Cell::with_text(
            Value::Text(line.measure.name().to_owned()),
            head(line.measure),
        ),
        line.machine.cpu.as_str().into(),
        line.verdict.name().into(),
        value(line.base),
        value(line.new),
        ratio,
        number(interval.map(|(low, _)| low)),
        number(interval.map(|(_, high)| high)),
        change(line).into(),
        reason.unwrap_or_default().into(),
    ]
}

fn head(measure: Measure) -> &'static str {
    match measure {
        Measure::Time(Op::RoundTrip) => "ser+deser",
        Measure::Time(Op::DeserializeRead) => "deser+read",
        other => other.name(),
    }
}

/// "1.123 [1.101 – 1.140]"; a size has no interval.
fn ratio_text(ratio: &Estimate, measure: Measure) -> String {
    match ratio.interval {
        Some((low, high)) if measure != Measure::Size => {
            format!("{:.3} [{low:.3} – {high:.3}]", ratio.value)
        }
        _ => format!("{:.3}", ratio.value),
    }
}

/// The change in words.
fn change(line: &Line<'_>) -> String {
    let words = match (line.measure, line.verdict) {
        (Measure::Status, Verdict::Better) => return "has a result now".to_owned(),
        (Measure::Status, _) => {
            let reason = line.reason.unwrap_or("no reason is recorded");
            return format!("✗ has no result any more: {reason}");
        }
        (_, Verdict::Same) => return "not separated".to_owned(),
        (_, Verdict::Apart) => return "another machine".to_owned(),
        (Measure::Size, Verdict::Better) => "smaller",
        (Measure::Size, _) => "larger",
        (_, Verdict::Better) => "faster",
        (_, _) => "slower",
    };
    let mark = if line.verdict == Verdict::Regression {
        "✗ "
    } else {
        ""
    };
    let fraction = line.ratio.map_or(0.0, |ratio| (ratio.value - 1.0).abs());
    format!("{mark}{} {words}", units::percent(fraction))
}
