//! Enums, by either tagging.

use serbench_canonical::encode_len;
use serde::de::{Error, IgnoredAny, MapAccess};
use serde_json::value::RawValue;

use super::fields::Fields;
use super::seed::{Context, Seed, Step};
use crate::model::{Field, Payload, Shape, Type, Variant};

/// `"Variant"`.
pub fn unit<E: Error>(variants: &[Variant], name: &str, out: &mut Vec<u8>) -> Result<(), E> {
    let (index, variant) = find(variants, name)?;
    match variant.payload {
        Payload::Unit => encode_len(index, out),
        _ => {
            return Err(E::custom(format_args!(
                "variant `{name}` carries a value; none found"
            )));
        }
    }
    Ok(())
}

/// `{"Variant": payload}`.
pub fn external<'de, 's, A: MapAccess<'de>>(
    context: &Context<'s>,
    mut map: A,
    variants: &'s [Variant],
    out: &mut Vec<u8>,
) -> Result<(), A::Error> {
    let one = || A::Error::custom("an object with one key, the variant's name, expected");
    let name = map.next_key::<String>()?.ok_or_else(one)?;
    let (index, variant) = find(variants, &name)?;
    encode_len(index, out);
    context.enter(Step::Name(&variant.wire_name));
    match &variant.payload {
        Payload::Unit => map.next_value::<()>()?,
        Payload::Newtype(ty) => map.next_value_seed(Seed::new(context, ty, out))?,
        Payload::Struct(fields) => map.next_value_seed(StructSeed {
            context,
            fields,
            out,
        })?,
    }
    context.leave();
    match map.next_key::<IgnoredAny>()? {
        None => Ok(()),
        Some(_) => Err(one()),
    }
}

/// `{"<tag>": "Variant", …fields}`. Fields before the tag are set aside as text until it is known
/// what they mean.
pub fn internal<'de, 's, A: MapAccess<'de>>(
    context: &Context<'s>,
    mut map: A,
    tag: &str,
    variants: &'s [Variant],
    out: &mut Vec<u8>,
) -> Result<(), A::Error> {
    let mut aside: Vec<(String, Box<RawValue>)> = Vec::new();
    let (index, variant) = loop {
        match map.next_key::<String>()? {
            Some(key) if key == tag => break find(variants, &map.next_value::<String>()?)?,
            Some(key) => aside.push((key, map.next_value()?)),
            None => return Err(A::Error::custom(format_args!("the tag `{tag}` is missing"))),
        }
    };
    encode_len(index, out);
    let mut fields = Fields::new(context, payload_fields(context, &variant.payload), out);
    for (name, text) in &aside {
        let mut reader = serde_json::Deserializer::from_str(text.get());
        fields
            .read_aside(name, &mut reader)
            .map_err(|error| A::Error::custom(super::bare_message(&error)))?;
    }
    fields.read_all(map)
}

/// The fields beside the tag.
fn payload_fields<'s>(context: &Context<'s>, payload: &'s Payload) -> &'s [Field] {
    match payload {
        Payload::Unit => &[],
        Payload::Struct(fields) => fields,
        Payload::Newtype(ty) => match context.schema.resolve(ty) {
            Type::Named(index) => match &context.schema.def(*index).shape {
                Shape::Struct(fields) => fields,
                _ => unreachable!("the parser lets only structs into tagged enums"),
            },
            _ => unreachable!("the parser lets only structs into tagged enums"),
        },
    }
}

fn find<'s, E: Error>(variants: &'s [Variant], name: &str) -> Result<(usize, &'s Variant), E> {
    let found = variants
        .iter()
        .enumerate()
        .find(|(_, variant)| variant.wire_name == name);
    found.ok_or_else(|| {
        let known: Vec<_> = variants
            .iter()
            .map(|variant| variant.wire_name.as_str())
            .collect();
        let known = known.join(", ");
        E::custom(format_args!(
            "unknown variant `{name}`; the variants are {known}"
        ))
    })
}

/// The object that a struct variant carries.
struct StructSeed<'a, 's> {
    context: &'a Context<'s>,
    fields: &'s [Field],
    out: &'a mut Vec<u8>,
}

impl<'de> serde::de::DeserializeSeed<'de> for StructSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'de> serde::de::Visitor<'de> for StructSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object with the variant's fields")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        Fields::new(self.context, self.fields, self.out).read_all(map)
    }
}
