//! The loader, on descriptors that are made of any bytes: whatever a plugin may have filled in, but
//! for pointers to nowhere, against which nothing helps.

use std::cell::Cell;
use std::ffi::{CString, c_char, c_void};
use std::path::Path;

use arbitrary::{Result, Unstructured};
use serbench_plugin::abi;

use crate::loader::{Adopt, OpenError, Plugin, descriptor};
use crate::protocol::PluginInfo;

/// Reads the descriptor that the bytes stand for. Where they end, it goes on as a lawful one.
pub fn check(data: &[u8]) {
    let mut made = Made::default();
    let Ok(raw) = made.plugin(&mut Unstructured::new(data)) else {
        return;
    };
    // SAFETY: all that it points to is there, and lives as long as `made`.
    match unsafe { descriptor::read(Path::new("plugin.so"), raw) } {
        Ok(plugin) => {
            assert!(made.is_lawful, "taken, though it is not lawful: {plugin:?}");
            is_whole(&plugin);
        }
        Err(error) => {
            let error = error.to_string();
            assert!(!made.is_lawful, "refused, though it is lawful: {error}");
            assert!(!error.contains(char::is_control), "{error:?}");
        }
    }
}

fn is_whole(plugin: &Plugin) {
    let text = serde_json::to_string(&plugin.info).unwrap();
    let sent: PluginInfo = serde_json::from_str(&text).unwrap();
    assert_eq!(sent, plugin.info);
    assert_eq!(plugin.codecs.len(), plugin.info.codecs.len());
    for codec in &plugin.info.codecs {
        assert_eq!(
            plugin.codec(&codec.id).map(|found| &found.info),
            Some(codec)
        );
    }
}

thread_local! {
    /// What [`get_extension`] returns.
    static EXTENSION: Cell<*const c_void> = const { Cell::new(std::ptr::null()) };
}

unsafe extern "C" fn get_extension(_: *const c_char) -> *const c_void {
    EXTENSION.get()
}

unsafe extern "C" fn adopt(_: *mut c_void, _: abi::Bytes) -> i32 {
    abi::INTERNAL
}

unsafe extern "C" fn open(_: *const abi::OpenArgs, _: *mut *const abi::Instance) -> i32 {
    abi::INTERNAL
}

unsafe extern "C" fn open_error() -> *const c_char {
    c"".as_ptr()
}

/// A descriptor, and whether the host has to take it.
struct Made {
    is_lawful: bool,
    /// The same of what [`get_extension`] returns.
    has_lawful_extension: bool,
    /// The ids of the codecs so far.
    ids: Vec<Vec<u8>>,
    texts: Vec<*mut c_char>,
    blocks: Vec<*mut [u64]>,
}

impl Default for Made {
    fn default() -> Self {
        Self {
            is_lawful: true,
            has_lawful_extension: true,
            ids: Vec::new(),
            texts: Vec::new(),
            blocks: Vec::new(),
        }
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for text in self.texts.drain(..) {
            // SAFETY: `text` made it so.
            drop(unsafe { CString::from_raw(text) });
        }
        for block in self.blocks.drain(..) {
            // SAFETY: `place` made it so.
            drop(unsafe { Box::from_raw(block) });
        }
    }
}

const OPEN: [Option<abi::Open>; 2] = [Some(open), None];
const OPEN_ERROR: [Option<OpenError>; 2] = [Some(open_error), None];
const GET_EXTENSION: [Option<GetExtension>; 2] = [None, Some(get_extension)];
const ADOPT: [Option<Adopt>; 2] = [Some(adopt), None];

type GetExtension = unsafe extern "C" fn(*const c_char) -> *const c_void;

/// What a plugin may do with a pointer.
const POINTERS: [fn(*const c_void) -> *const c_void; 3] = [
    |right| right,
    |_| std::ptr::null(),
    |right| right.wrapping_byte_add(1),
];

impl Made {
    /// Goes on only where it holds.
    fn must(&mut self, holds: bool) {
        self.is_lawful &= holds;
    }

    fn plugin(&mut self, draw: &mut Unstructured<'_>) -> Result<*const abi::Plugin> {
        self.extension(draw)?;
        let count = *draw.choose(&[1, 2, 3, 0])?;
        let codecs = (0..count)
            .map(|_| self.codec(draw))
            .collect::<Result<Vec<_>>>()?;
        let count = *draw.choose(&[0, 1, 2])?;
        let datasets = (0..count)
            .map(|_| {
                Ok(abi::DatasetId {
                    name: self.text(draw)?,
                    fingerprint: self.text(draw)?,
                })
            })
            .collect::<Result<Vec<_>>>()?;
        let codec_count = self.count(codecs.len(), draw)?;
        let dataset_count = self.count(datasets.len(), draw)?;
        self.must(codec_count > 0);
        let codecs = self.array(&codecs, codec_count, draw)?;
        let datasets = self.array(&datasets, dataset_count, draw)?;
        let (id, _) = self.id(draw)?;
        let plugin = abi::Plugin {
            magic: *draw.choose(&[abi::MAGIC, abi::MAGIC.swap_bytes()])?,
            abi_major: *draw.choose(&[abi::ABI_MAJOR, 0, 2])?,
            abi_minor: draw.arbitrary()?,
            struct_size: size::<abi::Plugin>(draw)?,
            id,
            version: self.text(draw)?,
            license: self.text(draw)?,
            language: self.text(draw)?,
            compiler: self.text(draw)?,
            flags: self.text(draw)?,
            codecs,
            codec_count,
            datasets,
            dataset_count,
        };
        self.must(plugin.magic == abi::MAGIC);
        self.must(plugin.abi_major == abi::ABI_MAJOR);
        let head = std::mem::offset_of!(abi::Plugin, id);
        self.grown(plugin, plugin.struct_size, head, draw)
    }

    fn codec(&mut self, draw: &mut Unstructured<'_>) -> Result<*const abi::Codec> {
        let (id, text) = self.id(draw)?;
        self.must(!self.ids.contains(&text));
        self.ids.push(text);
        let codec = abi::Codec {
            struct_size: size::<abi::Codec>(draw)?,
            id,
            format: self.text(draw)?,
            library: self.text(draw)?,
            library_version: self.text(draw)?,
            notes: self.text(draw)?,
            capabilities: draw.arbitrary()?,
            yields: *draw.choose(&[0, 1, 2, 3, u32::MAX])?,
            validation: *draw.choose(&[0, 1, 2, u32::MAX])?,
            open: *draw.choose(&OPEN)?,
            open_error: *draw.choose(&OPEN_ERROR)?,
            get_extension: *draw.choose(&GET_EXTENSION)?,
        };
        let has = |bit| codec.capabilities & bit != 0;
        self.must(has(abi::CAP_BASELINE) || !has(abi::CAP_NO_ROUND_TRIP));
        self.must(codec.yields <= abi::YIELDS_VIEW && codec.validation <= abi::TRUSTED);
        self.must(codec.open.is_some() && codec.open_error.is_some());
        self.must(codec.get_extension.is_none() || self.has_lawful_extension);
        self.grown(codec, codec.struct_size, 8, draw)
    }

    /// The extension "adopt input" of all codecs that have one, or null.
    fn extension(&mut self, draw: &mut Unstructured<'_>) -> Result<()> {
        let mut table = std::ptr::null();
        if draw.arbitrary()? {
            let raw = abi::AdoptInput {
                struct_size: size::<abi::AdoptInput>(draw)?,
                adopt: *draw.choose(&ADOPT)?,
            };
            self.must(raw.adopt.is_some());
            table = self.grown(raw, raw.struct_size, 8, draw)?;
            // Null is how a codec says that it has none.
            let is_lawful = std::mem::replace(&mut self.is_lawful, true);
            self.has_lawful_extension = is_lawful || table.is_null();
        }
        EXTENSION.set(table.cast());
        Ok(())
    }

    /// How many there are; or more than anyone has.
    fn count(&mut self, there: usize, draw: &mut Unstructured<'_>) -> Result<u64> {
        let too_many = 4097_u64.saturating_add(draw.arbitrary()?);
        let is_right = *draw.choose(&[true, true, true, false])?;
        self.must(is_right);
        Ok(if is_right { there as u64 } else { too_many })
    }

    /// A pointer to a copy of the elements, or a wrong one.
    fn array<T: Copy>(
        &mut self,
        elements: &[T],
        count: u64,
        draw: &mut Unstructured<'_>,
    ) -> Result<*const T> {
        let size = size_of_val(elements);
        let place = self.place(elements.as_ptr().cast(), size, size);
        let pointer = draw.choose(&POINTERS)?(place).cast::<T>();
        self.must(count == 0 || (!pointer.is_null() && pointer.is_aligned()));
        Ok(pointer)
    }

    /// A pointer to a struct as long as it says, but for its `least`, or a wrong one.
    fn grown<T: abi::Growing>(
        &mut self,
        value: T,
        size: u64,
        least: usize,
        draw: &mut Unstructured<'_>,
    ) -> Result<*const T> {
        let len = (size.min(256) as usize).max(least);
        let place = self.place((&raw const value).cast(), size_of::<T>(), len);
        let pointer = draw.choose(&POINTERS)?(place).cast::<T>();
        self.must(size >= T::SIZE_1_0 && !pointer.is_null() && pointer.is_aligned());
        Ok(pointer)
    }

    /// Room of `len` bytes, in which as much stands of what is `known` bytes long; and behind that
    /// what a later version might have.
    fn place(&mut self, from: *const u8, known: usize, len: usize) -> *const c_void {
        const LATER: u64 = 0xa5a5_a5a5_a5a5_a5a5;
        // A word more than it says would hide that it is read.
        let block = Box::into_raw(vec![LATER; len.div_ceil(8)].into_boxed_slice());
        self.blocks.push(block);
        let room = block.cast::<u8>();
        // SAFETY: both have that many bytes.
        unsafe { room.copy_from_nonoverlapping(from, known.min(len)) };
        block.cast_const().cast()
    }

    fn text(&mut self, draw: &mut Unstructured<'_>) -> Result<*const c_char> {
        let text = self.drawn(draw)?;
        let holds = text.as_ref().is_some_and(|text| is_text(text));
        self.must(holds);
        Ok(self.published(text))
    }

    fn id(&mut self, draw: &mut Unstructured<'_>) -> Result<(*const c_char, Vec<u8>)> {
        let text = self.drawn(draw)?;
        let id = text.clone().unwrap_or_default();
        let has_blanks = String::from_utf8_lossy(&id).contains(char::is_whitespace);
        self.must(is_text(&id) && !id.is_empty() && !has_blanks);
        Ok((self.published(text), id))
    }

    /// A text, or none.
    fn drawn(&self, draw: &mut Unstructured<'_>) -> Result<Option<Vec<u8>>> {
        Ok(match draw.int_in_range(0..=7)? {
            // Another one each time.
            0 | 1 => Some(format!("text{}", self.texts.len()).into_bytes()),
            2 => Some(b"same".to_vec()),
            3 => Some(Vec::new()),
            4 => Some(b"two words".to_vec()),
            5 => Some("ä".repeat(40_000).into_bytes()),
            6 => {
                let len = draw.int_in_range(0..=16)?;
                let bytes = draw.bytes(len)?.iter().copied();
                Some(bytes.filter(|byte| *byte != 0).collect())
            }
            _ => None,
        })
    }

    fn published(&mut self, text: Option<Vec<u8>>) -> *const c_char {
        let Some(text) = text else {
            return std::ptr::null();
        };
        let text = CString::new(text).unwrap().into_raw();
        self.texts.push(text);
        text
    }
}

/// UTF-8 on one line.
fn is_text(text: &[u8]) -> bool {
    str::from_utf8(text).is_ok_and(|text| !text.contains(char::is_control))
}

/// Mostly what version 1.0 has or a later one; else less.
fn size<T: abi::Growing>(draw: &mut Unstructured<'_>) -> Result<u64> {
    let known = T::SIZE_1_0;
    Ok(*draw.choose(&[known, known + 8, u64::MAX, known - 8, known - 1, 0])?)
}
