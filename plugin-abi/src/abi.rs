//! `serbench.h` in Rust, field for field. Every function pointer is an `Option`, so that a host
//! can look at what a foreign plugin filled in before it calls anything.
//!
//! The header is where each field and function is explained; here only the names are repeated.
#![allow(missing_docs)]

use std::ffi::{c_char, c_void};

#[cfg(not(all(target_pointer_width = "64", target_endian = "little")))]
compile_error!("version 1 of the ABI is for 64-bit little-endian machines");

pub const MAGIC: u64 = u64::from_le_bytes(*b"SERBENCH");
pub const ABI_MAJOR: u32 = 1;
pub const ABI_MINOR: u32 = 0;
pub const ENTRY_SYMBOL: &str = "serbench_plugin_entry_v1";

pub const OPEN_ARGS_SIZE_1_0: u64 = 56;
pub const INSTANCE_SIZE_1_0: u64 = 72;
pub const CODEC_SIZE_1_0: u64 = 88;
pub const PLUGIN_SIZE_1_0: u64 = 104;
pub const ADOPT_INPUT_SIZE_1_0: u64 = 16;

pub const OK: i32 = 0;
pub const UNSUPPORTED: i32 = 1;
pub const MALFORMED: i32 = 2;
pub const OUT_OF_MEMORY: i32 = 3;
pub const INTERNAL: i32 = 4;

pub const CAP_SELF_DESCRIBING: u64 = 0x01;
pub const CAP_SCHEMA: u64 = 0x02;
pub const CAP_TEXT: u64 = 0x04;
pub const CAP_REUSES_OUTPUT: u64 = 0x08;
pub const CAP_FRESH_OUTPUT: u64 = 0x10;
pub const CAP_BASELINE: u64 = 0x20;
pub const CAP_NO_ROUND_TRIP: u64 = 0x40;
pub const CAP_CONVERTS: u64 = 0x80;
pub const CAP_NONDETERMINISTIC: u64 = 0x100;
pub const CAP_UNBOUNDED: u64 = 0x200;
pub const CAP_LENIENT: u64 = 0x400;

pub const YIELDS_OWNED: u32 = 0;
pub const YIELDS_BORROWED: u32 = 1;
pub const YIELDS_VIEW: u32 = 2;

pub const CHECKED: u32 = 0;
pub const TRUSTED: u32 = 1;

pub const MODE_FRESH_OUTPUT: u64 = 0x01;
pub const MODE_MISALIGNED_INPUT: u64 = 0x02;

pub const INPUT_ALIGN: usize = 64;
pub const INPUT_PADDING: usize = 64;

pub const EXT_ADOPT_INPUT: &str = "serbench.adopt-input/1";

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Bytes {
    pub data: *const u8,
    pub size: u64,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DatasetId {
    pub name: *const c_char,
    pub fingerprint: *const c_char,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct OpenArgs {
    pub struct_size: u64,
    pub mode: u64,
    pub dataset: DatasetId,
    pub schema: *const c_char,
    pub values: *const Bytes,
    pub value_count: u64,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Instance {
    pub struct_size: u64,
    pub self_: *mut c_void,
    pub note: *const c_char,
    pub serialize: Option<unsafe extern "C" fn(*mut c_void, u64, *mut Bytes) -> i32>,
    pub deserialize: Option<unsafe extern "C" fn(*mut c_void, Bytes) -> i32>,
    pub read: Option<unsafe extern "C" fn(*mut c_void, *mut u64) -> i32>,
    pub export_value: Option<unsafe extern "C" fn(*mut c_void, *mut Bytes) -> i32>,
    pub last_error: Option<unsafe extern "C" fn(*mut c_void) -> *const c_char>,
    pub close: Option<unsafe extern "C" fn(*mut c_void)>,
}

pub type Open = unsafe extern "C" fn(*const OpenArgs, *mut *const Instance) -> i32;

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Codec {
    pub struct_size: u64,
    pub id: *const c_char,
    pub format: *const c_char,
    pub library: *const c_char,
    pub library_version: *const c_char,
    pub notes: *const c_char,
    pub capabilities: u64,
    pub yields: u32,
    pub validation: u32,
    pub open: Option<Open>,
    pub open_error: Option<unsafe extern "C" fn() -> *const c_char>,
    pub get_extension: Option<unsafe extern "C" fn(*const c_char) -> *const c_void>,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Plugin {
    pub magic: u64,
    pub abi_major: u32,
    pub abi_minor: u32,
    pub struct_size: u64,
    pub id: *const c_char,
    pub version: *const c_char,
    pub license: *const c_char,
    pub language: *const c_char,
    pub compiler: *const c_char,
    pub flags: *const c_char,
    pub codecs: *const *const Codec,
    pub codec_count: u64,
    pub datasets: *const DatasetId,
    pub dataset_count: u64,
}

#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct AdoptInput {
    pub struct_size: u64,
    pub adopt: Option<unsafe extern "C" fn(*mut c_void, Bytes) -> i32>,
}

pub type Entry = unsafe extern "C" fn() -> *const Plugin;

/// A struct that may grow, and so says how long it is.
///
/// # Safety
/// Zero bytes are a value of it, and a `u64` with its size stands at `SIZE_AT`.
pub unsafe trait Growing: Copy {
    /// The size that it had in version 1.0.
    const SIZE_1_0: u64;
    /// Where the size stands.
    const SIZE_AT: usize = 0;
}

// SAFETY, of all five: numbers, pointers and options of functions; the layout tests hold the offset.
unsafe impl Growing for OpenArgs {
    const SIZE_1_0: u64 = OPEN_ARGS_SIZE_1_0;
}
unsafe impl Growing for Instance {
    const SIZE_1_0: u64 = INSTANCE_SIZE_1_0;
}
unsafe impl Growing for Codec {
    const SIZE_1_0: u64 = CODEC_SIZE_1_0;
}
unsafe impl Growing for Plugin {
    const SIZE_1_0: u64 = PLUGIN_SIZE_1_0;
    const SIZE_AT: usize = std::mem::offset_of!(Plugin, struct_size);
}
unsafe impl Growing for AdoptInput {
    const SIZE_1_0: u64 = ADOPT_INPUT_SIZE_1_0;
}

/// Reads a struct that the other side filled in, of whichever version: fields that it lacks are
/// zero, those that it has besides are left out. Fails with its size where that is too small for
/// any version.
///
/// # Safety
/// `theirs` is aligned, and valid for reads of as many bytes as its `struct_size` says.
pub unsafe fn read<T: Growing>(theirs: *const T) -> Result<T, u64> {
    let theirs = theirs.cast::<u8>();
    // SAFETY: every version has the size, at this place.
    let size = unsafe { theirs.add(T::SIZE_AT).cast::<u64>().read() };
    if size < T::SIZE_1_0 {
        return Err(size);
    }
    let mut ours = std::mem::MaybeUninit::<T>::zeroed();
    let common = size.min(size_of::<T>() as u64) as usize;
    // SAFETY: both have that many bytes, and with zeros behind them they are a value.
    unsafe {
        std::ptr::copy_nonoverlapping(theirs, ours.as_mut_ptr().cast(), common);
        Ok(ours.assume_init())
    }
}
