//! Labels beside their points, out of each other's way.

use super::axis::Frame;
use super::svg::{Anchor, Svg, width_of};

/// A label that is wanted.
pub struct Label {
    pub x: f64,
    pub y: f64,
    pub text: String,
}

struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Area {
    fn meets(&self, other: &Self) -> bool {
        self.right >= other.left
            && self.left <= other.right
            && self.bottom >= other.top
            && self.top <= other.bottom
    }
}

const PLACES: [(f64, f64, Anchor); 8] = [
    (10.0, 0.0, Anchor::Start),
    (-10.0, 0.0, Anchor::End),
    (0.0, -13.0, Anchor::Middle),
    (0.0, 14.0, Anchor::Middle),
    (9.0, -11.0, Anchor::Start),
    (9.0, 12.0, Anchor::Start),
    (-9.0, -11.0, Anchor::End),
    (-9.0, 12.0, Anchor::End),
];

/// Draws those labels for which there is room, the first ones first; none on any of `points`.
pub fn draw(svg: &mut Svg, frame: &Frame, labels: &[Label], points: &[(f64, f64)]) {
    let around = |(x, y): &(f64, f64)| Area {
        left: x - 5.0,
        right: x + 5.0,
        top: y - 5.0,
        bottom: y + 5.0,
    };
    let mut taken = points.iter().map(around).collect::<Vec<_>>();
    for label in labels {
        for (dx, dy, anchor) in PLACES {
            let (x, y) = (label.x + dx, label.y + dy);
            let area = area(x, y, anchor, width_of(&label.text));
            let inside = area.left >= frame.left
                && area.right <= frame.right
                && area.top >= frame.top
                && area.bottom <= frame.bottom;
            if inside && !taken.iter().any(|other| other.meets(&area)) {
                svg.text("ink halo", anchor, (x, y), &label.text);
                taken.push(area);
                break;
            }
        }
    }
}

fn area(x: f64, y: f64, anchor: Anchor, width: f64) -> Area {
    let left = match anchor {
        Anchor::Start => x,
        Anchor::Middle => x - width / 2.0,
        Anchor::End => x - width,
    };
    Area {
        left,
        right: left + width,
        top: y - 7.0,
        bottom: y + 7.0,
    }
}
