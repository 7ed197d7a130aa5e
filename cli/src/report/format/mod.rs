//! The formats: how a document is written. One file each.

mod csv;
mod json;
mod markdown;
mod table;

use std::env;

use super::{Document, Shown, Table};
use crate::args::Format as Name;

/// A way to write documents. Writing goes to memory, so nothing can fail.
pub trait Format {
    /// Appends the document to `out`.
    fn write(&self, document: &Document, screen: &Screen, out: &mut Vec<u8>);
}

/// The format of that name.
pub fn of(name: Name) -> &'static dyn Format {
    match name {
        Name::Table => &table::Text,
        Name::Markdown => &markdown::Markdown,
        Name::Csv => &csv::Csv,
        Name::Json => &json::Json,
    }
}

/// What the output is shown on.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    /// How many columns it has; none: as many as it takes.
    pub width: Option<usize>,
    /// Whether escape sequences for bold text are understood and wanted.
    pub styled: bool,
}

impl Screen {
    /// That of stdout. COLUMNS overrules the terminal; NO_COLOR switches styles off.
    pub fn new(is_terminal: bool) -> Self {
        let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
        let columns = set("COLUMNS").and_then(|columns| columns.parse().ok());
        let terminal = || {
            let (width, _) = terminal_size::terminal_size()?;
            is_terminal.then_some(usize::from(width.0))
        };
        Self {
            width: columns.or_else(terminal).filter(|width| *width > 0),
            styled: is_terminal
                && set("NO_COLOR").is_none()
                && set("TERM").is_none_or(|terminal| terminal != "dumb"),
        }
    }

    /// A file, which is as wide as it takes.
    pub fn file() -> Self {
        Self {
            width: None,
            styled: false,
        }
    }
}

/// The positions of the columns that machines get to see.
fn for_machines(table: &Table) -> Vec<usize> {
    (0..table.columns.len())
        .filter(|column| table.columns[*column].shown != Shown::People)
        .collect()
}

/// The positions of the columns that people get to see: without those that no row has anything in,
/// unless they must stay.
fn for_people(table: &Table) -> Vec<usize> {
    let is_told = |column: usize| table.rows.iter().any(|row| row[column].tells());
    (0..table.columns.len())
        .filter(|column| table.columns[*column].shown != Shown::Machines)
        .filter(|column| table.columns[*column].rank == 0 || is_told(*column))
        .collect()
}

/// Adds the notes of these columns, each once.
fn add_notes(notes: &mut Vec<String>, table: &Table, columns: &[usize]) {
    for note in columns
        .iter()
        .filter_map(|column| table.columns[*column].note)
    {
        if !notes.iter().any(|known| known == note) {
            notes.push(note.to_owned());
        }
    }
}

/// Text on one line: what would break it, control a terminal or turn the order of what follows, is
/// shown as an escape.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\r' | '\t' => ' '.to_string(),
            c if c.is_control() || is_bidirectional(c) => c.escape_default().to_string(),
            c => c.to_string(),
        })
        .collect()
}

/// Whether it changes the direction of the text around it.
fn is_bidirectional(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Align, Cell, Column, Value};

    /// Names of the kind that break tables, pages and spreadsheets.
    const NASTY: [&str; 9] = [
        "pipe|and\\slash",
        "\"quoted\", with comma",
        "two\nlines\r\nand a tab\t",
        "<script>alert('x')</script> &amp;",
        "=1+cmd|' /C calc'!A0",
        "\u{1b}[31mred",
        "@SUM(1)",
        "＋1+1",
        "turned \u{202e}dnuora $x$",
    ];

    fn written(name: Name) -> String {
        let row = |name: &&str| vec![(*name).into(), Cell::from(Value::Bytes(12.5))];
        let document = Document {
            tables: vec![Table {
                title: "a|b".to_owned(),
                columns: vec![
                    Column::new("name", "na|me", Align::Left, 0),
                    Column::new("size_bytes", "size", Align::Right, 0),
                ],
                rows: NASTY.iter().map(row).collect(),
                notes: vec!["note\n<b>".to_owned()],
            }],
            notes: Vec::new(),
        };
        let mut text = Vec::new();
        of(name).write(&document, &Screen::file(), &mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn csv_is_read_back_as_it_was_but_for_formulas() {
        let text = written(Name::Csv);
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        let names = reader
            .records()
            .map(|record| record.unwrap()[0].to_owned())
            .collect::<Vec<_>>();
        for (name, nasty) in names.iter().zip(NASTY) {
            let is_formula = nasty.starts_with(['=', '@', '＋']);
            let expected = if is_formula {
                format!("'{nasty}")
            } else {
                nasty.to_owned()
            };
            assert_eq!(*name, expected);
        }
        assert_eq!(names.len(), NASTY.len());
    }

    #[test]
    fn json_is_read_back_as_it_was() {
        let rows: serde_json::Value = serde_json::from_str(&written(Name::Json)).unwrap();
        for (row, name) in rows.as_array().unwrap().iter().zip(NASTY) {
            assert_eq!(row["name"], name);
            assert_eq!(row["size_bytes"], 12.5);
        }
    }

    #[test]
    fn markdown_keeps_to_its_cells() {
        let text = written(Name::Markdown);
        let rows = text
            .lines()
            .filter(|line| line.starts_with("| "))
            .collect::<Vec<_>>();
        assert_eq!(rows.len(), 2 + NASTY.len(), "{text}");
        for row in rows {
            let bars = row
                .replace("\\\\", "")
                .replace("\\|", "")
                .matches('|')
                .count();
            assert_eq!(bars, 3, "{row}");
            assert!(!row.contains(['<', '\u{1b}', '\u{202e}']), "{row}");
        }
    }

    #[test]
    fn a_table_keeps_to_its_lines_and_leaves_the_terminal_alone() {
        let text = written(Name::Table);
        // The title, the head, its rule, the rows and the note.
        assert_eq!(text.lines().count(), 4 + NASTY.len(), "{text}");
        assert!(!text.contains(['\u{1b}', '\u{202e}']));
    }

    #[test]
    fn people_do_not_see_what_no_row_has() {
        let column = |head: &str, rank| Column::new(head, head, Align::Right, rank);
        let table = Table {
            columns: vec![column("name", 0), column("read", 2), column("must", 0)],
            rows: vec![vec!["n".into(), Cell::default(), Cell::default()]],
            ..Table::default()
        };
        assert_eq!(for_people(&table), [0, 2]);
        assert_eq!(for_machines(&table), [0, 1, 2]);
    }

    #[test]
    fn what_does_not_fit_is_left_out_by_rank() {
        let column = |head: &str, rank| Column::new(head, head, Align::Right, rank);
        let table = Table {
            columns: vec![
                column("name", 0),
                column("a-very-wide-one", 1),
                column("x", 2),
            ],
            rows: vec![vec!["n".into(), "w".into(), "x".into()]],
            ..Table::default()
        };
        let document = Document {
            tables: vec![table],
            notes: Vec::new(),
        };
        let screen = Screen {
            width: Some(10),
            styled: false,
        };
        let mut text = Vec::new();
        of(Name::Table).write(&document, &screen, &mut text);
        let text = String::from_utf8(text).unwrap();
        let head = text.lines().next().unwrap();
        assert_eq!(head.split_whitespace().collect::<Vec<_>>(), ["name", "x"]);
        assert!(text.contains("a-very-wide-one"), "{text}");
    }
}
