//! What the program carries inside: the library that counts allocations, compiled, and the sources
//! of the SDK and of the templates.

#[path = "build/embed.rs"]
mod embed;

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let out = std::env::var("OUT_DIR")?;
    let out = Path::new(&out);
    println!("cargo::rustc-check-cfg=cfg(fuzzing)");
    heap_counter(out);
    embed::write(out)
}

fn heap_counter(out: &Path) {
    const SOURCE: &str = "src/worker/heap/count.c";
    println!("cargo::rerun-if-changed={SOURCE}");
    let mut compiler = cc::Build::new()
        .opt_level(2)
        .pic(true)
        .warnings(true)
        .extra_warnings(true)
        .get_compiler()
        .to_command();
    compiler
        // The compiler must not take the functions for the ones it knows.
        .args(["-std=c11", "-fno-builtin", "-shared", "-o"])
        .arg(out.join("serbench_heap.so"))
        .arg(SOURCE)
        .arg("-ldl");
    let status = compiler.status();
    assert!(
        status.as_ref().is_ok_and(std::process::ExitStatus::success),
        "{compiler:?}: {status:?}"
    );
}
