//! What the backends for interface languages (Protocol Buffers, Cap'n Proto, FlatBuffers) share:
//! a schema brought down to the messages, fields, unions and enums that they all have.
//!
//! Each format tells [`lower`] by a [`Policy`] what it can say directly; the rest is wrapped in
//! messages of its own. What was done is recorded as [`Rule`]s, for the footnotes of a row. The
//! same model drives the text of the interface file and every conversion, so the two agree.
//! `datasets/IDL.md` lists the rules.

pub(crate) mod cpp;
mod lower;
pub mod names;
pub(crate) mod rust;

use std::collections::BTreeSet;

use crate::model::Scalar;

pub use lower::lower;
pub use rust::has_own_root;

/// A schema in terms of an interface language.
#[derive(Debug)]
pub struct Model {
    /// Every message (struct, table), behind those that it uses.
    pub messages: Vec<Message>,
    /// Every enum whose variants carry nothing.
    pub enums: Vec<Enum>,
    /// The message that one value of the dataset is.
    pub root: usize,
    /// The type of one value of the dataset, in terms of the native types.
    pub root_type: Ty,
    /// What was done to make the data fit.
    pub rules: BTreeSet<Rule>,
}

/// A message, struct or table.
#[derive(Debug)]
pub struct Message {
    /// Its name, in `CamelCase`.
    pub name: String,
    /// The native type that it stands for.
    pub origin: Origin,
    /// What is in it.
    pub body: Body,
    /// Whether it is laid out inline, at a fixed size (a FlatBuffers struct).
    pub fixed: bool,
}

/// Which native type a message stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// A struct, tuple or enum with payloads: a type of the schema.
    Named(usize),
    /// The fields of a struct variant: the enum's type and the variant's index.
    Variant(usize, usize),
    /// What a unit variant carries where a union can only hold messages: nothing.
    Unit,
    /// One value in its field, since it cannot stand where it is used by itself.
    Wrapper,
    /// A fixed array, one field an element.
    Array(Ty, u32),
    /// A key and a value of a map.
    Entry,
    /// A shape and the elements.
    Tensor(Scalar),
}

/// What is in a message.
#[derive(Debug)]
pub enum Body {
    /// Fields.
    Fields(Vec<Field>),
    /// Exactly one of the alternatives, which are the variants of an enum in order.
    Union(Vec<Alternative>),
}

/// A field.
#[derive(Debug)]
pub struct Field {
    /// Its name in the interface file, in `snake_case`.
    pub name: String,
    /// Its name in the native type; empty where the origin has no fields by name.
    pub native: String,
    /// Its type.
    pub ty: Ty,
}

/// A variant of an enum with payloads.
#[derive(Debug)]
pub struct Alternative {
    /// Its name in the interface file, in `snake_case`.
    pub name: String,
    /// The variant's name in the native type.
    pub native: String,
    /// What it carries.
    pub payload: Payload,
}

/// What an alternative carries.
#[derive(Debug)]
pub enum Payload {
    /// Nothing; and the empty message that stands for it, where there has to be one.
    Unit(Option<usize>),
    /// One value.
    Value(Ty),
    /// The message that holds the fields of a struct variant.
    Fields(usize),
}

/// An enum whose variants carry nothing.
#[derive(Debug)]
pub struct Enum {
    /// Its name, in `CamelCase`.
    pub name: String,
    /// The type of the schema.
    pub def: usize,
    /// The variants' names in the native type.
    pub natives: Vec<String>,
    /// The variants' names in the interface file, in `snake_case`.
    pub values: Vec<String>,
}

/// The type of a field or an element.
#[derive(Debug, Clone, PartialEq)]
pub enum Ty {
    /// `bool` or a number.
    Scalar(Scalar),
    /// Text.
    String,
    /// A byte string.
    Bytes,
    /// A list of `u8`, or an array of so many, written as a byte string.
    ByteList(Option<u32>),
    /// One of [`Model::enums`].
    Enum(usize),
    /// One of [`Model::messages`].
    Message(usize),
    /// A list, or an array of so many.
    List(Box<Ty>, Option<u32>),
    /// A map that the format knows as such.
    Map(Box<Ty>),
    /// A map as a list of the entries that this message holds, in ascending order of their keys.
    Entries(usize),
    /// Present or absent.
    Optional(Box<Ty>),
    /// A newtype of the schema around a type; it has no trace in the format.
    Newtype(usize, Box<Ty>),
}

/// What a format can say directly.
#[derive(Debug)]
pub struct Policy {
    /// Whether lists of `u8` are written as byte strings.
    pub byte_lists: bool,
    /// Whether maps are lists of entries.
    pub map_entries: bool,
    /// Whether a union's alternative without a value holds an empty message.
    pub unit_messages: bool,
    /// Whether types of fixed size are laid out inline; then short arrays are such types.
    pub fixed_messages: bool,
    /// The scalar types that are carried by a wider one.
    pub widened: &'static [Scalar],
    /// What can be an element of a list or the value of a map.
    pub element: fn(&Ty) -> bool,
    /// What can be absent.
    pub optional: fn(&Ty) -> bool,
    /// What can be an alternative of a union, messages aside.
    pub alternative: fn(&Ty) -> bool,
}

/// Something that was done to make the data fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A scalar type is carried by a wider one.
    Widened(&'static str),
    /// A list of `u8` is a byte string.
    ByteList,
    /// A fixed array is a list.
    ArrayAsList,
    /// A fixed array is a struct of that many fields.
    ArrayAsStruct,
    /// A tensor is a message of shape and elements.
    Tensor,
    /// A map is a list of entries.
    MapEntries,
    /// A variant that carries nothing holds an empty message.
    UnitVariant,
    /// A list, map or optional that stands where the format has none is in a message of its own.
    Wrapped,
    /// The dataset's value is in a message of its own.
    WrappedRoot,
}

impl Ty {
    /// The type with newtypes looked through.
    pub fn peel(&self) -> &Ty {
        match self {
            Ty::Newtype(_, inner) => inner.peel(),
            other => other,
        }
    }
}

impl Model {
    /// The message's fields; for one with a union, none.
    pub fn fields(&self, message: usize) -> &[Field] {
        match &self.messages[message].body {
            Body::Fields(fields) => fields,
            Body::Union(_) => &[],
        }
    }

    /// The footnotes for a row, given what this format's words for the rules are.
    pub fn notes(&self, words: impl Fn(Rule) -> &'static str, wide: &str) -> Vec<String> {
        let widened: Vec<&str> = self
            .rules
            .iter()
            .filter_map(|rule| match rule {
                Rule::Widened(name) => Some(*name),
                _ => None,
            })
            .collect();
        let widened = (!widened.is_empty()).then(|| format!("{} {wide}", widened.join(", ")));
        let others = self
            .rules
            .iter()
            .filter(|rule| !matches!(rule, Rule::Widened(_)));
        widened
            .into_iter()
            .chain(others.map(|rule| words(*rule).to_owned()))
            .collect()
    }
}

/// The name of a dataset as part of a package or namespace.
pub fn package(dataset: &str) -> String {
    names::members([dataset]).remove(0)
}
