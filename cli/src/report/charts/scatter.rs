//! Size against time, with the Pareto front.

use super::axis::{Axis, Frame};
use super::labels::{self, Label};
use super::svg::Anchor;
use super::{Chart, Point, units};

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 560.0;

const FRAME: Frame = Frame {
    left: 84.0,
    right: 836.0,
    top: 84.0,
    bottom: 506.0,
};

/// Draws it; nothing where no codec has both a size and a time.
pub fn draw(chart: &Chart<'_>) -> Option<String> {
    let points = || chart.points.iter().filter(|point| point.size > 0.0);
    let competing = || points().filter(|point| !point.is_baseline);
    let sizes = competing().map(|point| point.size);
    let times = competing().map(|point| point.time.value);
    let x = Axis::logarithmic(sizes, FRAME.left + 8.0, FRAME.right)?;
    let y = Axis::logarithmic(times, FRAME.bottom - 8.0, FRAME.top)?;
    let mut svg = chart.start(WIDTH, HEIGHT, "size against time");
    FRAME.vertical(
        &mut svg,
        &y,
        "time of writing and reading, every field included",
        units::time,
    );
    let ticks = x
        .size_ticks(64.0)
        .into_iter()
        .map(|size| (x.at(size), units::size(size)));
    FRAME.horizontal(&mut svg, ticks, "size of a value");
    let place = (FRAME.left, HEIGHT - 18.0);
    svg.text(
        "soft small",
        Anchor::Start,
        place,
        "dotted: the Pareto front",
    );
    let at = |point: &Point<'_>| (x.at(point.size), y.at(point.time.value));
    let front = chart.front();
    svg.path("soft-line dotted", &staircase(&front, at));
    for point in points() {
        let (px, py) = at(point);
        if let Some((low, high)) = point.time.interval.filter(|_| !point.is_baseline) {
            svg.line(
                &format!("{}-line", point.family),
                [px, y.at(low), px, y.at(high)],
            );
        }
        svg.mark(point.family, point.shape, (px, py), &point.words());
    }
    let label = |point: &Point<'_>| {
        let (x, y) = at(point);
        Label {
            x,
            y,
            text: label_text(point, chart),
        }
    };
    let on_front = |point: &Point<'_>| front.iter().any(|other| std::ptr::eq(*other, point));
    let (first, rest): (Vec<_>, Vec<_>) = points().partition(|point| on_front(point));
    let labels = first.into_iter().chain(rest).map(label).collect::<Vec<_>>();
    let places = points().map(at).collect::<Vec<_>>();
    labels::draw(&mut svg, &FRAME, &labels, &places);
    Some(svg.finish())
}

/// The name; a baseline that is off the chart stands at its edge, with its time.
fn label_text(point: &Point<'_>, chart: &Chart<'_>) -> String {
    let fastest = chart.points.iter().find(|other| !other.is_baseline);
    let is_below = |other: &Point<'_>| point.time.value < other.time.value / 1.15;
    match fastest.is_some_and(is_below) {
        true => format!("{} ↓ {}", point.name, units::time(point.time.value)),
        false => point.name.clone(),
    }
}

/// What lies up and right of it is beaten by a point on it.
fn staircase(front: &[&Point<'_>], at: impl Fn(&Point<'_>) -> (f64, f64)) -> Vec<(f64, f64)> {
    let mut line = Vec::new();
    let mut level = FRAME.top;
    for point in front {
        let (x, y) = at(point);
        line.extend([(x, level), (x, y)]);
        level = y;
    }
    line.push((FRAME.right, level));
    line
}
