//! Schemas and values of them, drawn at random; the same ones for the same seed.

use serbench_canonical::{Decoded, encode_blob, encode_len};
use serbench_schema::default_bytes;
use serbench_schema::model::{
    Field, Literal, Payload, Scalar, Schema, Shape, Tagging, Type, TypeDef, Variant,
};

/// A source of random numbers: splitmix64.
pub struct Random {
    state: u64,
    pub floats: Floats,
}

/// Which floats are drawn.
#[derive(Clone, Copy)]
#[allow(dead_code)] // Not every test program draws all of them.
pub enum Floats {
    /// Of all bits.
    Any,
    /// As JSON has them: no NaN and no infinity.
    Finite,
    /// As every format carries them: not -0.0 either.
    Plain,
}

const SCALARS: [Scalar; 11] = [
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
/// Names that some language or library has a meaning for.
const NAMES: [&str; 24] = [
    "a",
    "class",
    "type",
    "int",
    "namespace",
    "template",
    "self_",
    "value",
    "name",
    "kind",
    "errno",
    "major",
    "new",
    "delete",
    "std",
    "size",
    "data",
    "x1",
    "Root",
    "fn",
    "struct",
    "xor",
    "__x",
    "Fields",
];

impl Random {
    pub fn new(seed: u64) -> Self {
        Self {
            state: seed,
            floats: Floats::Any,
        }
    }

    pub fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// A schema; its root is the last type it declares, or something made of that.
    pub fn schema(&mut self) -> Schema {
        let root = Type::Scalar(Scalar::Bool);
        let mut schema = Schema {
            types: Vec::new(),
            root,
        };
        for index in 0..1 + self.below(7) {
            let shape = self.shape(&schema);
            schema.types.push(TypeDef {
                name: format!("T{index}"),
                shape,
            });
        }
        let last = Type::Named(schema.types.len() - 1);
        schema.root = match self.below(5) {
            0 => Type::List(Box::new(last)),
            1 => Type::Map(Box::new(last)),
            2 => Type::Array(Box::new(last), 2),
            _ => last,
        };
        schema
    }

    fn shape(&mut self, schema: &Schema) -> Shape {
        match self.below(8) {
            0 => Shape::Newtype(self.ty(schema, 0)),
            1 => Shape::Tuple((0..2 + self.below(3)).map(|_| self.ty(schema, 0)).collect()),
            2..=4 => Shape::Struct(self.fields(schema)),
            5 => self.enumeration(schema, |_, _| Payload::Unit),
            _ => self.enumeration(schema, |random, schema| match random.below(3) {
                0 => Payload::Unit,
                1 => Payload::Newtype(random.ty(schema, 0)),
                _ => Payload::Struct(random.fields(schema)),
            }),
        }
    }

    fn enumeration(
        &mut self,
        schema: &Schema,
        mut payload: impl FnMut(&mut Self, &Schema) -> Payload,
    ) -> Shape {
        let variants = (0..1 + self.below(5)).map(|index| Variant {
            name: format!("V{index}"),
            wire_name: format!("v-{index}"),
            payload: payload(self, schema),
        });
        let variants = variants.collect();
        Shape::Enum {
            tagging: Tagging::External,
            variants,
        }
    }

    fn fields(&mut self, schema: &Schema) -> Vec<Field> {
        let start = self.below(NAMES.len());
        (0..1 + self.below(6))
            .map(|index| {
                let name = NAMES[(start + index) % NAMES.len()];
                let ty = self.ty(schema, 0);
                let default = self.literal(schema, &ty);
                let skip_default =
                    self.below(4) == 0 && default_bytes(schema, &ty, default.as_ref()).is_some();
                let wire_name = format!("{name}\u{20ac}?\"");
                Field {
                    name: name.to_owned(),
                    wire_name,
                    ty,
                    default,
                    skip_default,
                }
            })
            .collect()
    }

    fn ty(&mut self, schema: &Schema, depth: usize) -> Type {
        let inner = |random: &mut Self| Box::new(random.ty(schema, depth + 1));
        match self.below(if depth < 3 { 14 } else { 6 }) {
            0..=2 => Type::Scalar(*self.pick(&SCALARS)),
            3 => Type::String,
            4 => Type::Bytes,
            5 => Type::Tensor(*self.pick(&SCALARS[1..])),
            6 | 7 => Type::List(inner(self)),
            8 => Type::Array(inner(self), 1 + self.below(3) as u32),
            9 => Type::Map(inner(self)),
            10 => {
                let some = inner(self);
                match schema.resolve(&some) {
                    Type::Option(_) => *some,
                    _ => Type::Option(some),
                }
            }
            _ if schema.types.is_empty() => Type::Scalar(Scalar::U8),
            _ => Type::Named(self.below(schema.types.len())),
        }
    }

    /// A default, where the type can have a declared one and chance wants it.
    fn literal(&mut self, schema: &Schema, ty: &Type) -> Option<Literal> {
        if self.below(2) == 0 {
            return None;
        }
        Some(match schema.resolve(ty) {
            Type::Scalar(Scalar::Bool) => Literal::Bool(true),
            Type::Scalar(Scalar::F32) => Literal::Float(f64::from(-0.1f32).to_bits()),
            Type::Scalar(Scalar::F64) => Literal::Float(1e-7f64.to_bits()),
            Type::Scalar(Scalar::I64) => Literal::Int(i64::MIN.into()),
            Type::Scalar(Scalar::I32) => Literal::Int(i32::MIN.into()),
            Type::Scalar(Scalar::U64) => Literal::Int(u64::MAX.into()),
            Type::Scalar(_) => Literal::Int(self.below(128) as i128),
            Type::String => Literal::Str("\"\\?\u{1f980}1".to_owned()),
            Type::Option(inner) => self.literal(schema, inner)?,
            Type::List(element) => Literal::Seq(
                (0..2)
                    .map(|_| self.literal(schema, element))
                    .collect::<Option<_>>()?,
            ),
            Type::Array(element, len) => Literal::Seq(
                (0..*len)
                    .map(|_| self.literal(schema, element))
                    .collect::<Option<_>>()?,
            ),
            Type::Named(index) => match &schema.def(*index).shape {
                Shape::Tuple(types) => Literal::Seq(
                    types
                        .iter()
                        .map(|ty| self.literal(schema, ty))
                        .collect::<Option<_>>()?,
                ),
                Shape::Enum { variants, .. } => {
                    let unit = variants.iter().rev().find(|v| v.payload == Payload::Unit)?;
                    Literal::Str(unit.name.clone())
                }
                _ => return None,
            },
            Type::Bytes | Type::Map(_) | Type::Tensor(_) => return None,
        })
    }

    /// Appends the canonical encoding of a value of `ty`.
    pub fn value(&mut self, schema: &Schema, ty: &Type, out: &mut Vec<u8>) {
        match ty {
            Type::Scalar(scalar) => self.scalar(*scalar, out),
            Type::String => {
                let text: String = (0..self.below(6))
                    .map(|_| *self.pick(&['a', '€', '\0']))
                    .collect();
                encode_blob(text.as_bytes(), out);
            }
            Type::Bytes => {
                let bytes: Vec<u8> = (0..self.below(6)).map(|_| self.word() as u8).collect();
                encode_blob(&bytes, out);
            }
            Type::List(element) => {
                let len = self.below(3);
                encode_len(len, out);
                (0..len).for_each(|_| self.value(schema, element, out));
            }
            Type::Array(element, len) => (0..*len).for_each(|_| self.value(schema, element, out)),
            Type::Option(some) => {
                let present = self.below(2) == 1;
                out.push(present.into());
                if present {
                    self.value(schema, some, out);
                }
            }
            Type::Map(value) => {
                let len = self.below(3);
                encode_len(len, out);
                for key in ["", "k\u{ff}"].iter().take(len) {
                    encode_blob(key.as_bytes(), out);
                    self.value(schema, value, out);
                }
            }
            Type::Tensor(element) => {
                let shape: Vec<usize> = (0..self.below(4)).map(|_| self.below(4)).collect();
                encode_len(shape.len(), out);
                shape.iter().for_each(|dim| encode_len(*dim, out));
                (0..shape.iter().product()).for_each(|_| self.scalar(*element, out));
            }
            Type::Named(index) => self.shape_value(schema, &schema.def(*index).shape, out),
        }
    }

    fn shape_value(&mut self, schema: &Schema, shape: &Shape, out: &mut Vec<u8>) {
        match shape {
            Shape::Newtype(ty) => self.value(schema, ty, out),
            Shape::Tuple(types) => types.iter().for_each(|ty| self.value(schema, ty, out)),
            Shape::Struct(fields) => fields.iter().for_each(|f| self.value(schema, &f.ty, out)),
            Shape::Enum { variants, .. } => {
                let index = self.below(variants.len());
                encode_len(index, out);
                match &variants[index].payload {
                    Payload::Unit => {}
                    Payload::Newtype(ty) => self.value(schema, ty, out),
                    Payload::Struct(fields) => {
                        fields.iter().for_each(|f| self.value(schema, &f.ty, out));
                    }
                }
            }
        }
    }

    fn scalar(&mut self, scalar: Scalar, out: &mut Vec<u8>) {
        match (scalar, self.floats) {
            (Scalar::Bool, _) => out.push(self.below(2) as u8),
            (Scalar::F32, Floats::Plain) => (self.word() as i16 as f32 / 64.0).encode(out),
            (Scalar::F64, Floats::Plain) => (self.word() as i32 as f64 / 64.0).encode(out),
            (Scalar::F32, Floats::Finite) => loop {
                let float = f32::from_bits(self.word() as u32);
                if float.is_finite() {
                    break float.encode(out);
                }
            },
            (Scalar::F64, Floats::Finite) => loop {
                let float = f64::from_bits(self.word());
                if float.is_finite() {
                    break float.encode(out);
                }
            },
            _ => out.extend_from_slice(&self.word().to_le_bytes()[..scalar.size()]),
        }
    }
}
