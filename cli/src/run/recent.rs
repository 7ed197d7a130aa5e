//! What the gauge of the workers reads on an undisturbed core.

use std::collections::VecDeque;

/// How many slices are remembered. A core that has been slower for as long is like that: it is no
/// use waiting for what it was before.
const SLICES: usize = 256;

/// The readings of late.
#[derive(Debug, Default)]
pub struct Recent(VecDeque<u64>);

impl Recent {
    /// Takes the fastest reading of a slice.
    pub fn add(&mut self, reading_ps: u64) {
        if self.0.len() == SLICES {
            self.0.pop_front();
        }
        self.0.push_back(reading_ps);
    }

    /// The fastest of late; nothing before the first slice.
    pub fn fastest(&self) -> Option<u64> {
        self.0.iter().copied().min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_reading_is_forgotten_when_none_has_come_near_it_for_long() {
        let mut recent = Recent::default();
        assert_eq!(recent.fastest(), None);
        recent.add(100);
        for _ in 1..SLICES {
            recent.add(160);
        }
        assert_eq!(recent.fastest(), Some(100));
        recent.add(160);
        assert_eq!(recent.fastest(), Some(160));
    }
}
