//! What is computed from raw times: percentiles, medians over rounds, and ratios with intervals.
//!
//! An interval is always taken over rounds, never within one: what disturbs a machine lasts longer
//! than a slice, so the calls within a slice are far from independent.

use std::collections::BTreeMap;
use std::io::Read;
use std::ops::Add;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::read::ZlibDecoder;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};

use super::{Round, Timing};
use crate::protocol::Recorded;

/// A percentile is given where at least this many calls lie beyond it.
const CALLS_BEYOND: u64 = 10;

/// The bounds of every histogram: one picosecond to an hour, three significant digits.
const HIGHEST_PS: u64 = 3_600_000_000_000_000;
const DIGITS: u8 = 3;

/// An interval takes at least so many rounds.
const FEWEST: usize = 6;

/// How sure an interval is.
pub const CONFIDENCE: f64 = 0.95;

/// An estimate and its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The median over rounds.
    pub value: f64,
    /// The interval of that median, where there are rounds enough for one.
    pub interval: Option<(f64, f64)>,
}

impl Estimate {
    /// The median of `values`, with the distribution-free interval that order statistics give.
    pub fn median(values: &mut [f64]) -> Option<Self> {
        if values.is_empty() {
            return None;
        }
        values.sort_by(f64::total_cmp);
        let middle = values.len() / 2;
        let value = if values.len() % 2 == 1 {
            values[middle]
        } else {
            f64::midpoint(values[middle - 1], values[middle])
        };
        let interval =
            median_rank(values.len()).map(|rank| (values[rank], values[values.len() - 1 - rank]));
        Some(Self { value, interval })
    }

    /// How far the interval reaches from the estimate, as a fraction of it.
    pub fn spread(&self) -> Option<f64> {
        let (low, high) = self.interval?;
        let spread = (high / self.value - 1.0).max(1.0 - low / self.value);
        Some(spread).filter(|spread| spread.is_finite())
    }

    /// Whether the interval, of a ratio, leaves out 1.
    pub fn separated(&self) -> bool {
        self.interval
            .is_some_and(|(low, high)| low > 1.0 || high < 1.0)
    }
}

/// The largest `k` for which the values of rank `k` and `n - 1 - k` (from 0) enclose the true
/// median with the confidence wanted; none when even the extremes do not (below six values).
///
/// The number of values below the true median is binomial (n, 1/2), whatever the distribution.
fn median_rank(n: usize) -> Option<usize> {
    const MANY: usize = 1000;
    if n > MANY {
        // 0.5^n underflows; the normal approximation is exact to a rank here.
        let rank = (n as f64 / 2.0 - 0.98 * (n as f64).sqrt()).floor();
        return Some(rank as usize - 1);
    }
    let tail = (1.0 - CONFIDENCE) / 2.0;
    let mut probability = 0.5f64.powi(n as i32);
    let mut below = 0.0;
    let mut rank = None;
    for k in 0..n / 2 {
        below += probability;
        if below > tail {
            break;
        }
        rank = Some(k);
        probability *= (n - k) as f64 / (k + 1) as f64;
    }
    rank
}

/// The mean times of a call in a round, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// Whoever else used the core.
    pub plain_ns: f64,
    /// While nobody else did, where there was such a while.
    pub undisturbed_ns: Option<f64>,
}

/// The median over rounds of something: of what was recorded on an undisturbed core, where there are
/// rounds enough with such for an interval, else of what was recorded whoever else used it. The two are
/// never mixed: what a core loses to somebody else is not the same for all codecs.
fn over_rounds<T>(
    rounds: &[T],
    undisturbed: impl Fn(&T) -> Option<f64>,
    plain: impl Fn(&T) -> f64,
) -> Option<Estimate> {
    let mut found = rounds.iter().filter_map(undisturbed).collect::<Vec<_>>();
    if found.len() < FEWEST {
        found = rounds.iter().map(plain).collect();
    }
    found.retain(|value| value.is_finite());
    Estimate::median(&mut found)
}

impl Add for Mean {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            plain_ns: self.plain_ns + other.plain_ns,
            undisturbed_ns: Option::zip(self.undisturbed_ns, other.undisturbed_ns)
                .map(|(a, b)| a + b),
        }
    }
}

/// What each round has told of an operation.
pub type Series = BTreeMap<u32, Mean>;

/// The ratio of two series: the median over the rounds in which both were timed.
pub fn ratio(series: &Series, reference: &Series) -> Option<Estimate> {
    let both = series
        .iter()
        .filter_map(|(round, mean)| Some((*mean, *reference.get(round)?)))
        .collect::<Vec<_>>();
    over_rounds(
        &both,
        |(time, base)| Some(time.undisturbed_ns? / base.undisturbed_ns?),
        |(time, base)| time.plain_ns / base.plain_ns,
    )
}

/// Whether there are rounds enough in which both were timed while nobody else used the core, so that
/// their ratio is that of these rounds.
pub fn are_undisturbed(series: &Series, reference: &Series) -> bool {
    let is_undisturbed = |(round, mean): &(&u32, &Mean)| {
        let base = reference.get(round).and_then(|base| base.undisturbed_ns);
        mean.undisturbed_ns.is_some() && base.is_some()
    };
    series.iter().filter(is_undisturbed).count() >= FEWEST
}

/// The median over rounds of the mean time of a call, in nanoseconds.
pub fn time(series: &Series) -> Option<Estimate> {
    let all = series.values().copied().collect::<Vec<_>>();
    over_rounds(&all, |mean| mean.undisturbed_ns, |mean| mean.plain_ns)
}

/// Adds two series up, over the rounds in which both were timed.
pub fn sum(a: &Series, b: &Series) -> Series {
    a.iter()
        .filter_map(|(round, mean)| Some((*round, *mean + *b.get(round)?)))
        .collect()
}

impl Timing {
    /// The mean time of a call, by round.
    pub fn series(&self) -> Series {
        let mean = |round: &Round| (round.number, round.mean());
        self.rounds.iter().map(mean).collect()
    }

    /// Whether there are rounds enough in which nobody else used the core, so that the times are those
    /// of these rounds.
    pub fn is_undisturbed(&self) -> bool {
        self.undisturbed_rounds() >= FEWEST as u64
    }

    /// In how many rounds there were calls while nobody else used the core.
    pub fn undisturbed_rounds(&self) -> u64 {
        let undisturbed = |round: &&Round| round.undisturbed.is_some();
        self.rounds.iter().filter(undisturbed).count() as u64
    }

    /// The mean time of a call in nanoseconds, of the rounds that the time is taken from.
    pub fn means(&self) -> Vec<f64> {
        let is_undisturbed = self.is_undisturbed();
        let mean = |round: &Round| match is_undisturbed {
            true => round.undisturbed.map(Recorded::mean_ns),
            false => Some(round.plain.mean_ns()),
        };
        self.rounds.iter().filter_map(mean).collect()
    }

    /// The typical time of a call in nanoseconds: the median of single calls where they were timed
    /// alone, else the median over rounds of the mean of a batch.
    pub fn typical_ns(&self) -> Option<f64> {
        match self.is_single() {
            true => self.histogram().map(|all| quantile_ns(&all, 0.5)),
            false => self.over_rounds().map(|median| median.value),
        }
    }

    /// The times in nanoseconds that these fractions of the calls do not exceed. The fractions
    /// ascend, and are answered as far up as there are calls enough, and only where calls were
    /// timed alone.
    pub fn tails_ns(&self, quantiles: &[f64]) -> Vec<f64> {
        let beyond = |quantile: &&f64| (self.calls as f64 * (1.0 - **quantile)).round() as u64;
        let enough = quantiles.iter().take_while(|q| beyond(q) >= CALLS_BEYOND);
        let known = enough.clone().count() > 0 && self.is_single();
        match known.then(|| self.histogram()).flatten() {
            Some(all) => quantiles_ns(&all, enough.copied()),
            None => Vec::new(),
        }
    }

    /// The mean over rounds, with the interval of its median.
    pub fn over_rounds(&self) -> Option<Estimate> {
        time(&self.series())
    }

    /// Whether calls were timed one by one.
    pub fn is_single(&self) -> bool {
        self.batch == 1
    }

    /// All recorded times per call, in picoseconds.
    pub fn histogram(&self) -> Option<Histogram<u64>> {
        decode(&self.histogram).ok().filter(|all| !all.is_empty())
    }
}

fn quantile_ns(picoseconds: &Histogram<u64>, quantile: f64) -> f64 {
    picoseconds.value_at_quantile(quantile) as f64 / 1000.0
}

/// An empty histogram of times per call, in picoseconds.
pub fn new_histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1, HIGHEST_PS, DIGITS).expect("the bounds are valid")
}

/// The same for ascending quantiles, in one pass over the histogram.
fn quantiles_ns(picoseconds: &Histogram<u64>, quantiles: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut recorded = picoseconds.iter_recorded();
    let mut at = recorded.next();
    let mut below = 0;
    let rank = |quantile: f64| (quantile * picoseconds.len() as f64 - 1e-9).ceil().max(1.0) as u64;
    let mut value_at = |quantile: f64| {
        while let Some(here) = &at {
            let upto = below + here.count_at_value();
            if upto >= rank(quantile) {
                return here.value_iterated_to() as f64 / 1000.0;
            }
            below = upto;
            at = recorded.next();
        }
        picoseconds.max() as f64 / 1000.0
    };
    quantiles.map(&mut value_at).collect()
}

/// Reads a histogram as it stands in the results file: one such as [`new_histogram`] makes. Others may
/// ask for gigabytes before their first count is read.
pub fn decode(text: &str) -> Result<Histogram<u64>, String> {
    let bytes = BASE64.decode(text).map_err(|error| error.to_string())?;
    check_head(&bytes)?;
    let histogram: Histogram<u64> = Deserializer::new()
        .deserialize(&mut bytes.as_slice())
        .map_err(|error| format!("{error:?}"))?;
    match histogram.len() {
        u64::MAX => Err("the counts are beyond 64 bits together".to_owned()),
        _ => Ok(histogram),
    }
}

/// Looks at what stands before the counts. Behind the cookie and the length of what is compressed
/// come, compressed, another cookie, the length of the counts, 4 bytes, the digits, and the bounds.
fn check_head(bytes: &[u8]) -> Result<(), String> {
    /// A count takes so many bytes at most.
    const LONGEST_COUNT: usize = 9;
    let mut head = [0; 32];
    ZlibDecoder::new(bytes.get(8..).unwrap_or_default())
        .read_exact(&mut head)
        .map_err(|error| error.to_string())?;
    let number = |from, to| head[from..to].iter().fold(0, |n, b| n << 8 | u64::from(*b));
    let (length, digits) = (number(4, 8), number(12, 16));
    let (lowest, highest) = (number(16, 24), number(24, 32));
    if (lowest, highest, digits) != (1, HIGHEST_PS, DIGITS.into()) {
        return Err(format!(
            "its bounds are {lowest} to {highest} with {digits} digits, not those of serbench"
        ));
    }
    match length > (new_histogram().distinct_values() * LONGEST_COUNT) as u64 {
        true => Err(format!("it cannot have {length} bytes of counts")),
        false => Ok(()),
    }
}

/// Writes a histogram as it stands in the results file.
pub fn encode(histogram: &Histogram<u64>) -> String {
    let mut bytes = Vec::new();
    V2DeflateSerializer::new()
        .serialize(histogram, &mut bytes)
        .expect("a histogram can be written to memory");
    BASE64.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(time: f64) -> Mean {
        Mean {
            plain_ns: time,
            undisturbed_ns: None,
        }
    }

    fn series(times: &[f64]) -> Series {
        (0..).zip(times.iter().copied().map(plain)).collect()
    }

    /// The ranks of the textbook tables of the sign test, counted from 0.
    #[test]
    fn ranks_of_the_median_interval() {
        let expected = [
            (5, None),
            (6, Some(0)),
            (8, Some(0)),
            (9, Some(1)),
            (10, Some(1)),
            (20, Some(5)),
            (50, Some(17)),
            (100, Some(39)),
            (1000, Some(468)),
            (1001, Some(468)),
        ];
        for (n, rank) in expected {
            assert_eq!(median_rank(n), rank, "n = {n}");
        }
        assert_eq!(median_rank(0), None);
    }

    #[test]
    fn medians() {
        assert_eq!(Estimate::median(&mut []), None);
        let few = Estimate::median(&mut [3.0, 1.0]).unwrap();
        assert_eq!((few.value, few.interval), (2.0, None));
        let mut ten = [9.0, 1.0, 8.0, 2.0, 7.0, 3.0, 6.0, 4.0, 5.0, 10.0];
        let ten = Estimate::median(&mut ten).unwrap();
        assert_eq!((ten.value, ten.interval), (5.5, Some((2.0, 9.0))));
        let spread = ten.spread().unwrap();
        assert!((spread - 7.0 / 11.0).abs() < 1e-12, "{spread}");
    }

    #[test]
    fn ratios_pair_the_rounds() {
        // The machine slows down fourfold on the way; the ratio does not notice.
        let slow = series(&[20.0, 22.0, 20.0, 40.0, 80.0, 80.0, 80.0]);
        let fast = series(&[10.0, 11.0, 10.0, 20.0, 40.0, 40.0, 40.0]);
        let ratio = ratio(&slow, &fast).unwrap();
        assert_eq!((ratio.value, ratio.interval), (2.0, Some((2.0, 2.0))));
        assert!(ratio.separated());
    }

    #[test]
    fn only_common_rounds_count() {
        let a = Series::from([(1, plain(10.0)), (2, plain(10.0)), (5, plain(30.0))]);
        let b = Series::from([(2, plain(5.0)), (3, plain(1.0)), (5, plain(10.0))]);
        assert_eq!(ratio(&a, &b).unwrap().value, 2.5);
        assert_eq!(
            sum(&a, &b),
            Series::from([(2, plain(15.0)), (5, plain(40.0))])
        );
        assert_eq!(ratio(&a, &Series::new()), None);
    }

    #[test]
    fn without_an_interval_nothing_is_separated() {
        let few = Estimate {
            value: 3.0,
            interval: None,
        };
        assert!(!few.separated());
        let around_one = Estimate {
            value: 1.1,
            interval: Some((0.9, 1.2)),
        };
        assert!(!around_one.separated());
    }

    /// Rounds in which one codec loses half of its pace to somebody else, and another a third.
    fn two_in_a_crowd(undisturbed: u32) -> (Series, Series) {
        let rounds = |alone: f64, crowded: f64| {
            let mean = |round| Mean {
                plain_ns: crowded,
                undisturbed_ns: (round < undisturbed).then_some(alone),
            };
            (0..30).map(|round| (round, mean(round))).collect()
        };
        (rounds(10.0, 20.0), rounds(5.0, 7.5))
    }

    #[test]
    fn what_a_core_loses_to_others_is_in_no_ratio() {
        let (slow, fast) = two_in_a_crowd(6);
        assert_eq!(ratio(&slow, &fast).unwrap().value, 2.0);
        assert_eq!(time(&slow).unwrap().value, 10.0);
        assert!(are_undisturbed(&slow, &fast));
        let both = sum(&slow, &fast);
        assert_eq!(time(&both).unwrap().value, 15.0);
    }

    #[test]
    fn without_rounds_enough_like_is_held_against_like() {
        let (slow, fast) = two_in_a_crowd(5);
        assert_eq!(ratio(&slow, &fast).unwrap().value, 20.0 / 7.5);
        assert_eq!(time(&slow).unwrap().value, 20.0);
        assert!(!are_undisturbed(&slow, &fast));
        // One that has enough of them, against one whose calls are too long to have any.
        let (quick, _) = two_in_a_crowd(30);
        let long = series(&[200.0; 30]);
        assert_eq!(ratio(&long, &quick).unwrap().value, 10.0);
    }

    fn timing(batch: u64, times_ns: &[u64]) -> Timing {
        let mut all = new_histogram();
        for time in times_ns {
            all.record(time * 1000).unwrap();
        }
        let calls = times_ns.len() as u64;
        Timing {
            batch,
            calls,
            histogram: encode(&all),
            rounds: vec![Round {
                number: 0,
                plain: Recorded {
                    calls,
                    total_ps: times_ns.iter().sum::<u64>() * 1000,
                },
                undisturbed: None,
            }],
            ..Timing::default()
        }
    }

    #[test]
    fn no_tail_from_batches_or_from_few_calls() {
        let thousand = (1..=1000).collect::<Vec<_>>();
        let p99 = timing(1, &thousand).tails_ns(&[0.99, 0.999]);
        assert_eq!(p99.len(), 1, "too few calls lie beyond p99.9");
        let p99 = p99[0];
        assert!((p99 - 990.0).abs() < 1.0, "{p99}");
        assert!(timing(1, &thousand[..900]).tails_ns(&[0.99]).is_empty());
        assert!(timing(4, &thousand).tails_ns(&[0.99]).is_empty());
    }

    #[test]
    fn quantiles_in_one_pass_are_those_one_by_one() {
        let times = (1..=5000).map(|n| n * n % 7919 + 1).collect::<Vec<_>>();
        let all = timing(1, &times).histogram().unwrap();
        let quantiles = [0.0001, 0.01, 0.25, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1.0];
        let one_by_one = quantiles.map(|quantile| quantile_ns(&all, quantile));
        assert_eq!(quantiles_ns(&all, quantiles.into_iter()), one_by_one);
    }

    #[test]
    fn what_is_typical() {
        let skewed = [10, 10, 10, 10, 1000];
        let single = timing(1, &skewed).typical_ns().unwrap();
        assert!((single - 10.0).abs() < 0.1, "{single}");
        assert_eq!(timing(8, &skewed).typical_ns(), Some(208.0));
        assert_eq!(Timing::default().typical_ns(), None);
    }

    #[test]
    fn only_histograms_such_as_ours_are_read() {
        let refused = |histogram: &Histogram<u64>| decode(&encode(histogram)).unwrap_err();
        for (low, high, digits) in [(1, HIGHEST_PS, 5), (1, u64::MAX, 3), (8, HIGHEST_PS, 3)] {
            let message = refused(&Histogram::new_with_bounds(low, high, digits).unwrap());
            assert!(message.contains("not those of serbench"), "{message}");
        }
        let mut full = new_histogram();
        for value in 1..=3 {
            full.record_n(value, i64::MAX as u64).unwrap();
        }
        assert!(refused(&full).contains("beyond 64 bits"));
        assert_eq!(decode(&encode(&new_histogram())), Ok(new_histogram()));
    }
}
