//! Ctrl-C, and the signals that ask a program to end: noticed between two requests to a worker.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, complain};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From here on a first Ctrl-C is noted, for [`asked`] to tell; a second one ends the process.
pub fn listen() -> Result<(), Error> {
    ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        complain("interrupted: what was measured follows; once more ends at once");
    })
    .map_err(|error| Error::failed(format!("cannot listen for Ctrl-C: {error}")))
}

/// Whether the user asked for an end.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
