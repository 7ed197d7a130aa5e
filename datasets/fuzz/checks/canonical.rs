//! The canonical decoders, the one for Rust types and the one that walks a schema: they refuse the
//! same bytes, take little memory for it, and what they accept is the only encoding of its value.
//!
//! Whoever includes this has the types of the catalog and of schemas drawn at random beside it, as
//! `tests/typed/build.rs` writes them, and `memory::Counting` as its allocator.

use serbench_canonical::{Canonical, Checksum};
use serbench_schema::canonical::{self, Number, Statistics};
use serbench_schema::{Schema, json};

use super::memory::most_held;
use crate::{See, catalog, random};

/// What decoding may hold: so many times the input, since a byte may stand for a record of many
/// fields …
const FACTOR: usize = 256;
/// … and a message.
const FLOOR: usize = 4096;

/// The first byte chooses the type, of which those drawn at random are the same for ever; the others are
/// the value.
pub fn check(data: &[u8]) {
    let Some((number, bytes)) = data.split_first() else {
        return;
    };
    let mut types = Types {
        left: usize::from(*number) % count(),
        bytes,
    };
    random(&mut types);
    catalog(&mut types);
}

/// How many types there are.
fn count() -> usize {
    struct Count(usize);
    impl See for Count {
        fn see<T: Canonical>(&mut self, _: &str, _: &str) {
            self.0 += 1;
        }
    }
    let mut all = Count(0);
    random(&mut all);
    catalog(&mut all);
    all.0
}

/// Looks for the type with the number.
struct Types<'a> {
    left: usize,
    bytes: &'a [u8],
}

impl See for Types<'_> {
    fn see<T: Canonical>(&mut self, name: &str, schema: &str) {
        if self.left == 0 {
            decode::<T>(name, &Schema::from_json(schema).unwrap(), self.bytes);
        }
        self.left = self.left.wrapping_sub(1);
    }
}

fn decode<T: Canonical>(name: &str, schema: &Schema, bytes: &[u8]) {
    let (decoded, held) = most_held(|| T::from_canonical(bytes));
    let allowed = FACTOR * bytes.len() + FLOOR;
    assert!(held <= allowed, "{name}: {held} bytes for {}", bytes.len());
    let (valid, held) = most_held(|| canonical::validate(schema, bytes));
    assert!(held <= allowed, "{name}: {held} bytes for {}", bytes.len());

    assert_eq!(decoded.is_ok(), valid.is_ok(), "{name}");
    assert_eq!(canonical::data_size(schema, bytes).is_ok(), valid.is_ok());
    let mut statistics = Statistics::new(schema);
    assert_eq!(statistics.add(bytes).is_ok(), valid.is_ok());
    let shown = canonical::to_json(schema, bytes);
    assert_eq!(shown.is_ok(), valid.is_ok());
    let sum = canonical::checksum(schema, bytes);
    let Ok(value) = decoded else {
        assert!(sum.is_err());
        // Whatever the other side is, the first difference can be told.
        assert!(canonical::first_difference(schema, bytes, &[]).is_some() || bytes.is_empty());
        return;
    };

    let mut encoded = Vec::new();
    value.encode(&mut encoded);
    assert!(encoded == bytes, "{name}: two encodings of a value");
    let mut typed = Checksum::new();
    value.fold(&mut typed);
    assert_eq!(sum, Ok(typed.finish()), "{name}");
    if is_finite(&statistics) {
        let text = shown.unwrap().to_string();
        let read = json::read_values(schema, text.as_bytes());
        assert!(read.is_ok_and(|read| read == [bytes]), "{name}: {text}");
    }
}

/// JSON has no other numbers.
fn is_finite(statistics: &Statistics<'_>) -> bool {
    let ranges = statistics
        .places()
        .into_iter()
        .filter_map(|place| place.range);
    let mut ends = ranges.flat_map(|range| [range.min, range.max]);
    ends.all(|end| match end {
        Number::Int(_) => true,
        Number::Float(number) => number.is_finite(),
    })
}
