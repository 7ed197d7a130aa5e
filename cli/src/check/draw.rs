//! Values of any schema, drawn at random, in the canonical encoding.

use serbench_canonical::{encode_blob, encode_len};
use serbench_schema::Schema;
use serbench_schema::model::{Payload, Scalar, Shape, Type};

use super::random::Random;

/// What strings are made of: what texts escape, and characters of each length.
const PIECES: [&str; 12] = [
    "a",
    "serbench",
    "0",
    " ",
    "\"",
    "\\",
    "\n",
    "<&>",
    "é",
    "€",
    "\u{1f980}",
    "/",
];

impl Random {
    /// One value of a dataset.
    pub fn value_of(&mut self, schema: &Schema) -> Vec<u8> {
        let mut out = Vec::new();
        self.value(schema, &schema.root, 0, &mut out);
        out
    }

    /// Mostly short: nested lists must not explode.
    fn length(&mut self, depth: usize) -> usize {
        match (depth, self.below(10)) {
            (8.., _) => 0,
            (_, 0) => self.below(40),
            _ => self.below(4),
        }
    }

    fn value(&mut self, schema: &Schema, ty: &Type, depth: usize, out: &mut Vec<u8>) {
        let inner = depth + 1;
        match ty {
            Type::Scalar(scalar) => self.scalar(*scalar, out),
            Type::String => encode_blob(self.text().as_bytes(), out),
            Type::Bytes => {
                let bytes: Vec<u8> = (0..self.length(depth)).map(|_| self.word() as u8).collect();
                encode_blob(&bytes, out);
            }
            Type::List(element) => {
                let length = self.length(depth);
                encode_len(length, out);
                (0..length).for_each(|_| self.value(schema, element, inner, out));
            }
            Type::Array(element, length) => {
                (0..*length).for_each(|_| self.value(schema, element, inner, out));
            }
            Type::Option(some) => {
                let present = self.below(2) == 1;
                out.push(present.into());
                if present {
                    self.value(schema, some, inner, out);
                }
            }
            Type::Map(element) => {
                let mut keys: Vec<_> = (0..self.length(depth)).map(|_| self.below(100)).collect();
                keys.sort_by_key(ToString::to_string);
                keys.dedup();
                encode_len(keys.len(), out);
                for key in keys {
                    encode_blob(key.to_string().as_bytes(), out);
                    self.value(schema, element, inner, out);
                }
            }
            Type::Tensor(scalar) => {
                let shape: Vec<_> = (0..self.below(4)).map(|_| self.below(4)).collect();
                encode_len(shape.len(), out);
                shape.iter().for_each(|dim| encode_len(*dim, out));
                (0..shape.iter().product()).for_each(|_| self.scalar(*scalar, out));
            }
            Type::Named(index) => self.shape(schema, &schema.def(*index).shape, inner, out),
        }
    }

    fn shape(&mut self, schema: &Schema, shape: &Shape, depth: usize, out: &mut Vec<u8>) {
        let variants = match shape {
            Shape::Newtype(ty) => return self.value(schema, ty, depth, out),
            Shape::Tuple(types) => {
                return types
                    .iter()
                    .for_each(|ty| self.value(schema, ty, depth, out));
            }
            Shape::Struct(fields) => {
                return fields
                    .iter()
                    .for_each(|f| self.value(schema, &f.ty, depth, out));
            }
            Shape::Enum { variants, .. } => variants,
        };
        let index = self.below(variants.len());
        encode_len(index, out);
        match &variants[index].payload {
            Payload::Unit => {}
            Payload::Newtype(ty) => self.value(schema, ty, depth, out),
            Payload::Struct(fields) => {
                fields
                    .iter()
                    .for_each(|f| self.value(schema, &f.ty, depth, out));
            }
        }
    }

    fn text(&mut self) -> String {
        let pieces = if self.below(4) == 0 { 60 } else { 5 };
        let length = self.below(pieces);
        (0..length)
            .map(|_| PIECES[self.below(PIECES.len())])
            .collect()
    }

    /// The ends of the range, small ones, and any. Floats are finite, as they are in every dataset.
    fn scalar(&mut self, scalar: Scalar, out: &mut Vec<u8>) {
        const SPECIAL: [f64; 8] = [0.0, -0.0, 1.0, -1.5, 0.1, 1e30, -3.25e-7, f32::MAX as f64];
        let size = scalar.size();
        match scalar {
            Scalar::Bool => out.push(self.below(2) as u8),
            Scalar::F32 | Scalar::F64 => {
                let float = match self.below(2) {
                    0 => SPECIAL[self.below(SPECIAL.len())],
                    _ => self.word() as f64 / 1e12 - 5e6,
                };
                match scalar {
                    Scalar::F32 => out.extend((float as f32).to_le_bytes()),
                    _ => out.extend(float.to_le_bytes()),
                }
            }
            _ => {
                let any = self.word();
                let bits = match self.below(5) {
                    0 => 0,
                    1 => u64::MAX,
                    // The largest and the smallest of a signed integer.
                    2 => u64::MAX >> 1 >> (64 - 8 * size),
                    3 => 1 << (8 * size - 1),
                    _ => any >> self.below(64),
                };
                out.extend_from_slice(&bits.to_le_bytes()[..size]);
            }
        }
    }
}
