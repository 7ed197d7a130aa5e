//! What the slices of late have told of the core: what the gauge reads when nobody else uses it, and
//! whether it is worth waiting for that.

use std::collections::VecDeque;

use crate::protocol::Slice;

/// How many readings are remembered, which is some ten seconds. Others may use a core for as long; one
/// that has been slower for longer is like that, and it is no use waiting for what it was before.
const READINGS: usize = 4096;
/// By how much patience grows with every slice that found the core undisturbed, and shrinks with every
/// other: where fewer than half do, more and shorter slices find more.
const STEP: f64 = 1.25;
/// Of fewer recorded times there is nothing to learn: each takes so long that somebody will disturb it.
const FEWEST_TIMES: u64 = 4;

/// The slices of late.
#[derive(Debug, Default)]
pub struct Recent {
    readings_ps: VecDeque<u64>,
    patience_ns: f64,
    least_ns: f64,
    most_ns: f64,
}

impl Recent {
    /// Knows nothing yet, and has so much patience, which will not fall below or rise above these.
    pub fn new(least_ns: u64, most_ns: u64) -> Self {
        Self {
            readings_ps: VecDeque::new(),
            patience_ns: most_ns as f64,
            least_ns: least_ns as f64,
            most_ns: most_ns as f64,
        }
    }

    /// Learns from a slice.
    pub fn add(&mut self, slice: &Slice) {
        if self.readings_ps.len() == READINGS {
            self.readings_ps.pop_front();
        }
        self.readings_ps.push_back(slice.gauge_ps);
        if slice.plain.recorded.calls / slice.batch.max(1) >= FEWEST_TIMES {
            let step = match slice.undisturbed {
                Some(_) => STEP,
                None => STEP.recip(),
            };
            self.patience_ns = (self.patience_ns * step).clamp(self.least_ns, self.most_ns);
        }
    }

    /// The fastest reading of late; nothing before the first slice.
    pub fn fastest_ps(&self) -> Option<u64> {
        self.readings_ps.iter().copied().min()
    }

    /// How long a slice may go on to find its core undisturbed.
    pub fn patience_ns(&self) -> u64 {
        self.patience_ns as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Recorded, Sample};

    fn slice(gauge_ps: u64, calls: u64, is_undisturbed: bool) -> Slice {
        let sample = Sample {
            recorded: Recorded {
                calls,
                total_ps: 1000,
            },
            times: Vec::new(),
        };
        Slice {
            batch: 1,
            undisturbed: is_undisturbed.then(|| sample.clone()),
            plain: sample,
            gauge_ps,
            involuntary_switches: 0,
            discarded: 0,
        }
    }

    #[test]
    fn the_fastest_reading_is_forgotten_when_none_has_come_near_it_for_long() {
        let mut recent = Recent::new(1, 64);
        assert_eq!(recent.fastest_ps(), None);
        recent.add(&slice(100, 10, true));
        for _ in 1..READINGS {
            recent.add(&slice(160, 10, true));
        }
        assert_eq!(recent.fastest_ps(), Some(100));
        recent.add(&slice(160, 10, true));
        assert_eq!(recent.fastest_ps(), Some(160));
    }

    #[test]
    fn patience_that_does_not_pay_is_lost_and_comes_back() {
        let mut recent = Recent::new(1000, 64_000);
        assert_eq!(recent.patience_ns(), 64_000);
        for _ in 0..50 {
            recent.add(&slice(100, 1, false));
        }
        assert_eq!(recent.patience_ns(), 64_000, "long calls teach nothing");
        for _ in 0..50 {
            recent.add(&slice(100, 10, false));
        }
        assert_eq!(recent.patience_ns(), 1000);
        for _ in 0..50 {
            recent.add(&slice(100, 10, true));
        }
        assert_eq!(recent.patience_ns(), 64_000);
    }
}
