//! The serbench plugin contract in Rust.
//!
//! [`abi`] mirrors `include/serbench.h`. The rest is an SDK: implement [`Codec`] or [`OwnedCodec`]
//! once, for every type, and register it with [`plugin!`]. Dataset dispatch, canonical conversion,
//! `read`, `export`, modes and error handling come with it. `README.md` is the author's guide.

pub mod abi;
mod codec;
#[doc(hidden)]
pub mod convert;
mod error;
#[doc(hidden)]
pub mod export;
mod info;
mod instance;
mod message;
mod registry;
#[cfg(feature = "serde")]
mod serde_codec;
mod shared;

pub use codec::{Borrowable, Borrowed, BorrowedCodec, Codec, Owned, OwnedCodec, View};
pub use error::Error;
pub use info::{CodecInfo, PluginInfo, Validation, Yields};
pub use instance::{Opened, open};
pub use message::{Converted, MessageCodec, Messages, Native, keeps_negative_zeros};
pub use registry::{Dataset, DatasetList, OpenArgs, Registry};
pub use serbench_canonical as canonical;
pub use serbench_canonical::{Canonical, Decoded};
#[cfg(feature = "serde")]
pub use serde_codec::SerdeCodec;
pub use shared::shared;
