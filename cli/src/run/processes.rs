//! A process is lucky or not, as in how its memory lies, for as long as it lives. So the codecs are opened
//! in new ones now and then.

use std::time::{Duration, Instant};

use super::session::Session;

/// Ratios are known from so many processes of each codec at least, where there is time for that.
const FEWEST: u32 = 3;
/// Opening the codecs may take so small a part of the time.
const OPENING_SHARE: u32 = 10;

/// The processes that the codecs have had in turn.
pub struct Processes {
    /// How many each codec has had.
    pub count: u32,
    since: Instant,
    /// How many rounds the present ones have had.
    pub rounds: u32,
    budget: Duration,
}

impl Processes {
    /// The first ones.
    pub fn new(budget: Duration) -> Self {
        Self {
            count: 1,
            since: Instant::now(),
            rounds: 0,
            budget,
        }
    }

    fn are_affordable(session: &Session<'_>, from: Duration) -> bool {
        session.opening * OPENING_SHARE <= from
    }

    /// Whether there should be more of them, however precise the ratios are.
    pub fn are_too_few(&self, session: &Session<'_>) -> bool {
        self.count < FEWEST && Self::are_affordable(session, self.budget)
    }

    /// Whether it is time for new ones: as soon as these have been worth their opening.
    pub fn are_due(&self, session: &Session<'_>, is_precise: bool) -> bool {
        (is_precise && self.are_too_few(session))
            || Self::are_affordable(session, self.since.elapsed())
    }

    /// Opens every codec in a new one.
    pub fn renew(&mut self, session: &mut Session<'_>) {
        session.renew();
        for lane in &mut session.lanes {
            lane.precise.clear();
        }
        self.count += 1;
        self.since = Instant::now();
        self.rounds = 0;
    }
}
