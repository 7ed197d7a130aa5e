//! The new numbers in the forms that services for continuous benchmarking read.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Comparison, Line, Measure, Rules};
use crate::results::statistics::Estimate;

/// An entry of github-action-benchmark's `customSmallerIsBetter`.
#[derive(Serialize)]
struct Entry {
    name: String,
    unit: &'static str,
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra: Option<String>,
}

/// What github-action-benchmark reads with the tool `customSmallerIsBetter`.
pub fn github_action_benchmark(comparison: &Comparison<'_>, rules: &Rules<'_>) -> String {
    let entry = |line: &Line<'_>| {
        let new = line.new?;
        let measure = line.measure;
        Some(Entry {
            name: format!("{}/{}", name(comparison, line), measure.name()),
            unit: unit(measure, rules),
            value: new.value,
            range: spread(&new, measure),
            extra: line.ratio.map(|ratio| ratio_in_words(&ratio)),
        })
    };
    json(
        &comparison
            .lines
            .iter()
            .filter_map(entry)
            .collect::<Vec<_>>(),
    )
}

fn spread(estimate: &Estimate, measure: Measure) -> Option<String> {
    let spread = estimate.spread().filter(|_| measure != Measure::Size)?;
    Some(format!("± {:.1}%", spread * 100.0))
}

fn ratio_in_words(ratio: &Estimate) -> String {
    match ratio.interval {
        Some((low, high)) => format!("{:.3} [{low:.3} – {high:.3}] of BASE", ratio.value),
        None => format!("{:.3} of BASE", ratio.value),
    }
}

/// A metric of the Bencher Metric Format.
#[derive(Serialize)]
struct Metric {
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower_value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper_value: Option<f64>,
}

/// What Bencher reads with the adapter `json`: its Metric Format.
pub fn bencher(comparison: &Comparison<'_>) -> String {
    let mut benchmarks = BTreeMap::<String, BTreeMap<&str, Metric>>::new();
    for line in &comparison.lines {
        if let Some(Estimate { value, interval }) = line.new {
            let metric = Metric {
                value,
                lower_value: interval.map(|(low, _)| low),
                upper_value: interval.map(|(_, high)| high),
            };
            let measures = benchmarks.entry(name(comparison, line)).or_default();
            measures.insert(line.measure.name(), metric);
        }
    }
    json(&benchmarks)
}

/// Dataset and codec, and the machine where there are several.
fn name(comparison: &Comparison<'_>, line: &Line<'_>) -> String {
    match comparison.several_machines {
        true => format!("{}/{}/{}", line.machine.cpu, line.dataset, line.codec),
        false => format!("{}/{}", line.dataset, line.codec),
    }
}

fn unit(measure: Measure, rules: &Rules<'_>) -> &'static str {
    match (measure, rules.relative_to) {
        (Measure::Size, _) => "bytes",
        (_, Some(_)) => "ratio",
        (_, None) => "ns",
    }
}

fn json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("finite numbers can be written");
    text.push('\n');
    text
}
