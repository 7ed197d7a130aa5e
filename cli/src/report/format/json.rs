//! JSON: an array of objects with raw numbers in fixed units.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::csv::decimal;
use super::{Format, Screen, for_machines};
use crate::report::{Cell, Column, Document, Value};

/// The format.
pub struct Json;

impl Format for Json {
    fn write(&self, document: &Document, _: &Screen, out: &mut Vec<u8>) {
        let mut objects = Vec::new();
        for table in &document.tables {
            let columns = for_machines(table);
            objects.extend(table.rows.iter().map(|row| {
                let member = |column: &usize| (&table.columns[*column], &row[*column]);
                Object(columns.iter().map(member).collect())
            }));
        }
        serde_json::to_writer_pretty(&mut *out, &objects).expect("memory can be written to");
        out.push(b'\n');
    }
}

/// A row; its members in the order of the columns.
struct Object<'a>(Vec<(&'a Column, &'a Cell)>);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (column, cell) in &self.0 {
            map.serialize_entry(&column.id, &cell.value)?;
        }
        map.end()
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => serializer.serialize_none(),
            Self::Text(text) => text.serialize(serializer),
            Self::List(items) => items.serialize(serializer),
            Self::Count(count) => count.serialize(serializer),
            Self::Bytes(number) | Self::Nanoseconds(number) => rounded(*number, 3, serializer),
            Self::Number(number) => rounded(*number, 6, serializer),
        }
    }
}

/// A whole number without a point, any other with so many decimals at most.
fn rounded<S: Serializer>(number: f64, decimals: usize, to: S) -> Result<S::Ok, S::Error> {
    if number.fract() == 0.0 && number.abs() < 2f64.powi(53) {
        return (number as i64).serialize(to);
    }
    let text = decimal(number, decimals);
    text.parse::<f64>().unwrap_or(number).serialize(to)
}
