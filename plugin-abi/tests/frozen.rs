//! A plugin built against the header of version 1.0 loads, and works, for ever.
#![cfg(not(miri))] // It compiles C.

mod compiler;
mod driver;

use driver::Plugin;
use serbench_plugin::abi;

fn plugin() -> Plugin {
    let library = compiler::made("libfrozen.so");
    let path = library.to_str().unwrap();
    let plain = compiler::source("tests/frozen/plain.c");
    let flags = ["-std=c99", "-shared", "-fPIC", "-O1", "-o", path];
    let arguments = [&flags[..], &compiler::WARNINGS, &[plain.to_str().unwrap()]].concat();
    compiler::compile(false, &arguments);
    // Leaked, as the host does it: a plugin is never unloaded.
    let library = Box::leak(Box::new(unsafe { libloading::Library::new(path) }.unwrap()));
    let entry = unsafe { library.get::<abi::Entry>(abi::ENTRY_SYMBOL) };
    Plugin::enter(*entry.unwrap())
}

/// A nested_struct in the canonical encoding.
const VALUE: &[u8] =
    b"\x03\0\0\0one\0\0\0\0\x07\0\0\0\x08\0\0\0\0\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\0\0";

#[test]
fn a_plugin_of_version_1_0_loads_and_works() {
    let plugin = plugin();
    assert_eq!(plugin.0.struct_size, abi::PLUGIN_SIZE_1_0);
    assert_eq!((plugin.0.abi_major, plugin.0.abi_minor), (1, 0));
    assert_eq!(driver::text(plugin.0.id), "frozen");
    assert_eq!(driver::text(plugin.0.language), "C");
    assert_eq!(plugin.datasets()[0].0, "nested_struct");

    let codec = plugin.codec("plain");
    let refused = codec.open(("other", ""), 0, &[]).err().unwrap();
    assert_eq!(refused.status, abi::UNSUPPORTED);
    assert_eq!(refused.message, "plain knows nested_struct only");
    let refused = codec
        .open(("nested_struct", ""), 1 << 63, &[])
        .err()
        .unwrap();
    assert_eq!(refused.status, abi::UNSUPPORTED);
    assert_eq!(refused.message, "a mode that plain does not know");

    let values = [VALUE.to_vec()];
    let mut instance = codec.open(("nested_struct", ""), 0, &values).unwrap();
    assert_eq!(instance.note(), "");
    let bytes = instance.serialize(0).unwrap();
    instance.deserialize(&bytes).unwrap();
    assert_eq!(instance.export().unwrap(), VALUE);

    let mut sum = serbench_plugin::canonical::Checksum::new();
    sum.blob(b"one");
    sum.blob(b"");
    [7, 8, 2, 1, 2].into_iter().for_each(|word| sum.word(word));
    assert_eq!(instance.read().unwrap(), sum.finish());

    assert_eq!(
        instance.deserialize(b"short").unwrap_err().status,
        abi::MALFORMED
    );
    assert_eq!(instance.read().unwrap_err().status, abi::INTERNAL);
    assert_eq!(
        instance.serialize(1).unwrap_err().message,
        "there is no such value"
    );
}
