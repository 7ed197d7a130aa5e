//! The sizes of the reference tables: exact where the values are given, within the stated bounds
//! where they are generated. And the data itself: the same on every machine and in every release.

use serbench_canonical::Canonical;
use serde::Serialize;
use sha2::{Digest, Sha256};

use serbench_schema::{Schema, canonical};

include!(concat!(env!("OUT_DIR"), "/typed.rs"));

trait See {
    fn see<T: Canonical + Serialize>(&mut self, name: &str, schema: &str);
}

/// The serialized bytes of a dataset: by postcard, by bitcode, as JSON.
fn serialized(wanted: &str) -> [Vec<u8>; 3] {
    struct Serialized<'a>(&'a str, [Vec<u8>; 3]);
    impl See for Serialized<'_> {
        fn see<T: Canonical + Serialize>(&mut self, name: &str, _: &str) {
            if name != self.0 {
                return;
            }
            for bytes in serbench_datasets::find(name)
                .unwrap()
                .values(1)
                .unwrap()
                .iter()
            {
                let value = T::from_canonical(bytes).unwrap();
                // Only formats that write names can leave fields out.
                self.1[0].extend(postcard::to_allocvec(&value).unwrap_or_default());
                self.1[1].extend(bitcode::serialize(&value).unwrap_or_default());
                self.1[2].extend(serde_json::to_vec(&value).unwrap());
            }
        }
    }
    let mut serialized = Serialized(wanted, Default::default());
    catalog(&mut serialized);
    serialized.1
}

#[test]
fn given_values_have_the_exact_sizes() {
    let exact = [
        ("multiple_fields", 154, 895),
        ("small_struct", 31, 105),
        ("small_struct_as_vector", 31, 49),
    ];
    for (name, postcard, json) in exact {
        let [p, _, j] = serialized(name);
        assert_eq!((p.len(), j.len()), (postcard, json), "{name}");
    }
}

#[test]
fn data_sizes_are_those_of_the_references() {
    for (name, size) in [("multiple_fields", 210), ("nested_struct", 161)] {
        let dataset = serbench_datasets::find(name).unwrap();
        let values = dataset.values(1).unwrap();
        assert_eq!(
            canonical::data_size(&dataset.schema, values.bytes()),
            Ok(size),
            "{name}"
        );
    }
}

#[test]
fn generated_values_have_about_the_sizes_of_the_originals() {
    // Postcard, bitcode, JSON: plain, and by zstd at levels 3 and 22; and by how many percent each
    // may be off.
    let fixed = [
        [35192, 2413, 1750],
        [33759, 1704, 1334],
        [110_895, 3549, 2197],
    ];
    about("game_level", fixed, [5, 15, 15]);
    let github = [
        [33120, 11104, 10722],
        [32226, 10555, 10161],
        [58609, 11297, 10659],
    ];
    about("github_events", github, [5, 5, 5]);
    let json = serialized("game_level_dynamic")[2].len();
    assert!(json.abs_diff(70_879) * 100 <= 70_879 * 5, "{json}");
}

#[test]
fn the_sizes_are_those_that_codec_authors_know() {
    // Postcard and JSON, as rust_serialization_benchmark publishes them.
    let published = [
        ("log", 724_953, 1_827_461),
        ("mesh", 6_000_003, 26_192_883),
        ("minecraft_savedata", 367_489, 1_623_191),
        ("mk48", 1_279_599, 9_175_594),
    ];
    for (name, postcard, json) in published {
        let [p, _, j] = serialized(name);
        for (found, expected) in [(p.len(), postcard), (j.len(), json)] {
            let off = found.abs_diff(expected) * 100;
            assert!(off <= expected * 5, "{name}: {found}, published {expected}");
        }
    }
}

fn about(name: &str, expected: [[usize; 3]; 3], percent: [usize; 3]) {
    for (bytes, expected) in serialized(name).iter().zip(expected) {
        let packed = |level| zstd::encode_all(bytes.as_slice(), level).unwrap().len();
        let found = [bytes.len(), packed(3), packed(22)];
        for ((found, expected), percent) in found.iter().zip(expected).zip(percent) {
            let off = found.abs_diff(expected) * 100;
            assert!(
                off <= expected * percent,
                "{name}: {found}, in the reference {expected}"
            );
        }
    }
}

#[test]
fn messages_are_small_and_large() {
    let messages = serbench_datasets::find("messages").unwrap();
    let values = messages.values(1).unwrap();
    let (least, greatest) = (values.sizes().iter().min(), values.sizes().iter().max());
    assert_eq!(values.len(), 10_000);
    assert!(
        least.is_some_and(|size| (20..=40).contains(size)),
        "{least:?}"
    );
    let large = 16 << 10..=20 << 10;
    assert!(
        greatest.is_some_and(|size| large.contains(size)),
        "{greatest:?}"
    );
}

#[test]
fn the_data_is_the_same_everywhere() {
    let found: Vec<_> = serbench_datasets::catalog()
        .iter()
        .map(|dataset| {
            let values = dataset.values(1).unwrap();
            let hash = Sha256::digest(values.bytes());
            let hash: String = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{} {} {hash}\n", dataset.name, values.len())
        })
        .collect();
    assert_eq!(found.concat(), include_str!("fingerprints.txt"));
}

#[test]
fn a_scale_grows_generated_values_and_nothing_else() {
    for dataset in serbench_datasets::catalog() {
        if !dataset.is_generated() {
            assert!(dataset.values(2).is_err(), "{}", dataset.name);
            continue;
        }
        let size = |scale| dataset.values(scale).unwrap().bytes().len() as f64;
        let growth = size(3) / size(1);
        assert!((2.5..3.5).contains(&growth), "{}: {growth}", dataset.name);
    }
    assert!(serbench_datasets::catalog()[0].values(0).is_err());
}

#[test]
fn every_folder_of_the_catalog_is_described() {
    for dataset in serbench_datasets::catalog() {
        assert!(
            !dataset.summary.is_empty(),
            "{} has no summary",
            dataset.name
        );
        let folder = format!("{}/catalog/{}", env!("CARGO_MANIFEST_DIR"), dataset.name);
        let readme = std::fs::read_to_string(format!("{folder}/README.md"));
        assert!(
            readme.is_ok_and(|text| text.len() > 100),
            "{} has no README",
            dataset.name
        );
        let schema = Schema::from_json(&dataset.schema.to_json()).unwrap();
        assert_eq!(schema.fingerprint(), dataset.fingerprint);
    }
}
