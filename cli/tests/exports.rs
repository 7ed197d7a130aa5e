//! A plugin exports its entry and nothing else: what a library in it defines stays in it, and does
//! not meet the same library in another plugin, or in the host.

mod support;

use object::Object;
use serbench_plugin::abi;

/// What the crate `protobuf` exports with upb, whoever links it: the ends of its sections, and a
/// symbol whose one purpose is to clash with another copy of itself in one binary.
const OF_UPB: [&str; 3] = [
    "__start_link",
    "__stop_link",
    "__Disallow_Upb_And_Cpp_In_Same_Binary",
];

#[test]
fn plugins_export_their_entry_only() {
    let mut seen = 0;
    for file in std::fs::read_dir(support::bundled()).unwrap() {
        let path = file.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let library = object::File::parse(&*bytes).unwrap();
        let exports = library.exports().unwrap();
        let names: Vec<_> = exports
            .iter()
            .map(|export| String::from_utf8_lossy(export.name()))
            .filter(|name| !OF_UPB.iter().any(|prefix| name.starts_with(prefix)))
            .collect();
        let entry = abi::ENTRY_SYMBOL;
        assert_eq!(names, [entry], "{}", path.display());
        seen += 1;
    }
    assert!(seen > 0, "no plugin in {}", support::bundled().display());
}
