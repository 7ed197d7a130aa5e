//! `cargo fuzz run canonical`
#![no_main]

use serbench_canonical::Canonical;

#[path = "../checks/canonical.rs"]
mod canonical;
#[path = "../checks/memory.rs"]
mod memory;

include!(concat!(env!("OUT_DIR"), "/typed.rs"));

/// Shown the root type of every schema.
trait See {
    fn see<T: Canonical>(&mut self, name: &str, schema: &str);
}

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

libfuzzer_sys::fuzz_target!(|data: &[u8]| canonical::check(data));
