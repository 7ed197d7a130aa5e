//! `summary`: for a person in a hurry. The winners, the front of size against time, and what a
//! choice means for a link.

use super::notes::{self, Footnotes, Legend};
use super::{Layout, by_dataset, zstd_levels};
use crate::protocol::Op;
use crate::report::{Align, Cell, Column, Document, Figures, Filter, Shown, Table, Value, units};
use crate::results::{DatasetResult, Results, Run, Status};

/// The layout, for a link of so many bits per second.
pub struct Summary {
    /// The speed.
    pub link: f64,
}

const FRONT: &str = "● on the front: no other codec is both smaller and faster.";
const LINK: &str = "values/s: with writing, sending and reading at the same time, the slowest of the \
                    three is the bottleneck; to compress counts as writing, to decompress as \
                    reading.";
const UNTIMED: &str = "For values/s after compression, measure with --zstd-time.";

impl Layout for Summary {
    fn document(&self, results: &Results, filter: &Filter) -> Document {
        let levels = zstd_levels(results);
        by_dataset(results, filter, |run, dataset, legend| {
            self.table(run, dataset, filter, &levels, legend)
        })
    }
}

/// How many values a second pass, and which part lets no more through.
type Rate = (f64, &'static str);

impl Summary {
    fn table(
        &self,
        run: &Run,
        dataset: &DatasetResult,
        filter: &Filter,
        levels: &[i32],
        legend: &mut Legend,
    ) -> Table {
        let mut rows = Figures::of_dataset(run, dataset);
        rows.retain(|row| {
            let counts = row.row.status == Status::Ok && !row.is_baseline();
            counts && filter.codecs.pass(&row.row.codec)
        });
        let mut footnotes = Footnotes::default();
        let cells = rows
            .iter()
            .map(|row| {
                let name = notes::codec(run, row, &mut footnotes, legend);
                self.cells(dataset, row, (name, on_front(row, &rows)), levels, legend)
            })
            .collect();
        let timed = rows.iter().any(|row| !row.row.zstd_timings.is_empty());
        legend.say(FRONT);
        legend.say(LINK);
        if !timed {
            legend.say(UNTIMED);
        }
        let mut lines = winners(&rows, levels);
        lines.extend(self.winner_on_the_link(&rows, levels));
        lines.extend(footnotes.lines());
        Table {
            columns: columns(levels, timed),
            rows: cells,
            notes: lines,
            ..Table::default()
        }
    }

    fn cells(
        &self,
        dataset: &DatasetResult,
        row: &Figures<'_>,
        (name, front): (String, bool),
        levels: &[i32],
        legend: &mut Legend,
    ) -> Vec<Cell> {
        let mut cells = vec![
            dataset.name.as_str().into(),
            Cell::with_text(Value::Text(row.row.codec.clone()), name),
            Cell::with_text(Value::Count(front.into()), if front { "●" } else { "" }),
            Value::or_none(row.size, Value::Bytes).into(),
            notes::typical(row, Op::Serialize, legend),
            notes::typical(row, Op::DeserializeRead, legend),
            Value::or_none(row.both_ways, Value::Nanoseconds).into(),
        ];
        let plain = self.rate(row);
        cells.push(plain.map_or_else(Cell::default, |(rate, _)| {
            Cell::with_text(Value::Number(rate), rate_text(rate))
        }));
        cells.push(plain.map_or(Cell::default(), |(_, part)| part.into()));
        for level in levels {
            cells.extend(variant(self.rate_compressed(row, *level)));
        }
        cells
    }

    /// As it is written.
    fn rate(&self, row: &Figures<'_>) -> Option<Rate> {
        let (write, read) = (
            row.typical(Op::Serialize)?,
            row.typical(Op::DeserializeRead)?,
        );
        self.slowest(write, row.size?, read)
    }

    /// Each value compressed by itself.
    fn rate_compressed(&self, row: &Figures<'_>, level: i32) -> Option<Rate> {
        let (compress, decompress) = row.zstd_times(level, false)?;
        let (write, read) = (
            row.typical(Op::Serialize)?,
            row.typical(Op::DeserializeRead)?,
        );
        self.slowest(write + compress, row.zstd(level)?, decompress + read)
    }

    fn slowest(&self, write: f64, size: f64, read: f64) -> Option<Rate> {
        let send = size * 8.0 / self.link * 1e9;
        let parts = [(write, "write"), (send, "link"), (read, "read")];
        let slowest = parts.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
        (slowest.0 > 0.0).then(|| (1e9 / slowest.0, slowest.1))
    }

    /// The codec, compressed or not, of which most values a second pass.
    fn winner_on_the_link(&self, rows: &[Figures<'_>], levels: &[i32]) -> Option<String> {
        let of_row = |row: &Figures<'_>| {
            let codec = row.row.codec.clone();
            let plain = self.rate(row).map(|rate| (rate.0, codec.clone()));
            let compressed = levels.iter().filter_map(move |level| {
                let (rate, _) = self.rate_compressed(row, *level)?;
                Some((rate, format!("{codec} with zstd-{level}")))
            });
            plain.into_iter().chain(compressed).collect::<Vec<_>>()
        };
        let rates = rows.iter().flat_map(of_row);
        let (rate, what) = rates.max_by(|a, b| a.0.total_cmp(&b.0))?;
        let link = link_text(self.link);
        let rate = rate_text(rate);
        Some(format!(
            "Most through a link of {link}: {what} ({rate} values/s)."
        ))
    }
}

fn rate_text(rate: f64) -> String {
    units::grouped(rate.round() as u64)
}

/// A compressed variant: how many values a second, and the bottleneck.
fn variant(rate: Option<Rate>) -> [Cell; 2] {
    let Some((rate, part)) = rate else {
        return Default::default();
    };
    let text = format!("{}, {part}", rate_text(rate));
    [Cell::with_text(Value::Number(rate), text), part.into()]
}

/// People see compressed variants where zstd was timed.
fn columns(levels: &[i32], timed: bool) -> Vec<Column> {
    let right = |id: &str, head: &str, rank| Column::new(id, head, Align::Right, rank);
    let mut columns = vec![
        Column::machine("dataset"),
        Column::new("codec", "codec", Align::Left, 0),
        Column::new("front", "front", Align::Left, 1),
        right("size_bytes", "size", 1),
        right("write_ns", "write", 4),
        right("read_ns", "read", 4),
        right("both_ways_ns", "both ways", 1),
        right("values_per_second", "values/s", 2),
        Column::new("bottleneck", "bottleneck", Align::Left, 2),
    ];
    for level in levels {
        let (id, head) = (
            format!("zstd{level}_values_per_second"),
            format!("zstd-{level} values/s"),
        );
        columns.push(Column {
            shown: if timed { Shown::Both } else { Shown::Machines },
            ..right(&id, &head, 3)
        });
        columns.push(Column::machine(format!("zstd{level}_bottleneck")));
    }
    columns
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
fn winners(rows: &[Figures<'_>], levels: &[i32]) -> Vec<String> {
    type Of<'a> = &'a dyn Fn(&Figures<'_>) -> Option<f64>;
    let winner = |what: &str, of: Of<'_>, text: fn(f64) -> String| {
        let of_all = rows.iter().filter_map(|row| Some((of(row)?, row)));
        let (value, row) = of_all.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(format!("{what}: {} ({}).", row.row.codec, text(value)))
    };
    let mut lines = vec![winner("Smallest", &|row| row.size, units::size)];
    lines.extend(levels.iter().map(|level| {
        let what = format!("Smallest after zstd-{level}");
        winner(&what, &|row| row.zstd(*level), units::size)
    }));
    let disciplines: [(&str, Of<'_>); 3] = [
        ("Fastest to write", &|row| row.typical(Op::Serialize)),
        ("Fastest to read", &|row| row.typical(Op::DeserializeRead)),
        ("Fastest both ways", &|row| row.both_ways),
    ];
    lines.extend(disciplines.map(|(what, of)| winner(what, of, units::time)));
    lines.into_iter().flatten().collect()
}

fn link_text(bits_per_second: f64) -> String {
    let (number, unit) = match bits_per_second {
        speed if speed >= 1e9 => (speed / 1e9, "Gbit/s"),
        speed if speed >= 1e6 => (speed / 1e6, "Mbit/s"),
        speed => (speed / 1e3, "kbit/s"),
    };
    format!("{number} {unit}")
}
