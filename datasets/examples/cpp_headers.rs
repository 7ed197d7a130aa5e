//! Writes the C++ headers of all datasets into a folder, for building `plugins-cpp` without cargo:
//! `cargo run -p serbench-datasets --example cpp_headers -- DIR`.

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os()
        .nth(1)
        .ok_or("give the folder to write to")?;
    serbench_datasets::build::cpp_headers(Path::new(&folder))?;
    Ok(())
}
