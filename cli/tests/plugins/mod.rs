//! Plugins that the tests compile, and runs with them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A plugin, compiled from `plugin.c` or made otherwise.
pub struct Plugin {
    name: String,
    cpp: bool,
    defines: Vec<String>,
    contents: Option<Vec<u8>>,
}

impl Plugin {
    /// A good plugin with one codec; plugin and codec have this id.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            cpp: false,
            defines: vec![format!("-DID=\"{name}\"")],
            contents: None,
        }
    }

    /// The same, compiled as C++.
    pub fn cpp(name: &str) -> Self {
        Self {
            cpp: true,
            ..Self::named(name)
        }
    }

    /// A file with these contents.
    pub fn file(name: &str, contents: &[u8]) -> Self {
        Self {
            contents: Some(contents.to_owned()),
            ..Self::named(name)
        }
    }

    /// Defines a macro of `plugin.c`.
    pub fn define(mut self, name: &str, value: &str) -> Self {
        self.defines.push(format!("-D{name}={value}"));
        self
    }

    /// Its id, and that of its codec.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its file, which is made on the way, under a name of its own: tests run side by side.
    pub fn path(&self) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
            "{}-{}",
            std::process::id(),
            std::thread::current().name().unwrap_or("main")
        ));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{}.so", self.name));
        match &self.contents {
            Some(contents) => std::fs::write(&path, contents).unwrap(),
            None => self.compile(&path),
        }
        path
    }

    fn compile(&self, path: &Path) {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (variable, default, language) = match self.cpp {
            true => ("CXX", "c++", ["-x", "c++", "-std=c++17"]),
            false => ("CC", "cc", ["-x", "c", "-std=gnu11"]),
        };
        let compiler = std::env::var(variable).unwrap_or_else(|_| default.to_owned());
        let output = Command::new(&compiler)
            .args(["-shared", "-fPIC", "-O1", "-w"])
            .args(language)
            .args(&self.defines)
            .arg("-I")
            .arg(here.join("../plugin-abi/include"))
            .arg("-o")
            .arg(path)
            .arg(here.join("tests/plugins/plugin.c"))
            .output()
            .unwrap_or_else(|e| panic!("{compiler} cannot be run: {e}"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{compiler}: {said}");
    }
}

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

/// Runs these plugins on the dataset `readings`, as briefly as can be.
pub fn run(plugins: &[&Plugin], arguments: &[&str]) -> Run {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_serbench"))
        .current_dir(&folder)
        .args([
            "run",
            "--format",
            "csv",
            "--budget",
            "1ms",
            "--timeout",
            "2s",
        ])
        .args(arguments)
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
