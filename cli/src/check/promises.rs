//! What a plugin promises, and where to look when it does not keep it.

use crate::protocol::{CodecInfo, Damage, Outcomes, Trial};

/// A promise of a codec.
#[derive(Debug, Clone, Copy)]
pub struct Promise {
    /// Its name in the report.
    pub name: &'static str,
    /// How it is tested.
    pub test: Test,
    /// What to do when it is broken.
    pub hint: &'static str,
}

/// How a promise is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Test {
    /// On values that the codec has written itself.
    Trial(Trial),
    /// On damaged messages.
    Damage(Damage),
}

/// The names of what is checked of a plugin as a whole, with the hints.
pub const DESCRIPTOR: (&str, &str) = (
    "descriptor",
    "correct what serbench_plugin_entry_v1 returns; serbench.h says at each field what it holds",
);
pub const EXPORTS: (&str, &str) = (
    "exported symbols",
    "hide them, lest they meet those of another library: -fvisibility=hidden, or a version script \
     for the linker that keeps serbench_plugin_entry_v1 alone",
);
pub const LOADING: (&str, &str) = (
    "loading",
    "leave to the host what belongs to the whole process; undo in `open` what a library sets up \
     while it is loaded",
);
pub const CARRIES: (&str, &str) = (
    "datasets",
    "answer SERBENCH_UNSUPPORTED, with the reason, for what the format cannot carry; all else is a \
     fault",
);

const HOSTILE: &str = "answer SERBENCH_MALFORMED, check each length against what is left of the \
                       input before memory is asked for, or declare the codec SERBENCH_TRUSTED; a \
                       fault of the library itself is SERBENCH_CAP_UNBOUNDED or _LENIENT";

/// The promises of a codec, in the order in which they are tested.
pub const PROMISES: [Promise; 15] = [
    Promise {
        name: "round trip",
        test: Test::Trial(Trial::RoundTrip),
        hint: "`export_value` must give the canonical bytes that `open` was handed; where the \
               format cannot carry the value, answer SERBENCH_UNSUPPORTED",
    },
    Promise {
        name: "checksum",
        test: Test::Trial(Trial::Checksum),
        hint: "`read` must fold every field in canonical order, by the rule in datasets/README.md",
    },
    Promise {
        name: "export",
        test: Test::Trial(Trial::Export),
        hint: "`read` and `export_value` must leave the decoded value as it is, and answer \
               SERBENCH_INTERNAL where there is none",
    },
    Promise {
        name: "determinism",
        test: Test::Trial(Trial::Determinism),
        hint: "clear the output buffer at the start of `serialize`, or declare the codec \
               SERBENCH_CAP_NONDETERMINISTIC",
    },
    Promise {
        name: "second instance",
        test: Test::Trial(Trial::SecondInstance),
        hint: "keep buffers and decoded values in the instance, not in static variables",
    },
    Promise {
        name: "threads",
        test: Test::Trial(Trial::Threads),
        hint: "keep state in the instance, neither in static nor in thread-local variables; guard \
               what is shared",
    },
    Promise {
        name: "reopening",
        test: Test::Trial(Trial::Reopening(0)),
        hint: "`close` must give back all that the instance took, the decoded value included",
    },
    Promise {
        name: "output",
        test: Test::Trial(Trial::Output),
        hint: "nobody may write into the output between two calls, a thread of the plugin's neither",
    },
    Promise {
        name: "bounds",
        test: Test::Trial(Trial::Bounds),
        hint: "only the input and SERBENCH_INPUT_PADDING bytes behind it may be read; a codec \
               whose values point into the input yields SERBENCH_YIELDS_BORROWED or _VIEW",
    },
    Promise {
        name: "side effects",
        test: Test::Trial(Trial::SideEffects),
        hint: "restore signal handlers, file descriptors, working directory, environment and \
               locale, and end your threads, by the end of `close`",
    },
    Promise {
        name: "modes",
        test: Test::Trial(Trial::Modes),
        hint: "`open` must answer SERBENCH_UNSUPPORTED to mode bits that it does not know",
    },
    Promise {
        name: "truncation",
        test: Test::Damage(Damage::Truncation),
        hint: HOSTILE,
    },
    Promise {
        name: "bit flips",
        test: Test::Damage(Damage::BitFlips),
        hint: HOSTILE,
    },
    Promise {
        name: "random bytes",
        test: Test::Damage(Damage::RandomBytes),
        hint: HOSTILE,
    },
    Promise {
        name: "length bombs",
        test: Test::Damage(Damage::LengthBombs),
        hint: HOSTILE,
    },
];

impl Promise {
    /// Why the codec has not made this promise, if it has not.
    pub fn exemption(&self, codec: &CodecInfo) -> Option<&'static str> {
        let works_on_values = matches!(
            self.test,
            Test::Trial(Trial::RoundTrip | Trial::Checksum | Trial::Export) | Test::Damage(_)
        );
        if works_on_values && codec.has("no_round_trip") {
            return Some("it says that it does no work");
        }
        match self.test {
            Test::Trial(Trial::Determinism) if codec.has("nondeterministic") => {
                Some("it says that its output may differ")
            }
            Test::Damage(_) if codec.validation == "trusted" => {
                Some("trusted: it says that hostile bytes are undefined behaviour")
            }
            _ => None,
        }
    }

    /// The fault of its library by which a codec that declares it may break this promise in such
    /// ways; none where they have another cause.
    pub fn declared(codec: &CodecInfo, outcomes: &Outcomes) -> Option<&'static str> {
        let Outcomes {
            wrong,
            crashed,
            hung,
            out_of_bounds,
            over_allocated,
            ..
        } = outcomes;
        let unbounded = hung + over_allocated > 0;
        let lenient = *wrong > 0;
        let covered = |there: bool, name: &str| !there || codec.has(name);
        let otherwise = crashed + out_of_bounds > 0;
        if otherwise || !covered(unbounded, "unbounded") || !covered(lenient, "lenient") {
            return None;
        }
        match (unbounded, lenient) {
            (true, true) => Some("unbounded and lenient"),
            (true, false) => Some("unbounded"),
            (false, true) => Some("lenient"),
            (false, false) => None,
        }
    }

    /// Whether the worker has to count what is taken from the heap, or to fork.
    pub fn needs_forking(&self) -> bool {
        matches!(
            self.test,
            Test::Trial(Trial::Reopening(_) | Trial::Bounds) | Test::Damage(_)
        )
    }
}
