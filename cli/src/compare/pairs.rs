//! Which row of the one file belongs to which of the other.

use std::collections::{BTreeMap, BTreeSet};

use super::{identity, mode};
use crate::error::Error;
use crate::report::Filter;
use crate::results::{DatasetResult, Results, Row, Run};

/// A row, and where it stands.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub run: &'a Run,
    pub dataset: &'a DatasetResult,
    pub row: &'a Row,
}

/// The same codec on the same data in the same mode, then and now.
pub struct Pair<'a> {
    pub base: Place<'a>,
    pub new: Place<'a>,
}

impl Pair<'_> {
    /// Whether their times can be compared.
    pub fn is_of_one_machine(&self) -> bool {
        identity(&self.base.run.machine) == identity(&self.new.run.machine)
    }
}

/// Dataset and codec.
type Id<'a> = (&'a str, &'a str);

fn id<'a>(place: &Place<'a>) -> Id<'a> {
    (&place.dataset.name, &place.row.codec)
}

fn places<'a>(results: &'a Results, filter: &Filter) -> Vec<Place<'a>> {
    let datasets = results
        .runs
        .iter()
        .flat_map(|run| run.datasets.iter().map(move |dataset| (run, dataset)));
    datasets
        .filter(|(_, dataset)| filter.datasets.pass(&dataset.name))
        .flat_map(|(run, dataset)| {
            dataset
                .rows
                .iter()
                .map(move |row| Place { run, dataset, row })
        })
        .filter(|place| filter.codecs.pass(&place.row.codec))
        .collect()
}

/// The rows that belong together, and what to say of those that do not.
pub fn of<'a>(
    base: &'a Results,
    new: &'a Results,
    filter: &Filter,
) -> Result<(Vec<Pair<'a>>, Vec<String>), Error> {
    let old = places(base, filter);
    let mut pairs = Vec::new();
    let new = places(new, filter);
    let mut notes = Notes::default();
    for new in new.iter().copied() {
        let named = old
            .iter()
            .filter(|old| old.dataset.name == new.dataset.name && old.row.codec == new.row.codec);
        let Some(any) = named.clone().next() else {
            notes.only_new.insert(id(&new));
            continue;
        };
        let same_mode = named
            .clone()
            .filter(|old| old.run.settings.mode == new.run.settings.mode);
        let of_machine =
            |old: &&Place<'_>| identity(&old.run.machine) == identity(&new.run.machine);
        let found = same_mode
            .clone()
            .find(of_machine)
            .or_else(|| same_mode.clone().next());
        let Some(found) = found else {
            return Err(other_mode(any.run, new.run));
        };
        if is_same_data(found.dataset, new.dataset) {
            notes.look_at(found, &new);
            pairs.push(Pair { base: *found, new });
        } else {
            notes.other_data.insert(new.dataset.name.as_str());
        }
    }
    let known = new.iter().map(id).collect::<BTreeSet<_>>();
    let gone = old.iter().map(id);
    notes.only_old = gone.filter(|id| !known.contains(id)).collect();
    if pairs.is_empty() {
        return Err(Error::usage(
            "the files have nothing in common: no codec was measured on the same data in both",
        ));
    }
    Ok((pairs, notes.lines()))
}

fn other_mode(base: &Run, new: &Run) -> Error {
    Error::usage(format!(
        "BASE was measured with {}, NEW with {}: such times are never compared; measure one of \
         them again in the other's mode",
        mode(base),
        mode(new)
    ))
}

fn is_same_data(a: &DatasetResult, b: &DatasetResult) -> bool {
    let data = |dataset: &DatasetResult| {
        (
            dataset.fingerprint.clone(),
            dataset.values,
            dataset.canonical_bytes,
        )
    };
    data(a) == data(b)
}

/// What differs beside the numbers.
#[derive(Default)]
struct Notes<'a> {
    /// Dataset and codec.
    only_new: BTreeSet<Id<'a>>,
    only_old: BTreeSet<Id<'a>>,
    other_data: BTreeSet<&'a str>,
    around: BTreeSet<String>,
}

impl<'a> Notes<'a> {
    /// Keeps what differs around a pair: machines, versions, builds.
    fn look_at(&mut self, base: &Place<'a>, new: &Place<'a>) {
        let [was, is] = [base, new].map(|place| &place.run.machine);
        if identity(was) != identity(is) {
            self.around.insert(format!(
                "BASE is of {}, NEW of {}: their times stand side by side, and are not compared.",
                was.summary(),
                is.summary()
            ));
        } else if (&was.os, &was.kernel) != (&is.os, &is.kernel) {
            let system = |of: &crate::results::Machine| format!("{} {}", of.os, of.kernel);
            self.around
                .insert(format!("System: {} then, {} now.", system(was), system(is)));
        }
        if base.run.optimised != new.run.optimised {
            self.around.insert(
                "One of the files is of a debug build of serbench: measure again with --release."
                    .to_owned(),
            );
        }
        let (Some((then, old)), Some((now, codec))) =
            (base.run.describe(base.row), new.run.describe(new.row))
        else {
            return;
        };
        if old.library_version != codec.library_version {
            let (from, to) = (&old.library_version, &codec.library_version);
            self.around
                .insert(format!("{}: {from} then, {to} now.", codec.library));
        }
        if then.compiler != now.compiler {
            let (from, to) = (&then.compiler, &now.compiler);
            self.around
                .insert(format!("{}: {from} then, {to} now.", now.language));
        }
    }

    fn lines(self) -> Vec<String> {
        let list = |names: BTreeSet<&str>| names.into_iter().collect::<Vec<_>>().join(", ");
        let mut lines = self.around.into_iter().collect::<Vec<_>>();
        if !self.other_data.is_empty() {
            lines.push(format!(
                "Not compared, for the data differ: {}.",
                list(self.other_data)
            ));
        }
        for (which, ids) in [("NEW", self.only_new), ("BASE", self.only_old)] {
            if !ids.is_empty() {
                lines.push(format!("Only in {which}: {}.", by_codec(&ids)));
            }
        }
        lines
    }
}

/// "postcard (game_level, log), rmp (mesh)".
fn by_codec(ids: &BTreeSet<Id<'_>>) -> String {
    let mut datasets = BTreeMap::<_, Vec<_>>::new();
    for (dataset, codec) in ids {
        datasets.entry(*codec).or_default().push(*dataset);
    }
    let codec = |(codec, of): (&str, Vec<&str>)| format!("{codec} ({})", of.join(", "));
    datasets
        .into_iter()
        .map(codec)
        .collect::<Vec<_>>()
        .join(", ")
}
