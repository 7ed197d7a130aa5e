//! `serbench new`: a project of a plugin.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serbench_datasets::{check_name, find};

use super::sdk::{self, DatasetArgs};
use crate::embedded::TEMPLATES;
use crate::error::{Error, Outcome};
use crate::report;

/// Make a project of a plugin
///
/// It builds as it is, passes `serbench check`, and has tests of its own and a workflow for GitHub.
/// The codec in it is a stand-in, for yours to take its place.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// The folder to make, such as my_codec; its last part is the id of plugin and codec
    name: PathBuf,

    /// What the plugin is written in
    #[arg(long, short, value_enum)]
    lang: Language,

    #[command(flatten)]
    datasets: DatasetArgs,
}

/// What a plugin is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    /// Built by cargo, with the crate serbench-plugin
    Rust,
    /// C++17, built by CMake, with serbench.hpp
    Cpp,
    /// C11, built by make, with serbench.h alone
    C,
}

/// What projects differ in beside their files.
#[derive(Clone, Copy)]
struct Kind {
    /// The folder of its templates.
    templates: &'static str,
    /// What builds and tests it.
    commands: &'static [&'static str],
    /// The folder of the plugin that is built.
    built: &'static str,
    /// What is measured until the author's codec takes its place.
    stand_in: &'static str,
}

impl Language {
    fn kind(self) -> Kind {
        match self {
            Self::Rust => Kind {
                templates: "rust",
                commands: &["cargo build --release", "cargo test --release"],
                built: "target/release",
                stand_in: "the crate `postcard`, in\n`Cargo.toml`, `build.rs` and `src/lib.rs`.",
            },
            Self::Cpp => Kind {
                templates: "cpp",
                commands: &[
                    "cmake -S . -B build",
                    "cmake --build build",
                    "ctest --test-dir build --output-on-failure",
                ],
                built: "build",
                stand_in: "the format in\n`src/codec.hpp`.",
            },
            Self::C => Kind {
                templates: "c",
                commands: &["make", "make test"],
                built: "build",
                stand_in: "the format in\n`format.h` and `format.c`.",
            },
        }
    }
}

/// The dataset that the project in C knows.
const OF_C: &str = "nested_struct";

/// Carries it out.
pub fn new(args: &NewArgs) -> Result<Outcome, Error> {
    let project = Project {
        name: free_name(&args.name)?,
        kind: args.lang.kind(),
    };
    let mut datasets = args.datasets.select()?;
    if args.lang == Language::C && datasets.iter().all(|dataset| dataset.name != OF_C) {
        datasets.extend(find(OF_C).cloned());
    }
    for (file, text) in project.files() {
        sdk::write_file(&args.name.join(file), &text)?;
    }
    sdk::write(&args.name.join("sdk"), &datasets)?;
    let said = format!(
        "Written: {folder}, for {}. To build, test and check it:\n\n  cd {folder}\n  {}\n  \
         serbench check {}\n\nIts README.md says where your codec goes.\n",
        sdk::count(&datasets),
        project.kind.commands.join("\n  "),
        project.plugin(),
        folder = args.name.display(),
    );
    report::deliver(said.as_bytes(), None)?;
    Ok(Outcome::Ok)
}

/// The name of the plugin, whose folder is yet to be made.
fn free_name(folder: &Path) -> Result<String, Error> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    if check_name(&name).is_err() {
        return Err(Error::usage(format!(
            "{name:?} cannot be a plugin's name: it takes a to z, 0 to 9 and _, and begins with a \
             letter"
        )));
    }
    if folder.exists() {
        return Err(Error::usage(format!(
            "{} is there already; remove it, or choose another name",
            folder.display()
        )));
    }
    Ok(name.into_owned())
}

/// A project that is about to be written.
struct Project {
    name: String,
    kind: Kind,
}

impl Project {
    /// Its files but for the SDK, by their paths.
    fn files(&self) -> impl Iterator<Item = (&'static str, String)> {
        TEMPLATES.iter().filter_map(|(path, text)| {
            let (folder, file) = path.split_once('/')?;
            let is_ours = folder == "common" || folder == self.kind.templates;
            is_ours.then(|| (file, self.filled(text)))
        })
    }

    /// The file that is built.
    fn file(&self) -> String {
        format!("libserbench_codec_{}.so", self.name)
    }

    fn plugin(&self) -> String {
        format!("{}/{}", self.kind.built, self.file())
    }

    fn filled(&self, text: &str) -> String {
        let Kind {
            commands, built, ..
        } = self.kind;
        let steps: Vec<_> = commands
            .iter()
            .map(|command| format!("      - run: {command}"))
            .collect();
        text.replace("@NAME@", &self.name)
            .replace("@PLUGIN@", &self.plugin())
            .replace("@FOLDER@", built)
            .replace("@FILE@", &self.file())
            .replace("@COMMANDS@", &commands.join("\n"))
            .replace("@STEPS@", &steps.join("\n"))
            .replace("@STAND_IN@", self.kind.stand_in)
            .replace("@REPOSITORY@", env!("CARGO_PKG_REPOSITORY"))
    }
}
