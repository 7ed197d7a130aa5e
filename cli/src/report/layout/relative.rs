//! `relative`: everything divided by the best in the dataset, as geometric means over datasets.

use std::collections::{BTreeMap, BTreeSet};

use super::{Layout, runs, zstd_levels};
use crate::protocol::Op;
use crate::report::{Align, Cell, Column, Document, Figures, Filter, Table, Value};
use crate::results::{Results, Run, Status};

/// The layout.
pub struct Relative;

/// What is compared: the column's name in CSV, for people, and its rank.
struct Quantity {
    id: String,
    head: String,
    rank: u8,
    of: Box<Figure>,
}

/// A figure of a row, where it has one.
type Figure = dyn Fn(&Figures<'_>) -> Option<f64>;

/// What each codec has of each quantity, divided by the best; by dataset.
type Shares = BTreeMap<String, BTreeMap<String, Vec<Option<f64>>>>;

const CAUTION: &str = "Divided by the best in each dataset; geometric means over datasets. Means over \
                       different datasets cannot be compared with each other.";

impl Layout for Relative {
    fn document(&self, results: &Results, filter: &Filter) -> Document {
        let quantities = quantities(&zstd_levels(results));
        let mut document = Document::default();
        for (number, run) in (1..).zip(&results.runs) {
            for mut table in tables(run, filter, &quantities) {
                table.title += &runs::which(results, number);
                runs::tell(&mut table, run, number);
                document.tables.push(table);
            }
        }
        document.notes.push(CAUTION.to_owned());
        document.notes.extend(runs::notes(results, filter));
        document
    }
}

fn quantities(levels: &[i32]) -> Vec<Quantity> {
    let mut all = vec![quantity("size", "size", 0, |row| row.size)];
    for level in levels.iter().copied() {
        let head = format!("zstd-{level}");
        all.push(quantity(&format!("zstd{level}"), &head, 3, move |row| {
            row.zstd(level)
        }));
    }
    for (op, id, head, rank) in [
        (Op::Serialize, "serialize", "serialize", 1),
        (Op::Deserialize, "deserialize", "deserialize", 1),
        (Op::DeserializeRead, "deserialize_read", "deser+read", 2),
    ] {
        all.push(quantity(id, head, rank, move |row| row.typical(op)));
    }
    all
}

fn quantity(
    id: &str,
    head: &str,
    rank: u8,
    of: impl Fn(&Figures<'_>) -> Option<f64> + 'static,
) -> Quantity {
    Quantity {
        id: format!("{id}_relative"),
        head: head.to_owned(),
        rank,
        of: Box::new(of),
    }
}

fn tables(run: &Run, filter: &Filter, quantities: &[Quantity]) -> [Table; 2] {
    let (shares, datasets) = shares(run, filter, quantities);
    let common: BTreeSet<_> = datasets
        .iter()
        .filter(|dataset| shares.values().all(|of| of.contains_key(*dataset)))
        .cloned()
        .collect();
    [
        Table {
            title: "Relative, over every dataset that the codec can carry".to_owned(),
            columns: columns(quantities),
            rows: rows("own", &shares, &datasets, quantities.len()),
            notes: Vec::new(),
        },
        Table {
            title: format!(
                "Relative, over the {} of {} datasets that all of these codecs can carry",
                common.len(),
                datasets.len()
            ),
            columns: columns(quantities),
            rows: rows("common", &shares, &common, quantities.len()),
            notes: Vec::new(),
        },
    ]
}

/// The shares of every codec that has any, and the datasets. Baselines are not ranked.
fn shares(run: &Run, filter: &Filter, quantities: &[Quantity]) -> (Shares, BTreeSet<String>) {
    let mut shares = Shares::new();
    let mut datasets = BTreeSet::new();
    for dataset in run
        .datasets
        .iter()
        .filter(|d| filter.datasets.pass(&d.name))
    {
        let mut rows = Figures::of_dataset(run, dataset);
        rows.retain(|row| row.row.status == Status::Ok && !row.is_baseline());
        let best = quantities
            .iter()
            .map(|quantity| {
                let values = rows.iter().filter_map(|row| (quantity.of)(row));
                values.min_by(f64::total_cmp)
            })
            .collect::<Vec<_>>();
        datasets.insert(dataset.name.clone());
        // The best of all is the measure, whether it is shown or not.
        for row in rows.iter().filter(|row| filter.codecs.pass(&row.row.codec)) {
            let share = |(quantity, best): (&Quantity, &Option<f64>)| {
                let share = (quantity.of)(row)? / (*best)?;
                Some(share).filter(|share| share.is_finite())
            };
            let of_row = quantities.iter().zip(&best).map(share).collect();
            let of_codec = shares.entry(row.row.codec.clone()).or_default();
            of_codec.insert(dataset.name.clone(), of_row);
        }
    }
    (shares, datasets)
}

fn columns(quantities: &[Quantity]) -> Vec<Column> {
    let mut columns = vec![
        Column::machine("subset"),
        Column::new("codec", "codec", Align::Left, 0),
    ];
    for quantity in quantities {
        let Quantity { id, head, rank, .. } = quantity;
        columns.push(Column::new(id, head, Align::Right, *rank));
    }
    columns.push(Column::new("datasets", "datasets", Align::Right, 1));
    columns
}

/// The codecs by the product of what writing and reading cost.
fn rows(
    subset: &str,
    shares: &Shares,
    datasets: &BTreeSet<String>,
    quantities: usize,
) -> Vec<Vec<Cell>> {
    let mut rows = Vec::new();
    for (codec, of_codec) in shares {
        let counted = of_codec
            .iter()
            .filter(|(dataset, _)| datasets.contains(*dataset))
            .map(|(_, shares)| shares)
            .collect::<Vec<_>>();
        if counted.is_empty() {
            continue;
        }
        let means = (0..quantities)
            .map(|number| geometric_mean(counted.iter().map(|shares| shares[number])))
            .collect::<Vec<_>>();
        let mut cells: Vec<Cell> = vec![subset.into(), codec.as_str().into()];
        cells.extend(
            means
                .iter()
                .map(|mean| Value::or_none(*mean, Value::Number).into()),
        );
        cells.push(Value::Count(counted.len() as u64).into());
        let cost = means[quantities - 3..].iter().flatten().product::<f64>();
        rows.push((cost, cells));
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.into_iter().map(|(_, cells)| cells).collect()
}

/// The geometric mean, if every value is there.
fn geometric_mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let logarithms = values
        .map(|value| value.map(f64::ln))
        .collect::<Option<Vec<_>>>()?;
    let mean = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
    (!logarithms.is_empty()).then(|| mean.exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geometric_means() {
        let mean = geometric_mean([Some(2.0), Some(8.0)].into_iter()).unwrap();
        assert!((mean - 4.0).abs() < 1e-12);
        assert_eq!(geometric_mean([Some(2.0), None].into_iter()), None);
        assert_eq!(geometric_mean(std::iter::empty()), None);
    }
}
