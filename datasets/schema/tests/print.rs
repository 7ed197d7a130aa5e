//! What is printed reads back as the same schema.

mod random;

use std::path::Path;

use proptest::prelude::*;
use random::Random;
use serbench_schema::{Schema, canonical, json, parse, print, summary};

fn read(source: &str) -> Schema {
    parse(source, Path::new("schema.rs")).unwrap_or_else(|error| panic!("{error}\n{source}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_printed_schema_means_the_same(seed: u64) {
        let drawn = Random::new(seed).schema();
        // Reading leaves out unused types and puts the others in the order of their use.
        let read_back = read(&print(&drawn, "Drawn."));
        let again = read(&print(&read_back, ""));
        prop_assert_eq!(&again, &read_back);
        let mut bytes = Vec::new();
        Random::new(seed ^ 1).value(&drawn, &drawn.root, &mut bytes);
        let shown = canonical::to_json(&drawn, &bytes).unwrap();
        prop_assert_eq!(canonical::to_json(&read_back, &bytes).unwrap(), shown);
    }
}

#[test]
fn the_catalog_is_printed_as_it_was_written() {
    for folder in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../catalog")).unwrap() {
        let source = std::fs::read_to_string(folder.unwrap().path().join("schema.rs")).unwrap();
        let schema = read(&source);
        assert_eq!(read(&print(&schema, "")), schema, "{source}");
    }
}

#[test]
fn names_are_printed_by_the_rule_that_spares_attributes() {
    let source = "//! Two lines.\n//! Of text.\n\npub type Root = Order;\n\n\
        #[schema(rename_all = \"camelCase\")]\npub struct Order {\n    pub first_name: String,\n    \
        #[schema(rename = \"type\")]\n    pub of_type: Kind,\n    #[schema(default = -1, skip_default)]\n    \
        pub items_left: i8,\n}\n\n#[schema(rename_all = \"lowercase\", tag = \"kind\")]\npub enum Kind {\n    \
        Open,\n    Paid {\n        #[schema(rename = \"in\")]\n        within: u8,\n    },\n}\n";
    let schema = read(source);
    assert_eq!(print(&schema, "Two lines.\nOf text."), source);
    assert!(json::read_values(&schema, br#"{"firstName": "", "type": {"kind": "open"}}"#).is_ok());
}

#[test]
fn a_carriage_return_ends_a_line_of_the_summary() {
    let schema = read("/*\n//! One.\rTwo. */ pub type Root = u8;");
    let printed = print(&schema, "One.\rTwo.\r\n\nThree.");
    assert_eq!(
        printed,
        "//! One.\n//! Two.\n//! \n//! Three.\n\npub type Root = u8;\n"
    );
    assert_eq!(read(&printed), schema);
    assert_eq!(summary("/*\n//! One.\rTwo. */ pub type Root = u8;"), "One.");
}
