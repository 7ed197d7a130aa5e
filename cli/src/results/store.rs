//! Saving and loading the results file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Results, VERSION};
use crate::error::Error;

/// Saves the results. A regular file is replaced as a whole or not at all: whoever reads `path`
/// never sees half of it.
pub fn save(results: &Results, path: &Path) -> Result<(), Error> {
    let special = path.metadata().is_ok_and(|found| !found.is_file());
    let saved = if special {
        File::create(path).and_then(|file| write(results, file))
    } else {
        replace(results, path)
    };
    saved.map_err(|error| {
        Error::failed(format!(
            "cannot save the results to {}: {error}; name another place with --save FILE",
            path.display()
        ))
    })
}

fn replace(results: &Results, path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let file = tempfile::Builder::new()
        .prefix(".serbench-")
        .permissions(permissions())
        .tempfile_in(folder)?;
    write(results, file.as_file())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

fn write(results: &Results, file: impl Write) -> io::Result<()> {
    let mut writer = BufWriter::new(file);
    serde_json::to_writer(&mut writer, results)?;
    writer.write_all(b"\n")?;
    writer.flush()
}

/// Those of an ordinary new file; the user's umask applies.
fn permissions() -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    std::fs::Permissions::from_mode(0o666)
}

/// Loads files, whose runs stand side by side.
pub fn load(paths: &[PathBuf]) -> Result<Results, Error> {
    let mut all = Results {
        serbench_results: VERSION,
        runs: Vec::new(),
    };
    for path in paths {
        all.runs.extend(load_one(path)?.runs);
    }
    Ok(all)
}

fn load_one(path: &Path) -> Result<Results, Error> {
    #[derive(Deserialize)]
    struct Head {
        serbench_results: u32,
    }
    let failed = |message: &str| Error::usage(format!("{}: {message}", path.display()));
    let text = std::fs::read(path).map_err(|error| failed(&error.to_string()))?;
    let head: Head = serde_json::from_slice(&text).map_err(|error| match error.classify() {
        serde_json::error::Category::Eof => {
            failed("the file is cut short; measure again, or take another copy")
        }
        _ => failed(&format!("this is no results file of serbench ({error})")),
    })?;
    if head.serbench_results != VERSION {
        return Err(failed(&format!(
            "the file has version {}, this serbench reads version {VERSION}; {}",
            head.serbench_results,
            if head.serbench_results > VERSION {
                "use a newer serbench"
            } else {
                "measure again"
            }
        )));
    }
    let results: Results = serde_json::from_slice(&text)
        .map_err(|error| failed(&format!("the results file is damaged: {error}")))?;
    Ok(results)
}
