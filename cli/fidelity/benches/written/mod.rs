//! Codecs and types as a program of one's own has them, measured by Criterion.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use criterion::Criterion;
use serbench_fidelity::Subject;
use serbench_plugin::Canonical;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub mod data {
    #![allow(missing_docs, dead_code, unused_imports, clippy::all)]
    include!(concat!(env!("OUT_DIR"), "/datasets.rs"));
}

/// What all six libraries ask of a type.
pub trait Value:
    Canonical
    + Serialize
    + DeserializeOwned
    + bincode::Encode
    + bincode::Decode<()>
    + bitcode::Encode
    + bitcode::DecodeOwned
{
}

impl<T> Value for T where
    T: Canonical
        + Serialize
        + DeserializeOwned
        + bincode::Encode
        + bincode::Decode<()>
        + bitcode::Encode
        + bitcode::DecodeOwned
{
}

/// Measures one codec by Criterion: `serialize` into a kept buffer, and `deserialize`, whose time
/// contains the drop of the value, as it does in serbench.
macro_rules! codec {
    ($name:ident, |$value:ident, $out:ident| $serialize:expr, |$input:ident, $kept:ident| $deserialize:expr) => {
        fn $name<T: Value>(criterion: &mut Criterion, id: &str, values: &[T]) {
            let mut kept = Default::default();
            let messages: Vec<Vec<u8>> = values
                .iter()
                .map(|$value| {
                    let $out = &mut kept;
                    as_bytes(&{ $serialize }).to_vec()
                })
                .collect();
            let mut next = (0..values.len()).cycle();
            criterion.bench_function(&format!("{id}-serialize"), |bencher| {
                bencher.iter(|| {
                    let $value = black_box(&values[next.next().expect("endless")]);
                    let $out = &mut kept;
                    black_box(as_bytes(&{ $serialize }).as_ptr());
                });
            });
            let mut next = (0..values.len()).cycle();
            criterion.bench_function(&format!("{id}-deserialize"), |bencher| {
                bencher.iter(|| {
                    let $input = black_box(messages[next.next().expect("endless")].as_slice());
                    let $kept = &mut kept;
                    let value: T = $deserialize;
                    value
                });
            });
        }
    };
}

fn as_bytes<'a>(bytes: &'a &'a [u8]) -> &'a [u8] {
    bytes
}

codec!(
    serde_json,
    |value, out| {
        let out: &mut Vec<u8> = out;
        out.clear();
        ::serde_json::to_writer(&mut *out, value).unwrap();
        out.as_slice()
    },
    |input, _kept| ::serde_json::from_slice(input).unwrap()
);
codec!(
    postcard,
    |value, out| {
        let out: &mut Vec<u8> = out;
        out.clear();
        ::postcard::to_io(value, &mut *out).unwrap();
        out.as_slice()
    },
    |input, _kept| ::postcard::from_bytes(input).unwrap()
);
codec!(
    bitcode,
    |value, out| {
        let out: &mut ::bitcode::Buffer = out;
        out.encode(value)
    },
    |input, kept| kept.decode(input).unwrap()
);
codec!(
    bincode,
    |value, out| {
        let out: &mut Vec<u8> = out;
        out.clear();
        ::bincode::encode_into_std_write(value, &mut *out, ::bincode::config::standard()).unwrap();
        out.as_slice()
    },
    |input, _kept| ::bincode::decode_from_slice(input, ::bincode::config::standard())
        .unwrap()
        .0
);
codec!(
    rmp,
    |value, out| {
        let out: &mut Vec<u8> = out;
        out.clear();
        value
            .serialize(&mut rmp_serde::Serializer::new(&mut *out))
            .unwrap();
        out.as_slice()
    },
    |input, _kept| rmp_serde::from_slice(input).unwrap()
);
codec!(
    ciborium,
    |value, out| {
        let out: &mut Vec<u8> = out;
        out.clear();
        ::ciborium::into_writer(value, &mut *out).unwrap();
        out.as_slice()
    },
    |input, _kept| ::ciborium::from_reader(input).unwrap()
);

/// Measures a subject by Criterion, which writes its estimates to its output folder.
pub fn measure<T: Value>(subject: &Subject, criterion: &mut Criterion, values: &[T]) {
    let id = subject.file_name();
    match subject.codec {
        "serde_json" => serde_json(criterion, &id, values),
        "postcard" => postcard(criterion, &id, values),
        "bitcode" => bitcode(criterion, &id, values),
        "bincode" => bincode(criterion, &id, values),
        "rmp" => rmp(criterion, &id, values),
        "ciborium" => ciborium(criterion, &id, values),
        other => unreachable!("{other} is not among the codecs"),
    }
}

/// Criterion's own median, from the file that it writes, in nanoseconds.
pub fn median(folder: &Path, name: &str, op: &str) -> f64 {
    let path = folder.join(format!("{name}-{op}/new/estimates.json"));
    let text = fs::read_to_string(path).expect("Criterion wrote its estimates");
    let estimates: ::serde_json::Value = ::serde_json::from_str(&text).expect("JSON");
    estimates["median"]["point_estimate"]
        .as_f64()
        .expect("a number")
}

/// The values of a dataset of the catalog.
pub fn values<T: Value>(dataset: &str) -> Vec<T> {
    let data = serbench_datasets::find(dataset)
        .expect("in the catalog")
        .values(1)
        .expect("data");
    data.iter()
        .map(|value| T::from_canonical(value).expect("canonical"))
        .collect()
}
