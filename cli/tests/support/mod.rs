//! Running the binary on the bundled plugins.

// Each test binary uses its own part of this.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use tempfile::TempDir;

/// The folder of the bundled plugins, which `make build` fills.
pub fn bundled() -> PathBuf {
    let folder = std::env::var_os("SERBENCH_TEST_PLUGINS").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../plugins")),
        PathBuf::from,
    );
    folder.canonicalize().unwrap_or_else(|error| {
        panic!(
            "{}: {error}; run `make build`, or set SERBENCH_TEST_PLUGINS",
            folder.display()
        )
    })
}

/// The file of a bundled plugin.
pub fn bundled_plugin(name: &str) -> PathBuf {
    bundled().join(format!("libserbench_codec_{name}.so"))
}

/// A command that runs in an empty folder, and sees no terminal and no settings of the user.
pub struct Sandbox {
    pub folder: TempDir,
}

impl Sandbox {
    pub fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("serbench"));
        command
            .args(args)
            .current_dir(self.folder.path())
            .env_remove("COLUMNS")
            .env_remove("NO_COLOR")
            .env_remove("SERBENCH_PLUGIN_PATH");
        command
    }

    pub fn run(&self, args: &[&str]) -> Assert {
        self.command(args).assert()
    }

    /// `serbench run` on the bundled plugins, as short as it gets.
    pub fn measure(&self, args: &[&str]) -> Assert {
        let mut command = self.command(&["run", "--budget", "1ms", "--plugins"]);
        command.arg(bundled()).args(args).assert()
    }
}

pub fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

pub fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

pub type Record = BTreeMap<String, String>;

/// CSV by its head.
pub fn records(csv: &str) -> Vec<Record> {
    csv::Reader::from_reader(csv.as_bytes())
        .deserialize()
        .map(|record| record.unwrap())
        .collect()
}

/// The record of a codec.
pub fn of<'a>(records: &'a [Record], codec: &str) -> &'a Record {
    records
        .iter()
        .find(|record| record["codec"] == codec)
        .unwrap_or_else(|| panic!("no row of {codec}"))
}
