//! `serbench list` from the outside.

mod support;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;
use support::{Sandbox, bundled, stdout};

fn listed(what: &str) -> Vec<Value> {
    let run = Sandbox::new()
        .command(&["list", what, "--format", "json", "--plugins"])
        .arg(bundled())
        .assert()
        .success();
    serde_json::from_str(&stdout(&run)).unwrap()
}

#[test]
fn codecs() {
    let codecs = listed("codecs");
    let find = |id: &str| codecs.iter().find(|codec| codec["id"] == id).unwrap();
    for (id, format, language) in [
        ("serde_json", "JSON", "Rust"),
        ("postcard", "Postcard", "Rust"),
        ("bitcode", "Bitcode", "Rust"),
        ("nlohmann_json", "JSON", "C++"),
        ("msgpack_cxx", "MessagePack", "C++"),
        ("cereal", "cereal binary", "C++"),
    ] {
        let codec = find(id);
        assert_eq!(
            (&codec["format"], &codec["language"]),
            (&format.into(), &language.into())
        );
        assert!(!codec["library_version"].as_str().unwrap().is_empty());
        assert!(!codec["plugin"].as_str().unwrap().is_empty());
    }
    let has = |id: &str, capability: &str| {
        let capabilities = find(id)["capabilities"].as_array().unwrap();
        capabilities.contains(&capability.into())
    };
    assert!(has("serde_json", "self_describing") && has("serde_json", "text"));
    assert!(has("null", "baseline") && has("null", "no_round_trip"));
    assert!(!has("postcard", "self_describing"));
}

#[test]
fn plugins() {
    let plugins = listed("plugins");
    let postcard = plugins
        .iter()
        .find(|plugin| plugin["plugin"] == "postcard")
        .unwrap();
    assert_eq!(postcard["codecs"][0], "postcard");
    assert!(postcard["path"].as_str().unwrap().contains("postcard"));
    assert!(
        postcard["datasets"]
            .as_array()
            .unwrap()
            .contains(&"game_level".into())
    );
}

#[test]
fn datasets_need_no_plugins() {
    Sandbox::new()
        .run(&["list", "datasets"])
        .success()
        .stdout(contains("game_level").and(contains("game_level_dynamic")));
}

#[test]
fn not_as_a_page() {
    Sandbox::new()
        .run(&["list", "datasets", "--format", "html"])
        .code(2)
        .stderr(contains("invalid value 'html'"));
}
