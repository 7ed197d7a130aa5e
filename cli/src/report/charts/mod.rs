//! Charts as SVG files: for every dataset its codecs by time, and their sizes against their times;
//! and, of codecs whose calls were timed one by one, the latencies by percentile.

mod axis;
mod bars;
mod labels;
mod latencies;
pub mod palette;
mod scatter;
mod svg;

use std::path::Path;

use super::{Filter, units};
use crate::error::Error;
use crate::protocol::Op;
use crate::results::statistics::{Estimate, sum, time};
use crate::results::{DatasetResult, Results, Row, Run, Status};
use svg::{Anchor, Shape, Svg};

/// Writes the charts into a folder, which is made where it is missing.
pub fn write(results: &Results, filter: &Filter, folder: &Path) -> Result<(), Error> {
    let failed = |path: &Path, error: std::io::Error| {
        Error::failed(format!(
            "cannot write {}: {error}; name another folder with --charts DIR",
            path.display()
        ))
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    for (name, text) in of(results, filter) {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| failed(&path, error))?;
    }
    Ok(())
}

/// The charts, each with the name of its file.
pub fn of(results: &Results, filter: &Filter) -> Vec<(String, String)> {
    let mut charts = Vec::new();
    for (number, run) in (1..).zip(&results.runs) {
        let prefix = match results.runs.len() {
            1 => String::new(),
            _ => format!("run{number}-"),
        };
        for dataset in run
            .datasets
            .iter()
            .filter(|d| filter.datasets.pass(&d.name))
        {
            let chart = Chart::new(run, dataset, filter);
            let drawn = [
                ("times", bars::draw(&chart)),
                ("size-time", scatter::draw(&chart)),
                ("write-latency", latencies::draw(&chart, Op::Serialize)),
                ("read-latency", latencies::draw(&chart, Op::DeserializeRead)),
            ];
            for (kind, svg) in drawn {
                let name = || format!("{prefix}{}-{kind}.svg", file_name(&dataset.name));
                charts.extend(svg.map(|svg| (name(), svg)));
            }
        }
    }
    charts
}

/// A dataset's name as part of a file's.
fn file_name(name: &str) -> String {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    name.chars()
        .map(|c| if allowed(c) { c } else { '_' })
        .collect()
}

/// What the charts of a dataset show.
struct Chart<'a> {
    run: &'a Run,
    dataset: &'a DatasetResult,
    /// The codecs that compete, the fastest both ways first; then the baselines.
    points: Vec<Point<'a>>,
}

/// A codec with its numbers.
struct Point<'a> {
    row: &'a Row,
    name: String,
    family: &'static str,
    shape: Shape,
    is_baseline: bool,
    /// The mean size of a value.
    size: f64,
    /// Writing and reading a value, every field included, in nanoseconds.
    time: Estimate,
}

impl<'a> Chart<'a> {
    fn new(run: &'a Run, dataset: &'a DatasetResult, filter: &Filter) -> Self {
        let rows = dataset
            .rows
            .iter()
            .filter(|row| filter.codecs.pass(&row.codec));
        let mut points = rows
            .filter_map(|row| Point::new(run, dataset, row))
            .collect::<Vec<_>>();
        points.sort_by(|a, b| {
            let place = |point: &Point<'_>| (point.is_baseline, point.time.value);
            place(a).partial_cmp(&place(b)).expect("times are numbers")
        });
        Self {
            run,
            dataset,
            points,
        }
    }

    /// A drawing with its headline, and beneath it what and where.
    fn start(&self, width: f64, height: f64, title: &str) -> Svg {
        let title = format!("{}: {title}", self.dataset.name);
        let mut svg = Svg::new(width, height, &title);
        svg.text("ink head", Anchor::Start, (20.0, 28.0), &title);
        let date = self.run.started.get(..10).unwrap_or_default();
        let subtitle = format!("{} · {date} · serbench", self.run.machine.cpu);
        svg.text("soft small", Anchor::Start, (20.0, 48.0), &subtitle);
        svg
    }

    /// The points that no other one beats in both size and time, from small to large.
    fn front(&self) -> Vec<&Point<'a>> {
        let mut sorted = self
            .points
            .iter()
            .filter(|p| !p.is_baseline)
            .collect::<Vec<_>>();
        let key = |point: &Point<'_>| (point.size, point.time.value);
        sorted.sort_by(|a, b| key(a).partial_cmp(&key(b)).expect("they are numbers"));
        let mut best = f64::INFINITY;
        sorted.retain(|point| {
            let better = point.time.value < best;
            best = best.min(point.time.value);
            better
        });
        sorted
    }
}

impl<'a> Point<'a> {
    fn new(run: &'a Run, dataset: &'a DatasetResult, row: &'a Row) -> Option<Self> {
        let (plugin, codec) = run.describe(row)?;
        let time = both_ways(row).filter(|time| time.value > 0.0)?;
        let total = row.sizes.as_ref()?.total as f64;
        let trusted = if codec.validation == "trusted" {
            " ⚠"
        } else {
            ""
        };
        Some(Self {
            row,
            name: format!("{}{trusted}", row.codec),
            family: palette::family(codec),
            shape: Shape::of(&plugin.language),
            is_baseline: codec.has("baseline"),
            size: total / dataset.values.max(1) as f64,
            time,
        })
    }

    /// The numbers in words.
    fn words(&self) -> String {
        let (size, time) = (units::size(self.size), interval_text(&self.time));
        format!("{}: {size}, {time} both ways", self.name)
    }
}

/// Writing and reading a value, every field included: the sum that ranks the codecs.
pub fn both_ways(row: &Row) -> Option<Estimate> {
    let timed = |op| row.timings.get(&op).filter(|_| row.status == Status::Ok);
    let write = timed(Op::Serialize)?.series();
    let read = timed(Op::DeserializeRead)?.series();
    time(&sum(&write, &read))
}

/// "12.3 µs [12.1 µs – 12.6 µs]".
fn interval_text(time: &Estimate) -> String {
    let value = units::time(time.value);
    match time.interval {
        Some((low, high)) => format!("{value} [{} – {}]", units::time(low), units::time(high)),
        None => value,
    }
}
