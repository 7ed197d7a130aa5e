//! Plugins that the tests compile.

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
