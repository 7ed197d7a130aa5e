//! The sizes of the references' tables: to the byte where the values are given, within the stated
//! bounds where ours are generated.

mod support;

use support::{Record, Sandbox, records, stdout};

/// Datasets and codecs with the size that the codec gives.
const EXACT: [(&str, &[(&str, u64)]); 9] = [
    (
        "multiple_fields",
        &[
            ("flat_message", 355),
            ("bincode", 172),
            ("postcard", 154),
            ("rmp", 179),
            ("rmp/named", 776),
            ("ciborium", 786),
            ("serde_json", 895),
            ("simd_json", 895),
            ("bson", 885),
            ("flexbuffers", 1022),
            ("toml", 894),
        ],
    ),
    (
        "nested_struct",
        &[
            ("flat_message/packed", 185),
            ("flat_message/packed_unchecked", 185),
            ("flat_message/struct", 217),
            ("flat_message/struct_unchecked", 217),
        ],
    ),
    (
        "small_struct",
        &[
            ("serde_json", 105),
            ("flexbuffers_cpp", 151),
            ("msgpack_cxx/map", 82),
            ("ciborium", 83),
            ("zera", 336),
        ],
    ),
    (
        "small_struct_as_vector",
        &[
            ("serde_json", 49),
            ("flexbuffers_cpp", 87),
            ("msgpack_cxx", 34),
            ("ciborium", 35),
            ("zera", 272),
        ],
    ),
    (
        "small_tensor",
        &[
            ("flexbuffers_cpp", 320),
            ("msgpack_cxx/map", 230),
            ("ciborium", 231),
            ("zera", 592),
        ],
    ),
    (
        "small_tensor_as_vector",
        &[
            ("flexbuffers_cpp", 232),
            ("msgpack_cxx", 169),
            ("ciborium", 170),
            ("zera", 512),
        ],
    ),
    (
        "medium_tensor",
        &[
            ("flexbuffers_cpp", 8400),
            ("msgpack_cxx/map", 8297),
            ("ciborium", 8298),
            ("zera", 8656),
        ],
    ),
    (
        "medium_tensor_as_vector",
        &[
            ("flexbuffers_cpp", 8304),
            ("msgpack_cxx", 8236),
            ("ciborium", 8237),
            ("zera", 8576),
        ],
    ),
    (
        "large_tensor",
        &[
            ("flexbuffers_cpp", 2_359_528),
            ("msgpack_cxx/map", 2_359_406),
            ("ciborium", 2_359_407),
            ("zera", 2_359_776),
        ],
    ),
];

/// Sizes plain, and by zstd at levels 3 and 22.
type Sizes = [u64; 3];

const GITHUB_EVENTS: [(&str, Sizes); 7] = [
    ("bitcode/serde", [32_226, 10_555, 10_161]),
    ("postcard", [33_120, 11_104, 10_722]),
    ("serde_describe/bitcode", [32_811, 11_049, 10_598]),
    ("serde_describe/postcard", [33_724, 11_633, 11_216]),
    ("pot", [38_008, 12_429, 11_531]),
    ("serde_cbor", [49_695, 12_272, 11_403]),
    ("serde_json", [58_609, 11_297, 10_659]),
];
const GAME_LEVEL: [(&str, Sizes); 7] = [
    ("bitcode/serde", [33_759, 1704, 1334]),
    ("postcard", [35_192, 2413, 1750]),
    ("serde_describe/bitcode", [34_009, 1911, 1545]),
    ("serde_describe/postcard", [35_458, 2617, 1877]),
    ("pot", [43_666, 2813, 1954]),
    ("serde_cbor", [79_726, 3466, 2126]),
    ("serde_json", [110_895, 3549, 2197]),
];
const GAME_LEVEL_DYNAMIC: [(&str, u64); 5] = [
    ("serde_describe/bitcode", 15_088),
    ("serde_describe/postcard", 17_800),
    ("pot", 25_115),
    ("serde_cbor", 49_391),
    ("serde_json", 70_879),
];

/// The rows of some codecs on a dataset.
fn rows(dataset: &str, codecs: &[&str], more: &[&str]) -> Vec<Record> {
    let args = [
        &[
            "--dataset",
            dataset,
            "--ops",
            "serialize",
            "--format",
            "csv",
            "--codec",
        ],
        codecs,
        more,
    ];
    records(&stdout(&Sandbox::new().measure(&args.concat())))
}

/// A number of a codec's row.
fn number(rows: &[Record], codec: &str, column: &str) -> u64 {
    let row = support::of(rows, codec);
    let number = row[column].parse();
    number.unwrap_or_else(|_| panic!("{codec} has no {column}: {row:?}"))
}

/// Asserts that the size is at most so many percent off.
fn about(what: &str, found: u64, expected: u64, percent: u64) {
    let off = found.abs_diff(expected) * 100;
    assert!(
        off <= expected * percent,
        "{what}: {found}, in the reference {expected}"
    );
}

#[test]
fn given_values_have_the_exact_sizes() {
    for (dataset, sizes) in EXACT {
        let codecs: Vec<_> = sizes.iter().map(|(codec, _)| *codec).collect();
        let rows = rows(dataset, &codecs, &["--zstd", "1"]);
        for (codec, size) in sizes {
            assert_eq!(
                number(&rows, codec, "size_bytes"),
                *size,
                "{codec} on {dataset}"
            );
        }
    }
}

#[test]
fn generated_values_have_about_the_sizes_of_the_originals() {
    for (dataset, sizes, percent) in [
        ("github_events", GITHUB_EVENTS, [5, 5, 5]),
        ("game_level", GAME_LEVEL, [5, 15, 15]),
    ] {
        let codecs = sizes.map(|(codec, _)| codec);
        let rows = rows(dataset, &codecs, &[]);
        for (codec, expected) in sizes {
            let columns = ["size_bytes", "zstd3_bytes", "zstd22_bytes"];
            for ((column, expected), percent) in columns.iter().zip(expected).zip(percent) {
                let what = format!("{column} of {codec} on {dataset}");
                about(&what, number(&rows, codec, column), expected, percent);
            }
        }
    }
    let codecs = GAME_LEVEL_DYNAMIC.map(|(codec, _)| codec);
    let rows = rows("game_level_dynamic", &codecs, &["--zstd", "1"]);
    for (codec, expected) in GAME_LEVEL_DYNAMIC {
        about(codec, number(&rows, codec, "size_bytes"), expected, 5);
    }
}
