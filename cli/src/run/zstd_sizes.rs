//! What zstd makes of a codec's output, in a process of its own: its highest levels take a hundred times
//! the memory that the coordinator needs, and whoever takes too much is ended.

use std::io::{self, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use serbench_datasets::FileText;
use serde::{Deserialize, Serialize};

use crate::results::ZstdSizes;

/// The hidden subcommand that turns the program into such a process.
const SUBCOMMAND: &str = "__zstd";

/// What is to be compressed.
#[derive(Serialize, Deserialize)]
struct Task {
    /// The values, one after another.
    path: PathBuf,
    /// The size of each.
    sizes: Vec<u64>,
    levels: Vec<i32>,
}

/// The sizes at some levels of the values in a file, which stand there one after another.
pub fn compressed_apart(path: &Path, sizes: &[u64], levels: &[i32]) -> io::Result<Vec<ZstdSizes>> {
    let task = Task {
        path: path.to_owned(),
        sizes: sizes.to_vec(),
        levels: levels.to_vec(),
    };
    let mut child = Command::new(std::env::current_exe()?)
        .arg(SUBCOMMAND)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut tasks = child.stdin.take().expect("stdin is piped");
    let told = tasks.write_all(&serde_json::to_vec(&task)?);
    drop(tasks);
    let output = child.wait_with_output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let ended = format!("it ended with {} {}", output.status, said.trim());
        return Err(io::Error::other(ended.trim().to_owned()));
    }
    told?;
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Compresses, if that is what the command line says.
pub fn main_if_compressing() -> Option<ExitCode> {
    if std::env::args_os().nth(1)? != SUBCOMMAND {
        return None;
    }
    let all = || -> io::Result<()> {
        let task: Task = serde_json::from_reader(stdin())?;
        let values = FileText::open(&task.path)?;
        let sizes = |level: &i32| compressed(&values, &task.sizes, *level);
        let all = task
            .levels
            .iter()
            .map(sizes)
            .collect::<io::Result<Vec<_>>>()?;
        Ok(serde_json::to_writer(stdout(), &all)?)
    };
    Some(match all() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    })
}

/// The sizes at one level of `values`, which stand one after another with these `sizes`.
fn compressed(values: &[u8], sizes: &[u64], level: i32) -> io::Result<ZstdSizes> {
    let mut compressor = zstd::bulk::Compressor::new(level)?;
    let mut separate = 0;
    let mut rest = values;
    for size in sizes {
        let size = usize::try_from(*size).map_err(io::Error::other)?;
        let (value, behind) = rest
            .split_at_checked(size)
            .ok_or_else(|| io::Error::other("fewer bytes than the sizes say"))?;
        separate += compressor.compress(value)?.len() as u64;
        rest = behind;
    }
    let together = match sizes.len() {
        1 => separate,
        _ => compressor.compress(values)?.len() as u64,
    };
    Ok(ZstdSizes {
        level,
        separate,
        together,
    })
}

/// The version of the library, which is part of this program.
pub fn version() -> String {
    zstd::zstd_safe::version_string().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separate_and_together() {
        let values = b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".repeat(4);
        let sizes = [64, 0, 64];
        let found = compressed(&values, &sizes, 3).unwrap();
        let of = |bytes: &[u8]| zstd::bulk::compress(bytes, 3).unwrap().len() as u64;
        assert_eq!(found.separate, 2 * of(&values[..64]) + of(b""));
        assert_eq!(found.together, of(&values));

        let one = compressed(&values, &[128], 22).unwrap();
        assert_eq!(one.separate, one.together);
        assert!(compressed(&values, &[129], 3).is_err());
    }
}
