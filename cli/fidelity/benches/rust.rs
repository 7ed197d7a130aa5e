//! serbench against Criterion: the same codecs, types and data, linked statically.
//!
//! `make build && cargo bench -p serbench-fidelity --bench rust`

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use criterion::Criterion;
use serbench_fidelity::{Comparison, OPS, Subject, judge, serbench};
use serbench_plugin::Canonical;
use serde::Serialize;
use serde::de::DeserializeOwned;

mod data {
    #![allow(missing_docs, dead_code, unused_imports, clippy::all)]
    include!(concat!(env!("OUT_DIR"), "/datasets.rs"));
}

/// How often both harnesses measure each subject, in turn.
const TURNS: usize = 5;

/// What all six libraries ask of a type.
trait Value:
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
    ($name:ident, |$value:ident, $out:ident| $serialize:expr, |$input:ident| $deserialize:expr) => {
        fn $name<T: Value>(criterion: &mut Criterion, id: &str, values: &[T]) {
            let messages: Vec<Vec<u8>> = values
                .iter()
                .map(|$value| {
                    let mut kept = Default::default();
                    let $out = &mut kept;
                    as_bytes(&{ $serialize }).to_vec()
                })
                .collect();
            let mut kept = Default::default();
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
    |input| ::serde_json::from_slice(input).unwrap()
);
codec!(
    postcard,
    |value, out| {
        let taken: Vec<u8> = std::mem::take(out);
        let mut taken = taken;
        taken.clear();
        *out = ::postcard::to_extend(value, taken).unwrap();
        out.as_slice()
    },
    |input| ::postcard::from_bytes(input).unwrap()
);
codec!(
    bitcode,
    |value, out| {
        let out: &mut ::bitcode::Buffer = out;
        out.encode(value)
    },
    |input| ::bitcode::decode(input).unwrap()
);
codec!(
    bincode,
    |value, out| {
        let out: &mut Vec<u8> = out;
        out.clear();
        ::bincode::encode_into_std_write(value, &mut *out, ::bincode::config::standard()).unwrap();
        out.as_slice()
    },
    |input| ::bincode::decode_from_slice(input, ::bincode::config::standard())
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
    |input| rmp_serde::from_slice(input).unwrap()
);
codec!(
    ciborium,
    |value, out| {
        let out: &mut Vec<u8> = out;
        out.clear();
        ::ciborium::into_writer(value, &mut *out).unwrap();
        out.as_slice()
    },
    |input| ::ciborium::from_reader(input).unwrap()
);

const CODECS: [&str; 6] = [
    "serde_json",
    "postcard",
    "bitcode",
    "bincode",
    "rmp",
    "ciborium",
];

fn criterion_of<T: Value>(subject: &Subject, criterion: &mut Criterion, values: &[T]) {
    let id = file_name(subject);
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

fn file_name(subject: &Subject) -> String {
    format!("{}-{}", subject.codec, subject.dataset)
}

/// Criterion's own median, from the file that it writes.
fn criterion_median(folder: &Path, subject: &Subject, op: &str) -> f64 {
    let path = folder.join(format!("{}-{op}/new/estimates.json", file_name(subject)));
    let text = fs::read_to_string(path).expect("Criterion wrote its estimates");
    let estimates: ::serde_json::Value = ::serde_json::from_str(&text).expect("JSON");
    estimates["median"]["point_estimate"]
        .as_f64()
        .expect("a number")
}

fn compare<T: Value>(dataset: &'static str, comparisons: &mut Vec<Comparison>) {
    let data = serbench_datasets::find(dataset)
        .expect("in the catalog")
        .values(1)
        .expect("data");
    let values: Vec<T> = data
        .iter()
        .map(|v| T::from_canonical(v).expect("canonical"))
        .collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut criterion = Criterion::default()
        .output_directory(folder.path())
        .without_plots()
        .sample_size(50)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800));
    for codec in CODECS {
        let subject = Subject { codec, dataset };
        let mut turns = vec![Vec::new(); OPS.len()];
        for _ in 0..TURNS {
            criterion_of(&subject, &mut criterion, &values);
            let ours = serbench(&subject, folder.path());
            for (index, op) in OPS.iter().enumerate() {
                turns[index].push((ours[index], criterion_median(folder.path(), &subject, op)));
            }
        }
        for (op, turns) in OPS.iter().zip(turns) {
            let name = format!("{codec} {dataset} {op}");
            comparisons.push(Comparison { name, turns });
        }
    }
}

fn main() -> ExitCode {
    let mut comparisons = Vec::new();
    compare::<data::multiple_fields::Root>("multiple_fields", &mut comparisons);
    compare::<data::github_events::Root>("github_events", &mut comparisons);
    compare::<data::game_level::Root>("game_level", &mut comparisons);
    match judge("Criterion", &comparisons) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
