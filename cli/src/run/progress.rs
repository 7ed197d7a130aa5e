//! Progress on stderr, and only on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often the line is drawn anew: seldom, since drawing takes time from nobody's measurement
/// only as long as the coordinator has a core of its own.
const DRAWN_PER_SECOND: u8 = 5;

/// A line that says what is going on.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A line on stderr, where that is a terminal.
    pub fn new() -> Self {
        let target = ProgressDrawTarget::stderr_with_hz(DRAWN_PER_SECOND);
        let bar = ProgressBar::with_draw_target(Some(1000), target);
        bar.set_style(
            ProgressStyle::with_template("{prefix:.bold} {wide_msg}").expect("a valid template"),
        );
        Self { bar }
    }

    /// Says what is going on.
    pub fn phase(&self, dataset: &str, what: &str) {
        self.bar.set_prefix(dataset.to_owned());
        self.bar.set_message(what.to_owned());
        self.bar.tick();
    }

    /// Says how much of the time budget is spent.
    pub fn spent(&self, elapsed: Duration, budget: Duration, rounds: u32) {
        self.bar.set_message(format!(
            "round {rounds}, {:.0} of at most {:.0} s",
            elapsed.as_secs_f64(),
            budget.as_secs_f64()
        ));
        self.bar.tick();
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
