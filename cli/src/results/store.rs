//! Saving and loading the results file.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Results, Timing, VERSION, statistics};
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

/// Writes the text of a results file.
pub fn write(results: &Results, file: impl Write) -> io::Result<()> {
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
    let failed = |message: String| Error::usage(format!("{}: {message}", path.display()));
    let text = std::fs::read(path).map_err(|error| failed(error.to_string()))?;
    parse(&text).map_err(failed)
}

/// Reads what [`write`] wrote.
pub fn parse(text: &[u8]) -> Result<Results, String> {
    #[derive(Deserialize)]
    struct Head {
        serbench_results: u32,
    }
    let head: Head = serde_json::from_slice(text).map_err(|error| match error.classify() {
        serde_json::error::Category::Eof => {
            "the file is cut short; measure again, or take another copy".to_owned()
        }
        _ => format!("this is no results file of serbench ({error})"),
    })?;
    if head.serbench_results != VERSION {
        return Err(format!(
            "the file has version {}, this serbench reads version {VERSION}; {}",
            head.serbench_results,
            if head.serbench_results > VERSION {
                "use a newer serbench"
            } else {
                "measure again"
            }
        ));
    }
    let damaged = |what: &dyn Display| format!("the results file is damaged: {what}");
    let results: Results = serde_json::from_slice(text).map_err(|error| damaged(&error))?;
    check(&results).map_err(|what| damaged(&what))?;
    Ok(results)
}

/// What a report divides by must not be zero, and the histograms must be such.
fn check(results: &Results) -> Result<(), String> {
    for dataset in results.runs.iter().flat_map(|run| &run.datasets) {
        let alias = dataset
            .alias
            .iter()
            .map(|alias| (&alias.codec, &alias.timings));
        let rows = dataset.rows.iter().map(|row| (&row.codec, &row.timings));
        for (codec, timings) in rows.chain(alias) {
            for (op, timing) in timings {
                let place = |what| format!("{}, {codec}, {op:?}: {what}", dataset.name);
                check_timing(timing).map_err(place)?;
            }
        }
        for row in &dataset.rows {
            for zstd in &row.zstd_timings {
                let place = |what| format!("{}, {}, zstd: {what}", dataset.name, row.codec);
                check_timing(&zstd.compress).map_err(place)?;
                check_timing(&zstd.decompress).map_err(place)?;
            }
        }
    }
    Ok(())
}

fn check_timing(timing: &Timing) -> Result<(), String> {
    if timing.rounds.iter().any(|round| round.plain.calls == 0) {
        return Err("a round has no calls".to_owned());
    }
    let histogram = Some(&timing.histogram).filter(|_| timing.calls > 0);
    let decoded = histogram.map(|text| statistics::decode(text)).transpose();
    decoded.map_err(|error| format!("the histogram cannot be read: {error}"))?;
    Ok(())
}
