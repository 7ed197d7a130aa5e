//! From JSON to a [`Profile`], without a tree in between: what is held at a time is one value's
//! profile.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::profile::{Arrays, Fields, Kind, Numbers, Objects, Profile};

/// Where a document went wrong, from the inside out. Nothing is kept as long as nothing is wrong.
#[derive(Default)]
pub struct Trace(RefCell<Vec<String>>);

impl Trace {
    fn step(&self, step: String) {
        self.0.borrow_mut().push(step);
    }

    pub fn path(&self) -> String {
        let steps = self.0.borrow();
        let steps = steps.iter().rev().map(String::as_str);
        std::iter::once("$").chain(steps).collect()
    }
}

/// Reads one value.
#[derive(Clone, Copy)]
pub struct Value<'a>(pub &'a Trace);

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = Profile;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Profile, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = Profile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Profile, E> {
        Ok(Profile::null())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Profile, E> {
        Ok(Profile {
            bools: 1,
            ..Profile::of(Kind::Bool)
        })
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<Profile, E> {
        Ok(Profile::int(n.into()))
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<Profile, E> {
        Ok(Profile::int(n.into()))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Profile, E> {
        let numbers = Numbers {
            floats: 1,
            ..Numbers::default()
        };
        Ok(Profile {
            numbers,
            ..Profile::of(Kind::Number)
        })
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Profile, E> {
        Ok(Profile::string(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Profile, A::Error> {
        let mut arrays = Arrays::new();
        each(seq, self.0, |element| arrays.push(element))?;
        Ok(Profile {
            arrays: Some(Box::new(arrays)),
            ..Profile::of(Kind::Array)
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Profile, A::Error> {
        let mut fields = Fields::new();
        while let Some(key) = map.next_key::<String>()? {
            if fields.contains_key(&key) {
                self.0.step(format!(".{key}"));
                return Err(A::Error::custom("the key is given twice"));
            }
            let value = map.next_value_seed(self);
            let value = value.inspect_err(|_| self.0.step(format!(".{key}")))?;
            fields.insert(key, value);
        }
        Ok(Profile {
            objects: Some(Box::new(Objects::new(fields))),
            ..Profile::of(Kind::Object)
        })
    }
}

/// Hands out the elements of an array.
fn each<'de, A: SeqAccess<'de>>(
    mut seq: A,
    trace: &Trace,
    mut see: impl FnMut(Profile),
) -> Result<(), A::Error> {
    for index in 0.. {
        let element = seq.next_element_seed(Value(trace));
        match element.inspect_err(|_| trace.step(format!("[{index}]")))? {
            Some(element) => see(element),
            None => break,
        }
    }
    Ok(())
}

/// Reads an array of values, which are added up.
pub struct Values<'a>(pub &'a Trace);

impl<'de> Visitor<'de> for Values<'_> {
    type Value = Profile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Profile, A::Error> {
        let mut all = Profile::default();
        each(seq, self.0, |value| all.add(value))?;
        Ok(all)
    }
}
