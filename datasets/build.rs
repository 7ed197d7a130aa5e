//! Puts every folder of `catalog` into the crate: its schema, and its data or generator. The
//! folders are found, not listed: adding one needs no other edit. Without the feature `values` it
//! is the schemas alone, and nothing else need be in the folders.

#[cfg(feature = "values")]
#[path = "tests/typed/build.rs"]
mod typed;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use serbench_schema::Schema;
#[cfg(feature = "values")]
use serbench_schema::{codegen::rust, json};

/// Built once per change of the data, read at every start.
#[cfg(feature = "values")]
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
    let folders: Vec<_> = folders
        .iter()
        .map(|folder| Folder::read(folder))
        .collect::<Result<_, _>>()?;
    let mut text = modules(&folders, &out)?;
    text += "pub(crate) static ENTRIES: &[Entry] = &[\n";
    for folder in &folders {
        text += &folder.entry(&out)?;
    }
    text += "];\n";
    Ok(fs::write(out.join("entries.rs"), text)?)
}

/// What the entries refer to: the generators, with their types. Writes the types of the tests, too.
#[cfg(feature = "values")]
fn modules(folders: &[Folder], out: &Path) -> Result<String, Box<dyn Error>> {
    let options = rust::Options {
        canonical: "::serbench_canonical".to_owned(),
        support: "crate::entries::support".to_owned(),
        ..rust::Options::default()
    };
    let mut uses = rust::Uses::default();
    let mut modules = String::new();
    for folder in folders {
        if folder.generator().is_file() {
            uses.add(&folder.schema);
            modules += &folder.module(&options);
        }
    }
    let schemas = folders
        .iter()
        .map(|folder| (folder.name.as_str(), &folder.schema));
    fs::write(out.join("typed.rs"), typed::text(schemas))?;
    let support = rust::support(uses, &options);
    Ok(format!(
        "#[allow({})]\npub(crate) mod support {{\n{support}}}\n{modules}\n",
        rust::LINTS
    ))
}

#[cfg(not(feature = "values"))]
fn modules(_: &[Folder], _: &Path) -> Result<String, Box<dyn Error>> {
    Ok(String::new())
}

/// A folder of the catalog.
struct Folder {
    #[cfg(feature = "values")]
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
            #[cfg(feature = "values")]
            path: path.to_owned(),
            name: name.to_owned(),
            summary: serbench_schema::summary(&source),
            schema: serbench_schema::parse(&source, &file)?,
        })
    }

    /// The dataset's line in the table.
    fn entry(&self, out: &Path) -> Result<String, Box<dyn Error>> {
        let json = self.schema.to_json();
        Ok(format!(
            "Entry {{ name: {:?}, summary: {:?}, schema: {json:?}, {} }},\n",
            self.name,
            self.summary,
            self.data(out)?
        ))
    }

    #[cfg(not(feature = "values"))]
    fn data(&self, _: &Path) -> Result<String, Box<dyn Error>> {
        Ok(String::new())
    }
}

#[cfg(feature = "values")]
impl Folder {
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

    /// The field of the dataset's line that says where the values come from.
    fn data(&self, out: &Path) -> Result<String, Box<dyn Error>> {
        if self.generator().is_file() {
            let module = rust::ident(&self.name);
            return Ok(format!(
                "data: Data::Generated(|scale, emit| {module}::generator::generate(
                    &mut Rng::new({module}::generator::SEED), scale, &mut |value| emit(value)
                ))"
            ));
        }
        let file = out.join(format!("{}.zst", self.name));
        fs::write(&file, self.packed()?)?;
        Ok(format!("data: Data::Packed(include_bytes!({file:?}))"))
    }

    /// The values of `data.json` or `data.ndjson`: each its size and its canonical bytes, all of
    /// it compressed.
    fn packed(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let files = ["data.json", "data.ndjson"].map(|file| self.path.join(file));
        let file = files.iter().find(|file| file.is_file()).ok_or_else(|| {
            format!(
                "{}: data.json, data.ndjson or generator.rs is missing; for types alone, depend on \
                 serbench-datasets with default-features = false",
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
