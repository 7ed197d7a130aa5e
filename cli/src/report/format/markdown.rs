//! Markdown that GitHub renders: human units.

use super::{Format, Screen, add_notes, for_people, one_line};
use crate::report::{Align, Document, units};

/// The format.
pub struct Markdown;

impl Format for Markdown {
    fn write(&self, document: &Document, _: &Screen, out: &mut Vec<u8>) {
        let mut text = String::new();
        let mut notes = Vec::new();
        for table in &document.tables {
            if !table.title.is_empty() {
                text += &format!("### {}\n\n", escaped(&table.title));
            }
            let columns = for_people(table);
            add_notes(&mut notes, table, &columns);
            let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
            let head = |column: &usize| escaped(&table.columns[*column].head);
            text += &line(columns.iter().map(head).collect());
            let rule = |column: &usize| match table.columns[*column].align {
                Align::Left => ":---".to_owned(),
                Align::Right => "---:".to_owned(),
            };
            text += &line(columns.iter().map(rule).collect());
            for row in &table.rows {
                let cell = |column: &usize| escaped(&units::text(&row[*column]));
                text += &line(columns.iter().map(cell).collect());
            }
            text.push('\n');
            text += &list(&table.notes);
        }
        notes.extend_from_slice(&document.notes);
        text += &list(&notes);
        out.extend_from_slice(text.trim_end().as_bytes());
        out.push(b'\n');
    }
}

fn list(notes: &[String]) -> String {
    if notes.is_empty() {
        return String::new();
    }
    let items = notes.iter().map(|note| format!("- {}\n", escaped(note)));
    items.collect::<String>() + "\n"
}

/// Text that Markdown and HTML take as it is, on one line.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in one_line(text).chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '#' | '~' | '$' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}
