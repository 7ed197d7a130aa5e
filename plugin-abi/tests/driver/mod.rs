//! A host in miniature: drives a plugin through nothing but the C ABI.
#![allow(dead_code)]

use std::ffi::{CStr, CString, c_char, c_void};

use serbench_plugin::abi;

/// A failed call.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure {
    pub status: i32,
    pub message: String,
}

pub fn text(text: *const c_char) -> String {
    assert!(!text.is_null());
    unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned()
}

/// A plugin's descriptor.
#[derive(Clone, Copy)]
pub struct Plugin(pub abi::Plugin);

impl Plugin {
    pub fn enter(entry: abi::Entry) -> Self {
        let plugin = unsafe { abi::read(entry()) }.unwrap();
        assert_eq!(plugin.magic, abi::MAGIC);
        assert_eq!(plugin.abi_major, abi::ABI_MAJOR);
        Self(plugin)
    }

    pub fn codecs(&self) -> impl Iterator<Item = Codec> + use<> {
        let codecs =
            unsafe { std::slice::from_raw_parts(self.0.codecs, self.0.codec_count as usize) };
        codecs
            .iter()
            .map(|codec| Codec(unsafe { abi::read(*codec) }.unwrap()))
    }

    pub fn codec(&self, id: &str) -> Codec {
        let found = self.codecs().find(|codec| text(codec.0.id) == id);
        found.expect("the codec exists")
    }

    pub fn datasets(&self) -> Vec<(String, String)> {
        (0..self.0.dataset_count as usize)
            .map(|index| unsafe { &*self.0.datasets.add(index) })
            .map(|dataset| (text(dataset.name), text(dataset.fingerprint)))
            .collect()
    }
}

#[derive(Clone, Copy)]
pub struct Codec(pub abi::Codec);

impl Codec {
    pub fn open(
        &self,
        dataset: (&str, &str),
        mode: u64,
        values: &[Vec<u8>],
    ) -> Result<Instance, Failure> {
        self.open_with(dataset, mode, values, Args::default())
    }

    /// Opens it as a host does whose arguments have the size that is set in `args`.
    fn open_with(
        &self,
        dataset: (&str, &str),
        mode: u64,
        values: &[Vec<u8>],
        args: Args,
    ) -> Result<Instance, Failure> {
        let mut handed = Box::new(Handed {
            name: CString::new(dataset.0).unwrap(),
            fingerprint: CString::new(dataset.1).unwrap(),
            bytes: values.to_vec(),
            values: Vec::new(),
        });
        handed.values = handed.bytes.iter().map(|v| v.as_slice().into()).collect();
        let mut args = Box::new(args);
        args.known = abi::OpenArgs {
            struct_size: args.known.struct_size,
            mode,
            dataset: abi::DatasetId {
                name: handed.name.as_ptr(),
                fingerprint: handed.fingerprint.as_ptr(),
            },
            schema: c"{}".as_ptr(),
            values: handed.values.as_ptr(),
            value_count: values.len() as u64,
        };
        let mut instance = std::ptr::null();
        match unsafe { self.0.open.unwrap()((&raw const *args).cast(), &mut instance) } {
            abi::OK => Ok(Instance {
                abi: instance,
                input: Vec::new(),
                _args: args,
                _handed: handed,
            }),
            status => Err(Failure {
                status,
                message: text(unsafe { self.0.open_error.unwrap()() }),
            }),
        }
    }
}

/// What a host hands to `open`. Behind the arguments of this version stands a field of a later one,
/// which is there only for whom `struct_size` says so.
#[repr(C)]
pub struct Args {
    pub known: abi::OpenArgs,
    pub later: u64,
}

/// What stands in that field.
pub const LATER: u64 = 0xdead_beef;

impl Default for Args {
    fn default() -> Self {
        Self {
            known: abi::OpenArgs {
                struct_size: size_of::<abi::OpenArgs>() as u64,
                mode: 0,
                dataset: abi::DatasetId {
                    name: std::ptr::null(),
                    fingerprint: std::ptr::null(),
                },
                schema: std::ptr::null(),
                values: std::ptr::null(),
                value_count: 0,
            },
            later: LATER,
        }
    }
}

/// What an SDK's `open` owes to hosts of other versions.
pub fn opens_for_every_host(codec: Codec, dataset: (&str, &str)) {
    let open = |mode, size| {
        let mut args = Args::default();
        args.known.struct_size = size;
        codec.open_with(dataset, mode, &[], args).err()
    };
    let smallest = abi::OPEN_ARGS_SIZE_1_0;
    assert_eq!(open(0, smallest), None);
    assert_eq!(open(0, size_of::<Args>() as u64), None);
    let refused = open(0, smallest - 8).unwrap();
    assert_eq!(refused.status, abi::INTERNAL);
    let message = "serbench_open_args has 48 bytes, at least 56 expected";
    assert_eq!(refused.message, message);

    let modes = abi::MODE_FRESH_OUTPUT | abi::MODE_MISALIGNED_INPUT;
    assert_eq!(open(modes, smallest), None);
    for later in [0x04, 1 << 63] {
        let refused = open(modes | later, smallest).unwrap();
        assert_eq!(refused.status, abi::UNSUPPORTED);
        assert!(
            refused
                .message
                .contains("of a later version than the plugin"),
            "{}",
            refused.message
        );
    }
}

/// What `args` points to.
struct Handed {
    name: CString,
    fingerprint: CString,
    bytes: Vec<Vec<u8>>,
    values: Vec<abi::Bytes>,
}

/// A piece of the input, aligned as the host aligns it.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Block([u8; abi::INPUT_ALIGN]);

/// The input as the host lays it out: aligned, with zero bytes behind.
fn lay_out(input: &[u8]) -> Vec<Block> {
    let size = input.len() + abi::INPUT_PADDING;
    let mut blocks = vec![Block([0; abi::INPUT_ALIGN]); size.div_ceil(abi::INPUT_ALIGN)];
    for (block, piece) in blocks.iter_mut().zip(input.chunks(abi::INPUT_ALIGN)) {
        block.0[..piece.len()].copy_from_slice(piece);
    }
    blocks
}

/// An opened codec; closed when dropped.
pub struct Instance {
    abi: *const abi::Instance,
    input: Vec<Block>,
    /// Whatever was handed to `open` stays valid until `close` returns.
    _args: Box<Args>,
    _handed: Box<Handed>,
}

impl Instance {
    fn abi(&self) -> abi::Instance {
        unsafe { abi::read(self.abi) }.unwrap()
    }

    fn self_(&self) -> *mut c_void {
        self.abi().self_
    }

    fn check(&self, status: i32) -> Result<(), Failure> {
        match status {
            abi::OK => Ok(()),
            status => Err(Failure {
                status,
                message: text(unsafe { self.abi().last_error.unwrap()(self.self_()) }),
            }),
        }
    }

    pub fn note(&self) -> String {
        text(self.abi().note)
    }

    /// The bytes where the plugin keeps them.
    pub fn serialize_in_place(&mut self, index: u64) -> Result<&[u8], Failure> {
        let mut out = abi::Bytes::from(&[][..]);
        let status = unsafe { self.abi().serialize.unwrap()(self.self_(), index, &mut out) };
        self.check(status)?;
        Ok(unsafe { out.as_slice() })
    }

    pub fn serialize(&mut self, index: u64) -> Result<Vec<u8>, Failure> {
        self.serialize_in_place(index).map(<[u8]>::to_vec)
    }

    /// The host's own copy of the input lives until the next call has returned.
    pub fn deserialize(&mut self, input: &[u8]) -> Result<(), Failure> {
        let next = lay_out(input);
        let bytes = abi::Bytes {
            data: next.as_ptr().cast(),
            size: input.len() as u64,
        };
        let status = unsafe { self.abi().deserialize.unwrap()(self.self_(), bytes) };
        self.input = next;
        self.check(status)
    }

    pub fn read(&mut self) -> Result<u64, Failure> {
        let mut checksum = 0;
        let status = unsafe { self.abi().read.unwrap()(self.self_(), &mut checksum) };
        self.check(status)?;
        Ok(checksum)
    }

    pub fn export(&mut self) -> Result<Vec<u8>, Failure> {
        let mut out = abi::Bytes::from(&[][..]);
        let status = unsafe { self.abi().export_value.unwrap()(self.self_(), &mut out) };
        self.check(status)?;
        Ok(unsafe { out.as_slice() }.to_vec())
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        unsafe { self.abi().close.unwrap()(self.self_()) }
    }
}
