//! What codecs made of damaged messages: columns that people see where it was counted.

use crate::protocol::Outcomes;
use crate::report::{Align, Cell, Column, Figures, Shown, Value, units};
use crate::results::{DatasetResult, Row};

/// The name in CSV, the name for people, and the count.
type Kind = (&'static str, &'static str, fn(&Outcomes) -> u64);

const KINDS: [Kind; 7] = [
    ("rejected", "rejected", |found| found.rejected),
    ("accepted", "accepted", |found| found.accepted),
    ("wrong", "wrong", |found| found.wrong),
    ("crashed", "crashed", |found| found.crashed),
    ("hung", "hung", |found| found.hung),
    ("out_of_bounds", "out of bounds", |found| {
        found.out_of_bounds
    }),
    ("over_allocated", "over-alloc.", |found| {
        found.over_allocated
    }),
];

/// The counts are given per so many inputs.
const PER: f64 = 10_000.0;

const NOTE: &str = "rejected … over-alloc.: of 10,000 damaged messages (cut short, bits turned \
                    over, random bytes, huge lengths), how many gave an error, a valid value, or \
                    something that is none; on how many the codec crashed, hung, touched memory \
                    out of bounds, or asked for too much of it.";

/// The columns, for a dataset, with what they mean.
pub fn columns(dataset: &DatasetResult) -> Vec<Column> {
    let shown = match dataset.rows.iter().any(|row| row.robustness.is_some()) {
        true => Shown::Both,
        false => Shown::Machines,
    };
    let column = |(id, head, _): Kind| Column {
        shown,
        ..Column::new(format!("robustness_{id}"), head, Align::Right, 2).with_note(NOTE)
    };
    let inputs = Column::machine("robustness_inputs");
    std::iter::once(inputs).chain(KINDS.map(column)).collect()
}

fn counted(row: &Row) -> Option<&Outcomes> {
    row.robustness.as_ref().filter(|found| found.inputs > 0)
}

/// What came of 10,000 damaged messages, where it was counted.
pub fn rates(row: &Row) -> Option<[f64; KINDS.len()]> {
    let found = counted(row)?;
    Some(KINDS.map(|(_, _, count)| count(found) as f64 * PER / found.inputs as f64))
}

/// The cells of a row.
pub fn cells(row: &Figures<'_>) -> Vec<Cell> {
    let inputs = counted(row.row).map(|found| found.inputs);
    let cells: [Cell; KINDS.len()] = match rates(row.row) {
        None => Default::default(),
        Some(rates) => rates
            .map(|rate| Cell::with_text(Value::Number(rate), units::grouped(rate.round() as u64))),
    };
    std::iter::once(Value::or_none(inputs, Value::Count).into())
        .chain(cells)
        .collect()
}
