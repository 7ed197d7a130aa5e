//! The walks over canonical bytes, on values made by hand.

use std::path::Path;

use serbench_canonical::{Checksum, Decoded};
use serbench_schema::{Schema, canonical, json, parse};

fn schema(source: &str) -> Schema {
    parse(source, Path::new("schema.rs")).unwrap_or_else(|error| panic!("{error}"))
}

fn value(schema: &Schema, text: &str) -> Vec<u8> {
    json::read_values(schema, text.as_bytes())
        .unwrap_or_else(|e| panic!("{e}"))
        .remove(0)
}

const SOURCE: &str = "
    type Root = Level;
    enum Level { V0, V1(LevelV1) }
    struct LevelV1 { cells: Vec<Cell>, names: Map<Option<String>> }
    struct Cell { #[schema(skip_default)] at: [i8; 2], #[schema(skip_default)] tensor: Option<Tensor<f32>> }
";

#[test]
fn the_checksum_folds_what_the_rule_says() {
    let schema = schema(SOURCE);
    let bytes = value(
        &schema,
        r#"{"V1": {"cells": [{"at": [-1, 2], "tensor": {"shape": [4], "data": [1, 2, 3, 4]}}],
            "names": {"key": "text"}}}"#,
    );
    let mut sum = Checksum::new();
    sum.word(1); // the variant
    sum.word(1); // one cell
    sum.word(u64::MAX);
    sum.word(2);
    sum.word(1); // a tensor
    sum.word(1); // its rank
    sum.word(4); // its dimension
    [1.0, 3.0, 4.0_f32]
        .iter()
        .for_each(|element| element.fold(&mut sum));
    sum.word(1); // one name
    sum.blob(b"key");
    sum.word(1); // present
    sum.blob(b"text");
    assert_eq!(canonical::checksum(&schema, &bytes), Ok(sum.finish()));
}

#[test]
fn the_data_size_counts_what_the_rule_says() {
    let schema = schema(SOURCE);
    let text = r#"{"V1": {"cells": [{"tensor": {"shape": [4], "data": [1, 2, 3, 4]}}, {}],
        "names": {"key": "text", "none": null}}}"#;
    let size = canonical::data_size(&schema, &value(&schema, text)).unwrap();
    assert_eq!(
        size,
        1 + (1 + 2 + (4 + 16) + 2) + (1 + (1 + 3) + (1 + 4) + (1 + 4))
    );
}

#[test]
fn the_first_difference_is_named() {
    let schema = schema(SOURCE);
    let base = r#"{"V1": {"cells": [{}, {"at": [1, 2]}], "names": {"a": "x"}}}"#;
    let cases = [
        (r#""V0""#, "value: V1 expected, V0 found"),
        (
            &base.replace("[1, 2]", "[1, 3]"),
            ".V1.cells[1].at[1]: 2 expected, 3 found",
        ),
        (
            &base.replace("[{}, ", "["),
            ".V1.cells: 2 elements expected, 1 found",
        ),
        (
            &base.replace("\"x\"", "\"yy\""),
            ".V1.names[\"a\"]: \"x\" expected, \"yy\" found",
        ),
        (
            &base.replace("\"x\"", "null"),
            ".V1.names[\"a\"]: a value expected, none found",
        ),
        (
            &base.replace("\"a\"", "\"b\""),
            ".V1.names: key \"a\" expected, \"b\" found",
        ),
        (
            &base.replace("{}", r#"{"tensor": {"shape": [0], "data": []}}"#),
            ".V1.cells[0].tensor: no value expected, one found",
        ),
    ];
    let expected = value(&schema, base);
    assert_eq!(
        canonical::first_difference(&schema, &expected, &expected),
        None
    );
    for (text, message) in cases {
        let found = canonical::first_difference(&schema, &expected, &value(&schema, text));
        assert_eq!(found.as_deref(), Some(message));
    }
    let short = &expected[..expected.len() - 1];
    assert_eq!(
        canonical::first_difference(&schema, &expected, short).as_deref(),
        Some(".V1.names[\"a\"]: malformed, at byte 28: a length of 1 with 0 bytes left")
    );
    let long = [expected.as_slice(), &[0]].concat();
    assert_eq!(
        canonical::first_difference(&schema, &expected, &long).as_deref(),
        Some("value: malformed, at byte 29: 1 bytes left over")
    );
}

#[test]
fn fields_are_skipped_by_their_bits() {
    let schema = schema(
        "type Root = A; struct A { #[schema(skip_default)] x: f32, #[schema(skip_default, default = 1.5)] y: f64 }",
    );
    let shown = |text: &str| {
        canonical::to_json(&schema, &value(&schema, text))
            .unwrap()
            .to_string()
    };
    assert_eq!(shown(r#"{}"#), "{}");
    assert_eq!(shown(r#"{"x": 0, "y": 1.5}"#), "{}");
    assert_eq!(shown(r#"{"x": -0.0, "y": 0}"#), r#"{"x":-0.0,"y":0.0}"#);
}

#[test]
fn an_f32_is_shown_in_its_own_shortest_form() {
    let schema = schema("type Root = f32;");
    for text in [
        "0.7071067",
        "-0.9999999",
        "1e-45",
        "3.4028235e+38",
        "16777216.0",
        "0.1",
    ] {
        let shown = canonical::to_json(&schema, &value(&schema, text))
            .unwrap()
            .to_string();
        assert_eq!(
            shown.parse::<f32>().unwrap().to_bits(),
            text.parse::<f32>().unwrap().to_bits()
        );
        assert!(shown.len() <= text.len(), "{shown}");
    }
}
