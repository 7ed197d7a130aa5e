//! One value of a type.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serbench_canonical::{Decoded, base64_decode, encode_blob};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};

use super::fields::Fields;
use super::{tagged, tensor};
use crate::defaults::int_range;
use crate::model::{Scalar, Schema, Shape, Tagging, Type};

/// What every part of a document shares: the schema, and the path to the part being read.
pub struct Context<'s> {
    pub schema: &'s Schema,
    path: RefCell<Vec<Step<'s>>>,
}

/// One step into a document.
pub enum Step<'s> {
    Name(&'s str),
    Key(String),
    Index(usize),
}

impl<'s> Context<'s> {
    pub fn new(schema: &'s Schema) -> Self {
        Self {
            schema,
            path: RefCell::default(),
        }
    }

    /// Goes into a part. After a failure the path stays where it happened.
    pub fn enter(&self, step: Step<'s>) {
        self.path.borrow_mut().push(step);
    }

    /// Comes back from a part that was read.
    pub fn leave(&self) {
        self.path.borrow_mut().pop();
    }

    /// The present place: `$[3].cells[0].position`.
    pub fn path(&self) -> String {
        let mut text = "$".to_owned();
        for step in self.path.borrow().iter() {
            match step {
                Step::Name(name) => text += &format!(".{name}"),
                Step::Key(key) => text += &format!("[{key:?}]"),
                Step::Index(index) => text += &format!("[{index}]"),
            }
        }
        text
    }
}

/// Reads one value of type `ty` and appends its canonical encoding to `out`.
pub struct Seed<'a, 's> {
    pub context: &'a Context<'s>,
    /// With newtypes looked through.
    ty: &'a Type,
    out: &'a mut Vec<u8>,
}

impl<'a, 's> Seed<'a, 's> {
    pub fn new(context: &'a Context<'s>, ty: &'a Type, out: &'a mut Vec<u8>) -> Self {
        Self {
            context,
            ty: context.schema.resolve(ty),
            out,
        }
    }

    fn shape(&self) -> Option<&'s Shape> {
        match self.ty {
            Type::Named(index) => Some(&self.context.schema.types[*index].shape),
            _ => None,
        }
    }

    /// A whole number, if it fits the type.
    fn int<E: Error>(self, n: i128) -> Result<(), E> {
        match self.ty {
            Type::Scalar(Scalar::F32) => (n as f32).encode(self.out),
            Type::Scalar(Scalar::F64) => (n as f64).encode(self.out),
            Type::Scalar(scalar) if *scalar != Scalar::Bool => {
                if !int_range(*scalar).contains(&n) {
                    return Err(E::custom(format_args!(
                        "{n} does not fit {}",
                        scalar.name()
                    )));
                }
                self.out
                    .extend_from_slice(&n.to_le_bytes()[..scalar.size()]);
            }
            _ => return Err(E::custom(format_args!("{self} expected, a number found"))),
        }
        Ok(())
    }

    fn wrong<E: Error>(&self, found: Unexpected<'_>) -> E {
        E::custom(format_args!("{self} expected, {found} found"))
    }
}

impl fmt::Display for Seed<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.ty, self.shape()) {
            (Type::Scalar(scalar), _) => f.write_str(scalar.name()),
            (Type::String, _) => f.write_str("a string"),
            (Type::Bytes, _) => f.write_str("a base64 string"),
            (Type::List(_), _) => f.write_str("an array"),
            (Type::Array(_, len), _) => write!(f, "an array of {len}"),
            (Type::Option(_), _) => f.write_str("a value or null"),
            (Type::Map(_), _) => f.write_str("an object"),
            (Type::Tensor(_), _) => f.write_str("an object with `shape` and `data`"),
            (Type::Named(index), Some(Shape::Tuple(types))) => {
                let name = &self.context.schema.def(*index).name;
                write!(f, "an array of {} ({name})", types.len())
            }
            (Type::Named(index), Some(Shape::Enum { .. })) => {
                write!(f, "a variant of {}", self.context.schema.def(*index).name)
            }
            (Type::Named(index), _) => {
                write!(f, "an object ({})", self.context.schema.def(*index).name)
            }
        }
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        match self.ty {
            // Only this one makes serde_json round to the nearest f32 at once.
            Type::Scalar(Scalar::F32) => reader.deserialize_f32(self),
            Type::Option(_) => reader.deserialize_option(self),
            _ => reader.deserialize_any(self),
        }
    }
}

impl<'a, 'de> Visitor<'de> for Seed<'a, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }

    fn visit_bool<E: Error>(self, b: bool) -> Result<(), E> {
        match self.ty {
            Type::Scalar(Scalar::Bool) => b.encode(self.out),
            _ => return Err(self.wrong(Unexpected::Bool(b))),
        }
        Ok(())
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<(), E> {
        self.int(n.into())
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<(), E> {
        self.int(n.into())
    }

    fn visit_f64<E: Error>(self, x: f64) -> Result<(), E> {
        match self.ty {
            Type::Scalar(Scalar::F64) => x.encode(self.out),
            Type::Scalar(Scalar::F32) if (x as f32).is_finite() => (x as f32).encode(self.out),
            Type::Scalar(scalar) if *scalar != Scalar::Bool => {
                return Err(E::custom(format_args!(
                    "{x} does not fit {}",
                    scalar.name()
                )));
            }
            _ => return Err(self.wrong(Unexpected::Float(x))),
        }
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        if u32::try_from(text.len()).is_err() {
            return Err(E::custom("a string has at most 2^32 - 1 bytes"));
        }
        match (self.ty, self.shape()) {
            (Type::String, _) => text.encode(self.out),
            (Type::Bytes, _) => {
                let bytes = base64_decode(text);
                let bytes = bytes.map_err(|e| E::custom(format_args!("not base64: {e}")))?;
                encode_blob(&bytes, self.out);
            }
            (
                _,
                Some(Shape::Enum {
                    tagging: Tagging::External,
                    variants,
                }),
            ) => {
                return tagged::unit(variants, text, self.out);
            }
            _ => return Err(self.wrong(Unexpected::Str(text))),
        }
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        match self.ty {
            Type::Option(_) => self.out.push(0),
            _ => return Err(E::custom(format_args!("{self} expected, null found"))),
        }
        Ok(())
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        let Type::Option(inner) = self.ty else {
            return Err(self.wrong(Unexpected::Option));
        };
        self.out.push(1);
        Seed::new(self.context, inner, self.out).deserialize(reader)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let types: &dyn Fn(usize) -> Option<&'a Type> = match (self.ty, self.shape()) {
            (Type::List(element), _) => {
                let start = self.out.len();
                self.out.extend_from_slice(&[0; 4]);
                let count = elements(self.context, &mut seq, &|_| Some(element), self.out)?;
                let count = u32::try_from(count).map_err(A::Error::custom)?;
                self.out[start..start + 4].copy_from_slice(&count.to_le_bytes());
                return Ok(());
            }
            (Type::Array(element, len), _) => {
                &move |index| (index < *len as usize).then_some(&**element)
            }
            (_, Some(Shape::Tuple(types))) => &move |index| types.get(index),
            _ => return Err(self.wrong(Unexpected::Seq)),
        };
        let count = elements(self.context, &mut seq, types, self.out)?;
        if types(count).is_some() {
            return Err(A::Error::custom(format_args!(
                "{self} expected, {count} elements found"
            )));
        }
        match seq.next_element::<serde::de::IgnoredAny>()? {
            None => Ok(()),
            Some(_) => Err(A::Error::custom(format_args!(
                "{self} expected, more found"
            ))),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        match (self.ty, self.shape()) {
            (Type::Map(element), _) => self::map(self.context, map, element, self.out),
            (Type::Tensor(scalar), _) => tensor::read(self.context, map, *scalar, self.out),
            (_, Some(Shape::Struct(fields))) => {
                Fields::new(self.context, fields, self.out).read_all(map)
            }
            (
                _,
                Some(Shape::Enum {
                    tagging: Tagging::External,
                    variants,
                }),
            ) => tagged::external(self.context, map, variants, self.out),
            (
                _,
                Some(Shape::Enum {
                    tagging: Tagging::Internal(tag),
                    variants,
                }),
            ) => tagged::internal(self.context, map, tag, variants, self.out),
            _ => Err(self.wrong(Unexpected::Map)),
        }
    }
}

/// Reads elements as long as `types` has one for the next index; returns how many there were.
pub fn elements<'de, 't, A: SeqAccess<'de>>(
    context: &Context<'_>,
    seq: &mut A,
    types: &dyn Fn(usize) -> Option<&'t Type>,
    out: &mut Vec<u8>,
) -> Result<usize, A::Error> {
    let mut count = 0;
    while let Some(ty) = types(count) {
        context.enter(Step::Index(count));
        let more = seq
            .next_element_seed(Seed::new(context, ty, out))?
            .is_some();
        context.leave();
        if !more {
            break;
        }
        count += 1;
    }
    Ok(count)
}

/// A map: its entries may come in any order, and stand in ascending order of their keys.
fn map<'de, A: MapAccess<'de>>(
    context: &Context<'_>,
    mut map: A,
    element: &Type,
    out: &mut Vec<u8>,
) -> Result<(), A::Error> {
    let mut values = Vec::new();
    let mut entries: BTreeMap<String, Range<usize>> = BTreeMap::new();
    while let Some(key) = map.next_key::<String>()? {
        let start = values.len();
        context.enter(Step::Key(key.clone()));
        if entries.contains_key(&key) {
            return Err(A::Error::custom("the key is given twice"));
        }
        map.next_value_seed(Seed::new(context, element, &mut values))?;
        context.leave();
        entries.insert(key, start..values.len());
    }
    serbench_canonical::encode_len(entries.len(), out);
    for (key, range) in entries {
        key.encode(out);
        out.extend_from_slice(&values[range]);
    }
    Ok(())
}
