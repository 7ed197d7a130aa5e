//! What a schema says, after parsing: the one model that every loader and generator works from.

use serde::{Deserialize, Serialize};

/// The types of a dataset. `types` is in dependency order: a type stands behind those it uses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Schema {
    /// Every named type.
    pub types: Vec<TypeDef>,
    /// The type of one value of the dataset: what `type Root = …;` says.
    pub root: Type,
}

/// A type as it is used: in a field, as an element, as the root.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// `bool` and all numbers.
    Scalar(Scalar),
    /// `String`.
    String,
    /// `Bytes`: a byte string.
    Bytes,
    /// `Vec<T>`.
    List(Box<Type>),
    /// `[T; N]`.
    Array(Box<Type>, u32),
    /// `Option<T>`.
    Option(Box<Type>),
    /// `Map<T>`: string keys in ascending order of their bytes.
    Map(Box<Type>),
    /// `Tensor<T>`: a shape and contiguous elements in row-major order; never of `bool`.
    Tensor(Scalar),
    /// A type of [`Schema::types`], by its index.
    Named(usize),
}

/// The scalar types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
}

/// A named type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TypeDef {
    /// The Rust name, such as `LevelV1`.
    pub name: String,
    /// What kind of type it is, and what it holds.
    pub shape: Shape,
}

/// The kinds of named types.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// `struct A { b: T, … }`, with at least one field.
    Struct(Vec<Field>),
    /// `struct A(T, U, …);` with two elements or more: positional, an array in JSON.
    Tuple(Vec<Type>),
    /// `struct A(T);`: transparent in every encoding.
    Newtype(Type),
    /// `enum A { … }`.
    Enum {
        /// How formats that write names represent the variant.
        tagging: Tagging,
        /// The variants; the index is the canonical one.
        variants: Vec<Variant>,
    },
}

/// How formats that write names represent which variant a value has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tagging {
    /// `{"Variant": payload}`, or `"Variant"` where there is no payload.
    External,
    /// `{"<tag>": "Variant", …fields}`: `#[schema(tag = "…")]`.
    Internal(String),
}

/// A field of a struct or of a struct variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// The Rust name, without `r#`.
    pub name: String,
    /// The name in formats that write names; `name` unless renamed.
    pub wire_name: String,
    /// Its type.
    pub ty: Type,
    /// The value of an absent field, where it is not the type's own default.
    pub default: Option<Literal>,
    /// Left out, by formats that write names, when it equals its default: when its canonical
    /// encoding is the same, so that -0.0 does not equal 0.0 and a NaN equals itself.
    pub skip_default: bool,
}

/// A variant of an enum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// The Rust name.
    pub name: String,
    /// The name in formats that write names.
    pub wire_name: String,
    /// What it carries.
    pub payload: Payload,
}

/// What a variant carries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Payload {
    /// Nothing.
    Unit,
    /// One unnamed value.
    Newtype(Type),
    /// Named fields.
    Struct(Vec<Field>),
}

/// The value of a `default = …` attribute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Literal {
    /// `true`, `false`.
    Bool(bool),
    /// A whole number.
    Int(i128),
    /// A number with a fraction, by its bits, so that a schema compares and hashes exactly.
    Float(u64),
    /// A string, or the Rust name of an enum's variant that has no payload.
    Str(String),
    /// `[…]`: a list, an array, or the elements of a tuple.
    Seq(Vec<Literal>),
}

impl Schema {
    /// The definition behind a [`Type::Named`].
    pub fn def(&self, index: usize) -> &TypeDef {
        &self.types[index]
    }

    /// The type with newtypes looked through.
    pub fn resolve<'a>(&'a self, ty: &'a Type) -> &'a Type {
        match ty {
            Type::Named(index) => match &self.types[*index].shape {
                Shape::Newtype(inner) => self.resolve(inner),
                _ => ty,
            },
            _ => ty,
        }
    }

    /// Whether only formats that write names can carry the dataset: some field may be left out,
    /// or some enum is tagged inside its content.
    pub fn needs_self_describing(&self) -> bool {
        self.types.iter().any(|def| match &def.shape {
            Shape::Struct(fields) => fields.iter().any(|f| f.skip_default),
            Shape::Enum { tagging, variants } => {
                *tagging != Tagging::External
                    || variants.iter().any(|v| match &v.payload {
                        Payload::Struct(fields) => fields.iter().any(|f| f.skip_default),
                        _ => false,
                    })
            }
            _ => false,
        })
    }
}

impl Scalar {
    /// Every scalar type.
    pub const ALL: [Scalar; 11] = [
        Scalar::Bool,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::F32,
        Scalar::F64,
    ];

    /// The scalar type of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scalar| scalar.name() == name)
    }

    /// The name in the schema language, which is Rust's.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// Its size in the canonical encoding.
    pub fn size(self) -> usize {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }
}
