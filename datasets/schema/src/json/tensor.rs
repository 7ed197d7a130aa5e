//! `{"shape": […], "data": […]}`.

use std::fmt;

use serbench_canonical::Decoded;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::seed::{Context, Step, elements};
use crate::model::{Scalar, Type};

pub fn read<'de, A: MapAccess<'de>>(
    context: &Context<'_>,
    mut map: A,
    scalar: Scalar,
    out: &mut Vec<u8>,
) -> Result<(), A::Error> {
    let mut shape: Option<Vec<u32>> = None;
    let mut data: Option<(usize, Vec<u8>)> = None;
    while let Some(key) = map.next_key::<String>()? {
        let again = match key.as_str() {
            "shape" => shape.replace(map.next_value()?).is_some(),
            "data" => {
                context.enter(Step::Name("data"));
                let elements = map.next_value_seed(Numbers { context, scalar })?;
                context.leave();
                data.replace(elements).is_some()
            }
            _ => true,
        };
        if again {
            let message = format_args!("a tensor has `shape` and `data`, each once; {key:?} found");
            return Err(A::Error::custom(message));
        }
    }
    let (Some(shape), Some((count, data))) = (shape, data) else {
        return Err(A::Error::custom("a tensor has `shape` and `data`"));
    };
    let size = shape
        .iter()
        .try_fold(1_usize, |size, dim| size.checked_mul(*dim as usize));
    if size != Some(count) {
        let message = format_args!("shape {shape:?} does not go with {count} elements");
        return Err(A::Error::custom(message));
    }
    shape.encode(out);
    out.extend_from_slice(&data);
    Ok(())
}

/// The elements of a tensor: how many, and their bytes.
struct Numbers<'a, 's> {
    context: &'a Context<'s>,
    scalar: Scalar,
}

impl<'de> DeserializeSeed<'de> for Numbers<'_, '_> {
    type Value = (usize, Vec<u8>);

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Self::Value, D::Error> {
        reader.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Numbers<'_, '_> {
    type Value = (usize, Vec<u8>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {}", self.scalar.name())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let ty = Type::Scalar(self.scalar);
        let mut bytes = Vec::new();
        let count = elements(self.context, &mut seq, &|_| Some(&ty), &mut bytes)?;
        Ok((count, bytes))
    }
}
