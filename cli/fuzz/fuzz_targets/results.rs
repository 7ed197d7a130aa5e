//! `cargo fuzz run results`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| serbench::fuzz::results(data));
