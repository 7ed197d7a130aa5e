//! The plugins that serbench measures, linked statically into this program and measured by
//! Criterion: the same machine code under another harness. `make linked` makes of each an object
//! file, which the build script hands to the linker.

use std::ffi::{CStr, CString, c_void};
use std::hint::black_box;

use criterion::Criterion;
use libloading::os::unix::Library;
use serbench_fidelity::Subject;
use serbench_plugin::abi;

/// A codec opened on a dataset, for ever.
struct Instance {
    abi: abi::Instance,
    values: u64,
    messages: Vec<abi::Bytes>,
}

impl Instance {
    fn open(subject: &Subject) -> Self {
        let dataset = serbench_datasets::find(subject.dataset).expect("in the catalog");
        let data = dataset.values(1).expect("data");
        let text = |text: &str| CString::new(text).expect("no zero byte").into_raw();
        let values = data.iter().map(abi::Bytes::from).collect::<Vec<_>>().leak();
        let arguments = Box::leak(Box::new(abi::OpenArgs {
            struct_size: size_of::<abi::OpenArgs>() as u64,
            mode: 0,
            dataset: abi::DatasetId {
                name: text(&dataset.name),
                fingerprint: text(&dataset.fingerprint),
            },
            schema: text(&dataset.schema.to_json()),
            values: values.as_ptr(),
            value_count: values.len() as u64,
        }));
        let open = codec(subject.codec).open.expect("`open`");
        let mut instance = std::ptr::null();
        // SAFETY: the arguments are as the header asks, and stay as they are.
        assert_eq!(unsafe { open(arguments, &mut instance) }, abi::OK);
        let mut opened = Self {
            // SAFETY: `open` succeeded.
            abi: unsafe { *instance },
            values: values.len() as u64,
            messages: Vec::new(),
        };
        std::mem::forget(data);
        let message = |value| placed(opened.serialize(value));
        opened.messages = (0..opened.values).map(message).collect();
        opened
    }

    fn this(&self) -> *mut c_void {
        self.abi.self_
    }

    #[inline]
    fn serialize(&self, value: u64) -> &[u8] {
        let mut out = abi::Bytes::from(&[][..]);
        let serialize = self.abi.serialize.expect("`serialize`");
        // SAFETY: the instance is open, used by one thread, and the value is one of its own.
        assert_eq!(unsafe { serialize(self.this(), value, &mut out) }, abi::OK);
        // SAFETY: the output stays as it is until the next call.
        unsafe { out.as_slice() }
    }

    #[inline]
    fn deserialize(&self, value: usize) {
        let deserialize = self.abi.deserialize.expect("`deserialize`");
        // SAFETY: as above; the message stays as it is.
        let status = unsafe { deserialize(self.this(), self.messages[value]) };
        assert_eq!(status, abi::OK);
    }
}

/// A message as the contract asks: on a 64-byte boundary, with zeros behind; it is never freed.
fn placed(message: &[u8]) -> abi::Bytes {
    let size = abi::INPUT_ALIGN + message.len() + abi::INPUT_PADDING;
    let room = vec![0; size].leak();
    let start = room.as_ptr().align_offset(abi::INPUT_ALIGN);
    let place = &mut room[start..start + message.len()];
    place.copy_from_slice(message);
    (&*place).into()
}

/// The codec's descriptor, by the plugin of the same name.
fn codec(id: &str) -> &'static abi::Codec {
    let symbol = format!("serbench_linked_{id}");
    // SAFETY: `make linked` renames the entry, to which the header gives this type.
    let entry = unsafe { Library::this().get::<abi::Entry>(symbol.as_bytes()) };
    let entry = entry.expect("the plugin is linked: `make linked`");
    // SAFETY: the header gives the lists these lengths.
    unsafe {
        let plugin = &*entry();
        let codecs = (0..plugin.codec_count as usize).map(|index| &**plugin.codecs.add(index));
        let is_named = |codec: &&abi::Codec| CStr::from_ptr(codec.id).to_bytes() == id.as_bytes();
        codecs.into_iter().find(is_named).expect("the codec")
    }
}

/// Measures a subject by Criterion, under the name `prefix` + operation.
pub fn measure(subject: &Subject, criterion: &mut Criterion, prefix: &str) {
    let instance = Instance::open(subject);
    let mut next = (0..instance.values).cycle();
    criterion.bench_function(&format!("{prefix}-serialize"), |bencher| {
        bencher.iter(|| {
            let value = black_box(next.next().expect("endless"));
            instance.serialize(value).as_ptr()
        });
    });
    let mut next = (0..instance.messages.len()).cycle();
    criterion.bench_function(&format!("{prefix}-deserialize"), |bencher| {
        bencher.iter(|| instance.deserialize(black_box(next.next().expect("endless"))));
    });
}
