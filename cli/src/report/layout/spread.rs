//! `spread`: the size with its overhead, and medians with their range over rounds, sorted by the
//! round trip.

use super::notes::{self, Footnotes, Legend};
use super::{Layout, by_dataset};
use crate::protocol::Op;
use crate::report::{Align, Cell, Column, Document, Figures, Filter, Table, Value, units};
use crate::results::{DatasetResult, Results, Run, Status};

/// The layout.
pub struct Spread;

const OPS: [(Op, &str, &str); 3] = [
    (Op::Serialize, "serialize", "serialize"),
    (Op::Deserialize, "deserialize", "deserialize"),
    (Op::RoundTrip, "round_trip", "ser+deser"),
];

impl Layout for Spread {
    fn document(&self, results: &Results, filter: &Filter) -> Document {
        by_dataset(results, filter, |run, dataset, legend| {
            table(run, dataset, filter, legend)
        })
    }
}

const MEANING: &str = "Median over rounds of a slice's mean [least - largest]; size [overhead \
                       against the data in memory].";
const SCHEMA: &str = "(schema): reading needs a schema.";

fn table(run: &Run, dataset: &DatasetResult, filter: &Filter, legend: &mut Legend) -> Table {
    let mut rows = Figures::of_dataset(run, dataset);
    rows.retain(|row| filter.codecs.pass(&row.row.codec));
    let time = |row: &Figures<'_>| {
        let times = row.times.get(&Op::RoundTrip)?;
        Some(times.rounds?.value)
    };
    rows.sort_by(|a, b| {
        let place = |row| (time(row).is_none(), time(row).unwrap_or_default());
        let order = |row: &Figures<'_>| (row.is_baseline(), row.row.status != Status::Ok);
        order(a)
            .cmp(&order(b))
            .then(place(a).partial_cmp(&place(b)).expect("times are numbers"))
    });
    let mut footnotes = Footnotes::default();
    let cells = rows
        .iter()
        .map(|row| cells(run, dataset, row, (&mut footnotes, legend)))
        .collect();
    legend.say(MEANING);
    Table {
        columns: columns(),
        rows: cells,
        notes: footnotes.lines(),
        ..Table::default()
    }
}

fn columns() -> Vec<Column> {
    let mut columns = vec![
        Column::machine("dataset"),
        Column::new("codec", "codec", Align::Left, 0),
        Column::machine("status"),
        Column::machine("reason"),
        Column::new("size_bytes", "size", Align::Right, 1),
        Column::machine("data_bytes"),
        Column::machine("overhead_percent"),
    ];
    for (rank, (_, id, head)) in (2..).zip(OPS) {
        let rank = if id == "round_trip" { 1 } else { rank };
        columns.push(Column::new(
            format!("{id}_median_ns"),
            head,
            Align::Right,
            rank,
        ));
        columns.push(Column::machine(format!("{id}_min_ns")));
        columns.push(Column::machine(format!("{id}_max_ns")));
    }
    columns
}

fn cells(
    run: &Run,
    dataset: &DatasetResult,
    row: &Figures<'_>,
    (footnotes, legend): (&mut Footnotes, &mut Legend),
) -> Vec<Cell> {
    let mut name = notes::codec(run, row, footnotes, legend);
    if row.has("schema") {
        name += " (schema)";
        legend.say(SCHEMA);
    }
    let data = dataset.data_bytes as f64 / dataset.values.max(1) as f64;
    // Of values that are empty there is no overhead.
    let sized = row.size.filter(|_| data > 0.0);
    let overhead = sized.map(|size| (size * 100.0 / data).floor() - 100.0);
    let size = match row.size.zip(overhead) {
        Some((size, overhead)) => Cell::with_text(
            Value::Bytes(size),
            format!("{} [{overhead:+}%]", units::size(size)),
        ),
        None => Value::or_none(row.size, Value::Bytes).into(),
    };
    let mut cells = vec![
        dataset.name.as_str().into(),
        Cell::with_text(Value::Text(row.row.codec.clone()), name),
        row.row.status.name().into(),
        Value::or_none(row.row.reason.clone(), Value::Text).into(),
        size,
        Value::Bytes(data).into(),
        Value::or_none(overhead, Value::Number).into(),
    ];
    for (op, ..) in OPS {
        cells.extend(times(row, op));
    }
    cells
}

/// The median, the least and the largest.
fn times(row: &Figures<'_>, op: Op) -> [Cell; 3] {
    let Some((median, (least, largest))) = row
        .times
        .get(&op)
        .and_then(|times| Some((times.rounds?.value, times.range?)))
    else {
        return Default::default();
    };
    let text = format!(
        "{} [{} - {}]",
        units::time(median),
        units::time(least),
        units::time(largest)
    );
    [
        Cell {
            brief: Some(units::time(median)),
            ..Cell::with_text(Value::Nanoseconds(median), text)
        },
        Value::Nanoseconds(least).into(),
        Value::Nanoseconds(largest).into(),
    ]
}
