//! The schedule: paired rounds in an order drawn anew each time, until the numbers are good enough
//! or the time is up.

use std::time::{Duration, Instant};

use rand::seq::SliceRandom;

use super::interrupt;
use super::lane::Lane;
use super::processes::Processes;
use super::recent::Recent;
use super::session::Session;
use crate::protocol::Op;
use crate::results::Ended;
use crate::results::statistics::{are_undisturbed, ratio, time};

/// A lane rests that has taken so many times the mean time of those that still take part: a codec
/// whose calls take seconds would leave the others no time for their rounds.
const PATIENCE: u32 = 4;
/// No row is precise before each process has had so many rounds, however narrow its interval happens to
/// be.
const FEWEST_ROUNDS: u32 = 10;
/// So many rounds at least the budget is to be enough for, however long slices wait for an undisturbed
/// core.
const WANTED_ROUNDS: u64 = 12;
/// How many times its length a slice may go on at most, when there is little time and when there is
/// much.
const LONGEST_SLICES: (u64, u64) = (4, 64);

/// How the rounds went.
pub struct Rounds {
    /// How many there were.
    pub count: u32,
    /// Why they ended.
    pub ended: Ended,
    /// How many processes each codec had, one after another.
    pub processes: u32,
    /// How long they took.
    pub elapsed: Duration,
    /// The codec that the others are compared with.
    pub reference: Option<String>,
}

impl Rounds {
    /// Times all open lanes of a session.
    pub fn run(session: &mut Session<'_>) -> Self {
        let mut rounds = Self {
            count: 0,
            ended: Ended::Nothing,
            processes: 1,
            elapsed: Duration::ZERO,
            reference: None,
        };
        let slice_ns = session.plan.settings.slice_ns;
        session.recent = Recent::new(slice_ns, patience_ns(session));
        // The rehearsal finds a reference, and lets every lane choose its batch.
        session.round(0, None);
        let mut reference = session.reference();
        if let Some(reference) = reference
            && session.has_room_for_alias()
        {
            session.add_alias(reference);
        }
        session.lanes.iter_mut().for_each(Lane::forget);

        let start = Instant::now();
        let budget = Duration::from_nanos(session.plan.settings.budget_ns);
        let mut processes = Processes::new(budget);
        while session.lanes.iter().any(Lane::is_open) {
            // Every round allows a better judgement, until the first lanes may sit out; and a
            // reference that has failed can be none.
            let judged_again = (1..=FEWEST_ROUNDS).contains(&rounds.count);
            if judged_again || reference.is_some_and(|lane| !session.lanes[lane].is_open()) {
                reference = session.reference();
                session
                    .lanes
                    .iter_mut()
                    .for_each(|lane| lane.precise.clear());
            }
            let is_judged = processes.rounds >= FEWEST_ROUNDS;
            let is_precise = is_judged && session.is_precise(reference);
            let is_spent = rounds.count > 0 && start.elapsed() >= budget;
            rounds.ended = if interrupt::asked() {
                Ended::Interrupted
            } else if is_precise && !processes.are_too_few(session) {
                Ended::Precise
            } else if is_spent {
                Ended::Budget
            } else {
                if is_judged && processes.are_due(session, is_precise) {
                    processes.renew(session);
                    rounds.processes = processes.count;
                }
                session.round(rounds.count + 1, reference);
                rounds.count += 1;
                processes.rounds += 1;
                rounds.elapsed = start.elapsed();
                session.progress.spent(rounds.elapsed, budget, rounds.count);
                continue;
            };
            break;
        }
        rounds.reference = reference.map(|lane| session.lanes[lane].row.codec.clone());
        rounds
    }
}

impl Session<'_> {
    /// One slice of every lane and operation that still needs one. The lanes of one operation
    /// follow each other closely, so that what they are compared by is measured within moments.
    /// The reference never rests.
    fn round(&mut self, number: u32, reference: Option<usize>) {
        let resting = self.resting(reference);
        let mut random = rand::rng();
        let mut ops = self.plan.settings.ops.clone();
        ops.shuffle(&mut random);
        for op in ops {
            let mut lanes = (0..self.lanes.len()).collect::<Vec<_>>();
            lanes.shuffle(&mut random);
            for lane in lanes {
                if interrupt::asked() {
                    return;
                }
                if self.lanes[lane].wants(op) && !resting.contains(&lane) {
                    self.slice(lane, op, number);
                }
            }
        }
    }

    /// The lanes that have taken far more than their share of the time in the rounds so far.
    fn resting(&self, reference: Option<usize>) -> Vec<usize> {
        let wants = |lane: &&Lane| self.plan.settings.ops.iter().any(|op| lane.wants(*op));
        let spent = self.lanes.iter().filter(wants).map(|lane| lane.spent);
        let longest = longest_share(spent);
        (0..self.lanes.len())
            .filter(|lane| self.lanes[*lane].spent > longest && reference != Some(*lane))
            .collect()
    }

    /// The lane to compare with: the one the user named, else the fastest so far.
    fn reference(&self) -> Option<usize> {
        let named = self.plan.reference.and_then(|name| {
            self.lanes
                .iter()
                .position(|lane| lane.is_codec() && lane.is_open() && lane.row.codec == name)
        });
        named.or_else(|| {
            (0..self.lanes.len())
                .filter(|lane| self.lanes[*lane].is_ranked())
                .min_by(|a, b| self.rough_time(*a).total_cmp(&self.rough_time(*b)))
        })
    }

    /// Writing and reading, or whatever else was timed, added up.
    fn rough_time(&self, lane: usize) -> f64 {
        let both_ways = [Op::Serialize, Op::DeserializeRead];
        let ops = &self.plan.settings.ops;
        let counts =
            |op: &&Op| both_ways.contains(op) || !both_ways.iter().all(|b| ops.contains(b));
        ops.iter()
            .filter(counts)
            .filter_map(|op| self.lanes[lane].series(*op))
            .filter_map(time)
            .map(|median| median.value)
            .sum()
    }

    /// Lets those lanes sit out whose ratio to the reference is known well enough. True when none
    /// is left to compare.
    fn is_precise(&mut self, reference: Option<usize>) -> bool {
        let Some(reference) = reference else {
            return false;
        };
        let wanted = self.plan.settings.precision;
        let alone = self.lanes.iter().filter(|lane| lane.is_ranked()).count() <= 1;
        let mut all = true;
        for op in self.plan.settings.ops.clone() {
            let Some(base) = self.lanes[reference].series(op).cloned() else {
                continue;
            };
            for number in 0..self.lanes.len() {
                let lane = &mut self.lanes[number];
                // zstd is compared with nothing, and so is a codec that is alone.
                let by_itself = alone || lane.zstd.is_some();
                let is_counted = lane.is_ranked() || lane.zstd.is_some();
                if !is_counted || !lane.wants(op) || (number == reference && !by_itself) {
                    continue;
                }
                let estimate = lane.series(op).and_then(|series| match by_itself {
                    true => time(series),
                    false => ratio(series, &base),
                });
                let settled = lane.series(op).is_some_and(|series| {
                    are_undisturbed(series, if by_itself { series } else { &base })
                });
                let estimate = estimate.filter(|_| settled);
                let spread = estimate.and_then(|estimate| estimate.spread());
                if spread.is_some_and(|spread| spread <= wanted) {
                    lane.precise.insert(op);
                } else {
                    all = false;
                }
            }
        }
        all
    }
}

/// How long a slice may go on at most to find its core undisturbed.
fn patience_ns(session: &Session<'_>) -> u64 {
    let settings = session.plan.settings;
    let wanted = |lane: &Lane| settings.ops.iter().filter(|op| lane.wants(**op)).count() as u64;
    let slices = session.lanes.iter().map(wanted).sum::<u64>();
    let share = settings.budget_ns / (slices * WANTED_ROUNDS).max(1);
    let (least, most) = LONGEST_SLICES;
    share.clamp(settings.slice_ns * least, settings.slice_ns * most)
}

/// How much of the time a lane may have taken to take part once more, by what each of those that
/// still take part has taken. There is always one that has taken no more than that.
fn longest_share(spent: impl Iterator<Item = Duration>) -> Duration {
    let (count, total) = spent.fold((0u32, Duration::ZERO), |(count, total), spent| {
        (count + 1, total + spent)
    });
    total * PATIENCE / count.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_lane_rests_until_the_others_have_caught_up() {
        let rests = |spent: &[u64]| {
            let longest = longest_share(spent.iter().map(|ms| Duration::from_millis(*ms)));
            spent
                .iter()
                .map(|ms| Duration::from_millis(*ms) > longest)
                .collect::<Vec<_>>()
        };
        assert_eq!(rests(&[10, 10, 10, 10, 10, 10, 10, 3000]).pop(), Some(true));
        assert!(!rests(&[1000, 1000, 1000, 1000, 1000, 1000, 1000, 3000])[7]);
        // One of two, or one alone, would only wait for itself.
        assert_eq!(rests(&[10, 3000]), [false, false]);
        assert_eq!(rests(&[3000]), [false]);
        assert_eq!(rests(&[0, 0]), [false, false]);
    }
}
