//! Which datasets a run is about, and their values.

use std::borrow::Cow;
use std::path::Path;

use serbench_datasets::{Dataset, FileText, Values, catalog, open_dir};

use crate::args::{Globs, did_you_mean};
use crate::error::Error;

/// The datasets that the user asked for, each once, in the order asked for.
pub fn select(wanted: &[String], data: Option<&Path>) -> Result<Vec<Cow<'static, Dataset>>, Error> {
    let mut selected = Vec::<Cow<'static, Dataset>>::new();
    let all = ["all".to_owned()];
    let wanted = if wanted.is_empty() { &all } else { wanted };
    for name in wanted {
        for dataset in named(name)? {
            if selected.iter().all(|known| known.name != dataset.name) {
                selected.push(dataset);
            }
        }
    }
    if data.is_some() && selected.len() != 1 {
        return Err(Error::usage(format!(
            "--data gives the values of one dataset, but {} are chosen; name one with --dataset",
            selected.len()
        )));
    }
    Ok(selected)
}

fn named(name: &str) -> Result<Vec<Cow<'static, Dataset>>, Error> {
    let path = Path::new(name);
    if name.contains('/') || name.starts_with('.') {
        return Ok(vec![Cow::Owned(open_dir(path).map_err(Error::usage)?)]);
    }
    if name == "all" {
        return Ok(catalog().iter().map(Cow::Borrowed).collect());
    }
    let globs = Globs::new(&[name.to_owned()])?;
    let found = catalog()
        .iter()
        .filter(|dataset| globs.pass(&dataset.name))
        .map(Cow::Borrowed)
        .collect::<Vec<_>>();
    if found.is_empty() {
        let known = catalog().iter().map(|dataset| dataset.name.as_str());
        let folder = if path.is_dir() {
            format!("; for the folder of that name write ./{name}")
        } else {
            String::new()
        };
        return Err(Error::usage(format!(
            "no dataset matches {name:?}{}; `serbench list datasets` shows them all{folder}",
            did_you_mean(name, known)
        )));
    }
    Ok(found)
}

/// The values of a dataset: those in the file that the user gave, else its own.
pub fn load(dataset: &Dataset, data: Option<&Path>, scale: u64) -> Result<Values, Error> {
    let Some(path) = data else {
        let scale = if dataset.is_generated() { scale } else { 1 };
        return dataset.values(scale).map_err(Error::usage);
    };
    let cannot =
        |error: &dyn std::fmt::Display| Error::usage(format!("{}: {error}", path.display()));
    let text = FileText::open(path).map_err(|error| cannot(&error))?;
    dataset
        .values_from_json(&text)
        .map_err(|error| cannot(&error))
}
