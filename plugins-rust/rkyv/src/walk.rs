//! Reading and exporting archived values. The generated code walks the archived structs and enums;
//! here is what they are made of.

use rkyv::Archive;
use rkyv::collections::btree_map::ArchivedBTreeMap;
use rkyv::option::ArchivedOption;
use rkyv::primitive::{
    ArchivedF32, ArchivedF64, ArchivedI16, ArchivedI32, ArchivedI64, ArchivedU16, ArchivedU32,
    ArchivedU64,
};
use rkyv::string::ArchivedString;
use rkyv::vec::ArchivedVec;
use serbench_plugin::Decoded;
use serbench_plugin::canonical::{Checksum, encode_blob, encode_len};

use crate::datasets::support::{ArchivedBytes, ArchivedTensor};

/// What `Decoded` is for types of our own.
pub trait Walk {
    /// Visits every field and folds it into `sum`.
    fn fold(&self, sum: &mut Checksum);

    /// Appends the canonical encoding to `out`.
    fn encode(&self, out: &mut Vec<u8>);
}

macro_rules! scalars {
    ($($archived:ty: $native:expr;)*) => {$(
        impl Walk for $archived {
            #[inline(always)]
            fn fold(&self, sum: &mut Checksum) {
                Decoded::fold(&$native(*self), sum);
            }

            fn encode(&self, out: &mut Vec<u8>) {
                Decoded::encode(&$native(*self), out);
            }
        }
    )*};
}

scalars! {
    bool: bool::from;
    u8: u8::from;
    i8: i8::from;
    ArchivedU16: u16::from;
    ArchivedU32: u32::from;
    ArchivedU64: u64::from;
    ArchivedI16: i16::from;
    ArchivedI32: i32::from;
    ArchivedI64: i64::from;
    ArchivedF32: f32::from;
    ArchivedF64: f64::from;
}

impl Walk for ArchivedString {
    #[inline]
    fn fold(&self, sum: &mut Checksum) {
        self.as_str().fold(sum);
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.as_str().encode(out);
    }
}

impl<T: Walk> Walk for ArchivedVec<T> {
    #[inline]
    fn fold(&self, sum: &mut Checksum) {
        sum.word(self.len() as u64);
        self.iter().for_each(|element| element.fold(sum));
    }

    fn encode(&self, out: &mut Vec<u8>) {
        encode_len(self.len(), out);
        self.iter().for_each(|element| element.encode(out));
    }
}

impl<T: Walk, const N: usize> Walk for [T; N] {
    #[inline]
    fn fold(&self, sum: &mut Checksum) {
        self.iter().for_each(|element| element.fold(sum));
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|element| element.encode(out));
    }
}

impl<T: Walk> Walk for ArchivedOption<T> {
    #[inline]
    fn fold(&self, sum: &mut Checksum) {
        sum.word(u64::from(self.is_some()));
        self.iter().for_each(|value| value.fold(sum));
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.is_some()));
        self.iter().for_each(|value| value.encode(out));
    }
}

impl<T: Walk> Walk for ArchivedBTreeMap<ArchivedString, T> {
    #[inline]
    fn fold(&self, sum: &mut Checksum) {
        sum.word(self.len() as u64);
        for (key, value) in self.iter() {
            key.fold(sum);
            value.fold(sum);
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        encode_len(self.len(), out);
        for (key, value) in self.iter() {
            key.encode(out);
            value.encode(out);
        }
    }
}

impl Walk for ArchivedBytes {
    #[inline]
    fn fold(&self, sum: &mut Checksum) {
        sum.blob(&self.0);
    }

    fn encode(&self, out: &mut Vec<u8>) {
        encode_blob(&self.0, out);
    }
}

impl<T: Archive<Archived: Walk>> Walk for ArchivedTensor<T> {
    #[inline]
    fn fold(&self, sum: &mut Checksum) {
        self.shape.fold(sum);
        if let (Some(first), Some(last)) = (self.data.first(), self.data.last()) {
            first.fold(sum);
            self.data[self.data.len() / 2].fold(sum);
            last.fold(sum);
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.shape.encode(out);
        self.data.iter().for_each(|element| element.encode(out));
    }
}
