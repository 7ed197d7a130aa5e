//! Tables for the screen: as wide as it is, by leaving out the least important columns.

use tabled::builder::Builder;
use tabled::grid::util::string::get_text_width;
use tabled::settings::object::Columns;
use tabled::settings::peaker::Priority;
use tabled::settings::{Alignment, Modify, Padding, Style, Width};

use super::{Format, Screen, add_notes, for_people, one_line};
use crate::report::{Align, Cell, Document, Table, units};

/// The format.
pub struct Text;

impl Format for Text {
    fn write(&self, document: &Document, screen: &Screen, out: &mut Vec<u8>) {
        let mut text = String::new();
        let mut notes = Vec::new();
        for table in &document.tables {
            if !table.title.is_empty() {
                text += &bold(&wrapped(&table.title, screen.width), screen);
                text.push('\n');
            }
            let Grid {
                text: grid,
                columns,
                left_out,
            } = grid(table, screen.width);
            add_notes(&mut notes, table, &columns);
            text += &grid;
            text.push('\n');
            if !left_out.is_empty() {
                let note = format!(
                    "Left out to fit the width: {}. --columns chooses; csv has all.",
                    left_out.join(", ")
                );
                text += &paragraph(&note, screen);
            }
            for note in &table.notes {
                text += &paragraph(note, screen);
            }
            text.push('\n');
        }
        for note in notes.iter().chain(&document.notes) {
            text += &paragraph(note, screen);
        }
        out.extend_from_slice(text.trim_end().as_bytes());
        out.push(b'\n');
    }
}

/// A table as text, the columns that it has, and what had to be left out.
struct Grid {
    text: String,
    columns: Vec<usize>,
    left_out: Vec<String>,
}

fn grid(table: &Table, width: Option<usize>) -> Grid {
    let all = for_people(table);
    let fits = |lines: &[Vec<String>]| width.is_none_or(|width| full_width(lines) <= width);
    let in_full = lines(table, &all, false);
    if fits(&in_full) {
        return Grid {
            text: draw(table, &all, in_full, None),
            columns: all,
            left_out: Vec::new(),
        };
    }
    let mut left_out = Vec::new();
    if in_full != lines(table, &all, true) {
        left_out.push("the ranges".to_owned());
    }
    let mut columns = Vec::new();
    let mut by_rank = all.clone();
    by_rank.sort_by_key(|column| table.columns[*column].rank);
    // The most important columns first; one that is too wide does not keep out narrower ones.
    for column in by_rank {
        columns.push(column);
        if table.columns[column].rank > 0 && !fits(&lines(table, &columns, true)) {
            columns.pop();
            left_out.push(table.columns[column].head.clone());
        }
    }
    columns.sort_by_key(|column| all.iter().position(|known| known == column));
    let lines = lines(table, &columns, true);
    let narrow = width.filter(|_| !fits(&lines));
    Grid {
        text: draw(table, &columns, lines, narrow),
        columns,
        left_out,
    }
}

/// The head and the rows, as they will be read.
fn lines(table: &Table, columns: &[usize], brief: bool) -> Vec<Vec<String>> {
    let head = columns
        .iter()
        .map(|column| one_line(&table.columns[*column].head));
    let mut lines = vec![head.collect::<Vec<_>>()];
    for row in &table.rows {
        let text = |cell: &Cell| match cell.brief.as_ref().filter(|_| brief) {
            Some(text) => one_line(text),
            None => one_line(&units::text(cell)),
        };
        lines.push(columns.iter().map(|column| text(&row[*column])).collect());
    }
    lines
}

/// How wide the table gets: its columns, and two blanks between them.
fn full_width(lines: &[Vec<String>]) -> usize {
    let columns = lines[0].len();
    let widest = |column: usize| {
        let widths = lines
            .iter()
            .map(|line: &Vec<String>| get_text_width(line[column].as_str()));
        widths.max().unwrap_or(0)
    };
    (0..columns).map(widest).sum::<usize>() + 2 * columns.saturating_sub(1)
}

/// Draws it; where the columns that must stay are too wide for a `narrow` screen, the widest cells
/// take several lines.
fn draw(
    table: &Table,
    columns: &[usize],
    lines: Vec<Vec<String>>,
    narrow: Option<usize>,
) -> String {
    let mut builder = Builder::default();
    for line in lines {
        builder.push_record(line);
    }
    let mut grid = builder.build();
    grid.with(Style::empty().horizontals([(1, tabled::settings::style::HorizontalLine::new('─'))]));
    grid.with(Padding::new(0, 2, 0, 0));
    for (place, column) in columns.iter().enumerate() {
        if table.columns[*column].align == Align::Right {
            grid.with(Modify::new(Columns::one(place)).with(Alignment::right()));
        }
    }
    if let Some(last) = columns.len().checked_sub(1) {
        grid.with(Modify::new(Columns::one(last)).with(Padding::zero()));
    }
    if let Some(width) = narrow {
        let widest_first = Priority::max(true);
        grid.with(Width::wrap(width).keep_words(true).priority(widest_first));
    }
    let text = grid.to_string();
    text.lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n")
}

fn bold(text: &str, screen: &Screen) -> String {
    match screen.styled {
        true => format!("\u{1b}[1m{text}\u{1b}[0m"),
        false => text.to_owned(),
    }
}

fn paragraph(text: &str, screen: &Screen) -> String {
    wrapped(text, screen.width) + "\n"
}

/// Breaks lines between words; those after the first are indented.
fn wrapped(text: &str, width: Option<usize>) -> String {
    let text = one_line(text);
    let Some(width) = width else {
        return text;
    };
    let mut lines = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        let length = get_text_width(word);
        if used > 0 && used + 1 + length > width {
            lines += "\n  ";
            used = 2;
        } else if used > 0 {
            lines.push(' ');
            used += 1;
        }
        lines += word;
        used += length;
    }
    lines
}
