//! A plugin as a host sees it: the C ABI, and nothing else.

use std::ffi::{CStr, CString, c_char};
use std::path::Path;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use serbench_plugin::abi;

/// A call that did not succeed.
#[derive(Debug)]
pub struct Failure {
    pub status: i32,
    pub message: String,
}

impl Failure {
    pub fn is_unsupported(&self) -> bool {
        self.status == abi::UNSUPPORTED
    }
}

/// Loads a plugin, which is never unloaded, and lists its codecs.
pub fn load(path: &Path) -> Result<Vec<Codec>, String> {
    let path = path.canonicalize().map_err(|e| e.to_string())?;
    // SAFETY: loading a plugin runs its initialisers; this process exists to contain them.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
    let library = library.map_err(|e| e.to_string())?;
    // SAFETY: the header gives the symbol this type.
    let entry = unsafe { library.get::<abi::Entry>(abi::ENTRY_SYMBOL.as_bytes()) };
    let entry = entry.map(|symbol| *symbol).map_err(|e| e.to_string())?;
    std::mem::forget(library);
    // SAFETY: any thread may call the entry, and what it returns is there for ever.
    let plugin = unsafe { entry().as_ref() }.ok_or("the entry returned a null pointer")?;
    if (plugin.magic, plugin.abi_major) != (abi::MAGIC, abi::ABI_MAJOR) {
        return Err("the descriptor is not one of this version of the contract".to_owned());
    }
    // SAFETY: the descriptor's lists are as long as it says.
    let codecs = (0..plugin.codec_count as usize).map(|i| unsafe { &**plugin.codecs.add(i) });
    Ok(codecs.map(Codec).collect())
}

fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: strings of a plugin end with a zero byte.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_string_lossy().into_owned()
}

/// A codec of a plugin.
#[derive(Clone, Copy)]
pub struct Codec(&'static abi::Codec);

impl Codec {
    pub fn id(&self) -> String {
        text(self.0.id)
    }

    pub fn is_checked(&self) -> bool {
        self.0.validation == abi::CHECKED
    }

    pub fn has(&self, capability: u64) -> bool {
        self.0.capabilities & capability != 0
    }

    /// Opens it on values of a dataset.
    pub fn open(
        &self,
        dataset: &Identity,
        mode: u64,
        values: &[&[u8]],
    ) -> Result<Instance, Failure> {
        let values: Vec<abi::Bytes> = values.iter().map(|value| (*value).into()).collect();
        let args = Box::new(abi::OpenArgs {
            struct_size: size_of::<abi::OpenArgs>() as u64,
            mode,
            dataset: abi::DatasetId {
                name: dataset.name.as_ptr(),
                fingerprint: dataset.fingerprint.as_ptr(),
            },
            schema: dataset.schema.as_ptr(),
            values: values.as_ptr(),
            value_count: values.len() as u64,
        });
        let mut instance = std::ptr::null();
        let open = self.0.open.expect("a codec has `open`");
        // SAFETY: the arguments are as the header asks, and outlive the call.
        match unsafe { open(&*args, &mut instance) } {
            abi::OK => Ok(Instance {
                // SAFETY: the instance lives until it is closed.
                abi: unsafe { *instance },
                input: Placed::default(),
                misaligned: mode & abi::MODE_MISALIGNED_INPUT != 0,
                _handed: (args, values),
            }),
            status => {
                let message = self.0.open_error.expect("a codec has `open_error`");
                Err(Failure {
                    status,
                    // SAFETY: it may be called at any time.
                    message: text(unsafe { message() }),
                })
            }
        }
    }
}

/// What `open` is told of a dataset.
pub struct Identity {
    name: CString,
    fingerprint: CString,
    schema: CString,
}

impl Identity {
    pub fn new(dataset: &serbench_datasets::Dataset) -> Self {
        let c_string = |text: &str| CString::new(text).expect("no zero byte in it");
        Self {
            name: c_string(&dataset.name),
            fingerprint: c_string(&dataset.fingerprint),
            schema: c_string(&dataset.schema.to_json()),
        }
    }
}

/// Input as a host lays it out: aligned, or one byte off; with zero bytes behind.
#[derive(Default)]
struct Placed {
    room: Vec<u8>,
    start: usize,
    size: usize,
}

impl Placed {
    fn new(bytes: &[u8], misaligned: bool) -> Self {
        let mut room = vec![0; abi::INPUT_ALIGN + 1 + bytes.len() + abi::INPUT_PADDING];
        let start = room.as_ptr().align_offset(abi::INPUT_ALIGN) + usize::from(misaligned);
        room[start..start + bytes.len()].copy_from_slice(bytes);
        Self {
            room,
            start,
            size: bytes.len(),
        }
    }

    fn bytes(&self) -> abi::Bytes {
        self.room[self.start..self.start + self.size].into()
    }
}

/// An opened codec; closed when dropped.
pub struct Instance {
    abi: abi::Instance,
    /// The last input, which a decoded value may point into.
    input: Placed,
    misaligned: bool,
    /// What `open` was told, which stays as it is until the instance is closed.
    _handed: (Box<abi::OpenArgs>, Vec<abi::Bytes>),
}

impl Instance {
    fn check(&self, status: i32) -> Result<(), Failure> {
        if status == abi::OK {
            return Ok(());
        }
        let message = self.abi.last_error.expect("an instance has `last_error`");
        Err(Failure {
            status,
            // SAFETY: the instance is open.
            message: text(unsafe { message(self.abi.self_) }),
        })
    }

    pub fn serialize(&self, index: usize) -> Result<Vec<u8>, Failure> {
        let mut out = abi::Bytes::from(&[][..]);
        let serialize = self.abi.serialize.expect("an instance has `serialize`");
        // SAFETY: the instance is open, and no other call on it is under way.
        self.check(unsafe { serialize(self.abi.self_, index as u64, &mut out) })?;
        // SAFETY: the output stays as it is until the next call.
        Ok(unsafe { out.as_slice() }.to_vec())
    }

    pub fn deserialize(&mut self, input: &[u8]) -> Result<(), Failure> {
        let input = Placed::new(input, self.misaligned);
        let deserialize = self.abi.deserialize.expect("an instance has `deserialize`");
        // SAFETY: as above; the input before lives until the call has returned.
        let status = unsafe { deserialize(self.abi.self_, input.bytes()) };
        self.input = input;
        self.check(status)
    }

    pub fn read(&self) -> Result<u64, Failure> {
        let mut checksum = 0;
        let read = self.abi.read.expect("an instance has `read`");
        // SAFETY: as above.
        self.check(unsafe { read(self.abi.self_, &mut checksum) })?;
        Ok(checksum)
    }

    pub fn export(&self) -> Result<Vec<u8>, Failure> {
        let mut out = abi::Bytes::from(&[][..]);
        let export = self
            .abi
            .export_value
            .expect("an instance has `export_value`");
        // SAFETY: as above.
        self.check(unsafe { export(self.abi.self_, &mut out) })?;
        // SAFETY: the output stays as it is until the next call.
        Ok(unsafe { out.as_slice() }.to_vec())
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        let close = self.abi.close.expect("an instance has `close`");
        // SAFETY: the instance is open, and is not used again.
        unsafe { close(self.abi.self_) };
    }
}
