//! `serbench dataset show`: what is in a dataset.

use clap::Args;
use serbench_datasets::schema::canonical::{self, Number, Place, Range, Statistics};
use serbench_datasets::schema::print;
use serbench_datasets::{Dataset, Values};

use crate::args::Format;
use crate::cmd::run::data;
use crate::error::{Error, Outcome};
use crate::report::{self, Align, Cell, Column, Document, Table, Value, units};

/// As much of a value is shown, where it was not asked for by its index.
const LINES: usize = 40;
/// As many alternatives of an enum are shown.
const ALTERNATIVES: usize = 8;

/// Show a dataset: types, a value, statistics of the values, fingerprint
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A dataset's name, or a folder
    name: String,

    /// Print this value and nothing else, as JSON; the first is 0
    #[arg(long, short, value_name = "I")]
    index: Option<usize>,
}

/// Carries it out.
pub fn show(args: &ShowArgs) -> Result<Outcome, Error> {
    let datasets = data::select(std::slice::from_ref(&args.name), None)?;
    let [dataset] = datasets.as_slice() else {
        let names: Vec<_> = datasets
            .iter()
            .map(|dataset| dataset.name.as_str())
            .collect();
        let names = names.join(", ");
        return Err(Error::usage(format!("name one dataset, not {names}")));
    };
    let values = dataset.values(1).map_err(Error::failed)?;
    match args.index {
        Some(index) => {
            let json = json(dataset, &values, index)? + "\n";
            report::deliver(json.as_bytes(), None)?;
        }
        None => {
            report::deliver(overview(dataset, &values)?.as_bytes(), None)?;
            report::print(&places(dataset, &values)?, Format::Table, None)?;
        }
    }
    Ok(Outcome::Ok)
}

/// One value as JSON.
fn json(dataset: &Dataset, values: &Values, index: usize) -> Result<String, Error> {
    let Some(bytes) = values.iter().nth(index) else {
        return Err(Error::usage(format!(
            "{} has {} values: --index is 0 to {}",
            dataset.name,
            values.len(),
            values.len() - 1
        )));
    };
    let value = canonical::to_json(&dataset.schema, bytes).map_err(Error::failed)?;
    serde_json::to_string_pretty(&value).map_err(Error::failed)
}

/// All but the statistics by place.
fn overview(dataset: &Dataset, values: &Values) -> Result<String, Error> {
    let data_size = values.iter().try_fold(0, |sum, bytes| {
        canonical::data_size(&dataset.schema, bytes).map(|size| sum + size)
    });
    let json = json(dataset, values, 0)?;
    let (head, left) = match json.lines().count().saturating_sub(LINES) {
        0 => (json, String::new()),
        left => (
            json.lines()
                .take(LINES)
                .map(|line| format!("{line}\n"))
                .collect(),
            format!("… and {left} lines; `--index 0` prints all\n"),
        ),
    };
    Ok(format!(
        "{}: {}\n\nfingerprint  {}\nvalues       {}\nin memory    {}\ncanonical    {}\n\n{}\n\
         The first value:\n\n{}\n{left}\n",
        dataset.name,
        dataset.summary,
        dataset.fingerprint,
        units::grouped(values.len() as u64),
        units::size(data_size.map_err(Error::failed)? as f64),
        units::size(values.bytes().len() as f64),
        print(&dataset.schema, ""),
        head.trim_end()
    ))
}

/// How the values are distributed, place by place.
fn places(dataset: &Dataset, values: &Values) -> Result<Document, Error> {
    let mut statistics = Statistics::new(&dataset.schema);
    for bytes in values.iter() {
        statistics.add(bytes).map_err(Error::failed)?;
    }
    let table = Table {
        title: "Where and what".to_owned(),
        columns: vec![
            Column::new("place", "place", Align::Left, 0),
            Column::new("type", "type", Align::Left, 0),
            Column::new("count", "count", Align::Right, 0),
            Column::new("min", "min", Align::Right, 1),
            Column::new("mean", "mean", Align::Right, 1),
            Column::new("max", "max", Align::Right, 1),
            Column::new("of", "of", Align::Left, 2),
        ],
        rows: statistics.places().iter().map(row).collect(),
        ..Table::default()
    };
    Ok(Document {
        tables: vec![table],
        notes: Vec::new(),
    })
}

fn row(place: &Place) -> Vec<Cell> {
    let number = |of: fn(&Range) -> Number| {
        Cell::from(
            place
                .range
                .as_ref()
                .map_or_else(String::new, |range| text(of(range))),
        )
    };
    let mean = place
        .range
        .map_or_else(String::new, |range| units::significant(range.mean));
    let of = match place.range {
        Some(range) if range.of_lengths => "lengths".to_owned(),
        Some(_) => "values".to_owned(),
        None => alternatives(place),
    };
    vec![
        place.path.as_str().into(),
        place.ty.as_str().into(),
        Cell::with_text(Value::Count(place.count), units::grouped(place.count)),
        number(|range| range.min),
        mean.into(),
        number(|range| range.max),
        of.into(),
    ]
}

fn text(number: Number) -> String {
    match number {
        Number::Int(n) => n.to_string(),
        Number::Float(x) => format!("{x:?}"),
    }
}

/// `PushEvent 80, CreateEvent 8`, the most frequent first.
fn alternatives(place: &Place) -> String {
    let mut seen: Vec<_> = place
        .alternatives
        .iter()
        .filter(|(_, count)| *count > 0)
        .collect();
    seen.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let left = seen.len().saturating_sub(ALTERNATIVES);
    let shown = seen
        .iter()
        .take(ALTERNATIVES)
        .map(|(name, count)| format!("{name} {count}"));
    let mut shown = shown.collect::<Vec<_>>().join(", ");
    if left > 0 {
        shown += &format!(", {left} more");
    }
    shown
}
