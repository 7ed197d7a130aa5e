//! What holds for every schema and every value.

mod random;

use proptest::prelude::*;
use random::{Floats, Random};
use serbench_schema::{Schema, canonical, json};

/// A schema and a value of it, by a seed.
fn draw(seed: u64) -> (Schema, Vec<u8>) {
    draw_from(Random::new(seed))
}

fn draw_from(mut random: Random) -> (Schema, Vec<u8>) {
    let schema = random.schema();
    let mut bytes = Vec::new();
    random.value(&schema, &schema.root, &mut bytes);
    (schema, bytes)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_value_is_valid_and_equal_to_itself(seed: u64) {
        let (schema, bytes) = draw(seed);
        prop_assert_eq!(canonical::validate(&schema, &bytes), Ok(()));
        prop_assert_eq!(canonical::first_difference(&schema, &bytes, &bytes), None);
        prop_assert_eq!(Schema::from_json(&schema.to_json()).unwrap(), schema);
    }

    #[test]
    fn json_and_back_gives_the_same_bytes(seed: u64) {
        let mut random = Random::new(seed);
        random.floats = Floats::Finite;
        let (schema, bytes) = draw_from(random);
        let text = canonical::to_json(&schema, &bytes).unwrap().to_string();
        prop_assert_eq!(json::read_values(&schema, text.as_bytes()).unwrap(), [bytes]);
    }

    /// JSON has no NaN and no infinity: they are shown as null, which is refused, or no value.
    #[test]
    fn json_of_any_float_is_no_panic(seed: u64) {
        let (schema, bytes) = draw(seed);
        let text = canonical::to_json(&schema, &bytes).unwrap().to_string();
        if let Err(error) = json::read_values(&schema, text.as_bytes()) {
            prop_assert!(
                ["invalid type: null, expected f32", "f64 expected, null found"]
                    .contains(&error.message.as_str()),
                "{} in {}", error, text
            );
        }
    }

    #[test]
    fn damaged_bytes_are_refused_or_other_values_but_never_a_panic(
        seed: u64,
        cut in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let (schema, bytes) = draw(seed);
        let mut damaged = bytes.clone();
        for (index, byte) in flips {
            let index = index.index(damaged.len());
            damaged[index] = byte;
        }
        if cut.index(2) == 0 {
            damaged.truncate(cut.index(bytes.len() + 1));
        }
        let valid = canonical::validate(&schema, &damaged);
        prop_assert_eq!(canonical::checksum(&schema, &damaged).is_ok(), valid.is_ok());
        prop_assert_eq!(canonical::data_size(&schema, &damaged).is_ok(), valid.is_ok());
        prop_assert_eq!(canonical::to_json(&schema, &damaged).is_ok(), valid.is_ok());
        let difference = canonical::first_difference(&schema, &bytes, &damaged);
        prop_assert_eq!(difference.is_some(), bytes != damaged);
    }

    #[test]
    fn bytes_at_random_never_panic(seed: u64, bytes: Vec<u8>) {
        let (schema, _) = draw(seed);
        let valid = canonical::validate(&schema, &bytes).is_ok();
        prop_assert_eq!(canonical::to_json(&schema, &bytes).is_ok(), valid);
        let _ = json::read_values(&schema, &bytes);
    }
}
