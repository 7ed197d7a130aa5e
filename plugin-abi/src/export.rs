//! What [`plugin!`](crate::plugin) expands to: the entry function and the descriptors.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use crate::error::c_string;
use crate::registry::open_checked;
use crate::{CodecInfo, Dataset, Error, OpenArgs, Opened, PluginInfo, Registry, abi};

/// Includes the types of every dataset, and `Datasets`, as the build script generated them. Further
/// sets of types, generated with `.file("name")`, are included as modules by `datasets!(name, …)`.
#[macro_export]
macro_rules! datasets {
    () => {
        $crate::datasets!(datasets);
        use datasets::Datasets;
    };
    ($($file:ident),+) => {$(
        mod $file {
            include!(concat!(env!("OUT_DIR"), "/", stringify!($file), ".rs"));
        }
    )+};
}

/// Exports a plugin: its entry function and all that is reached from it. A codec with a set of types
/// of its own names it: `MyCodec, packed::Datasets => CodecInfo { … }`.
///
/// ```ignore
/// serbench_plugin::plugin! {
///     id: "postcard",
///     datasets: Datasets,
///     codecs: [
///         Owned<Postcard> => CodecInfo { id: "postcard", …, ..CodecInfo::SCHEMA },
///     ],
/// }
/// ```
#[macro_export]
macro_rules! plugin {
    (
        id: $id:expr,
        datasets: $datasets:ty,
        codecs: [$($codec:ty $(, $own:ty)? => $info:expr),+ $(,)?] $(,)?
    ) => {
        /// The entry of the plugin.
        #[unsafe(no_mangle)]
        pub extern "C" fn serbench_plugin_entry_v1() -> *const $crate::abi::Plugin {
            static DESCRIPTOR: $crate::export::Descriptor = $crate::export::Descriptor::new();
            const INFO: $crate::PluginInfo = $crate::PluginInfo {
                id: $id,
                version: env!("CARGO_PKG_VERSION"),
                license: env!("CARGO_PKG_LICENSE"),
                compiler: $crate::export::known(option_env!("SERBENCH_COMPILER")),
                flags: $crate::export::known(option_env!("SERBENCH_FLAGS")),
            };
            DESCRIPTOR.get(&INFO, <$datasets as $crate::DatasetList>::DATASETS, &[$({
                static INFO: $crate::CodecInfo = $info;
                unsafe extern "C" fn open(
                    args: *const $crate::abi::OpenArgs,
                    instance: *mut *const $crate::abi::Instance,
                ) -> i32 {
                    type Types = $crate::last_type!($datasets $(, $own)?);
                    // SAFETY: the contract of `serbench_codec.open`.
                    unsafe { $crate::export::open::<Types, $codec>(&INFO, args, instance) }
                }
                $crate::export::CodecEntry { info: &INFO, open }
            }),+])
        }
    };
}

/// The last of one or two types.
#[doc(hidden)]
#[macro_export]
macro_rules! last_type {
    ($one:ty) => {
        $one
    };
    ($one:ty, $two:ty) => {
        $two
    };
}

/// What the build script recorded, if the plugin has one that does.
pub const fn known(recorded: Option<&'static str>) -> &'static str {
    match recorded {
        Some(text) => text,
        None => "unknown",
    }
}

/// One codec of a plugin.
pub struct CodecEntry {
    /// How it describes itself.
    pub info: &'static CodecInfo,
    /// Its `open`.
    pub open: abi::Open,
}

/// The descriptor of a plugin, built by the first call of the entry function.
pub struct Descriptor(OnceLock<Published>);

struct Published(*const abi::Plugin);

// SAFETY: what it points to is leaked and never written again.
unsafe impl Send for Published {}
// SAFETY: as above.
unsafe impl Sync for Published {}

impl Descriptor {
    /// A descriptor that is yet to be built.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The descriptor; null if building it panicked.
    pub fn get(
        &'static self,
        info: &PluginInfo,
        datasets: &[Dataset],
        codecs: &[CodecEntry],
    ) -> *const abi::Plugin {
        let publish = || Published(leak(describe(info, datasets, codecs)));
        catch_unwind(AssertUnwindSafe(|| self.0.get_or_init(publish).0)).unwrap_or(std::ptr::null())
    }
}

fn describe(info: &PluginInfo, datasets: &[Dataset], codecs: &[CodecEntry]) -> abi::Plugin {
    let datasets: Vec<_> = datasets.iter().map(describe_dataset).collect();
    let codecs: Vec<_> = codecs
        .iter()
        .map(|entry| leak(describe_codec(entry)))
        .collect();
    abi::Plugin {
        magic: abi::MAGIC,
        abi_major: abi::ABI_MAJOR,
        abi_minor: abi::ABI_MINOR,
        struct_size: size_of::<abi::Plugin>() as u64,
        id: text(info.id),
        version: text(info.version),
        license: text(info.license),
        language: text("Rust"),
        compiler: text(info.compiler),
        flags: text(info.flags),
        codec_count: codecs.len() as u64,
        codecs: codecs.leak().as_ptr(),
        dataset_count: datasets.len() as u64,
        datasets: datasets.leak().as_ptr(),
    }
}

fn describe_dataset(dataset: &Dataset) -> abi::DatasetId {
    abi::DatasetId {
        name: text(dataset.name),
        fingerprint: text(dataset.fingerprint),
    }
}

fn describe_codec(entry: &CodecEntry) -> abi::Codec {
    let info = entry.info;
    abi::Codec {
        struct_size: size_of::<abi::Codec>() as u64,
        id: text(info.id),
        format: text(info.format),
        library: text(info.library),
        library_version: text(info.library_version),
        notes: text(info.notes),
        capabilities: info.capabilities,
        yields: info.yields as u32,
        validation: info.validation as u32,
        open: Some(entry.open),
        open_error: Some(open_error),
        get_extension: None,
    }
}

/// Descriptors are constant data, reachable for as long as the library is loaded.
fn leak<T>(value: T) -> *const T {
    Box::leak(Box::new(value))
}

fn text(text: &str) -> *const c_char {
    c_string(text).into_raw()
}

/// What [`Codec`](crate::Codec)s can be opened with.
const KNOWN_MODES: u64 = abi::MODE_FRESH_OUTPUT | abi::MODE_MISALIGNED_INPUT;

thread_local! {
    static OPEN_ERROR: RefCell<CString> = RefCell::default();
}

unsafe extern "C" fn open_error() -> *const c_char {
    OPEN_ERROR
        .try_with(|error| error.borrow().as_ptr())
        .unwrap_or(c"the thread is ending".as_ptr())
}

/// `serbench_codec.open` of the codec `C`.
///
/// # Safety
/// `args` is valid as the header says, and `instance` may be written to.
pub unsafe fn open<D: Registry<C>, C>(
    info: &CodecInfo,
    args: *const abi::OpenArgs,
    instance: *mut *const abi::Instance,
) -> i32 {
    let opened = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the caller's promise.
        unsafe { open_raw::<D, C>(info, args) }
    }));
    match opened.unwrap_or_else(|panic| Err(Error::panicked(panic))) {
        Ok(opened) => {
            // SAFETY: the caller's promise.
            unsafe { *instance = opened.0 };
            abi::OK
        }
        Err(error) => {
            let message = c_string(error.message());
            // While the thread ends there is nowhere to keep it, and `open_error` says so.
            let _ = OPEN_ERROR.try_with(|last| *last.borrow_mut() = message);
            error.status(abi::INTERNAL)
        }
    }
}

/// # Safety
/// `args` and all that it points to are valid, as the header says.
unsafe fn open_raw<D: Registry<C>, C>(
    info: &CodecInfo,
    args: *const abi::OpenArgs,
) -> Result<Opened, Error> {
    // SAFETY: the caller's promise.
    let args = unsafe { abi::read(args) }.map_err(|size| {
        Error::internal(format_args!(
            "serbench_open_args has {size} bytes, at least {} expected",
            abi::OPEN_ARGS_SIZE_1_0
        ))
    })?;
    let unknown = args.mode & !KNOWN_MODES;
    if unknown != 0 {
        return Err(Error::unsupported(format_args!(
            "the mode bits {unknown:#x} are of a later version than the plugin; rebuild it"
        )));
    }
    // SAFETY: the caller's promise; `value_count` values stand at `values`, unless there are none.
    let values: Vec<&[u8]> = unsafe {
        (0..args.value_count as usize)
            .map(|index| (*args.values.add(index)).as_slice())
            .collect()
    };
    // SAFETY: the caller's promise.
    let (name, fingerprint, schema) = unsafe {
        (
            CStr::from_ptr(args.dataset.name).to_str()?,
            CStr::from_ptr(args.dataset.fingerprint).to_str()?,
            CStr::from_ptr(args.schema).to_str()?,
        )
    };
    open_checked::<D, C>(
        &OpenArgs {
            name,
            fingerprint,
            schema,
            mode: args.mode,
            values: &values,
        },
        info,
    )
}
