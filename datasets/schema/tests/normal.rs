//! The normalised schema is what the guide says.

use std::path::Path;

use serbench_schema::{Schema, parse};

/// What stands in the guide between two lines.
fn between<'a>(guide: &'a str, start: &str, end: &str) -> &'a str {
    let rest = guide
        .split_once(start)
        .unwrap_or_else(|| panic!("no {start:?}"));
    rest.1.split_once(end).expect("an end").0
}

#[test]
fn the_guide_shows_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let guide = std::fs::read_to_string(path).unwrap();
    let source = between(&guide, "```rust\n// my_orders/schema.rs\n", "```");
    let schema = parse(source, Path::new("schema.rs")).unwrap();
    let section = between(&guide, "\n## The normalised schema\n", "\n## ");
    let shown = between(section, "```json\n", "```");
    assert_eq!(
        shown.split_whitespace().collect::<String>(),
        schema.to_json()
    );
    let fingerprint = schema.fingerprint();
    assert!(
        section.contains(&format!("`{fingerprint}`")),
        "{fingerprint}"
    );
}

/// One schema with everything that there is, so that no spelling changes unnoticed.
#[test]
fn every_part_has_its_spelling() {
    let schema = parse(
        r#"
        pub type Root = All;
        struct All {
            r#type: [i8; 3], #[schema(rename = "€\\n", skip_default)] bytes: Bytes, map: Map<f64>,
            tensor: Tensor<f32>, pair: Pair, new: New, unit: Unit, tagged: Tagged,
            #[schema(default = true)] flag: bool, #[schema(default = 0.5)] half: f64,
            #[schema(default = ["a"])] list: Vec<String>,
        }
        struct Pair(u8, String);
        struct New(Option<i64>);
        #[schema(rename_all = "lowercase")]
        enum Unit { One, Two(u16), Three { x: u32 } }
        #[schema(tag = "kind")]
        enum Tagged { Only { y: bool } }
        "#,
        Path::new("schema.rs"),
    )
    .unwrap_or_else(|error| panic!("{error}"));
    let text = schema.to_json();
    for part in [
        r#"{"name":"type","wire_name":"type","ty":{"array":[{"scalar":"i8"},3]},"default":null,"skip_default":false}"#,
        r#""ty":"bytes","default":null,"skip_default":true}"#,
        r#""ty":{"map":{"scalar":"f64"}}"#,
        r#""ty":{"tensor":"f32"}"#,
        r#"{"name":"Pair","shape":{"tuple":[{"scalar":"u8"},"string"]}}"#,
        r#"{"name":"New","shape":{"newtype":{"option":{"scalar":"i64"}}}}"#,
        r#"{"name":"Unit","shape":{"enum":{"tagging":"external","variants":[{"name":"One","wire_name":"one","payload":"unit"}"#,
        r#"{"name":"Two","wire_name":"two","payload":{"newtype":{"scalar":"u16"}}}"#,
        r#""payload":{"struct":[{"name":"x","#,
        r#""tagging":{"internal":"kind"}"#,
        r#""default":{"bool":true}"#,
        r#""default":{"float":4602678819172646912}"#,
        r#""ty":{"list":"string"},"default":{"seq":[{"str":"a"}]}"#,
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert_eq!(Schema::from_json(&text).unwrap(), schema);
}
