//! CSV: raw numbers in fixed units, for programs and spreadsheets.

use super::{Format, Screen, for_machines};
use crate::report::{Cell, Document, Value};

/// The format.
pub struct Csv;

impl Format for Csv {
    /// Tables with the same columns follow each other under one head; others after an empty line.
    fn write(&self, document: &Document, _: &Screen, out: &mut Vec<u8>) {
        let mut head = Vec::new();
        for table in &document.tables {
            let columns = for_machines(table);
            let ids = columns.iter().map(|column| &table.columns[*column].id);
            let ids = ids.map(|id| harmless(id)).collect::<Vec<_>>();
            if ids != head {
                if !head.is_empty() {
                    out.push(b'\n');
                }
                record(&ids, out);
                head = ids;
            }
            for row in &table.rows {
                let fields = columns.iter().map(|column| field(&row[*column]));
                record(&fields.collect::<Vec<_>>(), out);
            }
        }
    }
}

fn record(fields: &[String], out: &mut Vec<u8>) {
    let mut writer = csv::Writer::from_writer(out);
    writer
        .write_record(fields)
        .and_then(|()| Ok(writer.flush()?))
        .expect("memory can be written to");
}

fn field(cell: &Cell) -> String {
    match &cell.value {
        Value::None => String::new(),
        Value::Text(text) => harmless(text),
        Value::List(items) => harmless(&items.join(" ")),
        Value::Count(count) => count.to_string(),
        Value::Bytes(number) | Value::Nanoseconds(number) => decimal(*number, 3),
        Value::Number(number) => decimal(*number, 6),
    }
}

/// A spreadsheet would run text that begins like a formula, also with the wide forms of the signs;
/// behind an apostrophe it does not.
fn harmless(text: &str) -> String {
    match text.chars().next() {
        Some('=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠' | '\t' | '\r' | '\n') => {
            format!("'{text}")
        }
        _ => text.to_owned(),
    }
}

/// With so many decimals at most.
pub(super) fn decimal(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
