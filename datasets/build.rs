//! Puts every folder of `catalog` into the crate: its schema, and its data or generator. The
//! folders are found, not listed: adding one needs no other edit.

#[path = "tests/typed/build.rs"]
mod typed;

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use serbench_schema::codegen::rust;
use serbench_schema::{Schema, json};

/// Built once per change of the data, read at every start.
const ZSTD_LEVEL: i32 = 19;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let catalog = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("catalog");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", catalog.display());
    let mut folders: Vec<_> = fs::read_dir(&catalog)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    folders.retain(|folder| folder.is_dir());
    folders.sort();
    let options = rust::Options {
        canonical: "::serbench_canonical".to_owned(),
        support: "crate::entries::support".to_owned(),
        ..rust::Options::default()
    };
    let mut uses = rust::Uses::default();
    let (mut modules, mut entries) = (String::new(), String::new());
    let folders: Vec<_> = folders
        .iter()
        .map(|folder| Folder::read(folder))
        .collect::<Result<_, _>>()?;
    for folder in &folders {
        if folder.generator().is_file() {
            uses.add(&folder.schema);
            modules += &folder.module(&options);
        }
        entries += &folder.entry(&out)?;
    }
    let support = rust::support(uses, &options);
    let text = format!(
        "#[allow({})]\npub(crate) mod support {{\n{support}}}\n{modules}
         pub(crate) static ENTRIES: &[Entry] = &[\n{entries}];\n",
        rust::LINTS
    );
    fs::write(out.join("entries.rs"), text)?;
    let schemas = folders
        .iter()
        .map(|folder| (folder.name.as_str(), &folder.schema));
    Ok(fs::write(out.join("typed.rs"), typed::text(schemas))?)
}

/// A folder of the catalog.
struct Folder {
    path: PathBuf,
    name: String,
    summary: String,
    schema: Schema,
}

impl Folder {
    fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| format!("{}: the name is not UTF-8", path.display()))?;
        let file = path.join("schema.rs");
        let source = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok(Self {
            path: path.to_owned(),
            name: name.to_owned(),
            summary: serbench_schema::summary(&source),
            schema: serbench_schema::parse(&source, &file)?,
        })
    }

    fn generator(&self) -> PathBuf {
        self.path.join("generator.rs")
    }

    /// The module with the dataset's types and its generator.
    fn module(&self, options: &rust::Options) -> String {
        format!(
            "mod {} {{
    #[allow({})]
    pub mod types {{\n{}}}
    // The values are given: what is almost pi is not meant to be it.
    #[allow(clippy::approx_constant)]
    #[path = {:?}]
    pub mod generator;
}}\n",
            rust::ident(&self.name),
            rust::LINTS,
            rust::types(&self.schema, options),
            self.generator().display().to_string()
        )
    }

    /// The dataset's line in the table.
    fn entry(&self, out: &Path) -> Result<String, Box<dyn Error>> {
        let Self {
            name,
            summary,
            schema,
            ..
        } = self;
        let mut text = String::new();
        let json = schema.to_json();
        write!(
            text,
            "Entry {{ name: {name:?}, summary: {summary:?}, schema: {json:?}, data: "
        )?;
        if self.generator().is_file() {
            let module = rust::ident(name);
            writeln!(
                text,
                "Data::Generated(|scale, emit| {module}::generator::generate(
                    &mut Rng::new({module}::generator::SEED), scale, &mut |value| emit(value)
                )) }},"
            )?;
        } else {
            let file = out.join(format!("{name}.zst"));
            fs::write(&file, self.packed()?)?;
            writeln!(text, "Data::Packed(include_bytes!({file:?})) }},")?;
        }
        Ok(text)
    }

    /// The values of `data.json` or `data.ndjson`: each its size and its canonical bytes, all of
    /// it compressed.
    fn packed(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let files = ["data.json", "data.ndjson"].map(|file| self.path.join(file));
        let file = files.iter().find(|file| file.is_file()).ok_or_else(|| {
            format!(
                "{}: data.json, data.ndjson or generator.rs is missing",
                self.path.display()
            )
        })?;
        let text = fs::read(file)?;
        let values = json::read_values(&self.schema, &text)
            .map_err(|error| format!("{}:{error}", file.display()))?;
        if values.is_empty() {
            return Err(format!("{}: there are no values", file.display()).into());
        }
        let mut packed = Vec::new();
        for value in values {
            packed.extend_from_slice(&(value.len() as u64).to_le_bytes());
            packed.extend_from_slice(&value);
        }
        Ok(zstd::encode_all(packed.as_slice(), ZSTD_LEVEL)?)
    }
}
