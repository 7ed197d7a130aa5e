//! `serbench run` on fixtures.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::fixture::Plugin;

/// What a `serbench run` came to.
pub struct Run {
    /// Its exit code.
    pub code: i32,
    /// What it said.
    pub stderr: String,
    /// The rows of its table, by column.
    pub rows: Vec<BTreeMap<String, String>>,
}

impl Run {
    /// The row of a codec.
    pub fn row(&self, codec: &str) -> BTreeMap<String, String> {
        self.rows
            .iter()
            .find(|row| row["codec"] == codec)
            .unwrap_or_else(|| panic!("no row of {codec} in {:?}; {}", self.rows, self.stderr))
            .clone()
    }
}

/// Runs these plugins on the dataset `readings`, as briefly as can be unless there is a budget.
pub fn run(plugins: &[&Plugin], arguments: &[&str]) -> Run {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let brief = !arguments.contains(&"--budget");
    let output = Command::new(env!("CARGO_BIN_EXE_serbench"))
        .current_dir(&folder)
        .args(["run", "--format", "csv"])
        .args(arguments)
        .args(brief.then_some(["--budget", "1ms"]).into_iter().flatten())
        .arg("--dataset")
        .arg(here.join("tests/plugins/readings"))
        .arg("--plugins")
        .args(plugins.iter().map(|plugin| plugin.path()))
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code();
    let mut table = csv::Reader::from_reader(&output.stdout[..]);
    let rows = table
        .deserialize()
        .map(|row| row.unwrap_or_else(|e| panic!("{e}: {stderr}")))
        .collect();
    Run {
        code: code.unwrap_or_else(|| panic!("killed: {stderr}")),
        stderr,
        rows,
    }
}
