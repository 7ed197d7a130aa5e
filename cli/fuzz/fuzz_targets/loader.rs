//! `cargo fuzz run loader`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| serbench::fuzz::loader(data));
