//! What a codec says of itself.

use crate::abi;

/// The descriptor of a codec. Start from [`CodecInfo::SCHEMA`], [`CodecInfo::SELF_DESCRIBING`] or
/// [`CodecInfo::TEXT`], and fill in the names:
/// `CodecInfo { id: "postcard", format: "Postcard", …, ..CodecInfo::SCHEMA }`.
#[derive(Debug, Clone, Copy)]
pub struct CodecInfo {
    /// `library` or `library/variant`, unique in a run.
    pub id: &'static str,
    /// The wire format: `JSON`, `MessagePack`, …
    pub format: &'static str,
    /// The library's package name.
    pub library: &'static str,
    /// The version that is linked: `env!("SERBENCH_LIBRARY_VERSION_…")`, which the build script
    /// takes from Cargo.lock.
    pub library_version: &'static str,
    /// What a reader of the table must know, or nothing.
    pub notes: &'static str,
    /// `abi::CAP_*` bits.
    pub capabilities: u64,
    /// What `deserialize` yields.
    pub yields: Yields,
    /// How far input is checked.
    pub validation: Validation,
}

/// What `deserialize` yields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Yields {
    /// A value that needs the input no more.
    Owned = abi::YIELDS_OWNED,
    /// A parsed value that points into the input.
    Borrowed = abi::YIELDS_BORROWED,
    /// A view: fields are decoded when they are read.
    View = abi::YIELDS_VIEW,
}

/// How far `deserialize` and `read` check their input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Validation {
    /// Any bytes are safe to hand in.
    Checked = abi::CHECKED,
    /// Hostile bytes are undefined behaviour.
    Trusted = abi::TRUSTED,
}

impl CodecInfo {
    /// A checked binary codec with owned results whose reader must know the schema.
    pub const SCHEMA: Self = Self::base(abi::CAP_SCHEMA);
    /// A checked binary codec with owned results whose data carries names.
    pub const SELF_DESCRIBING: Self = Self::base(abi::CAP_SELF_DESCRIBING);
    /// A checked text codec with owned results whose data carries names.
    pub const TEXT: Self = Self::base(abi::CAP_SELF_DESCRIBING | abi::CAP_TEXT);
    /// A floor to compare with.
    pub const BASELINE: Self = Self::base(abi::CAP_BASELINE);

    const fn base(capabilities: u64) -> Self {
        Self {
            id: "",
            format: "",
            library: "",
            library_version: "",
            notes: "",
            capabilities: capabilities | abi::CAP_REUSES_OUTPUT | abi::CAP_FRESH_OUTPUT,
            yields: Yields::Owned,
            validation: Validation::Checked,
        }
    }

    /// With further `abi::CAP_*` bits.
    pub const fn with(mut self, capabilities: u64) -> Self {
        self.capabilities |= capabilities;
        self
    }

    /// Writing into newly allocated memory on every call, whatever the mode: the library gives no
    /// way to keep the buffer.
    pub const fn always_fresh(mut self) -> Self {
        self.capabilities &= !abi::CAP_REUSES_OUTPUT;
        self
    }

    /// Whether it can be opened on datasets that leave out fields which equal their default: if
    /// names travel with the data, or for a baseline, which moves the canonical encoding.
    pub(crate) const fn carries_any_dataset(&self) -> bool {
        self.capabilities & (abi::CAP_SELF_DESCRIBING | abi::CAP_BASELINE) != 0
    }
}

/// The descriptor of a plugin; the [`plugin!`](crate::plugin) macro fills it in.
#[derive(Debug, Clone, Copy)]
pub struct PluginInfo {
    /// Short and lower case.
    pub id: &'static str,
    /// The plugin's own version.
    pub version: &'static str,
    /// An SPDX expression.
    pub license: &'static str,
    /// What it was built with, version included.
    pub compiler: &'static str,
    /// The flags that matter.
    pub flags: &'static str,
}
