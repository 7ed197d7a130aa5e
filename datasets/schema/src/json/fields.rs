//! The fields of a struct or of a struct variant.

use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use super::seed::{Context, Seed, Step};
use crate::defaults;
use crate::model::Field;

/// Fields being read. They may come in any order and be absent; canonical bytes have them all, in
/// the order of the schema.
pub struct Fields<'a, 's> {
    context: &'a Context<'s>,
    fields: &'s [Field],
    out: &'a mut Vec<u8>,
    /// Where the struct begins in `out`.
    start: usize,
    /// Where each field that was read lies in `out`.
    ranges: Vec<Option<Range<usize>>>,
}

impl<'a, 's> Fields<'a, 's> {
    pub fn new(context: &'a Context<'s>, fields: &'s [Field], out: &'a mut Vec<u8>) -> Self {
        let start = out.len();
        Self {
            context,
            fields,
            out,
            start,
            ranges: vec![None; fields.len()],
        }
    }

    /// Reads the rest of an object, and completes the struct.
    pub fn read_all<'de, A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(index) = map.next_key_seed(Name(self.fields))? {
            self.read(index, |seed| map.next_value_seed(seed))?;
        }
        self.finish()
    }

    /// Reads one field that was set aside earlier.
    pub fn read_aside<'de, D>(&mut self, name: &str, reader: D) -> Result<(), D::Error>
    where
        D: Deserializer<'de>,
    {
        let index = Name(self.fields).visit_str(name)?;
        self.read(index, |seed| seed.deserialize(reader))
    }

    fn read<E: Error>(
        &mut self,
        index: usize,
        value: impl FnOnce(Seed<'_, 's>) -> Result<(), E>,
    ) -> Result<(), E> {
        let field = &self.fields[index];
        self.context.enter(Step::Name(&field.wire_name));
        let start = self.out.len();
        if self.ranges[index].is_some() {
            return Err(E::custom("the field is given twice"));
        }
        value(Seed::new(self.context, &field.ty, self.out))?;
        self.ranges[index] = Some(start..self.out.len());
        self.context.leave();
        Ok(())
    }

    /// Puts the fields in order and fills in the absent ones.
    pub fn finish<E: Error>(self) -> Result<(), E> {
        let starts = self
            .ranges
            .iter()
            .map(|range| range.as_ref().map(|r| r.start));
        if starts.is_sorted() && self.ranges.iter().all(Option::is_some) {
            return Ok(());
        }
        let read = self.out.split_off(self.start);
        for (field, range) in self.fields.iter().zip(self.ranges) {
            let absent;
            let bytes = match range {
                Some(range) => &read[range.start - self.start..range.end - self.start],
                None => {
                    absent = defaults::of_field(self.context.schema, field).ok_or_else(|| {
                        E::custom(format_args!("field `{}` is missing", field.wire_name))
                    })?;
                    &absent
                }
            };
            self.out.extend_from_slice(bytes);
        }
        Ok(())
    }
}

/// The name of a field; its index.
struct Name<'s>(&'s [Field]);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<usize, D::Error> {
        reader.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        self.0
            .iter()
            .position(|field| field.wire_name == name)
            .ok_or_else(|| {
                let known: Vec<_> = self
                    .0
                    .iter()
                    .map(|field| field.wire_name.as_str())
                    .collect();
                match known.is_empty() {
                    true => E::custom(format_args!("unknown field `{name}`, none expected")),
                    false => {
                        let known = known.join(", ");
                        E::custom(format_args!(
                            "unknown field `{name}`; the fields are {known}"
                        ))
                    }
                }
            })
    }
}
