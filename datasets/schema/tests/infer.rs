//! What a schema is guessed to be.

mod random;

use std::path::Path;

use random::Random;
use serbench_schema::infer::{Inference, infer};
use serbench_schema::{Schema, canonical, json, parse, print};

fn guess(text: &str) -> Inference {
    let found = infer(text.as_bytes(), "my_orders", false);
    found.unwrap_or_else(|e| panic!("{e}")).expect("values")
}

/// The schema that is guessed for some values, as it is written, without empty lines; the values
/// must fit it.
fn guessed(text: &str) -> String {
    let found = guess(text);
    let source = print(&found.schema, "");
    let schema = reread(&source);
    let values = json::read_values(&schema, text.as_bytes());
    let values = values.unwrap_or_else(|error| panic!("{error}\n{source}"));
    assert_eq!(values.len() as u64, found.values);
    source.replace("\n\n", "\n")
}

fn reread(source: &str) -> Schema {
    parse(source, Path::new("schema.rs")).unwrap_or_else(|error| panic!("{error}\n{source}"))
}

/// The type that is guessed for the field `x` of so many objects.
fn of_field<T: std::fmt::Display>(values: impl IntoIterator<Item = T>) -> String {
    let text: String = values
        .into_iter()
        .map(|x| format!("{{\"x\": {x}}}\n"))
        .collect();
    let source = guessed(&text);
    let line = source
        .lines()
        .find_map(|line| line.trim().strip_prefix("pub x: "));
    line.unwrap_or_else(|| panic!("{source}"))
        .trim_end_matches(',')
        .to_owned()
}

#[test]
fn numbers_get_the_narrowest_type_that_the_values_show() {
    assert_eq!(of_field([1, 2]), "u32", "two values show no width");
    assert_eq!(of_field(0..=100), "u8");
    assert_eq!(
        of_field(0..=200),
        "u16",
        "twice the greatest does not fit u8"
    );
    assert_eq!(of_field(0..=255), "u8", "the very limit");
    assert_eq!(of_field(-60..=60), "i8");
    assert_eq!(of_field(-100..=0), "i16");
    assert_eq!(of_field([-1, 2_000_000_000]), "i64");
    assert_eq!(of_field([4_294_967_295_u64]), "u32");
    assert_eq!(of_field([u64::MAX]), "u64");
    assert_eq!(of_field([i64::MIN]), "i64");
    assert_eq!(
        of_field(["-1", "18446744073709551615"]),
        "f64",
        "no type holds both"
    );
    assert_eq!(of_field(["18446744073709551616"]), "f64");
    assert_eq!(of_field(["1", "2.5"]), "f64");
    assert_eq!(of_field(["1e3"]), "f64");
    assert_eq!(of_field(["true", "false"]), "bool");
}

#[test]
fn what_is_missing_is_optional() {
    assert_eq!(of_field(["1", "null"]), "Option<u32>");
    assert_eq!(of_field(["null"]), "Option<String>");
    let absent = guessed("{\"y\": 1, \"x\": 1}\n{\"y\": 2}");
    assert!(
        absent.contains("pub x: Option<u32>,") && absent.contains("pub y: u32,"),
        "{absent}"
    );
    assert_eq!(guessed("null\n1"), "pub type Root = Option<u32>;\n");
}

#[test]
fn words_that_come_again_and_again_are_an_enum() {
    let words = |count: usize, of: &[&str]| {
        let words = (0..count).map(|index| format!("{:?}", of[index % of.len()]));
        of_field(words.collect::<Vec<_>>())
    };
    assert_eq!(words(20, &["open", "paid"]), "X");
    assert_eq!(words(19, &["open", "paid"]), "String", "too few to tell");
    assert_eq!(words(20, &["open"]), "String", "one word is no choice");
    assert_eq!(words(20, &["open", "in the mail"]), "String", "a text");
    assert_eq!(words(20, &["open", ""]), "String");
    let names: Vec<String> = (0..33).map(|index| format!("w{index}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(words(1000, &names), "String", "too many");
    assert_eq!(words(1000, &names[..32]), "X");
}

#[test]
fn arrays_are_lists_or_fixed_or_tuples() {
    assert_eq!(of_field(["[1, 2]", "[3]"]), "Vec<u32>");
    assert_eq!(of_field(vec!["[1, 2]"; 9]), "Vec<u32>", "too few to tell");
    assert_eq!(of_field(vec!["[1, 2]"; 10]), "[u32; 2]");
    assert_eq!(of_field(vec!["[[1, 2.5]]"; 10]), "Vec<[f64; 2]>");
    assert_eq!(
        of_field(vec!["[1]"; 10]),
        "Vec<u32>",
        "one is a list of one"
    );
    assert_eq!(of_field(vec!["[\"a b\", \"c\"]"; 10]), "Vec<String>");
    assert_eq!(of_field(["[]"]), "Vec<String>");
    let tuple = guessed("{\"x\": [\"a\", 1, true]}\n{\"x\": [\"b\", null, true]}");
    assert!(
        tuple.contains("pub struct X(String, Option<u32>, bool);"),
        "{tuple}"
    );
    let long: Vec<_> = (0..17).collect();
    assert_eq!(of_field([format!("{long:?}")]), "Vec<u32>");
}

#[test]
fn objects_are_structs_or_maps() {
    assert_eq!(of_field(["{\"a\": 1}"]), "X");
    assert_eq!(of_field(["{}"]), "Map<String>");
    assert_eq!(
        of_field(["{\"17\": 1, \"18\": 2}"]),
        "Map<u32>",
        "keys that are no names"
    );
    assert_eq!(
        of_field(["{\"17\": 1, \"18\": \"a\"}"]),
        "X",
        "no type holds both"
    );
    let sparse = (0..40).map(|index| format!("{{\"key_{}\": 1}}", char::from(b'a' + index % 20)));
    assert_eq!(of_field(sparse), "Map<u32>");
    let many: Vec<_> = (0..2000)
        .map(|index| format!("\"k{index}\": {index}"))
        .collect();
    assert_eq!(of_field([format!("{{{}}}", many.join(","))]), "Map<u16>");
}

#[test]
fn one_key_of_several_is_an_enum() {
    let both = guessed(
        "{\"x\": \"Start\"}\n{\"x\": {\"Stop\": {\"code\": 1}}}\n{\"x\": {\"Move\": [1, 2]}}",
    );
    assert!(
        both.contains("pub enum X {\n    Start,\n    Stop(Stop),\n    Move(Vec<u32>),\n}"),
        "{both}"
    );
    let capital = guessed("{\"x\": {\"Stop\": 1}}\n{\"x\": {\"Move\": \"a\"}}");
    assert!(
        capital.contains("pub enum X {\n    Stop(u32),\n    Move(String),\n}"),
        "{capital}"
    );
    let fields = guessed("{\"x\": {\"stop\": 1}}\n{\"x\": {\"move\": \"a\"}}");
    assert!(
        fields.contains("pub stop: Option<u32>,\n    pub r#move: Option<String>,"),
        "{fields}"
    );
}

#[test]
fn a_tag_on_which_the_fields_depend_is_an_enum() {
    let text = "[{\"r\": 1.5, \"type\": \"circle\"}, {\"type\": \"rect\", \"w\": 1, \"h\": 2}, \
        {\"type\": \"none\"}]";
    let tagged = guessed(text);
    assert!(
        tagged.contains(
            "#[schema(rename_all = \"lowercase\", tag = \"type\")]\npub enum MyOrder {\n    Circle \
             {\n        r: f64,\n    },\n    Rect {\n        w: u32,\n        h: u32,\n    },\n    None,\n}"
        ),
        "{tagged}"
    );
    let schema = guess(text).schema;
    assert!(schema.needs_self_describing());
    assert!(!schema.with_external_tags().needs_self_describing());
    let alike =
        guessed("{\"a\": 1, \"type\": \"x\", \"b\": 1}\n{\"a\": 1, \"type\": \"y\", \"b\": 1}");
    assert!(
        alike.contains("pub a: u32,\n    pub r#type: String,\n    pub b: u32,"),
        "the fields keep their order: {alike}"
    );
    let not_always = guessed("{\"type\": \"x\", \"a\": 1}\n{\"b\": 1}");
    assert!(
        not_always.contains("pub r#type: Option<String>,"),
        "{not_always}"
    );
}

#[test]
fn names_are_made_safe_and_distinct() {
    let text = "{\"createdAt\": 1, \"2nd\": 1, \"-\": 1, \"a b\": 1, \"a-b\": 1, \"self\": 1, \
        \"fn\": 1, \"ä\\n\\\"\": 1, \"option\": {\"result\": {\"a\": 1}}, \"string\": {\"b\": 1}}";
    let names = guessed(text);
    for name in [
        "created_at",
        "field_2nd",
        "field:",
        "a_b:",
        "a_b_2",
        "self_",
        "r#fn",
        "field_2:",
        "option: OptionType",
        "result: ResultType",
        "string: StringType",
    ] {
        assert!(names.contains(&format!("pub {name}")), "{name} in {names}");
    }
}

#[test]
fn a_file_is_an_array_of_objects_or_documents_in_a_row() {
    assert_eq!(guess("[{\"a\": 1}, {\"a\": 2}]").values, 2);
    assert_eq!(guess("{\"a\": 1} {\"a\": 2}").values, 2);
    let whole = infer(b"[{\"a\": 1}, {\"a\": 2}]", "x", true)
        .unwrap()
        .unwrap();
    assert_eq!((whole.values, whole.guesses[0].ty.as_str()), (1, "Vec<X>"));
    assert_eq!(guessed("[[1, 2], [3]]"), "pub type Root = Vec<Vec<u32>>;\n");
    assert_eq!(guess("[1, 2]\n[3]").values, 2);
    assert_eq!(guess("[{\"a\": 1}]\n[{\"a\": 1}]").values, 2);
    assert!(infer(b" \n", "x", false).unwrap().is_none());
    assert!(infer(b"[]", "x", false).unwrap().is_none());
}

#[test]
fn every_guess_is_explained() {
    let found = guess("{\"id\": 1, \"lines\": [{\"sku\": null}]}\n{\"id\": 7, \"lines\": []}");
    let lines: Vec<_> = found
        .guesses
        .iter()
        .map(|g| (g.path.as_str(), g.ty.as_str(), g.why.as_str()))
        .collect();
    assert_eq!(
        lines,
        [
            ("$", "MyOrder", "2 fields"),
            ("$.id", "u32", "whole numbers from 1 to 7"),
            ("$.lines", "Vec<Line>", "arrays of 0 to 1"),
            ("$.lines[*]", "Line", "1 field"),
            (
                "$.lines[*].sku",
                "Option<String>",
                "nothing but null: a string is assumed; null in 1 of 1"
            ),
        ]
    );
}

#[test]
fn what_is_no_json_is_refused_with_its_place() {
    let cases: [(&[u8], &str); 9] = [
        (
            b"{\"a\": 1,\n \"a\": 2}",
            "2:4: $.a: the key is given twice",
        ),
        (
            b"[{\"a\": [1, NaN]}]",
            "1:12: $[0].a[1]: JSON has no NaN and no infinity",
        ),
        (
            b"{\"a\": -Infinity}",
            "1:8: $.a: JSON has no NaN and no infinity",
        ),
        (b"{\"a\": nan}", "1:8: $.a: JSON has no NaN and no infinity"),
        (b"{\"a\": 1e999}", "1:11: $.a: number out of range"),
        (b"{\"a\": [1, 2", "1:11: $.a[2]: EOF while parsing a list"),
        (b"{\"a\": \"\xff\"}", "1:8: $.a: invalid unicode code point"),
        (b"{\"a\": 1}\nx", "2:1: $: expected value"),
        (b"\0", "1:1: $: expected value"),
    ];
    for (text, expected) in cases {
        let error = infer(text, "x", false).expect_err(expected).to_string();
        assert_eq!(error, expected);
    }
    let deep = "[".repeat(1_000_000);
    let error = infer(deep.as_bytes(), "x", false).unwrap_err();
    assert!(
        error.message.contains("recursion limit exceeded"),
        "{error}"
    );
}

#[test]
fn of_values_that_no_type_holds_the_first_decides() {
    let text = "{\"a\": 1}\n{\"a\": \"x\"}";
    let found = guess(text);
    assert!(
        found.guesses[1].why.ends_with("which no type holds"),
        "{:?}",
        found.guesses
    );
    let schema = reread(&print(&found.schema, ""));
    let error = json::read_values(&schema, text.as_bytes())
        .unwrap_err()
        .to_string();
    assert_eq!(error, "2:9: $.a: u32 expected, string \"x\" found");
}

#[test]
fn what_is_guessed_holds_the_values() {
    const SEEDS: u64 = 1000;
    let mut held = 0;
    for seed in 0..SEEDS {
        let mut random = Random::new(seed);
        let schema = random.schema();
        let mut text = String::new();
        for _ in 0..20 {
            let mut bytes = Vec::new();
            random.value(&schema, &schema.root, &mut bytes);
            text += &canonical::to_json(&schema, &bytes).unwrap().to_string();
            text.push('\n');
        }
        let found = infer(text.as_bytes(), "drawn", false).unwrap().unwrap();
        let source = print(&found.schema, "");
        match json::read_values(&reread(&source), text.as_bytes()) {
            Ok(values) => held += usize::from(values.len() == 20),
            // A struct may be taken for a map, whose values are then of several kinds.
            Err(error) => {
                let mut guesses = found.guesses.iter();
                let admitted = guesses.any(|guess| guess.why.contains("which no type holds"));
                assert!(admitted, "{error}\n{source}\n{text}");
            }
        }
    }
    assert!(held * 10 > SEEDS as usize * 9, "{held} of {SEEDS}");
}
