//! Reads a descriptor, trusting none of it: every pointer, count, string and size is checked.

use std::ffi::{CStr, CString, c_char};
use std::path::Path;

use serbench_plugin::abi;

use super::{Adopt, Codec, LoadError, Plugin};
use crate::protocol::{CodecInfo, PluginInfo};

/// More codecs or datasets than any plugin has: a count beyond it is a descriptor gone wrong.
const MAX_COUNT: u64 = 4096;

const REMEDY: &str = "correct the plugin's descriptor";
const REBUILD: &str = "rebuild the plugin with this version's serbench.h";

/// The names of the capability bits, as results and reports spell them.
const CAPABILITIES: [(u64, &str); 11] = [
    (abi::CAP_SELF_DESCRIBING, "self_describing"),
    (abi::CAP_SCHEMA, "schema"),
    (abi::CAP_TEXT, "text"),
    (abi::CAP_REUSES_OUTPUT, "reuses_output"),
    (abi::CAP_FRESH_OUTPUT, "fresh_output"),
    (abi::CAP_BASELINE, "baseline"),
    (abi::CAP_NO_ROUND_TRIP, "no_round_trip"),
    (abi::CAP_CONVERTS, "converts"),
    (abi::CAP_NONDETERMINISTIC, "nondeterministic"),
    (abi::CAP_UNBOUNDED, "unbounded"),
    (abi::CAP_LENIENT, "lenient"),
];

const YIELDS: [&str; 3] = ["owned", "borrowed", "view"];
const VALIDATIONS: [&str; 2] = ["checked", "trusted"];

/// Reads the descriptor at `raw`.
///
/// # Safety
/// `raw` is what a plugin's entry returned. A plugin that lies about the memory behind it can
/// still crash the worker, which is what workers are for.
pub unsafe fn read(path: &Path, raw: *const abi::Plugin) -> Result<Plugin, LoadError> {
    // SAFETY: as this function's own.
    let raw = unsafe { checked_header(raw)? };
    let plugin = Part("the plugin");
    if raw.codec_count == 0 {
        return Err(LoadError::new("no codecs", "at least one", REMEDY));
    }
    plugin.count("codec_count", raw.codec_count)?;
    plugin.count("dataset_count", raw.dataset_count)?;
    plugin.place("codecs", raw.codecs)?;
    if raw.dataset_count > 0 {
        plugin.place("datasets", raw.datasets)?;
    }

    let mut codecs: Vec<Codec> = Vec::new();
    for number in 0..raw.codec_count as usize {
        // SAFETY: the descriptor says that the array has `codec_count` elements.
        let codec = unsafe { codec(number, *raw.codecs.add(number))? };
        if codecs.iter().any(|other| other.info.id == codec.info.id) {
            return Err(LoadError::new(
                format!("two codecs with the id {:?}", codec.info.id),
                "every codec to have an id of its own",
                REMEDY,
            ));
        }
        codecs.push(codec);
    }
    let mut datasets = Vec::new();
    for number in 0..raw.dataset_count as usize {
        let part = Part("a dataset of the plugin");
        // SAFETY: the descriptor says that the array has `dataset_count` elements.
        let id = unsafe { &*raw.datasets.add(number) };
        // SAFETY: strings of the descriptor.
        datasets.push(unsafe {
            (
                part.text("name", id.name)?,
                part.text("fingerprint", id.fingerprint)?,
            )
        });
    }
    // SAFETY: strings of the descriptor.
    let info = unsafe {
        PluginInfo {
            path: path.to_owned(),
            id: plugin.id(raw.id)?,
            version: plugin.text("version", raw.version)?,
            license: plugin.text("license", raw.license)?,
            language: plugin.text("language", raw.language)?,
            compiler: plugin.text("compiler", raw.compiler)?,
            flags: plugin.text("flags", raw.flags)?,
            abi: (raw.abi_major, raw.abi_minor),
            codecs: codecs.iter().map(|codec| codec.info.clone()).collect(),
            datasets,
        }
    };
    Ok(Plugin { info, codecs })
}

/// Checks the four fields that never move, and so that the rest may be looked at.
///
/// # Safety
/// As [`read`].
unsafe fn checked_header(raw: *const abi::Plugin) -> Result<abi::Plugin, LoadError> {
    if raw.is_null() || !raw.is_aligned() {
        return Err(LoadError::new(
            format!("{} that returned {raw:?}", abi::ENTRY_SYMBOL),
            "a descriptor",
            REMEDY,
        ));
    }
    // The fields are read one by one through the pointer, as what follows them may not be there.
    // SAFETY: every version of the descriptor begins with these fields.
    let (magic, major, minor) = unsafe {
        (
            (&raw const (*raw).magic).read(),
            (&raw const (*raw).abi_major).read(),
            (&raw const (*raw).abi_minor).read(),
        )
    };
    if magic != abi::MAGIC {
        return Err(LoadError::new(
            format!("a descriptor with the magic number {magic:#018x}"),
            format!("{:#018x}", abi::MAGIC),
            REBUILD,
        ));
    }
    if major != abi::ABI_MAJOR {
        let remedy = if major > abi::ABI_MAJOR {
            "use a newer serbench, or rebuild the plugin with this version's serbench.h"
        } else {
            REBUILD
        };
        return Err(LoadError::new(
            format!("a plugin of ABI {major}.{minor}"),
            format!("ABI {}.x", abi::ABI_MAJOR),
            remedy,
        ));
    }
    // SAFETY: as this function's own, in a version of the ABI that the host speaks.
    unsafe { Part("the plugin").read(raw) }
}

/// Reads the descriptor of one codec.
///
/// # Safety
/// As [`read`], for an element of the array of codecs.
unsafe fn codec(number: usize, raw: *const abi::Codec) -> Result<Codec, LoadError> {
    if raw.is_null() || !raw.is_aligned() {
        return Err(LoadError::new(
            format!("a codec (number {number}) at {raw:?}"),
            "a codec descriptor",
            REMEDY,
        ));
    }
    let number = format!("codec number {number}");
    // SAFETY: as this function's own; a string of the descriptor.
    let (raw, id) = unsafe {
        let raw = Part(&number).read(raw)?;
        (raw, Part(&number).id(raw.id)?)
    };
    let name = format!("codec {id}");
    let part = Part(&name);
    let (Some(open), Some(open_error)) = (raw.open, raw.open_error) else {
        return Err(LoadError::new(
            format!("{name} without the function `open` or `open_error`"),
            "both",
            REMEDY,
        ));
    };
    let has = |bit| raw.capabilities & bit != 0;
    if has(abi::CAP_NO_ROUND_TRIP) && !has(abi::CAP_BASELINE) {
        return Err(LoadError::new(
            format!("{name}, which is exempt from the round trip"),
            "only baselines to be so",
            REMEDY,
        ));
    }
    // SAFETY: the codec's own function and constant data.
    let adopt = unsafe { adopt_input(&part, &raw)? };
    let mut extensions = Vec::new();
    if adopt.is_some() {
        extensions.push(abi::EXT_ADOPT_INPUT.to_owned());
    }
    // SAFETY: strings of the descriptor.
    let info = unsafe {
        CodecInfo {
            format: part.text("format", raw.format)?,
            library: part.text("library", raw.library)?,
            library_version: part.text("library_version", raw.library_version)?,
            notes: part.text("notes", raw.notes)?,
            capabilities: CAPABILITIES
                .iter()
                .filter(|(bit, _)| has(*bit))
                .map(|(_, name)| (*name).to_owned())
                .collect(),
            yields: part.choice("yields", raw.yields, &YIELDS)?,
            validation: part.choice("validation", raw.validation, &VALIDATIONS)?,
            extensions,
            id,
        }
    };
    Ok(Codec {
        info,
        capabilities: raw.capabilities,
        open,
        open_error,
        adopt,
    })
}

/// Asks a codec for the extension "adopt input".
///
/// # Safety
/// `raw` is a checked codec descriptor.
unsafe fn adopt_input(part: &Part<'_>, raw: &abi::Codec) -> Result<Option<Adopt>, LoadError> {
    let Some(get_extension) = raw.get_extension else {
        return Ok(None);
    };
    let name = CString::new(abi::EXT_ADOPT_INPUT).expect("the name has no zero byte");
    // SAFETY: any thread may call it with any name.
    let table = unsafe { get_extension(name.as_ptr()) }.cast::<abi::AdoptInput>();
    if table.is_null() {
        return Ok(None);
    }
    part.place(abi::EXT_ADOPT_INPUT, table)?;
    // SAFETY: a table of this name is of this type, and the plugin's for ever.
    let Some(adopt) = unsafe { part.read(table)? }.adopt else {
        return Err(LoadError::new(
            format!(
                "{} with the extension {} and no function in it",
                part.0,
                abi::EXT_ADOPT_INPUT
            ),
            "the function",
            REMEDY,
        ));
    };
    Ok(Some(adopt))
}

/// A part of the descriptor, by the name to call it in a message.
struct Part<'a>(&'a str);

impl Part<'_> {
    /// # Safety
    /// As [`abi::read`].
    unsafe fn read<T: abi::Growing>(&self, raw: *const T) -> Result<T, LoadError> {
        // SAFETY: as this function's own.
        unsafe { abi::read(raw) }.map_err(|found| {
            LoadError::new(
                format!(
                    "{} with a struct_size of {found}, which is too short",
                    self.0
                ),
                format!("at least {}", T::SIZE_1_0),
                REBUILD,
            )
        })
    }

    /// Refuses where nothing of the type can be.
    fn place<T>(&self, field: &str, pointer: *const T) -> Result<(), LoadError> {
        if pointer.is_null() || !pointer.is_aligned() {
            return Err(LoadError::new(
                format!("{} with its {field} at {pointer:?}", self.0),
                format!("a pointer on a boundary of {} bytes", align_of::<T>()),
                REMEDY,
            ));
        }
        Ok(())
    }

    fn count(&self, field: &str, found: u64) -> Result<(), LoadError> {
        if found > MAX_COUNT {
            return Err(LoadError::new(
                format!("{} with a {field} of {found}", self.0),
                format!("at most {MAX_COUNT}"),
                REMEDY,
            ));
        }
        Ok(())
    }

    /// # Safety
    /// `pointer` is null or a string that ends in a zero byte.
    unsafe fn text(&self, field: &str, pointer: *const c_char) -> Result<String, LoadError> {
        let refuse = |what: &str| {
            LoadError::new(
                format!("{} whose {field} {what}", self.0),
                "UTF-8 text on one line",
                REMEDY,
            )
        };
        if pointer.is_null() {
            return Err(refuse("is a null pointer"));
        }
        // SAFETY: as this function's own.
        let text = unsafe { CStr::from_ptr(pointer) }
            .to_str()
            .map_err(|_| refuse("is not UTF-8"))?;
        if text.chars().any(char::is_control) {
            return Err(refuse("has control characters"));
        }
        Ok(text.to_owned())
    }

    /// # Safety
    /// As [`Part::text`].
    unsafe fn id(&self, pointer: *const c_char) -> Result<String, LoadError> {
        // SAFETY: as this function's own.
        let id = unsafe { self.text("id", pointer)? };
        if id.is_empty() || id.contains(char::is_whitespace) {
            return Err(LoadError::new(
                format!("{} with the id {id:?}", self.0),
                "a name without blanks",
                REMEDY,
            ));
        }
        Ok(id)
    }

    fn choice(&self, field: &str, found: u32, names: &[&str]) -> Result<String, LoadError> {
        let name = names.get(found as usize).ok_or_else(|| {
            LoadError::new(
                format!("{} whose {field} is {found}", self.0),
                format!("less than {}", names.len()),
                REMEDY,
            )
        })?;
        Ok((*name).to_owned())
    }
}
