//! The value that stands for an absent field.

use std::ops::RangeInclusive;

use serbench_canonical::{Decoded, encode_len};

use crate::model::{Field, Literal, Scalar, Schema, Shape, Type};

/// The canonical encoding of the default of a type: `literal` where it is given, else the type's
/// own: zero, empty, `None`, or a struct of its fields' defaults. Enums and tensors have none.
pub fn default_bytes(schema: &Schema, ty: &Type, literal: Option<&Literal>) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    encode(schema, ty, literal, &mut out).then_some(out)
}

/// The canonical encoding of an absent field, where it may be absent.
pub(crate) fn of_field(schema: &Schema, field: &Field) -> Option<Vec<u8>> {
    default_bytes(schema, &field.ty, field.default.as_ref())
}

fn encode(schema: &Schema, ty: &Type, literal: Option<&Literal>, out: &mut Vec<u8>) -> bool {
    match (ty, literal) {
        (Type::Scalar(scalar), _) => encode_scalar(*scalar, literal, out),
        (Type::String, Some(Literal::Str(s))) => s.encode(out),
        (Type::List(element), Some(Literal::Seq(elements))) => {
            encode_len(elements.len(), out);
            return elements
                .iter()
                .all(|e| encode(schema, element, Some(e), out));
        }
        (Type::Array(element, _), Some(Literal::Seq(elements))) => {
            return elements
                .iter()
                .all(|e| encode(schema, element, Some(e), out));
        }
        (Type::Array(element, len), _) => {
            return (0..*len).all(|_| encode(schema, element, None, out));
        }
        (Type::Option(inner), Some(_)) => {
            out.push(1);
            return encode(schema, inner, literal, out);
        }
        (Type::Option(_), None) => out.push(0),
        (Type::Named(index), _) => {
            return encode_shape(schema, &schema.def(*index).shape, literal, out);
        }
        (Type::Tensor(_), _) => return false,
        (Type::String | Type::Bytes | Type::List(_) | Type::Map(_), _) => {
            encode_len(0, out);
        }
    }
    true
}

fn encode_shape(
    schema: &Schema,
    shape: &Shape,
    literal: Option<&Literal>,
    out: &mut Vec<u8>,
) -> bool {
    match (shape, literal) {
        (Shape::Newtype(inner), _) => encode(schema, inner, literal, out),
        (Shape::Struct(fields), _) => fields
            .iter()
            .all(|f| encode(schema, &f.ty, f.default.as_ref(), out)),
        (Shape::Tuple(types), Some(Literal::Seq(elements))) => types
            .iter()
            .zip(elements)
            .all(|(ty, element)| encode(schema, ty, Some(element), out)),
        (Shape::Tuple(types), _) => types.iter().all(|ty| encode(schema, ty, None, out)),
        (Shape::Enum { variants, .. }, Some(Literal::Str(name))) => {
            match variants.iter().position(|v| v.name == *name) {
                Some(index) => encode_len(index, out),
                None => return false,
            }
            true
        }
        (Shape::Enum { .. }, _) => false,
    }
}

fn encode_scalar(scalar: Scalar, literal: Option<&Literal>, out: &mut Vec<u8>) {
    match (scalar, literal) {
        (Scalar::Bool, Some(Literal::Bool(b))) => b.encode(out),
        (Scalar::F32, Some(Literal::Float(bits))) => (f64::from_bits(*bits) as f32).encode(out),
        (Scalar::F64, Some(Literal::Float(bits))) => f64::from_bits(*bits).encode(out),
        // Two's complement: the low bytes of the widest integer are those of the narrower.
        (_, Some(Literal::Int(n))) => out.extend_from_slice(&n.to_le_bytes()[..scalar.size()]),
        _ => out.resize(out.len() + scalar.size(), 0),
    }
}

/// The values of an integer type.
pub(crate) fn int_range(scalar: Scalar) -> RangeInclusive<i128> {
    let bits = 8 * scalar.size();
    match scalar {
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => {
            -(1 << (bits - 1))..=(1 << (bits - 1)) - 1
        }
        _ => 0..=(1 << bits) - 1,
    }
}
