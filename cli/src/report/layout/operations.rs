//! `operations`: every operation, grouped by format, with aligned and misaligned input apart.

use std::collections::BTreeMap;

use super::notes::{self, Footnotes, Legend};
use super::{Layout, runs};
use crate::protocol::Op;
use crate::report::{Align, Cell, Column, Document, Figures, Filter, Table, Value};
use crate::results::{DatasetResult, Results, Run, Status};

/// The layout.
pub struct Operations;

const OPS: [(Op, &str, &str, u8); 4] = [
    (Op::Serialize, "serialize", "serialize", 1),
    (Op::Deserialize, "deserialize", "deserialize", 2),
    (Op::Read, "read", "read", 3),
    (Op::DeserializeRead, "deserialize_read", "deser+read", 0),
];

/// What is told of the run besides: all but the input, the last, which has its own column.
const OF_RUN: usize = 4;

impl Layout for Operations {
    fn document(&self, results: &Results, filter: &Filter) -> Document {
        let mut formats = BTreeMap::<String, Group>::new();
        let mut legend = Legend::default();
        for (number, run) in (1..).zip(&results.runs) {
            for dataset in &run.datasets {
                if filter.datasets.pass(&dataset.name) {
                    collect((run, number), dataset, filter, &mut formats, &mut legend);
                }
            }
        }
        let misaligned = |run: &Run| run.settings.mode.misaligned_input;
        let mixed = results.runs.iter().any(misaligned) && !results.runs.iter().all(misaligned);
        let notes = legend.lines().into_iter();
        Document {
            tables: formats
                .into_iter()
                .map(|group| table(group, mixed))
                .collect(),
            notes: notes.chain(runs::notes(results, filter)).collect(),
        }
    }
}

/// The rows of one format, by dataset, codec and run.
#[derive(Default)]
struct Group {
    rows: BTreeMap<(String, String, bool, u64), Vec<Cell>>,
    footnotes: Footnotes,
}

fn collect(
    (run, number): (&Run, u64),
    dataset: &DatasetResult,
    filter: &Filter,
    formats: &mut BTreeMap<String, Group>,
    legend: &mut Legend,
) {
    let rows = Figures::of_dataset(run, dataset);
    for row in rows
        .iter()
        .filter(|row| filter.codecs.pass(&row.row.codec) && row.row.status == Status::Ok)
    {
        let format = row.described.map_or("", |(_, codec)| codec.format.as_str());
        let group = formats.entry(format.to_owned()).or_default();
        let key = (
            dataset.name.clone(),
            row.row.codec.clone(),
            run.settings.mode.misaligned_input,
            number,
        );
        let mut cells = cells(run, dataset, row, (&mut group.footnotes, legend));
        cells.extend(runs::cells(run, number).into_iter().take(OF_RUN));
        group.rows.insert(key, cells);
    }
}

fn table((format, group): (String, Group), mixed: bool) -> Table {
    Table {
        title: format,
        columns: columns(mixed),
        rows: group.rows.into_values().collect(),
        notes: group.footnotes.lines(),
    }
}

/// Where both kinds of input are there, they must be told apart.
fn columns(mixed: bool) -> Vec<Column> {
    let mut columns = vec![
        Column::machine("format"),
        Column::new("dataset", "dataset", Align::Left, 0),
        Column::new("codec", "codec", Align::Left, 0),
        Column::new("input", "input", Align::Left, if mixed { 0 } else { 5 }),
    ];
    for (_, id, head, rank) in OPS {
        columns.push(Column::new(
            format!("{id}_p50_ns"),
            head,
            Align::Right,
            rank,
        ));
    }
    columns.push(Column::new("size_bytes", "size", Align::Right, 1));
    columns.push(Column::new("samples", "samples", Align::Right, 6));
    columns.extend(runs::columns().into_iter().take(OF_RUN));
    columns
}

fn cells(
    run: &Run,
    dataset: &DatasetResult,
    row: &Figures<'_>,
    (footnotes, legend): (&mut Footnotes, &mut Legend),
) -> Vec<Cell> {
    let codec = notes::codec(run, row, footnotes, legend);
    let format = row.described.map_or("", |(_, codec)| codec.format.as_str());
    let mut cells: Vec<Cell> = vec![
        format.into(),
        dataset.name.as_str().into(),
        Cell::with_text(Value::Text(row.row.codec.clone()), codec),
        runs::input(run).into(),
    ];
    for (op, ..) in OPS {
        cells.push(notes::typical(row, op, legend));
    }
    cells.push(Value::or_none(row.size, Value::Bytes).into());
    let samples = row.times.values().map(|times| times.calls).min();
    cells.push(Value::or_none(samples, Value::Count).into());
    cells
}
