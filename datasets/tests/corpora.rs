//! The committed corpora of the fuzz targets: what was found once stays mended.

#[path = "../fuzz/checks/canonical.rs"]
mod canonical;
#[path = "../fuzz/checks/memory.rs"]
mod memory;
#[path = "../fuzz/checks/replay.rs"]
mod replay;
#[path = "../fuzz/checks/schema.rs"]
mod schema;

use std::path::Path;

use serbench_canonical::Canonical;

include!(concat!(env!("OUT_DIR"), "/typed.rs"));

/// Shown the root type of every schema.
trait See {
    fn see<T: Canonical>(&mut self, name: &str, schema: &str);
}

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

fn replay(target: &str, mutants: usize, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    replay::replay(&folder.join(target), mutants, check);
}

#[test]
fn of_the_schema_parser() {
    replay("schema", 50_000, schema::check);
}

#[test]
fn of_the_canonical_decoder() {
    replay("canonical", 50_000, canonical::check);
}
