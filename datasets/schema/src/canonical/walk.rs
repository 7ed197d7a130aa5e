//! The one traversal of canonical bytes; what is done with them is up to the visitor.

use serbench_canonical::{DecodeError, Reader};

use crate::model::{Payload, Scalar, Schema, Shape, Type};

/// One item of a value, in canonical order.
pub enum Event<'a, 's> {
    /// A scalar, by its little-endian bytes.
    Scalar(Scalar, &'a [u8]),
    /// The bytes of a string or of a map's key.
    String(&'a [u8]),
    Bytes(&'a [u8]),
    /// An option: whether its value follows.
    Present(bool),
    /// A list or a map: how many elements follow.
    Length(u32),
    /// An enum: its variant, and how many variants there are.
    Variant {
        index: u32,
        count: usize,
    },
    Tensor {
        scalar: Scalar,
        shape: &'s [u32],
        data: &'a [u8],
    },
}

/// Visits one value of type `ty`, and checks it on the way.
pub fn walk<'a>(
    schema: &Schema,
    ty: &Type,
    input: &mut Reader<'a>,
    see: &mut dyn FnMut(Event<'a, '_>),
) -> Result<(), DecodeError> {
    match ty {
        Type::Scalar(scalar) => see(Event::Scalar(*scalar, self::scalar(*scalar, input)?)),
        Type::String => see(Event::String(input.str()?.as_bytes())),
        Type::Bytes => see(Event::Bytes(input.blob()?)),
        Type::List(element) => {
            let len = input.len(1)?;
            see(Event::Length(len as u32));
            for _ in 0..len {
                walk(schema, element, input, see)?;
            }
        }
        Type::Array(element, len) => {
            for _ in 0..*len {
                walk(schema, element, input, see)?;
            }
        }
        Type::Option(inner) => {
            let present = present(input)?;
            see(Event::Present(present));
            if present {
                walk(schema, inner, input, see)?;
            }
        }
        Type::Map(element) => {
            let len = input.len(4)?;
            see(Event::Length(len as u32));
            let mut last = None;
            for _ in 0..len {
                let key = key(input, last)?;
                see(Event::String(key.as_bytes()));
                walk(schema, element, input, see)?;
                last = Some(key);
            }
        }
        Type::Tensor(scalar) => {
            let (shape, data) = tensor(*scalar, input)?;
            see(Event::Tensor {
                scalar: *scalar,
                shape: &shape,
                data,
            });
        }
        Type::Named(index) => walk_shape(schema, &schema.def(*index).shape, input, see)?,
    }
    Ok(())
}

fn walk_shape<'a>(
    schema: &Schema,
    shape: &Shape,
    input: &mut Reader<'a>,
    see: &mut dyn FnMut(Event<'a, '_>),
) -> Result<(), DecodeError> {
    match shape {
        Shape::Newtype(inner) => walk(schema, inner, input, see),
        Shape::Struct(fields) => fields
            .iter()
            .try_for_each(|field| walk(schema, &field.ty, input, see)),
        Shape::Tuple(types) => types.iter().try_for_each(|ty| walk(schema, ty, input, see)),
        Shape::Enum { variants, .. } => {
            let index = variant(variants.len(), input)?;
            see(Event::Variant {
                index: index as u32,
                count: variants.len(),
            });
            match &variants[index].payload {
                Payload::Unit => Ok(()),
                Payload::Newtype(ty) => walk(schema, ty, input, see),
                Payload::Struct(fields) => fields
                    .iter()
                    .try_for_each(|field| walk(schema, &field.ty, input, see)),
            }
        }
    }
}

/// The bytes of a scalar.
pub fn scalar<'a>(scalar: Scalar, input: &mut Reader<'a>) -> Result<&'a [u8], DecodeError> {
    let bytes = input.take(scalar.size())?;
    match (scalar, bytes) {
        (Scalar::Bool, [other]) if *other > 1 => {
            Err(input.error(format!("a bool is 0 or 1, not {other}")))
        }
        _ => Ok(bytes),
    }
}

/// Whether an option has a value.
pub fn present(input: &mut Reader<'_>) -> Result<bool, DecodeError> {
    Ok(scalar(Scalar::Bool, input)? == [1])
}

/// A map's key, which stands behind the one before it.
pub fn key<'a>(input: &mut Reader<'a>, last: Option<&str>) -> Result<&'a str, DecodeError> {
    let key = input.str()?;
    match last {
        Some(last) if last >= key => Err(input.error(format!("map key {key:?} is out of order"))),
        _ => Ok(key),
    }
}

/// The index of one of `count` variants.
pub fn variant(count: usize, input: &mut Reader<'_>) -> Result<usize, DecodeError> {
    let index = u32::from_le_bytes(input.array()?) as usize;
    match index < count {
        true => Ok(index),
        false => Err(input.error(format!("there is no variant {index}, only {count} of them"))),
    }
}

/// The shape and the bytes of the elements of a tensor.
pub fn tensor<'a>(
    scalar: Scalar,
    input: &mut Reader<'a>,
) -> Result<(Vec<u32>, &'a [u8]), DecodeError> {
    let rank = input.len(4)?;
    let dims = (0..rank).map(|_| Ok(u32::from_le_bytes(input.array()?)));
    let shape = dims.collect::<Result<Vec<u32>, DecodeError>>()?;
    let size = shape
        .iter()
        .try_fold(scalar.size(), |size, dim| size.checked_mul(*dim as usize))
        .ok_or_else(|| input.error("the tensor's shape overflows"))?;
    Ok((shape, input.take(size)?))
}
