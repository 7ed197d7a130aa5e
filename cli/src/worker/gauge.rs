//! Tells whether the core is this thread's alone. Another hyperthread of it, which on a rented machine
//! may be somebody else's, slows a codec down by up to two times, and one more than another.

use std::hint::black_box;

use crate::clock::Clock;

/// How often a reading repeats the work; the fastest counts, so that an interrupt does not.
const REPEATS: usize = 3;
/// Makes the work last some microseconds.
const STEPS: u64 = 2000;
/// A core that takes longer by this is not undisturbed. An undisturbed one takes the same to a
/// thousandth; a disturbed one a fifth longer at least, and up to twice as long.
const TOLERANCE: f64 = 1.05;

/// A fixed piece of work, timed.
#[derive(Debug, Clone, Copy)]
pub struct Gauge {
    /// The work; the tests have one of their own.
    pub(super) work: fn(),
}

impl Gauge {
    /// How long the work takes just now, in ticks.
    pub fn read<C: Clock>(&self, clock: &C) -> u64 {
        let once = |_| {
            let begin = clock.start();
            (self.work)();
            clock.stop().saturating_sub(begin)
        };
        (0..REPEATS).map(once).min().unwrap_or(0)
    }
}

impl Default for Gauge {
    fn default() -> Self {
        Self { work }
    }
}

/// Independent chains of simple operations, as many as a core can do at once, and no memory: what the
/// core does for somebody else at the same time makes it slower, and nothing that a codec has done.
#[inline(never)]
fn work() {
    let mut chains: [u64; 6] = black_box([1, 2, 3, 4, 5, 6]);
    for step in 0..black_box(STEPS) {
        for chain in &mut chains {
            *chain = (*chain ^ step).rotate_left(7).wrapping_add(step);
        }
    }
    black_box(chains);
}

/// The readings of a slice, held against the fastest that is known.
#[derive(Debug)]
pub struct Readings {
    last: u64,
    /// The fastest of the slice.
    pub fastest: u64,
    known: Option<u64>,
}

impl Readings {
    /// Starts with a first reading, and with the fastest known before.
    pub fn new(first: u64, known: Option<u64>) -> Self {
        Self {
            last: first,
            fastest: first,
            known,
        }
    }

    /// Takes the next reading. True when the core was undisturbed at this one and at the one before.
    pub fn undisturbed_until(&mut self, reading: u64) -> bool {
        self.fastest = self.fastest.min(reading);
        let undisturbed = self
            .known
            .map_or(self.fastest, |known| known.min(self.fastest));
        let slower = self.last.max(reading);
        self.last = reading;
        slower as f64 <= undisturbed as f64 * TOLERANCE
    }
}
