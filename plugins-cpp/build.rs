//! Generates the datasets' headers, runs CMake, and puts the plugins where cargo puts its own
//! libraries: `<target>/<profile>/plugins-cpp`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let headers = out.join("datasets");
    serbench_datasets::build::cpp_headers(&headers)?;
    rerun_if_changed(Path::new("."))?;
    rerun_if_changed(Path::new("../plugin-abi/include"))?;
    for variable in ["SERBENCH_NATIVE", "SERBENCH_PLUGINS", "CMAKE_PREFIX_PATH"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }

    let installed = out.join("plugins");
    clear(&installed)?;
    let native = env::var("SERBENCH_NATIVE").is_ok_and(|value| value == "1");
    let only = env::var("SERBENCH_PLUGINS").unwrap_or_default();
    let profile = match env::var("OPT_LEVEL")?.as_str() {
        "3" => "Release",
        _ => "Quick",
    };
    cmake::Config::new(".")
        .profile(profile)
        .no_default_flags(true)
        .define("SERBENCH_HEADERS", &headers)
        .define("SERBENCH_NATIVE", if native { "ON" } else { "OFF" })
        .define("SERBENCH_PLUGINS", only.replace(' ', ";"))
        .build();
    for line in fs::read_to_string(out.join("build/left_out.txt"))?.lines() {
        println!("cargo::warning={line}");
    }

    // OUT_DIR is <target>/<profile>/build/<package>/out.
    let profile = out.ancestors().nth(3).ok_or("OUT_DIR is too short")?;
    let collected = profile.join("plugins-cpp");
    clear(&collected)?;
    if installed.is_dir() {
        for entry in fs::read_dir(&installed)? {
            let from = entry?.path();
            fs::copy(
                &from,
                collected.join(from.file_name().ok_or("a plugin without a name")?),
            )?;
        }
    }
    Ok(())
}

/// Empties a folder, so that no plugin of an earlier build stays in it.
fn clear(folder: &Path) -> std::io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)
}

/// Watches every entry on its own: cargo looks only at the time of a folder itself.
fn rerun_if_changed(path: &Path) -> std::io::Result<()> {
    println!("cargo::rerun-if-changed={}", path.display());
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            rerun_if_changed(&entry?.path())?;
        }
    }
    Ok(())
}
