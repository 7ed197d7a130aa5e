//! Where two values part.

use serbench_canonical::{DecodeError, Reader};

use super::{brief, walk};
use crate::model::{Field, Payload, Schema, Shape, Type, Variant};

/// The first place at which `actual` is not what was expected, as a path and both contents, or
/// `None` where they are the same: `.V1.cells[3].floors[0].i_scene: 4 expected, 5 found`.
pub fn first_difference(schema: &Schema, expected: &[u8], actual: &[u8]) -> Option<String> {
    if expected == actual {
        return None;
    }
    let mut pair = Pair {
        schema,
        path: String::new(),
        expected: Reader::new(expected),
        actual: Reader::new(actual),
    };
    let found = pair
        .value(&schema.root)
        .and_then(|()| pair.actual.finish().map_err(malformed));
    let what = match found {
        Ok(()) => "the expected value is malformed".to_owned(),
        Err(what) => what,
    };
    let path = match pair.path.is_empty() {
        true => "value",
        false => &pair.path,
    };
    Some(format!("{path}: {what}"))
}

/// Two values, walked in step.
struct Pair<'a> {
    schema: &'a Schema,
    path: String,
    expected: Reader<'a>,
    actual: Reader<'a>,
}

fn malformed(error: DecodeError) -> String {
    format!("malformed, {error}")
}

impl<'a> Pair<'a> {
    /// Reads the same thing from both. The expected side was checked before it was handed out.
    fn both<T>(
        &mut self,
        read: impl Fn(&mut Reader<'a>) -> Result<T, DecodeError>,
    ) -> Result<(T, T), String> {
        let expected = read(&mut self.expected).map_err(malformed)?;
        let actual = read(&mut self.actual).map_err(malformed)?;
        Ok((expected, actual))
    }

    /// Goes one step down the path, and back up if nothing differs there.
    fn below(&mut self, step: &str, ty: &Type) -> Result<(), String> {
        let len = self.path.len();
        self.path.push_str(step);
        self.value(ty)?;
        self.path.truncate(len);
        Ok(())
    }

    fn elements(&mut self, ty: &Type, len: usize) -> Result<(), String> {
        (0..len).try_for_each(|index| self.below(&format!("[{index}]"), ty))
    }

    fn fields(&mut self, fields: &[Field]) -> Result<(), String> {
        fields
            .iter()
            .try_for_each(|field| self.below(&format!(".{}", field.name), &field.ty))
    }

    fn lengths(&mut self, min_size: usize) -> Result<usize, String> {
        let (expected, actual) = self.both(|input| input.len(min_size))?;
        match expected == actual {
            true => Ok(expected),
            false => Err(format!("{expected} elements expected, {actual} found")),
        }
    }

    /// Compares what is read whole: scalars, strings, byte strings.
    fn leaf(
        &mut self,
        ty: &Type,
        read: impl Fn(&mut Reader<'a>) -> Result<&'a [u8], DecodeError>,
    ) -> Result<(), String> {
        let (before_expected, before_actual) = (self.expected.rest(), self.actual.rest());
        let (expected, actual) = self.both(read)?;
        match expected == actual {
            true => Ok(()),
            false => Err(format!(
                "{} expected, {} found",
                brief(self.schema, ty, before_expected),
                brief(self.schema, ty, before_actual)
            )),
        }
    }

    fn value(&mut self, ty: &Type) -> Result<(), String> {
        match ty {
            Type::Scalar(scalar) => self.leaf(ty, |input| walk::scalar(*scalar, input)),
            Type::String => self.leaf(ty, |input| input.str().map(str::as_bytes)),
            Type::Bytes => self.leaf(ty, Reader::blob),
            Type::List(element) => {
                let len = self.lengths(1)?;
                self.elements(element, len)
            }
            Type::Array(element, len) => self.elements(element, *len as usize),
            Type::Option(inner) => match self.both(walk::present)? {
                (true, true) => self.value(inner),
                (false, false) => Ok(()),
                (true, false) => Err("a value expected, none found".to_owned()),
                (false, true) => Err("no value expected, one found".to_owned()),
            },
            Type::Map(element) => self.map(element),
            Type::Tensor(scalar) => {
                let ((shape, data), (other_shape, other_data)) =
                    self.both(|input| walk::tensor(*scalar, input))?;
                if shape != other_shape {
                    return Err(format!("shape {shape:?} expected, {other_shape:?} found"));
                }
                let size = scalar.size();
                let pairs = data.chunks_exact(size).zip(other_data.chunks_exact(size));
                match pairs.into_iter().enumerate().find(|(_, (a, b))| a != b) {
                    None => Ok(()),
                    Some((index, (a, b))) => {
                        let ty = Type::Scalar(*scalar);
                        let [a, b] = [a, b].map(|bytes| brief(self.schema, &ty, bytes));
                        Err(format!("element {index}: {a} expected, {b} found"))
                    }
                }
            }
            Type::Named(index) => {
                let schema = self.schema;
                self.shape(&schema.def(*index).shape)
            }
        }
    }

    fn map(&mut self, element: &Type) -> Result<(), String> {
        for _ in 0..self.lengths(4)? {
            let (key, other) = self.both(|input| input.str())?;
            if key != other {
                return Err(format!("key {key:?} expected, {other:?} found"));
            }
            self.below(&format!("[{key:?}]"), element)?;
        }
        Ok(())
    }

    fn shape(&mut self, shape: &Shape) -> Result<(), String> {
        match shape {
            Shape::Newtype(inner) => self.value(inner),
            Shape::Struct(fields) => self.fields(fields),
            Shape::Tuple(types) => types
                .iter()
                .enumerate()
                .try_for_each(|(index, ty)| self.below(&format!(".{index}"), ty)),
            Shape::Enum { variants, .. } => self.variants(variants),
        }
    }

    fn variants(&mut self, variants: &[Variant]) -> Result<(), String> {
        let (index, other) = self.both(|input| walk::variant(variants.len(), input))?;
        let (variant, other) = (&variants[index], &variants[other]);
        if variant != other {
            return Err(format!("{} expected, {} found", variant.name, other.name));
        }
        let len = self.path.len();
        self.path.push('.');
        self.path.push_str(&variant.name);
        match &variant.payload {
            Payload::Unit => {}
            Payload::Newtype(ty) => self.value(ty)?,
            Payload::Struct(fields) => self.fields(fields)?,
        }
        self.path.truncate(len);
        Ok(())
    }
}
