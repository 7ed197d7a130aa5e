//! `cargo fuzz run schema`
#![no_main]

#[path = "../checks/schema.rs"]
mod schema;

libfuzzer_sys::fuzz_target!(|data: &[u8]| schema::check(data));
