//! Compiles the library that counts allocations; the program carries it inside.

use std::path::Path;

fn main() {
    const SOURCE: &str = "src/worker/heap/count.c";
    println!("cargo::rerun-if-changed={SOURCE}");
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
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
        .arg(Path::new(&out).join("serbench_heap.so"))
        .arg(SOURCE)
        .arg("-ldl");
    let status = compiler.status();
    assert!(
        status.as_ref().is_ok_and(std::process::ExitStatus::success),
        "{compiler:?}: {status:?}"
    );
}
