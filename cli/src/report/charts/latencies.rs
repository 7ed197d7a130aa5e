//! The latencies by percentile of the codecs on the Pareto front.

use super::axis::{Axis, Frame};
use super::svg::Anchor;
use super::{Chart, Point, units};
use crate::protocol::Op;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 480.0;

const FRAME: Frame = Frame {
    left: 84.0,
    right: 690.0,
    top: 84.0,
    bottom: 428.0,
};

/// A chart with more lines says less.
const MOST: usize = 8;

const QUANTILES: [f64; 12] = [
    0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9999,
];

struct Curve<'a> {
    point: &'a Point<'a>,
    /// Percentiles and times.
    line: Vec<(f64, f64)>,
}

/// Draws them; nothing where no codec of the front was timed call by call.
pub fn draw(chart: &Chart<'_>, op: Op) -> Option<String> {
    let front = chart.front();
    let curves = front
        .iter()
        .filter_map(|point| curve(point, op))
        .take(MOST)
        .collect::<Vec<_>>();
    let lines = || curves.iter().flat_map(|curve| &curve.line);
    let y = Axis::logarithmic(
        lines().map(|(_, time)| *time),
        FRAME.bottom - 8.0,
        FRAME.top,
    )?;
    let most = lines()
        .map(|(quantile, _)| nines(*quantile))
        .fold(0.3, f64::max);
    let (start, length) = (FRAME.left + 10.0, FRAME.right - FRAME.left - 10.0);
    let x = |quantile: f64| start + length * nines(quantile) / most;
    let what = match op {
        Op::Serialize => "latency of writing a value",
        _ => "latency of reading a value, every field included",
    };
    let mut svg = chart.start(WIDTH, HEIGHT, what);
    FRAME.vertical(&mut svg, &y, "time of a call", units::time);
    let ticks = [0.5, 0.9, 0.99, 0.999, 0.9999]
        .into_iter()
        .filter(|q| nines(*q) <= most + 1e-9);
    FRAME.horizontal(
        &mut svg,
        ticks.map(|q| (x(q), name(q))),
        "percentile of calls",
    );
    let mut ends = Vec::new();
    for Curve { point, line } in &curves {
        let places = line
            .iter()
            .map(|(q, time)| (x(*q), y.at(*time)))
            .collect::<Vec<_>>();
        svg.path(&format!("{}-line", point.family), &places);
        for (place, (quantile, time)) in places.iter().zip(line) {
            let words = format!("{} {}: {}", point.name, name(*quantile), units::time(*time));
            svg.mark(point.family, point.shape, *place, &words);
        }
        ends.extend(places.last().map(|(x, y)| (*y, *x, &point.name)));
    }
    // Names at the ends, pushed apart where they would overlap.
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut last = f64::NEG_INFINITY;
    for (y, x, name) in ends {
        last = (last + 15.0).max(y);
        svg.text("ink halo", Anchor::Start, (x + 10.0, last), name);
    }
    Some(svg.finish())
}

fn curve<'a>(point: &'a Point<'a>, op: Op) -> Option<Curve<'a>> {
    let times = point.row.timings.get(&op)?.tails_ns(&QUANTILES);
    let line = QUANTILES.into_iter().zip(times).collect::<Vec<_>>();
    let reaches_far = line.last().is_some_and(|(quantile, _)| *quantile >= 0.9);
    reaches_far.then_some(Curve { point, line })
}

/// Each further nine of a percentile is one step.
fn nines(quantile: f64) -> f64 {
    -(1.0 - quantile).log10()
}

fn name(quantile: f64) -> String {
    format!("p{}", (quantile * 1e6).round() / 1e4)
}
