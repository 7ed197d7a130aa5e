//! Which datasets a plugin was built with, and how a codec is opened on one of them. Implemented
//! by the `Datasets` type that `serbench_datasets::build::RustPlugin` generates.

use crate::{CodecInfo, Error, instance::Opened};

/// A dataset that the plugin was built with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dataset {
    /// Its name.
    pub name: &'static str,
    /// Its schema's fingerprint: 32 hex digits.
    pub fingerprint: &'static str,
    /// Whether only formats that write names can carry it.
    pub needs_self_describing: bool,
    /// Why the plugin has no types for it, where the format or library cannot carry it.
    pub refused: Option<&'static str>,
}

/// The datasets of a plugin.
pub trait DatasetList {
    /// Every one of them, those that it refuses included.
    const DATASETS: &'static [Dataset];
}

/// Opens codec `C` on any dataset of the plugin.
pub trait Registry<C>: DatasetList {
    /// Opens `C` on the dataset called `args.name`, by [`open`](crate::open); or
    /// [`Error::unknown_dataset`].
    fn open(args: &OpenArgs<'_>) -> Result<Opened, Error>;
}

/// What the host hands to `open`, checked.
#[derive(Debug, Clone, Copy)]
pub struct OpenArgs<'a> {
    /// The dataset's name.
    pub name: &'a str,
    /// The fingerprint of the host's schema of that name.
    pub fingerprint: &'a str,
    /// The normalised schema, as JSON.
    pub schema: &'a str,
    /// `abi::MODE_*` bits.
    pub mode: u64,
    /// The values, each in the canonical encoding.
    pub values: &'a [&'a [u8]],
}

/// Opens codec `C`, described by `info`, after checking that the dataset is one that the plugin
/// was built with, in the same version, and that the codec can carry it.
pub(crate) fn open_checked<D: Registry<C>, C>(
    args: &OpenArgs<'_>,
    info: &CodecInfo,
) -> Result<Opened, Error> {
    let dataset = D::DATASETS
        .iter()
        .find(|dataset| dataset.name == args.name)
        .ok_or_else(|| Error::unknown_dataset(args.name))?;
    if dataset.fingerprint != args.fingerprint {
        return Err(Error::internal(format_args!(
            "the plugin was built against fingerprint {} of dataset {}, the host has {}; rebuild \
             the plugin",
            dataset.fingerprint, args.name, args.fingerprint
        )));
    }
    if let Some(reason) = dataset.refused {
        return Err(Error::unsupported(reason));
    }
    if dataset.needs_self_describing && !info.carries_any_dataset() {
        return Err(Error::unsupported(
            "fields that equal their default are left out of this dataset, which only formats \
             that write names can carry",
        ));
    }
    D::open(args)
}
