//! The codecs of a dataset by the time both ways, as bars with intervals.

use super::svg::{Anchor, Svg, width_of};
use super::{Chart, Point, interval_text};

const ROW: f64 = 21.0;
const TOP: f64 = 72.0;
const WIDTH: f64 = 860.0;

/// Bars are cut at this many times the median, and show that they are.
const CUT: f64 = 6.0;

/// Draws them; nothing where nothing was timed.
pub fn draw(chart: &Chart<'_>) -> Option<String> {
    let competing = chart.points.iter().filter(|point| !point.is_baseline);
    let times = competing.map(|point| point.time.value).collect::<Vec<_>>();
    let median = times.get(times.len() / 2)?;
    let full = times.last()?.min(CUT * median);
    let height = TOP + ROW * chart.points.len() as f64 + 34.0;
    let mut svg = chart.start(
        WIDTH,
        height,
        "writing and reading a value, every field included",
    );
    let names = chart
        .points
        .iter()
        .map(|point| width_of(&point.name))
        .fold(60.0, f64::max);
    let left = 52.0 + names.min(300.0);
    for (place, point) in chart.points.iter().enumerate() {
        let y = TOP + ROW * (place as f64 + 0.5);
        bar(&mut svg, point, y, (left, WIDTH - 250.0), full);
    }
    let note = "Mean time of a call, the median over rounds with its 95 % interval; grey: baselines, \
                not ranked";
    svg.text("soft small", Anchor::Start, (20.0, height - 16.0), note);
    Some(svg.finish())
}

fn bar(svg: &mut Svg, point: &Point<'_>, y: f64, (left, right): (f64, f64), full: f64) {
    let at = |time: f64| left + (right - left) * (time / full).min(1.0);
    svg.mark(point.family, point.shape, (26.0, y), &point.words());
    svg.text("ink", Anchor::Start, (38.0, y), &point.name);
    let end = at(point.time.value);
    svg.bar(point.family, [left, y - 6.0, (end - left).max(1.0), 12.0]);
    if point.time.value > full {
        for gap in [6.0, 12.0] {
            svg.bar("ground", [end - gap, y - 6.0, 3.0, 12.0]);
        }
    } else if let Some((low, high)) = point.time.interval {
        let (low, high) = (at(low), at(high));
        svg.line("ink-line", [low, y, high, y]);
        for x in [low, high] {
            svg.line("ink-line", [x, y - 4.0, x, y + 4.0]);
        }
    }
    svg.text(
        "ink",
        Anchor::Start,
        (right + 10.0, y),
        &interval_text(&point.time),
    );
}
