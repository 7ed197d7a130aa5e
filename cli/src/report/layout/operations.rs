//! `operations`: every operation, grouped by format, with aligned and misaligned input apart.

use std::collections::BTreeMap;

use super::Layout;
use super::notes::{self, Footnotes};
use crate::protocol::Op;
use crate::report::{Align, Cell, Column, Document, Figures, Filter, Table, Value};
use crate::results::{DatasetResult, Results, Run, Status};

/// The layout.
pub struct Operations;

const OPS: [(Op, &str, &str, u8); 4] = [
    (Op::Serialize, "serialize", "serialize", 1),
    (Op::Deserialize, "deserialize", "deserialize", 2),
    (Op::Read, "read", "read", 3),
    (Op::DeserializeRead, "deserialize_read", "deser+read", 1),
];

impl Layout for Operations {
    fn document(&self, results: &Results, filter: &Filter) -> Document {
        let mut formats = BTreeMap::<String, Group>::new();
        for run in &results.runs {
            for dataset in &run.datasets {
                if filter.datasets.pass(&dataset.name) {
                    collect(run, dataset, filter, &mut formats);
                }
            }
        }
        Document {
            tables: formats.into_iter().map(table).collect(),
            notes: results.runs.iter().flat_map(notes::run).collect(),
        }
    }
}

/// The rows of one format, by dataset, codec and run.
#[derive(Default)]
struct Group {
    rows: BTreeMap<(String, String, bool, usize), Vec<Cell>>,
    footnotes: Footnotes,
}

fn collect(
    run: &Run,
    dataset: &DatasetResult,
    filter: &Filter,
    formats: &mut BTreeMap<String, Group>,
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
            group.rows.len(),
        );
        let cells = cells(run, dataset, row, format, &mut group.footnotes);
        group.rows.insert(key, cells);
    }
}

fn table((format, group): (String, Group)) -> Table {
    Table {
        title: format,
        columns: columns(),
        rows: group.rows.into_values().collect(),
        notes: group.footnotes.lines(),
    }
}

fn columns() -> Vec<Column> {
    let mut columns = vec![
        Column::machine("format"),
        Column::new("dataset", "dataset", Align::Left, 0),
        Column::new("codec", "codec", Align::Left, 0),
        Column::new("input", "input", Align::Left, 5),
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
    columns
}

fn cells(
    run: &Run,
    dataset: &DatasetResult,
    row: &Figures<'_>,
    format: &str,
    footnotes: &mut Footnotes,
) -> Vec<Cell> {
    let codec = notes::codec(run, row, footnotes);
    let input = match run.settings.mode.misaligned_input {
        true => "misaligned",
        false => "aligned",
    };
    let mut cells: Vec<Cell> = vec![
        format.into(),
        dataset.name.as_str().into(),
        Cell::with_text(Value::Text(row.row.codec.clone()), codec),
        input.into(),
    ];
    for (op, ..) in OPS {
        cells.push(Value::or_none(row.typical(op), Value::Nanoseconds).into());
    }
    cells.push(Value::or_none(row.size, Value::Bytes).into());
    let samples = row.times.values().map(|times| times.calls).min();
    cells.push(Value::or_none(samples, Value::Count).into());
    cells
}
