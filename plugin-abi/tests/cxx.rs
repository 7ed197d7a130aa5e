//! The C++ SDK, seen from the other side of the C ABI, in this version and in a later one.
#![cfg(not(miri))] // It compiles C++.

mod compiler;
mod driver;

use std::fs;
use std::path::{Path, PathBuf};

use driver::{Instance, Plugin};
use serbench_plugin::abi;

const STRINGS: (&str, &str) = ("strings", "00112233445566778899aabbccddeeff");

fn library(name: &str, include: &Path) -> &'static libloading::Library {
    let library = compiler::made(&format!("lib{name}.so"));
    let include = ["-I", include.to_str().unwrap()];
    // Nothing sets the field of a later version.
    let allowed = "-Wno-missing-field-initializers";
    let flags = ["-std=c++17", "-shared", "-fPIC", "-O1"];
    let source = compiler::source("tests/cxx/strings.cpp");
    let paths = ["-o", library.to_str().unwrap(), source.to_str().unwrap()];
    compiler::compile(
        true,
        &[
            &flags[..],
            &compiler::WARNINGS,
            &[allowed],
            &include,
            &paths,
        ]
        .concat(),
    );
    // Leaked, as the host does it: a plugin is never unloaded.
    Box::leak(Box::new(
        unsafe { libloading::Library::new(library) }.unwrap(),
    ))
}

fn plugin(library: &libloading::Library) -> Plugin {
    let entry = unsafe { library.get::<abi::Entry>(abi::ENTRY_SYMBOL) };
    Plugin::enter(*entry.unwrap())
}

/// The headers of a version in which every struct that can grow has one field more.
fn later_headers() -> PathBuf {
    let (from, to) = (compiler::source("include"), compiler::made("later"));
    fs::create_dir_all(to.join("serbench")).unwrap();
    for file in fs::read_dir(from.join("serbench")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), to.join("serbench").join(file.file_name())).unwrap();
    }
    fs::copy(from.join("serbench.hpp"), to.join("serbench.hpp")).unwrap();
    let mut header = fs::read_to_string(from.join("serbench.h")).unwrap();
    let mut change = |from: &str, to: String| {
        assert_eq!(header.matches(from).count(), 1, "{from:?} in serbench.h");
        header = header.replace(from, &to);
    };
    change("SERBENCH_ABI_MINOR 0u", "SERBENCH_ABI_MINOR 1u".to_owned());
    for name in ["open_args", "instance", "codec", "plugin", "adopt_input"] {
        let end = format!("}} serbench_{name};");
        change(&end, format!("uint64_t later;\n{end}"));
    }
    fs::write(to.join("serbench.h"), header).unwrap();
    to
}

fn strings(values: &[&[u8]]) -> Vec<u8> {
    let mut bytes = (values.len() as u32).to_le_bytes().to_vec();
    for value in values {
        bytes.extend((value.len() as u32).to_le_bytes());
        bytes.extend(*value);
    }
    bytes
}

fn comes_back(instance: &mut Instance, value: &[u8]) {
    let bytes = instance.serialize(0).unwrap();
    instance.deserialize(&bytes).unwrap();
    assert_eq!(instance.export().unwrap(), value);
}

#[test]
fn every_host_can_open_it() {
    let plugin = plugin(library("strings", &compiler::source("include")));
    driver::opens_for_every_host(plugin.codec("plain"), STRINGS);
}

#[test]
fn a_plugin_of_a_later_version_works_in_this_host() {
    let library = library("later_strings", &later_headers());
    let plugin = plugin(library);
    assert_eq!(plugin.0.abi_minor, 1);
    let later = 8;
    assert_eq!(plugin.0.struct_size, abi::PLUGIN_SIZE_1_0 + later);
    let codec = plugin.codec("plain");
    assert_eq!(codec.0.struct_size, abi::CODEC_SIZE_1_0 + later);
    let value = strings(&[b"one", b""]);
    let mut instance = codec
        .open(STRINGS, 0, std::slice::from_ref(&value))
        .unwrap();
    comes_back(&mut instance, &value);
    driver::opens_for_every_host(codec, STRINGS);

    let later_of =
        unsafe { library.get::<unsafe extern "C" fn(*const driver::Args) -> u64>("later_of") };
    let mut args = driver::Args::default();
    let later_of = |args: &driver::Args| unsafe { later_of.as_ref().unwrap()(args) };
    assert_eq!(later_of(&args), 0, "it looked past the struct of this host");
    args.known.struct_size += later;
    assert_eq!(later_of(&args), driver::LATER);
}

/// Sequences at all the borders of UTF-8, each behind up to nine ASCII characters and in front of
/// up to nine, are taken exactly where Rust takes them.
#[test]
fn strings_are_utf8() {
    let plugin = plugin(library("utf8_strings", &compiler::source("include")));
    let value = strings(&[b"x"]);
    let codec = plugin.codec("plain");
    let mut instance = codec.open(STRINGS, 0, &[value]).unwrap();
    let borders = [
        0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1,
        0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
    ];
    let (mut good, mut bad) = (0, 0);
    let sizes = (1..=4).flat_map(|size| (0..borders.len().pow(size)).map(move |n| (size, n)));
    for (size, number) in sizes {
        let digit = |place| borders[number / borders.len().pow(place) % borders.len()];
        let middle: Vec<u8> = (0..size).map(digit).collect();
        let drawn = number.wrapping_mul(0x9e37_79b9) >> 12;
        let (before, after) = (drawn % 10, drawn / 10 % 10);
        let text = [&b"aaaaaaaaa"[..before], &middle, &b"zzzzzzzzz"[..after]].concat();
        let result = instance.deserialize(&strings(&[&text]));
        match std::str::from_utf8(&text) {
            Ok(_) => {
                assert_eq!(result, Ok(()), "{text:x?}");
                good += 1;
            }
            Err(_) => {
                let failure = result.expect_err(&format!("{text:x?}"));
                assert_eq!(failure.status, abi::MALFORMED);
                bad += 1;
            }
        }
    }
    assert!(good > 2_000 && bad > 100_000, "{good} {bad}");
    let failure = instance.deserialize(&strings(&[b"\xff"])).unwrap_err();
    assert_eq!(failure.message, "canonical: a string is not UTF-8");
}
