//! `raw`: sizes and times of every codec, by dataset. Its CSV is the one that other programs read:
//! columns are only ever added to it.

use super::notes::{self, Footnotes, Legend, ratio_text};
use super::{Layout, by_dataset, robustness, zstd_levels};
use crate::protocol::{HeapUse, Op};
use crate::report::{Align, Cell, Column, Document, Figures, Filter, Shown, Table, Value, units};
use crate::results::{DatasetResult, Results, Run};

/// The layout.
pub struct Raw;

/// Every operation, with its name in CSV, its name for people and the rank of its column.
const OPS: [(Op, &str, &str, u8); 5] = [
    (Op::Serialize, "serialize", "serialize", 1),
    (Op::Deserialize, "deserialize", "deserialize", 2),
    (Op::Read, "read", "read", 4),
    (Op::RoundTrip, "round_trip", "ser+deser", 9),
    (Op::DeserializeRead, "deserialize_read", "deser+read", 1),
];

/// Those whose p99 people see; machines get that of the others, and p99.9, further on.
const TAILS: [Op; 2] = [Op::Serialize, Op::Deserialize];

const VERSUS: &str = "vs: serialize + (deserialize+read) as a ratio to that codec, the median over \
                      paired rounds with its 95% interval; ≈ means not separated: the interval \
                      contains 1; ? means too few rounds for an interval.";

impl Layout for Raw {
    fn document(&self, results: &Results, filter: &Filter) -> Document {
        let levels = zstd_levels(results);
        by_dataset(results, filter, |run, dataset, legend| {
            table(run, dataset, filter, &levels, legend)
        })
    }
}

fn table(
    run: &Run,
    dataset: &DatasetResult,
    filter: &Filter,
    levels: &[i32],
    legend: &mut Legend,
) -> Table {
    let mut footnotes = Footnotes::default();
    let mut rows = Figures::of_dataset(run, dataset);
    rows.retain(|row| filter.codecs.pass(&row.row.codec));
    let cells = rows
        .iter()
        .map(|row| cells(run, dataset, row, levels, (&mut footnotes, legend)))
        .collect();
    let mut lines = footnotes.lines();
    lines.extend(batches(&rows));
    lines.extend(notes::rounds(run, dataset, &rows));
    Table {
        title: String::new(),
        columns: columns(dataset, levels),
        rows: cells,
        notes: lines,
    }
}

fn columns(dataset: &DatasetResult, levels: &[i32]) -> Vec<Column> {
    let reference = dataset.reference.as_deref().unwrap_or("reference");
    let right = |id: String, head: &str, rank| Column::new(id, head, Align::Right, rank);
    let mut columns = vec![
        Column::machine("dataset"),
        Column::new("codec", "codec", Align::Left, 0),
        Column::new("language", "language", Align::Left, 8),
        Column::new("format", "format", Align::Left, 7),
        Column::machine("status"),
        Column::machine("reason"),
        Column::machine("values"),
        right("size_bytes".into(), "size", 0),
    ];
    for level in levels {
        let rank = if *level == 3 { 3 } else { 5 };
        columns.push(right(
            format!("zstd{level}_bytes"),
            &format!("zstd-{level}"),
            rank,
        ));
    }
    for (op, id, head, rank) in OPS.into_iter().filter(|(op, ..)| *op != Op::RoundTrip) {
        columns.push(right(format!("{id}_p50_ns"), head, rank));
        if TAILS.contains(&op) {
            columns.push(right(format!("{id}_p99_ns"), &format!("{head} p99"), 6));
        }
    }
    let versus = right("both_ways_ratio".into(), &format!("vs {reference}"), 2);
    columns.push(match dataset.reference {
        Some(_) => versus.with_note(VERSUS),
        None => versus,
    });
    columns.extend(["both_ways_ratio_low", "both_ways_ratio_high"].map(Column::machine));
    columns.push(right("round_trip_p50_ns".into(), "ser+deser", 9));
    columns.extend(["reference", "rounds"].map(Column::machine));
    for (_, id, ..) in OPS {
        let machine = |what: &str| Column::machine(format!("{id}_{what}"));
        columns.extend(["batch", "samples", "ratio", "ratio_low", "ratio_high"].map(machine));
    }
    for level in levels {
        columns.push(Column::machine(format!("zstd{level}_sequence_bytes")));
    }
    columns.extend(["values_per_second", "canonical_mb_per_second"].map(Column::machine));
    columns.extend(heap_columns(dataset));
    columns.extend(zstd_columns(dataset, levels));
    for (op, id, ..) in OPS {
        if !TAILS.contains(&op) {
            columns.push(Column::machine(format!("{id}_p99_ns")));
        }
        columns.push(Column::machine(format!("{id}_p999_ns")));
    }
    columns.extend(DESCRIBED.map(Column::machine));
    columns.extend(robustness::columns(dataset));
    columns.extend(OPS.map(|(_, id, ..)| Column::machine(format!("{id}_undisturbed_rounds"))));
    columns
}

/// What is told of a codec and its plugin besides, for machines.
const DESCRIBED: [&str; 6] = [
    "library",
    "library_version",
    "validation",
    "yields",
    "compiler",
    "flags",
];

/// Those whose use of the heap is counted.
const COUNTED: [(Op, &str, &str); 3] = [
    (Op::Serialize, "serialize", "ser allocs"),
    (Op::Deserialize, "deserialize", "deser allocs"),
    (Op::Read, "read", "read allocs"),
];

/// Allocations; people see the columns where they were counted.
fn heap_columns(dataset: &DatasetResult) -> Vec<Column> {
    let counted = dataset.rows.iter().any(|row| !row.heap.is_empty());
    let mut columns = Vec::new();
    for (_, id, head) in COUNTED {
        columns.push(Column {
            shown: if counted {
                Shown::Both
            } else {
                Shown::Machines
            },
            ..Column::new(format!("{id}_allocs"), head, Align::Right, 2)
        });
        columns.push(Column::machine(format!("{id}_alloc_bytes")));
        columns.push(Column::machine(format!("{id}_peak_bytes")));
    }
    columns
}

/// The times of zstd; people see the columns where they were taken.
fn zstd_columns(dataset: &DatasetResult, levels: &[i32]) -> Vec<Column> {
    let timed = dataset.rows.iter().any(|row| !row.zstd_timings.is_empty());
    let shown = if timed { Shown::Both } else { Shown::Machines };
    let mut columns = Vec::new();
    for level in levels {
        for (what, head) in [("compress", "compress"), ("decompress", "decompr.")] {
            columns.push(Column {
                shown,
                ..Column::new(
                    format!("zstd{level}_{what}_ns"),
                    format!("zstd-{level} {head}"),
                    Align::Right,
                    3,
                )
            });
            columns.push(Column::machine(format!("zstd{level}_sequence_{what}_ns")));
        }
    }
    columns
}

type Marks<'a> = (&'a mut Footnotes, &'a mut Legend);

fn cells(
    run: &Run,
    dataset: &DatasetResult,
    row: &Figures<'_>,
    levels: &[i32],
    (footnotes, legend): Marks<'_>,
) -> Vec<Cell> {
    let bytes = |bytes: Option<f64>| Value::or_none(bytes, Value::Bytes);
    let codec = row.row.codec.clone();
    let name = notes::codec(run, row, footnotes, legend);
    let mut cells = vec![
        dataset.name.as_str().into(),
        Cell::with_text(Value::Text(codec), name),
        text(row.described.map(|(plugin, _)| plugin.language.as_str())).into(),
        text(row.described.map(|(_, codec)| codec.format.as_str())).into(),
        row.row.status.name().into(),
        text(row.row.reason.as_deref()).into(),
        Value::Count(dataset.values).into(),
        bytes(row.size).into(),
    ];
    cells.extend(levels.iter().map(|level| bytes(row.zstd(*level)).into()));
    for (op, ..) in OPS.into_iter().filter(|(op, ..)| *op != Op::RoundTrip) {
        cells.push(notes::typical(row, op, legend));
        if TAILS.contains(&op) {
            cells.push(tail(row, op, 0));
        }
    }
    cells.extend(ratio(dataset, row));
    cells.push(notes::typical(row, Op::RoundTrip, legend));
    cells.push(text(dataset.reference.as_deref()).into());
    cells.push(Value::Count(u64::from(dataset.rounds)).into());
    for (op, ..) in OPS {
        cells.extend(details(row, op));
    }
    cells.extend(
        levels
            .iter()
            .map(|level| bytes(row.zstd_together(*level)).into()),
    );
    let rate = row
        .both_ways
        .filter(|time| *time > 0.0)
        .map(|time| 1e9 / time);
    cells.push(Value::or_none(rate, Value::Number).into());
    let value = dataset.canonical_bytes as f64 / dataset.values.max(1) as f64;
    cells.push(Value::or_none(rate.map(|rate| rate * value / 1e6), Value::Number).into());
    for (op, ..) in COUNTED {
        cells.extend(heap(row.row.heap.get(&op)));
    }
    for level in levels {
        cells.extend(zstd_times(row, *level));
    }
    for (op, ..) in OPS {
        if !TAILS.contains(&op) {
            cells.push(tail(row, op, 0));
        }
        cells.push(tail(row, op, 1));
    }
    cells.extend(described(row));
    cells.extend(robustness::cells(row));
    cells.extend(OPS.map(|(op, ..)| {
        let rounds = row.times.get(&op).map(|times| times.rounds_undisturbed);
        Value::or_none(rounds, Value::Count).into()
    }));
    cells
}

fn text(text: Option<&str>) -> Value {
    Value::or_none(text, |text| Value::Text(text.to_owned()))
}

/// p99, or else p99.9.
fn tail(row: &Figures<'_>, op: Op, which: usize) -> Cell {
    let tail = row.times.get(&op).and_then(|times| times.tails[which]);
    Value::or_none(tail, Value::Nanoseconds).into()
}

fn described(row: &Figures<'_>) -> [Cell; DESCRIBED.len()] {
    let Some((plugin, codec)) = row.described else {
        return Default::default();
    };
    let told = [
        &codec.library,
        &codec.library_version,
        &codec.validation,
        &codec.yields,
        &plugin.compiler,
        &plugin.flags,
    ];
    told.map(|told| told.as_str().into())
}

/// Allocations and bytes per call, and the most bytes held at a time.
fn heap(used: Option<&HeapUse>) -> [Cell; 3] {
    let Some(used) = used else {
        return Default::default();
    };
    let calls = used.calls.max(1) as f64;
    let (allocations, bytes) = (used.allocations as f64 / calls, used.bytes as f64 / calls);
    let text = match used.allocations {
        0 => "0".to_owned(),
        _ => format!("{}, {}", units::compact(allocations), units::size(bytes)),
    };
    [
        Cell::with_text(Value::Number(allocations), text),
        Value::Bytes(bytes).into(),
        Value::Bytes(used.peak_bytes as f64).into(),
    ]
}

/// To compress and to decompress: each value by itself, and all of them together.
fn zstd_times(row: &Figures<'_>, level: i32) -> [Cell; 4] {
    let [separate, together] = [false, true].map(|together| row.zstd_times(level, together));
    let cell = |time: Option<f64>| Value::or_none(time, Value::Nanoseconds).into();
    let (compress, decompress) = separate.unzip();
    let (compress_all, decompress_all) = together.unzip();
    [compress, compress_all, decompress, decompress_all].map(cell)
}

/// How many calls one recorded time covers, of the codecs of which some are timed in batches.
fn batches(rows: &[Figures<'_>]) -> Option<String> {
    let timed = OPS
        .into_iter()
        .filter(|(op, ..)| rows.iter().any(|row| row.times.contains_key(op)));
    let of_row = |row: &Figures<'_>| {
        let batch = |op| row.times.get(&op).map(|times| times.batch);
        let batches = timed.clone().map(|(op, ..)| batch(op));
        let is_batched = batches.clone().flatten().any(|batch| batch > 1);
        let numbers = batches.map(|batch| batch.map_or(units::NOTHING.to_owned(), units::grouped));
        is_batched.then(|| {
            format!(
                "{} {}",
                row.row.codec,
                numbers.collect::<Vec<_>>().join(" ")
            )
        })
    };
    let rows = rows.iter().filter_map(of_row).collect::<Vec<_>>();
    let heads = timed.clone().map(|(_, _, head, _)| head);
    (!rows.is_empty()).then(|| {
        format!(
            "N = calls in a batch, of {}: {}.",
            heads.collect::<Vec<_>>().join(", "),
            rows.join("; ")
        )
    })
}

/// The ratio of writing and reading to the reference, with its interval.
fn ratio(dataset: &DatasetResult, row: &Figures<'_>) -> [Cell; 3] {
    let Some(estimate) = row.both_ways_ratio else {
        return Default::default();
    };
    let text = if Some(&row.row.codec) == dataset.reference.as_ref() {
        "1".to_owned()
    } else if estimate.interval.is_none() {
        format!("{} ?", ratio_text(&estimate))
    } else if estimate.separated() {
        ratio_text(&estimate)
    } else {
        format!("≈ {}", ratio_text(&estimate))
    };
    let number = |number| Cell::from(Value::or_none(number, Value::Number));
    [
        Cell::with_text(Value::Number(estimate.value), text),
        number(estimate.interval.map(|(low, _)| low)),
        number(estimate.interval.map(|(_, high)| high)),
    ]
}

/// What machines get of an operation besides: batch, samples, and the ratio with its interval.
fn details(row: &Figures<'_>, op: Op) -> [Cell; 5] {
    let Some(times) = row.times.get(&op) else {
        return Default::default();
    };
    let number = |number| Cell::from(Value::or_none(number, Value::Number));
    let interval = times.ratio.and_then(|ratio| ratio.interval);
    [
        Value::Count(times.batch).into(),
        Value::Count(times.calls).into(),
        number(times.ratio.map(|ratio| ratio.value)),
        number(interval.map(|(low, _)| low)),
        number(interval.map(|(_, high)| high)),
    ]
}
