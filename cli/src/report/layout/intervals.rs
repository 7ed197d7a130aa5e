//! `intervals`: a line for each dataset, codec and operation, `time: [low estimate high]`.

use super::{Layout, notes, runs};
use crate::report::{Align, Cell, Column, Document, Figures, Filter, Table, Times, Value, units};
use crate::results::statistics::Estimate;
use crate::results::{DatasetResult, Results};

/// The layout.
pub struct Intervals;

const MEANING: &str = "[low estimate high]: the median over rounds of a slice's mean, with its 95% \
                       interval.";

impl Layout for Intervals {
    fn document(&self, results: &Results, filter: &Filter) -> Document {
        let mut document = Document::default();
        for (number, run) in (1..).zip(&results.runs) {
            let mut rows = Vec::new();
            for dataset in &run.datasets {
                if filter.datasets.pass(&dataset.name) {
                    let mut figures = Figures::of_dataset(run, dataset);
                    figures.retain(|row| filter.codecs.pass(&row.row.codec));
                    rows.extend(figures.iter().flat_map(|row| lines(dataset, row)));
                }
            }
            let mut table = Table {
                title: runs::which(results, number).trim().to_owned(),
                columns: columns(),
                rows,
                notes: Vec::new(),
            };
            runs::tell(&mut table, run, number);
            document.tables.push(table);
        }
        document.notes.push(MEANING.to_owned());
        document.notes.extend(runs::notes(results, filter));
        document
    }
}

fn columns() -> Vec<Column> {
    vec![
        Column::people("name", "dataset/codec/op", Align::Left, 0),
        Column::people("time", "time", Align::Left, 0),
        Column::machine("dataset"),
        Column::machine("codec"),
        Column::machine("op"),
        Column::machine("low_ns"),
        Column::machine("estimate_ns"),
        Column::machine("high_ns"),
        Column::machine("rounds"),
    ]
}

fn lines(dataset: &DatasetResult, row: &Figures<'_>) -> Vec<Vec<Cell>> {
    let line = |(op, times): (_, &Times)| {
        let estimate = times.rounds?;
        let op = notes::op_name(op);
        let time = |time| Cell::from(Value::or_none(time, Value::Nanoseconds));
        Some(vec![
            format!("{}/{}/{op}", dataset.name, row.row.codec).into(),
            text(&estimate).into(),
            dataset.name.as_str().into(),
            row.row.codec.as_str().into(),
            op.into(),
            time(estimate.interval.map(|(low, _)| low)),
            time(Some(estimate.value)),
            time(estimate.interval.map(|(_, high)| high)),
            Value::Count(times.rounds_measured).into(),
        ])
    };
    let times = row.times.iter().map(|(op, times)| (*op, times));
    times.filter_map(line).collect()
}

/// "time: [43.4 ns 44.3 ns 45.2 ns]", or the bare estimate where there are too few rounds.
fn text(estimate: &Estimate) -> String {
    let value = units::time(estimate.value);
    match estimate.interval {
        Some((low, high)) => {
            let (low, high) = (units::time(low), units::time(high));
            format!("time: [{low} {value} {high}]")
        }
        None => format!("time: {value}"),
    }
}
