//! A plugin exports its entry and nothing else: what a library in it defines stays in it, and does
//! not meet the same library in another plugin, or in the host.

mod support;

use object::Object;
use serbench_plugin::abi;

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
            .collect();
        let entry = abi::ENTRY_SYMBOL;
        assert_eq!(names, [entry], "{}", path.display());
        seen += 1;
    }
    assert!(seen > 0, "no plugin in {}", support::bundled().display());
}
