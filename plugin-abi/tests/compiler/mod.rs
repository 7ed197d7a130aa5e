//! Runs the C and C++ compilers of the machine.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Every warning that a plugin author may have on, as an error.
pub const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// Runs `$CC`, or `$CXX`; panics with what the compiler said if it is not content.
pub fn compile(cxx: bool, arguments: &[&str]) {
    if let Err(said) = run(cxx, arguments) {
        panic!("{said}");
    }
}

/// Runs `$CC`, or `$CXX`, on what it must not take; gives what it said.
#[allow(dead_code)]
pub fn refused(cxx: bool, arguments: &[&str]) -> String {
    run(cxx, arguments).expect_err("the compiler must not take it")
}

fn run(cxx: bool, arguments: &[&str]) -> Result<(), String> {
    let (variable, default) = if cxx { ("CXX", "c++") } else { ("CC", "cc") };
    let compiler = std::env::var(variable).unwrap_or_else(|_| default.to_owned());
    let output = Command::new(&compiler)
        .args(arguments)
        .output()
        .unwrap_or_else(|e| panic!("{compiler} cannot be run ({e}); install it or set {variable}"));
    match output.status.success() {
        true => Ok(()),
        false => Err(format!(
            "{compiler} {arguments:?}:\n{}",
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// A path in the source folder of this crate.
pub fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A path for what a test makes.
pub fn made(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}
