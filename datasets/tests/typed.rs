//! Generated Rust types carry the same values as the walks by schema do: canonical encoding,
//! checksum and JSON agree, for the catalog and for schemas drawn at random.

#[path = "../schema/tests/random/mod.rs"]
#[allow(dead_code)]
mod random;

use random::Random;
use serbench_canonical::{Canonical, Checksum};
use serbench_schema::model::{Payload, Shape, Type};
use serbench_schema::{Schema, canonical, json};
use serde::Serialize;
use serde::de::DeserializeOwned;

include!(concat!(env!("OUT_DIR"), "/typed.rs"));

const VALUES: u64 = 50;

/// Shown the root type of every schema.
trait See {
    fn see<T: Canonical + Serialize + DeserializeOwned>(&mut self, name: &str, schema: &str);
}

#[test]
fn schemas_drawn_at_random() {
    struct Drawn {
        json_compared: usize,
    }
    impl See for Drawn {
        fn see<T: Canonical + Serialize + DeserializeOwned>(&mut self, name: &str, schema: &str) {
            let schema = Schema::from_json(schema).unwrap();
            for seed in 0..VALUES {
                let mut bytes = Vec::new();
                Random::new(seed).value(&schema, &schema.root, &mut bytes);
                self.json_compared += usize::from(check::<T>(name, &schema, &bytes));
                damaged_bytes_are_refused_alike::<T>(&schema, &bytes, seed);
            }
        }
    }
    let mut drawn = Drawn { json_compared: 0 };
    random(&mut drawn);
    assert!(drawn.json_compared > 300, "only {}", drawn.json_compared);
}

#[test]
fn the_catalog() {
    struct Catalog;
    impl See for Catalog {
        fn see<T: Canonical + Serialize + DeserializeOwned>(&mut self, name: &str, schema: &str) {
            let dataset = serbench_datasets::find(name).unwrap();
            assert_eq!(dataset.schema.to_json(), schema);
            for bytes in dataset.values(1).unwrap().iter().take(500) {
                let tensors = uses_tensors(&dataset.schema);
                assert!(
                    check::<T>(name, &dataset.schema, bytes) || tensors,
                    "{name}"
                );
            }
        }
    }
    catalog(&mut Catalog);
}

/// Compares everything for one value. Returns whether JSON was compared too: tensors have another
/// form in documents than in codecs, and JSON has no number that is not finite.
fn check<T: Canonical + Serialize + DeserializeOwned>(
    name: &str,
    schema: &Schema,
    bytes: &[u8],
) -> bool {
    let value = T::from_canonical(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut encoded = Vec::new();
    value.encode(&mut encoded);
    assert_eq!(
        canonical::first_difference(schema, bytes, &encoded),
        None,
        "{name}"
    );
    let mut sum = Checksum::new();
    value.fold(&mut sum);
    assert_eq!(
        canonical::checksum(schema, bytes),
        Ok(sum.finish()),
        "{name}"
    );
    if uses_tensors(schema) {
        return false;
    }
    let text = serde_json::to_string(&value).unwrap();
    let shown = canonical::to_json(schema, bytes).unwrap();
    let Ok(read) = json::read_values(schema, text.as_bytes()) else {
        let again = json::read_values(schema, shown.to_string().as_bytes());
        again.expect_err("what serde_json writes is a document as well");
        return false;
    };
    assert!(read == [bytes], "{name}: {}", head(&text));
    let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(parsed == shown, "{name}: {}", head(&text));
    let mut again = Vec::new();
    serde_json::from_str::<T>(&text).unwrap().encode(&mut again);
    assert!(again == bytes, "{name}: {}", head(&text));
    true
}

/// Enough of a document to recognise it by.
fn head(text: &str) -> String {
    text.chars().take(2000).collect()
}

fn damaged_bytes_are_refused_alike<T: Canonical>(schema: &Schema, bytes: &[u8], seed: u64) {
    let mut damaged = bytes.to_vec();
    let mut random = Random::new(seed);
    let index = random.below(damaged.len());
    damaged[index] = random.word() as u8;
    for end in [damaged.len(), random.below(damaged.len())] {
        let damaged = &damaged[..end];
        let valid = canonical::validate(schema, damaged).is_ok();
        assert_eq!(
            T::from_canonical(damaged).is_ok(),
            valid,
            "{schema:?} {damaged:?}"
        );
    }
}

fn uses_tensors(schema: &Schema) -> bool {
    fn within(ty: &Type) -> bool {
        match ty {
            Type::Tensor(_) => true,
            Type::List(inner) | Type::Array(inner, _) | Type::Option(inner) | Type::Map(inner) => {
                within(inner)
            }
            _ => false,
        }
    }
    let fields = |fields: &[serbench_schema::model::Field]| fields.iter().any(|f| within(&f.ty));
    within(&schema.root)
        || schema.types.iter().any(|def| match &def.shape {
            Shape::Newtype(ty) => within(ty),
            Shape::Tuple(types) => types.iter().any(within),
            Shape::Struct(list) => fields(list),
            Shape::Enum { variants, .. } => variants.iter().any(|v| match &v.payload {
                Payload::Unit => false,
                Payload::Newtype(ty) => within(ty),
                Payload::Struct(list) => fields(list),
            }),
        })
}
