//! Loading JSON: what is accepted, exactly, and where it does not fit.

use std::path::Path;

use serbench_canonical::Decoded;
use serbench_schema::{Schema, canonical, json, parse};

fn schema(source: &str) -> Schema {
    parse(source, Path::new("schema.rs")).unwrap_or_else(|error| panic!("{error}"))
}

fn one(schema: &Schema, text: &str) -> Vec<u8> {
    let mut values = json::read_values(schema, text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(values.len(), 1);
    values.remove(0)
}

fn error(schema: &Schema, text: impl AsRef<[u8]>) -> String {
    json::read_values(schema, text.as_ref())
        .expect_err("it fits")
        .to_string()
}

const ORDER: &str = "
    type Root = Order;
    struct Order {
        id: u64,
        #[schema(default = 1)]
        count: i8,
        price: f32,
        note: Option<String>,
        tags: Map<u8>,
        blob: Bytes,
        kind: Kind,
        list: Vec<Point>,
        grid: [u8; 2],
    }
    struct Point(i16, f64);
    enum Kind { Unit, Value(u8), Fields { a: u8, b: bool } }
";

#[test]
fn numbers_are_exact() {
    let schema = schema("type Root = A; struct A(u64, i64, f64, f32, f32);");
    let text = "[18446744073709551615, -9223372036854775808, 0.1, 16777217.000000001, -0.0]";
    let mut expected = Vec::new();
    u64::MAX.encode(&mut expected);
    i64::MIN.encode(&mut expected);
    0.1_f64.encode(&mut expected);
    // Rounded once: through f64 it would become 16777216.
    16_777_218_f32.encode(&mut expected);
    (-0_f32).encode(&mut expected);
    assert_eq!(one(&schema, text), expected);
}

#[test]
fn fields_come_in_any_order_and_may_be_absent() {
    let schema = schema(ORDER);
    let full = one(
        &schema,
        r#"{"id": 1, "count": 1, "price": 0, "note": null, "tags": {}, "blob": "", "kind": "Unit",
            "list": [], "grid": [0, 0]}"#,
    );
    assert_eq!(one(&schema, r#"{"kind": {"Unit": null}, "id": 1}"#), full);
    let text = r#"{"grid": [1, 2], "list": [[-5, 0.5]], "kind": {"Fields": {"b": true, "a": 3}},
        "blob": "AQI=", "tags": {"b": 1, "a": 2}, "note": "x", "price": 2.5, "count": -3, "id": 9}"#;
    let shown = canonical::to_json(&schema, &one(&schema, text)).unwrap();
    assert_eq!(
        shown.to_string(),
        r#"{"id":9,"count":-3,"price":2.5,"note":"x","tags":{"a":2,"b":1},"blob":"AQI=","kind":{"Fields":{"a":3,"b":true}},"list":[[-5,0.5]],"grid":[1,2]}"#
    );
}

#[test]
fn a_tag_may_come_late() {
    let schema = schema(
        "type Root = E; #[schema(tag = \"t\")] enum E { A, B { x: f32, y: u8 }, C(S) }
         struct S { z: Vec<u8> }",
    );
    let early = one(&schema, r#"{"t": "B", "x": 0.1, "y": 2}"#);
    assert_eq!(one(&schema, r#"{"y": 2, "t": "B", "x": 0.1}"#), early);
    assert_eq!(
        one(&schema, r#"{"z": [1], "t": "C"}"#),
        [2, 0, 0, 0, 1, 0, 0, 0, 1]
    );
    assert_eq!(
        error(&schema, r#"{"y": 2}"#),
        "1:8: $: the tag `t` is missing"
    );
    assert_eq!(
        error(&schema, r#"{"y": 256, "t": "B"}"#),
        "1:20: $.y: 256 does not fit u8"
    );
    let unknown = "1:14: $: unknown field `y`, none expected";
    assert_eq!(error(&schema, r#"{"t": "A", "y": 1}"#), unknown);
}

#[test]
fn a_file_is_an_array_of_values_or_values_in_a_row() {
    let records = schema("type Root = A; struct A { x: u8 }");
    let read = |text: &str| json::read_values(&records, text.as_bytes()).unwrap();
    assert_eq!(read(r#"[{"x": 1}, {"x": 2}]"#), [[1], [2]]);
    assert_eq!(read("{\"x\": 1}\n{\"x\": 2}\n"), [[1], [2]]);
    assert_eq!(read("\u{feff}{\"x\": 1}"), [[1]], "a byte order mark");
    assert!(read(" \n").is_empty() && read("[]").is_empty());
    assert_eq!(
        error(&records, "[{\"x\": 1}] 2"),
        "1:12: $: trailing characters"
    );
    assert_eq!(
        error(&records, "{\"x\": 1}\n{\"x\": 300}"),
        "2:9: $.x: 300 does not fit u8"
    );
    let lists = schema("type Root = Vec<u8>;");
    assert_eq!(one(&lists, "[1, 2]"), [2, 0, 0, 0, 1, 2]);
    assert_eq!(json::read_values(&lists, b"[1]\n[]").unwrap().len(), 2);
}

#[test]
fn what_does_not_fit_is_refused_with_its_place() {
    let schema = schema(ORDER);
    let cases = [
        (r#"{"id": -1}"#, "1:9: $.id: -1 does not fit u64"),
        (
            r#"{"id": 18446744073709551616}"#,
            "1:27: $.id: 18446744073709552000 does not fit u64",
        ),
        (r#"{"id": 1.5}"#, "1:10: $.id: 1.5 does not fit u64"),
        (
            r#"{"id": "1"}"#,
            "1:10: $.id: u64 expected, string \"1\" found",
        ),
        (r#"{"id": null}"#, "1:11: $.id: u64 expected, null found"),
        (
            r#"{"id": 1, "id": 2}"#,
            "1:14: $.id: the field is given twice",
        ),
        (
            r#"{"ids": 1}"#,
            "1:6: $: unknown field `ids`; the fields are id, count",
        ),
        (r#"{"price": 1e39}"#, "1:14: $.price: number out of range"),
        (
            r#"{"price": NaN}"#,
            "1:11: $.price: JSON has no NaN and no infinity",
        ),
        (r#"{"price": 1e999}"#, "1:15: $.price: number out of range"),
        (
            r#"{"note": 1}"#,
            "1:10: $.note: a string expected, a number found",
        ),
        (
            r#"{"tags": {"a": 1, "a": 2}}"#,
            "1:21: $.tags[\"a\"]: the key is given twice",
        ),
        (
            r#"{"tags": {"a": []}}"#,
            "1:17: $.tags[\"a\"]: u8 expected, sequence found",
        ),
        (r#"{"blob": "A"}"#, "1:12: $.blob: not base64"),
        (
            r#"{"kind": "Nope"}"#,
            "1:15: $.kind: unknown variant `Nope`; the variants are Unit, Value",
        ),
        (
            r#"{"kind": "Value"}"#,
            "1:16: $.kind: variant `Value` carries a value",
        ),
        (
            r#"{"kind": {"Value": 1, "Unit": 2}}"#,
            "1:28: $.kind: an object with one key",
        ),
        (
            r#"{"kind": {"Fields": {"a": 1}}, "id": 1, "list": [[1]]}"#,
            "1:52: $.list[0]: an array of 2 (Point) expected, 1 elements found",
        ),
        (
            r#"{"list": [[1, 2], [1, 2, 3]]}"#,
            "1:27: $.list[1]: an array of 2 (Point) expected, more found",
        ),
        (
            r#"{"grid": [1]}"#,
            "1:12: $.grid: an array of 2 expected, 1 elements found",
        ),
        (r#"{"id": 1}"#, "1:9: $: field `kind` is missing"),
        (
            "{\"id\": 1,\n \"list\": [[1,",
            "2:13: $.list[0][1]: EOF while parsing",
        ),
    ];
    let wrong: String = cases
        .iter()
        .map(|(text, expected)| (text, expected, error(&schema, text)))
        .filter(|(_, expected, found)| !found.starts_with(*expected))
        .map(|(text, expected, found)| format!("{text}\nexpected {expected}\nfound    {found}\n"))
        .collect();
    assert!(wrong.is_empty(), "{wrong}");
    let invalid = error(&schema, b"{\"note\": \"\xff\"}");
    assert!(invalid.contains("$.note: invalid unicode"), "{invalid}");
    let deep = "[".repeat(1_000_000);
    assert!(error(&schema, format!("{{\"id\": {deep}")).contains("$.id: u64 expected"));
}

#[test]
fn a_tensor_is_a_shape_and_elements() {
    let schema = schema("type Root = Tensor<i16>;");
    let expected = [2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0xff, 0xff];
    assert_eq!(
        one(&schema, r#"{"data": [3, -1], "shape": [1, 2]}"#),
        expected
    );
    let message = "$: shape [2, 2] does not go with 3 elements";
    assert!(error(&schema, r#"{"data": [1, 2, 3], "shape": [2, 2]}"#).ends_with(message));
    assert!(error(&schema, r#"{"data": [1, 99999], "shape": [2]}"#).contains("$.data[1]: 99999"));
    assert!(error(&schema, r#"{"data": []}"#).contains("a tensor has `shape` and `data`"));
}
