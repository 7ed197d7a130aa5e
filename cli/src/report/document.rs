//! What a layout says, before a format decides how it looks.

/// A report.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// The tables, in order.
    pub tables: Vec<Table>,
    /// What stands beneath them, for people only.
    pub notes: Vec<String>,
}

/// A table.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The headline, for people only; may be empty.
    pub title: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
    /// What stands beneath the table, for people only.
    pub notes: Vec<String>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The name in machine formats, with the unit.
    pub id: String,
    /// The name for people.
    pub head: String,
    /// To which side its cells are aligned.
    pub align: Align,
    /// Who sees it.
    pub shown: Shown,
    /// Where the space does not suffice, the columns with the highest number go first; those
    /// with 0 stay.
    pub rank: u8,
    /// What stands beneath all tables where people see the column.
    pub note: Option<&'static str>,
}

/// To which side cells are aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Align {
    Left,
    Right,
}

/// Who sees a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// People and machines.
    Both,
    /// Formats for people only.
    People,
    /// Formats for machines only.
    Machines,
}

/// A cell: what it is for machines, and how people read it.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    /// For machines, and for people where there is no text.
    pub value: Value,
    /// For people.
    pub text: Option<String>,
    /// For people whose screen is too narrow for the text.
    pub brief: Option<String>,
}

/// A value in a fixed unit.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Value {
    /// There is none.
    #[default]
    None,
    /// Text.
    Text(String),
    /// A count.
    Count(u64),
    /// Bytes, which may be a mean.
    Bytes(f64),
    /// A time in nanoseconds.
    Nanoseconds(f64),
    /// A plain number, such as a ratio.
    Number(f64),
    /// Several texts.
    List(Vec<String>),
}

impl Column {
    /// A column for people and machines.
    pub fn new(id: impl Into<String>, head: impl Into<String>, align: Align, rank: u8) -> Self {
        Self {
            id: id.into(),
            head: head.into(),
            align,
            shown: Shown::Both,
            rank,
            note: None,
        }
    }

    /// A column that only machines see.
    pub fn machine(id: impl Into<String>) -> Self {
        let id = id.into();
        Self {
            head: id.replace('_', " "),
            id,
            align: Align::Right,
            shown: Shown::Machines,
            rank: u8::MAX,
            note: None,
        }
    }

    /// A column that only people see.
    pub fn people(id: impl Into<String>, head: impl Into<String>, align: Align, rank: u8) -> Self {
        Self {
            shown: Shown::People,
            ..Self::new(id, head, align, rank)
        }
    }

    /// The same with a note.
    pub fn with_note(self, note: &'static str) -> Self {
        Self {
            note: Some(note),
            ..self
        }
    }
}

impl Cell {
    /// Whether there is anything in it.
    pub fn tells(&self) -> bool {
        self.value != Value::None || self.text.is_some()
    }

    /// A cell that people read differently from machines.
    pub fn with_text(value: Value, text: impl Into<String>) -> Self {
        Self {
            text: Some(text.into()),
            ..value.into()
        }
    }
}

impl From<Value> for Cell {
    fn from(value: Value) -> Self {
        Self {
            value,
            ..Self::default()
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned()).into()
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Value::Text(text).into()
    }
}

impl Value {
    /// The value in hand, or none.
    pub fn or_none<T>(value: Option<T>, make: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::None, make)
    }

    /// The number, where it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Count(count) => Some(*count as f64),
            Self::Bytes(number) | Self::Nanoseconds(number) | Self::Number(number) => Some(*number),
            Self::None | Self::Text(_) | Self::List(_) => None,
        }
    }
}
