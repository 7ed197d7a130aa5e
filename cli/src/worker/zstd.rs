//! zstd as an instance like any other: `serialize` compresses a message, `deserialize` brings it
//! back, and both are verified and timed by the loop that serves the codecs.

use std::ffi::{CString, c_char, c_void};
use std::io;

use serbench_plugin::abi;
use zstd::zstd_safe::{CCtx, CParameter, DCtx, compress_bound, get_error_name};

use super::calls::Calls;

/// Contexts and buffers are kept from call to call, as a program that cares for speed keeps them.
struct State {
    messages: Vec<abi::Bytes>,
    compress: CCtx<'static>,
    decompress: DCtx<'static>,
    compressed: Vec<u8>,
    message: Vec<u8>,
    error: CString,
}

/// Opens zstd at `level` on messages that outlive the instance.
pub fn open(messages: Vec<abi::Bytes>, level: i32) -> io::Result<Calls> {
    let longest = messages.iter().map(|message| message.size).max();
    let longest = usize::try_from(longest.unwrap_or(0)).map_err(io::Error::other)?;
    let mut compress = CCtx::create();
    compress
        .set_parameter(CParameter::CompressionLevel(level))
        .map_err(|code| io::Error::other(get_error_name(code)))?;
    let state = Box::new(State {
        messages,
        compress,
        decompress: DCtx::create(),
        compressed: Vec::with_capacity(compress_bound(longest)),
        message: Vec::with_capacity(longest),
        error: CString::default(),
    });
    Ok(Calls {
        this: Box::into_raw(state).cast(),
        serialize,
        deserialize,
        read,
        adopt: None,
        export_value: export,
        last_error,
        close,
    })
}

/// # Safety
/// `this` is what `open` made, not closed yet, and nothing else uses it.
unsafe fn state<'a>(this: *mut c_void) -> &'a mut State {
    // SAFETY: as this function's own.
    unsafe { &mut *this.cast::<State>() }
}

/// # Safety
/// The bytes are readable for as long as they are used.
unsafe fn slice<'a>(bytes: abi::Bytes) -> &'a [u8] {
    match bytes.size {
        0 => &[],
        // SAFETY: as this function's own.
        size => unsafe { std::slice::from_raw_parts(bytes.data, size as usize) },
    }
}

fn give(bytes: &[u8]) -> abi::Bytes {
    abi::Bytes {
        data: bytes.as_ptr(),
        size: bytes.len() as u64,
    }
}

impl State {
    fn outcome(&mut self, result: Result<usize, usize>, otherwise: i32) -> i32 {
        match result {
            Ok(_) => abi::OK,
            Err(code) => {
                self.error = CString::new(get_error_name(code)).unwrap_or_default();
                otherwise
            }
        }
    }
}

// SAFETY of all of these: the worker calls them with `this` of an open instance, from one thread,
// and keeps inputs and messages; each `unsafe` block below relies on that alone.

unsafe extern "C" fn serialize(this: *mut c_void, index: u64, out: *mut abi::Bytes) -> i32 {
    // SAFETY: see above.
    let (state, message) = unsafe {
        let state = state(this);
        let message = slice(state.messages[index as usize]);
        (state, message)
    };
    state.compressed.clear();
    let result = state.compress.compress2(&mut state.compressed, message);
    // SAFETY: `out` is writable.
    unsafe { *out = give(&state.compressed) };
    state.outcome(result, abi::INTERNAL)
}

unsafe extern "C" fn deserialize(this: *mut c_void, input: abi::Bytes) -> i32 {
    // SAFETY: see above.
    let (state, input) = unsafe { (state(this), slice(input)) };
    state.message.clear();
    let result = state.decompress.decompress(&mut state.message, input);
    state.outcome(result, abi::MALFORMED)
}

/// There are no fields to visit in a message.
unsafe extern "C" fn read(this: *mut c_void, checksum: *mut u64) -> i32 {
    // SAFETY: see above.
    unsafe { *checksum = state(this).message.len() as u64 };
    abi::OK
}

unsafe extern "C" fn export(this: *mut c_void, out: *mut abi::Bytes) -> i32 {
    // SAFETY: see above.
    unsafe { *out = give(&state(this).message) };
    abi::OK
}

unsafe extern "C" fn last_error(this: *mut c_void) -> *const c_char {
    // SAFETY: see above.
    unsafe { state(this).error.as_ptr() }
}

unsafe extern "C" fn close(this: *mut c_void) {
    // SAFETY: `open` has made it of a box, and it is closed once.
    drop(unsafe { Box::from_raw(this.cast::<State>()) });
}
