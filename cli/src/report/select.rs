//! What the user picks of a document: columns, and the order of the rows.

use std::cmp::Ordering;

use super::{Cell, Column, Document, Shown, Table, Value};
use crate::args::did_you_mean;
use crate::error::Error;

/// Keeps the columns of these names, in this order, in every table.
pub fn columns(document: &mut Document, names: &[String]) -> Result<(), Error> {
    for table in &mut document.tables {
        let kept = names
            .iter()
            .map(|name| position(table, name))
            .collect::<Result<Vec<_>, _>>()?;
        let pick = |column: &usize| Column {
            shown: Shown::Both,
            rank: 0,
            ..table.columns[*column].clone()
        };
        table.columns = kept.iter().map(pick).collect();
        for row in &mut table.rows {
            *row = kept.iter().map(|column| row[*column].clone()).collect();
        }
    }
    Ok(())
}

/// Sorts the rows of every table by the column of this name, ascending; rows without a value last.
pub fn sort(document: &mut Document, name: &str) -> Result<(), Error> {
    for table in &mut document.tables {
        let column = position(table, name)?;
        table.rows.sort_by(|a, b| compare(&a[column], &b[column]));
    }
    Ok(())
}

fn position(table: &Table, name: &str) -> Result<usize, Error> {
    let is_named = |column: &Column| column.id == name || column.head.eq_ignore_ascii_case(name);
    table.columns.iter().position(is_named).ok_or_else(|| {
        let known = table.columns.iter().map(|column| column.id.as_str());
        Error::usage(format!(
            "there is no column {name:?}{}; the columns are {}",
            did_you_mean(name, known.clone()),
            known.collect::<Vec<_>>().join(", ")
        ))
    })
}

fn compare(a: &Cell, b: &Cell) -> Ordering {
    match (&a.value, &b.value) {
        (Value::None, Value::None) => Ordering::Equal,
        (Value::None, _) => Ordering::Greater,
        (_, Value::None) => Ordering::Less,
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (a, b) => {
            let number = |value: &Value| value.number().unwrap_or(f64::INFINITY);
            number(a).total_cmp(&number(b))
        }
    }
}
