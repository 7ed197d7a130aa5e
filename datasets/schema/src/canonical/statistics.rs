//! How values are distributed, place by place.

use serbench_canonical::{DecodeError, Reader};

use super::walk;
use crate::model::{Field, Payload, Scalar, Schema, Shape, Type};
use crate::print::type_text;

/// What is seen at one place of the values.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Which place: `$.lines[*].count`.
    pub path: String,
    /// Its type, as the schema language spells it.
    pub ty: String,
    /// How many values stand there.
    pub count: u64,
    /// Of numbers their range and mean, of whatever has a length that of the lengths.
    pub range: Option<Range>,
    /// How often each alternative was seen: of bools, options and enums.
    pub alternatives: Vec<(String, u64)>,
}

/// The least and the greatest of some numbers, and their mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The least.
    pub min: Number,
    /// The greatest.
    pub max: Number,
    /// The mean.
    pub mean: f64,
    /// Whether they are lengths.
    pub of_lengths: bool,
}

/// A whole number, which is exact, or another one.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)]
pub enum Number {
    Int(i128),
    Float(f64),
}

/// Adds up what is seen in values.
pub struct Statistics<'s> {
    schema: &'s Schema,
    root: Node<'s>,
}

impl<'s> Statistics<'s> {
    /// Nothing seen as yet.
    pub fn new(schema: &'s Schema) -> Self {
        let root = Node::new(schema, "$".to_owned(), &schema.root);
        Self { schema, root }
    }

    /// Looks at one value.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), DecodeError> {
        let mut reader = Reader::new(bytes);
        self.root.add(self.schema, &mut reader)?;
        reader.finish()
    }

    /// What was seen, in the order of the schema.
    pub fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        self.root.places(self.schema, &mut places);
        places
    }
}

/// A place and those inside it, which are made when the first value is seen here.
struct Node<'s> {
    path: String,
    ty: &'s Type,
    count: u64,
    range: Option<Sum>,
    alternatives: Vec<u64>,
    inside: Vec<Node<'s>>,
}

/// A range in the making.
struct Sum {
    min: Number,
    max: Number,
    sum: f64,
    of_lengths: bool,
}

impl<'s> Node<'s> {
    fn new(schema: &'s Schema, path: String, ty: &'s Type) -> Self {
        Self {
            path,
            ty: schema.resolve(ty),
            count: 0,
            range: None,
            alternatives: Vec::new(),
            inside: Vec::new(),
        }
    }

    fn add(&mut self, schema: &'s Schema, input: &mut Reader<'_>) -> Result<(), DecodeError> {
        if self.count == 0 {
            self.open(schema);
        }
        self.count += 1;
        match self.ty {
            Type::Scalar(scalar) => self.scalar(*scalar, walk::scalar(*scalar, input)?),
            Type::String => self.length(input.str()?.len()),
            Type::Bytes => self.length(input.blob()?.len()),
            Type::List(_) => {
                let len = input.len(1)?;
                self.length(len);
                (0..len).try_for_each(|_| self.inside[0].add(schema, input))?;
            }
            Type::Array(_, len) => {
                (0..*len).try_for_each(|_| self.inside[0].add(schema, input))?;
            }
            Type::Option(_) => {
                let present = walk::present(input)?;
                self.alternatives[usize::from(present)] += 1;
                if present {
                    self.inside[0].add(schema, input)?;
                }
            }
            Type::Map(_) => {
                let len = input.len(4)?;
                self.length(len);
                let mut last = None;
                for _ in 0..len {
                    last = Some(walk::key(input, last)?);
                    self.inside[0].add(schema, input)?;
                }
            }
            Type::Tensor(scalar) => {
                let (_, data) = walk::tensor(*scalar, input)?;
                let elements = data.chunks_exact(scalar.size());
                self.length(elements.len());
                for bytes in elements {
                    self.inside[0].count += 1;
                    self.inside[0].scalar(*scalar, bytes);
                }
            }
            Type::Named(index) => match &schema.def(*index).shape {
                Shape::Enum { variants, .. } => {
                    let index = walk::variant(variants.len(), input)?;
                    self.alternatives[index] += 1;
                    let before: usize = variants[..index].iter().map(|v| parts(&v.payload)).sum();
                    let inside = &mut self.inside[before..][..parts(&variants[index].payload)];
                    inside
                        .iter_mut()
                        .try_for_each(|node| node.add(schema, input))?;
                }
                _ => self
                    .inside
                    .iter_mut()
                    .try_for_each(|node| node.add(schema, input))?,
            },
        }
        Ok(())
    }

    /// Makes the places inside.
    fn open(&mut self, schema: &'s Schema) {
        let path = &self.path;
        let node = |path, ty| Node::new(schema, path, ty);
        let fields = |path: &str, fields: &'s [Field]| {
            let nodes = fields.iter();
            let nodes = nodes.map(|field| node(format!("{path}.{}", field.wire_name), &field.ty));
            nodes.collect::<Vec<_>>()
        };
        self.inside = match self.ty {
            Type::Scalar(Scalar::Bool) => {
                self.alternatives = vec![0; 2];
                return;
            }
            Type::Scalar(_) | Type::String | Type::Bytes => return,
            Type::List(element) | Type::Array(element, _) => {
                vec![node(format!("{path}[*]"), element)]
            }
            Type::Option(some) => {
                self.alternatives = vec![0; 2];
                vec![node(path.clone(), some)]
            }
            Type::Map(value) => vec![node(format!("{path}[key]"), value)],
            Type::Tensor(scalar) => vec![node(format!("{path}[*]"), scalar_type(*scalar))],
            Type::Named(index) => match &schema.def(*index).shape {
                Shape::Struct(list) => fields(path, list),
                Shape::Tuple(types) => {
                    let types = types.iter().enumerate();
                    types
                        .map(|(index, ty)| node(format!("{path}[{index}]"), ty))
                        .collect()
                }
                Shape::Newtype(_) => unreachable!("`Node::new` looks through newtypes"),
                Shape::Enum { variants, .. } => {
                    self.alternatives = vec![0; variants.len()];
                    let inside = variants.iter().flat_map(|variant| {
                        let path = format!("{path}<{}>", variant.wire_name);
                        match &variant.payload {
                            Payload::Unit => Vec::new(),
                            Payload::Newtype(ty) => vec![node(path, ty)],
                            Payload::Struct(list) => fields(&path, list),
                        }
                    });
                    inside.collect()
                }
            },
        };
    }

    fn scalar(&mut self, scalar: Scalar, bytes: &[u8]) {
        let word = super::word(scalar, bytes);
        let number = match scalar {
            Scalar::Bool => {
                self.alternatives[usize::from(word == 1)] += 1;
                return;
            }
            Scalar::F32 => Number::Float(f32::from_bits(word as u32).into()),
            Scalar::F64 => Number::Float(f64::from_bits(word)),
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => {
                Number::Int((word as i64).into())
            }
            Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => Number::Int(word.into()),
        };
        self.number(number, false);
    }

    fn length(&mut self, len: usize) {
        self.number(Number::Int(len as i128), true);
    }

    fn number(&mut self, number: Number, of_lengths: bool) {
        let sum = self.range.get_or_insert(Sum {
            min: number,
            max: number,
            sum: 0.0,
            of_lengths,
        });
        sum.sum += number.as_f64();
        if number.is_below(sum.min) {
            sum.min = number;
        }
        if sum.max.is_below(number) {
            sum.max = number;
        }
    }

    fn places(&self, schema: &Schema, places: &mut Vec<Place>) {
        let names: Vec<&str> = match self.ty {
            Type::Option(_) => vec!["absent", "present"],
            Type::Scalar(Scalar::Bool) => vec!["false", "true"],
            Type::Named(index) => match &schema.def(*index).shape {
                Shape::Enum { variants, .. } => {
                    variants.iter().map(|v| v.wire_name.as_str()).collect()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let alternatives = names.into_iter().zip(&self.alternatives);
        places.push(Place {
            path: self.path.clone(),
            ty: type_text(schema, self.ty),
            count: self.count,
            range: self.range.as_ref().map(|sum| Range {
                min: sum.min,
                max: sum.max,
                mean: sum.sum / self.count as f64,
                of_lengths: sum.of_lengths,
            }),
            alternatives: alternatives
                .map(|(name, count)| (name.to_owned(), *count))
                .collect(),
        });
        self.inside
            .iter()
            .for_each(|node| node.places(schema, places));
    }
}

impl Number {
    fn as_f64(self) -> f64 {
        match self {
            Self::Int(n) => n as f64,
            Self::Float(x) => x,
        }
    }

    /// Whole numbers are compared exactly, others in their total order.
    fn is_below(self, other: Self) -> bool {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a < b,
            _ => self.as_f64().total_cmp(&other.as_f64()).is_lt(),
        }
    }
}

/// How many places a variant has inside.
fn parts(payload: &Payload) -> usize {
    match payload {
        Payload::Unit => 0,
        Payload::Newtype(_) => 1,
        Payload::Struct(fields) => fields.len(),
    }
}

/// The type of a tensor's elements, which stands in no schema.
fn scalar_type(scalar: Scalar) -> &'static Type {
    static TYPES: [Type; 11] = [
        Type::Scalar(Scalar::Bool),
        Type::Scalar(Scalar::I8),
        Type::Scalar(Scalar::I16),
        Type::Scalar(Scalar::I32),
        Type::Scalar(Scalar::I64),
        Type::Scalar(Scalar::U8),
        Type::Scalar(Scalar::U16),
        Type::Scalar(Scalar::U32),
        Type::Scalar(Scalar::U64),
        Type::Scalar(Scalar::F32),
        Type::Scalar(Scalar::F64),
    ];
    &TYPES[scalar as usize]
}
