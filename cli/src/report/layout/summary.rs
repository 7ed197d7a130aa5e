//! `summary`: for a person in a hurry. The winners, the front of size against time, and what a
//! choice means for a link.

use super::Layout;
use super::notes::{self, Footnotes};
use crate::protocol::Op;
use crate::report::{Align, Cell, Column, Document, Figures, Filter, Table, Value, units};
use crate::results::{DatasetResult, Results, Run, Status};

/// The layout, for a link of so many bits per second.
pub struct Summary {
    /// The speed.
    pub link: f64,
}

impl Layout for Summary {
    fn document(&self, results: &Results, filter: &Filter) -> Document {
        let mut document = Document::default();
        for run in &results.runs {
            for dataset in &run.datasets {
                if filter.datasets.pass(&dataset.name) {
                    document.tables.push(Table {
                        title: notes::title(run, dataset, results.runs.len() > 1),
                        ..self.table(run, dataset, filter)
                    });
                }
            }
            document.notes.extend(notes::run(run));
        }
        document
    }
}

impl Summary {
    fn table(&self, run: &Run, dataset: &DatasetResult, filter: &Filter) -> Table {
        let mut rows = Figures::of_dataset(run, dataset);
        rows.retain(|row| {
            let counts = row.row.status == Status::Ok && !row.is_baseline();
            counts && filter.codecs.pass(&row.row.codec)
        });
        let mut footnotes = Footnotes::default();
        let cells = rows
            .iter()
            .map(|row| self.cells(run, dataset, row, &rows, &mut footnotes))
            .collect();
        let mut lines = winners(&rows);
        lines.push(format!(
            "● on the front: no other codec is both smaller and faster. On a link of {}, with \
             writing, sending and reading at the same time, the slowest of the three is the \
             bottleneck.",
            link_text(self.link)
        ));
        lines.extend(footnotes.lines());
        Table {
            columns: columns(),
            rows: cells,
            notes: lines,
            ..Table::default()
        }
    }

    fn cells(
        &self,
        run: &Run,
        dataset: &DatasetResult,
        row: &Figures<'_>,
        all: &[Figures<'_>],
        footnotes: &mut Footnotes,
    ) -> Vec<Cell> {
        let front = on_front(row, all);
        let (rate, bottleneck) = match self.rate(row) {
            Some((rate, bottleneck)) => (Value::Number(rate), bottleneck),
            None => (Value::None, units::NOTHING),
        };
        let rate_text = rate
            .number()
            .map(|rate| units::grouped(rate.round() as u64));
        vec![
            dataset.name.as_str().into(),
            Cell::with_text(
                Value::Text(row.row.codec.clone()),
                notes::codec(run, row, footnotes),
            ),
            Cell::with_text(Value::Count(front.into()), if front { "●" } else { "" }),
            Value::or_none(row.size, Value::Bytes).into(),
            Value::or_none(row.typical(Op::Serialize), Value::Nanoseconds).into(),
            Value::or_none(row.typical(Op::DeserializeRead), Value::Nanoseconds).into(),
            Value::or_none(row.both_ways, Value::Nanoseconds).into(),
            Cell {
                value: rate,
                text: rate_text,
            },
            bottleneck.into(),
        ]
    }

    /// How many values a second pass, and which part lets no more through.
    fn rate(&self, row: &Figures<'_>) -> Option<(f64, &'static str)> {
        let send = row.size? * 8.0 / self.link * 1e9;
        let parts = [
            (row.typical(Op::Serialize)?, "write"),
            (send, "link"),
            (row.typical(Op::DeserializeRead)?, "read"),
        ];
        let slowest = parts.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((1e9 / slowest.0, slowest.1))
    }
}

fn columns() -> Vec<Column> {
    let right = |id: &str, head: &str, rank| Column::new(id, head, Align::Right, rank);
    vec![
        Column::machine("dataset"),
        Column::new("codec", "codec", Align::Left, 0),
        Column::new("front", "front", Align::Left, 1),
        right("size_bytes", "size", 1),
        right("write_ns", "write", 3),
        right("read_ns", "read", 3),
        right("both_ways_ns", "both ways", 1),
        right("values_per_second", "values/s", 2),
        Column::new("bottleneck", "bottleneck", Align::Left, 2),
    ]
}

/// Whether no other codec is smaller and faster.
fn on_front(row: &Figures<'_>, all: &[Figures<'_>]) -> bool {
    let point = |row: &Figures<'_>| Option::zip(row.size, row.both_ways);
    let Some((size, time)) = point(row) else {
        return false;
    };
    !all.iter()
        .filter_map(point)
        .any(|(other_size, other_time)| {
            let as_good = other_size <= size && other_time <= time;
            as_good && (other_size < size || other_time < time)
        })
}

/// Who is best at what.
fn winners(rows: &[Figures<'_>]) -> Vec<String> {
    type Of = fn(&Figures<'_>) -> Option<f64>;
    let disciplines: [(&str, Of, fn(f64) -> String); 6] = [
        ("Smallest", |row| row.size, units::size),
        ("Smallest after zstd-3", |row| row.zstd(3), units::size),
        ("Smallest after zstd-22", |row| row.zstd(22), units::size),
        (
            "Fastest to write",
            |row| row.typical(Op::Serialize),
            units::time,
        ),
        (
            "Fastest to read",
            |row| row.typical(Op::DeserializeRead),
            units::time,
        ),
        ("Fastest both ways", |row| row.both_ways, units::time),
    ];
    let winner = |(what, of, text): (&str, Of, fn(f64) -> String)| {
        let of_all = rows.iter().filter_map(|row| Some((of(row)?, row)));
        let (value, row) = of_all.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(format!("{what}: {} ({}).", row.row.codec, text(value)))
    };
    disciplines.into_iter().filter_map(winner).collect()
}

fn link_text(bits_per_second: f64) -> String {
    let (number, unit) = match bits_per_second {
        speed if speed >= 1e9 => (speed / 1e9, "Gbit/s"),
        speed if speed >= 1e6 => (speed / 1e6, "Mbit/s"),
        speed => (speed / 1e3, "kbit/s"),
    };
    format!("{number} {unit}")
}
