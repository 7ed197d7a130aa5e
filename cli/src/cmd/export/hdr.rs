//! HdrHistogram files: percentile distributions and an interval log.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;

use hdrhistogram::Histogram;
use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{IntervalLogWriterBuilder, Tag};

use super::operations;
use crate::error::Error;
use crate::results::{Results, Timing};

/// As fine as HdrHistogram's own tools make them.
const TICKS_PER_HALF_DISTANCE: u32 = 5;

const PICOSECONDS_PER_NANOSECOND: f64 = 1000.0;

/// Writes everything into the folder, which is made where it is missing.
pub fn write(results: &Results, folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    for (name, text) in files(results).map_err(|error| cannot_write(folder, &error))? {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| cannot_write(&path, &error))?;
    }
    Ok(())
}

/// The files, by name.
pub fn files(results: &Results) -> Result<Vec<(String, Vec<u8>)>, String> {
    let timed = operations(results)
        .filter_map(|(name, timing)| Some((name, timing, timing.histogram()?)))
        .collect::<Vec<_>>();
    let distributions = timed.iter().map(|(name, _, histogram)| {
        let name = format!("{}.hgrm", name.replace('/', "-"));
        (name, percentiles(histogram).into_bytes())
    });
    let mut files = distributions.collect::<Vec<_>>();
    files.push(("serbench.hlog".to_owned(), interval_log(&timed)?));
    Ok(files)
}

fn cannot_write(path: &Path, error: &dyn std::fmt::Display) -> Error {
    Error::failed(format!("cannot write {}: {error}", path.display()))
}

/// The text form of a distribution that HdrHistogram's plotter reads; in nanoseconds.
fn percentiles(histogram: &Histogram<u64>) -> String {
    let scaled = |picoseconds: f64| picoseconds / PICOSECONDS_PER_NANOSECOND;
    let mut text = format!(
        "{:>12} {:>14} {:>10} {:>14}\n\n",
        "Value", "Percentile", "TotalCount", "1/(1-Percentile)"
    );
    let mut count = 0;
    for step in histogram.iter_quantiles(TICKS_PER_HALF_DISTANCE) {
        count += step.count_since_last_iteration();
        let value = scaled(step.value_iterated_to() as f64);
        let quantile = step.quantile_iterated_to();
        let line = format!("{value:>12.3} {quantile:2.12} {count:>10}");
        let _ = match quantile < 1.0 {
            true => writeln!(text, "{line} {:>14.2}", 1.0 / (1.0 - quantile)),
            false => writeln!(text, "{line}"),
        };
    }
    let _ = writeln!(
        text,
        "#[Mean    = {:>12.3}, StdDeviation   = {:>12.3}]",
        scaled(histogram.mean()),
        scaled(histogram.stdev())
    );
    let _ = writeln!(
        text,
        "#[Max     = {:>12.3}, Total count    = {:>12}]",
        scaled(histogram.max() as f64),
        histogram.len()
    );
    let _ = writeln!(
        text,
        "#[Buckets = {:>12}, SubBuckets     = {:>12}]",
        histogram.buckets(),
        1 << (histogram.sigfig() * 3 + 2)
    );
    text
}

/// A log in which each row and operation is an interval with a tag; in picoseconds.
fn interval_log(timed: &[(String, &Timing, Histogram<u64>)]) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    let mut serializer = V2DeflateSerializer::new();
    let mut log = IntervalLogWriterBuilder::new()
        .add_comment("[Histogram log format version 1.3]")
        .add_comment("[written by serbench; the values are picoseconds]")
        .begin_log_with(&mut text, &mut serializer)
        .map_err(|error| error.to_string())?;
    let mut start = Duration::ZERO;
    for (name, timing, histogram) in timed {
        let times = timing
            .rounds
            .iter()
            .map(|round| round.plain.total_ps / 1000);
        let length = Duration::from_nanos(times.fold(0, u64::saturating_add));
        // A tag knows neither commas nor blanks.
        let name = name.replace([',', ' ', '\t', '\r', '\n'], "_");
        log.write_histogram(histogram, start, length, Tag::new(&name))
            .map_err(|error| error.to_string())?;
        start += length;
    }
    drop(log);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};

    fn histogram() -> Histogram<u64> {
        let mut histogram = crate::results::statistics::new_histogram();
        for nanoseconds in 1..=1000 {
            histogram.record(nanoseconds * 1000).unwrap();
        }
        histogram
    }

    #[test]
    fn percentile_files() {
        let text = percentiles(&histogram());
        let lines = text.lines().collect::<Vec<_>>();
        assert_eq!(
            lines[0].split_whitespace().collect::<Vec<_>>(),
            ["Value", "Percentile", "TotalCount", "1/(1-Percentile)"]
        );
        let median = lines
            .iter()
            .find(|line| line.contains(" 0.500000000000 "))
            .unwrap();
        let fields = median.split_whitespace().collect::<Vec<_>>();
        assert!(
            (fields[0].parse::<f64>().unwrap() - 500.0).abs() < 1.0,
            "{median}"
        );
        assert_eq!(fields[3], "2.00");
        assert!(text.contains("Total count    =         1000]"), "{text}");
    }

    #[test]
    fn interval_logs() {
        let timing = Timing::default();
        let timed = [("a b,c/postcard/read".to_owned(), &timing, histogram())];
        let text = interval_log(&timed).unwrap();
        assert!(text.starts_with(b"#[Histogram log format version 1.3]\n"));
        let entries = IntervalLogIterator::new(&text)
            .collect::<Result<Vec<_>, _>>()
            .unwrap();
        let LogEntry::Interval(interval) = &entries[entries.len() - 1] else {
            panic!("{entries:?}");
        };
        assert_eq!(interval.tag().unwrap().as_str(), "a_b_c/postcard/read");
        let back = crate::results::statistics::decode(interval.encoded_histogram()).unwrap();
        assert_eq!(back, histogram());
    }
}
