//! The sources that the program carries inside, as `build/embed.rs` collected them: names and texts.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
