//! Canonical bytes as JSON.

use serbench_canonical::{DecodeError, Reader, base64_encode};
use serde_json::{Map, Number, Value, json};

use super::walk;
use crate::defaults;
use crate::model::{Field, Payload, Scalar, Schema, Shape, Tagging, Type, Variant};

/// The value as serde_json writes it: wire names, tagging, fields skipped where the schema says.
/// Bytes are base64, a tensor is `{"shape": […], "data": […]}`, a float that is not finite is null.
pub fn to_json(schema: &Schema, bytes: &[u8]) -> Result<Value, DecodeError> {
    let mut reader = Reader::new(bytes);
    let value = value(schema, &schema.root, &mut reader)?;
    reader.finish()?;
    Ok(value)
}

/// One value of type `ty`.
pub fn value(schema: &Schema, ty: &Type, input: &mut Reader<'_>) -> Result<Value, DecodeError> {
    Ok(match ty {
        Type::Scalar(scalar) => self::scalar(*scalar, walk::scalar(*scalar, input)?),
        Type::String => Value::from(input.str()?),
        Type::Bytes => Value::from(base64_encode(input.blob()?)),
        Type::List(element) => {
            let len = input.len(1)?;
            list(schema, element, len, input)?
        }
        Type::Array(element, len) => list(schema, element, *len as usize, input)?,
        Type::Option(inner) => match walk::present(input)? {
            true => value(schema, inner, input)?,
            false => Value::Null,
        },
        Type::Map(element) => {
            let mut map = Map::new();
            let mut last = None;
            for _ in 0..input.len(4)? {
                let key = walk::key(input, last)?;
                map.insert(key.to_owned(), value(schema, element, input)?);
                last = Some(key);
            }
            Value::Object(map)
        }
        Type::Tensor(scalar) => {
            let (shape, data) = walk::tensor(*scalar, input)?;
            let elements = data.chunks_exact(scalar.size());
            let data: Vec<Value> = elements.map(|bytes| self::scalar(*scalar, bytes)).collect();
            json!({ "shape": shape, "data": data })
        }
        Type::Named(index) => named(schema, &schema.def(*index).shape, input)?,
    })
}

fn list(
    schema: &Schema,
    element: &Type,
    len: usize,
    input: &mut Reader<'_>,
) -> Result<Value, DecodeError> {
    (0..len).map(|_| value(schema, element, input)).collect()
}

fn named(schema: &Schema, shape: &Shape, input: &mut Reader<'_>) -> Result<Value, DecodeError> {
    match shape {
        Shape::Newtype(inner) => value(schema, inner, input),
        Shape::Struct(fields) => {
            let mut map = Map::new();
            put_fields(schema, fields, input, &mut map)?;
            Ok(Value::Object(map))
        }
        Shape::Tuple(types) => types.iter().map(|ty| value(schema, ty, input)).collect(),
        Shape::Enum { tagging, variants } => {
            let variant = &variants[walk::variant(variants.len(), input)?];
            match tagging {
                Tagging::External => external(schema, variant, input),
                Tagging::Internal(tag) => internal(schema, variant, tag, input),
            }
        }
    }
}

fn external(
    schema: &Schema,
    variant: &Variant,
    input: &mut Reader<'_>,
) -> Result<Value, DecodeError> {
    let payload = match &variant.payload {
        Payload::Unit => return Ok(Value::from(variant.wire_name.as_str())),
        Payload::Newtype(ty) => value(schema, ty, input)?,
        Payload::Struct(fields) => {
            let mut map = Map::new();
            put_fields(schema, fields, input, &mut map)?;
            Value::Object(map)
        }
    };
    Ok(Value::Object(Map::from_iter([(
        variant.wire_name.clone(),
        payload,
    )])))
}

fn internal(
    schema: &Schema,
    variant: &Variant,
    tag: &str,
    input: &mut Reader<'_>,
) -> Result<Value, DecodeError> {
    let mut map = Map::from_iter([(tag.to_owned(), Value::from(variant.wire_name.as_str()))]);
    match &variant.payload {
        Payload::Unit => {}
        Payload::Struct(fields) => put_fields(schema, fields, input, &mut map)?,
        Payload::Newtype(ty) => {
            if let Value::Object(fields) = value(schema, ty, input)? {
                map.extend(fields);
            }
        }
    }
    Ok(Value::Object(map))
}

fn put_fields(
    schema: &Schema,
    fields: &[Field],
    input: &mut Reader<'_>,
    map: &mut Map<String, Value>,
) -> Result<(), DecodeError> {
    for field in fields {
        let before = input.rest();
        let value = value(schema, &field.ty, input)?;
        let bytes = &before[..before.len() - input.rest().len()];
        if !(field.skip_default && defaults::of_field(schema, field).as_deref() == Some(bytes)) {
            map.insert(field.wire_name.clone(), value);
        }
    }
    Ok(())
}

fn scalar(scalar: Scalar, bytes: &[u8]) -> Value {
    match scalar {
        Scalar::Bool => Value::from(bytes == [1]),
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => {
            Value::from(super::word(scalar, bytes) as i64)
        }
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => {
            Value::from(super::word(scalar, bytes))
        }
        Scalar::F32 => float(f32::from_bits(super::word(scalar, bytes) as u32)),
        Scalar::F64 => Number::from_f64(f64::from_bits(super::word(scalar, bytes)))
            .map_or(Value::Null, Value::Number),
    }
}

/// As serde_json writes this `f32`: in its own shortest digits. As an `f64` the number keeps those
/// digits, where the exact widening would show up to 17 of them.
fn float(x: f32) -> Value {
    let text = serde_json::to_string(&x).expect("a number has no part that could fail");
    serde_json::from_str(&text).expect("serde_json reads what it writes")
}
