//! Axes.

use super::svg::{Anchor, Svg};

/// A scale from values to pixels.
pub struct Axis {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// A logarithmic axis that shows all the values that are positive, with some room.
    pub fn logarithmic(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Option<Self> {
        let positive = values.filter(|value| *value > 0.0);
        let range = positive.fold(None, |range: Option<(f64, f64)>, value| {
            let (low, high) = range.unwrap_or((value, value));
            Some((low.min(value), high.max(value)))
        });
        let (mut low, mut high) = range.map(|(low, high)| (low / 1.15, high * 1.15))?;
        if high / low < 2.0 {
            let middle = (low * high).sqrt();
            (low, high) = (
                middle / std::f64::consts::SQRT_2,
                middle * std::f64::consts::SQRT_2,
            );
        }
        Some(Self {
            low,
            high,
            start,
            end,
        })
    }

    /// Where a value stands. What is beyond the axis stands at its end.
    pub fn at(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        let part = (value / self.low).ln() / (self.high / self.low).ln();
        self.start + (self.end - self.start) * part
    }

    /// Round values whose labels keep `gap` apart.
    pub fn ticks(&self, gap: f64) -> Vec<f64> {
        let choices: [&[f64]; 4] = [
            &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
            &[1.0, 2.0, 5.0],
            &[1.0, 3.0],
            &[1.0],
        ];
        self.first_roomy(
            choices.into_iter().map(|factors| self.steps(10.0, factors)),
            gap,
        )
    }

    /// The same for sizes, which are round in powers of two where they are shown in KiB.
    pub fn size_ticks(&self, gap: f64) -> Vec<f64> {
        if self.high < 9999.5 {
            return self.ticks(gap);
        }
        let bases = [2.0, 4.0, 16.0, 1024.0];
        self.first_roomy(bases.into_iter().map(|base| self.steps(base, &[1.0])), gap)
    }

    fn first_roomy(&self, mut choices: impl Iterator<Item = Vec<f64>>, gap: f64) -> Vec<f64> {
        let roomy = |ticks: &Vec<f64>| {
            let apart = |pair: &[f64]| (self.at(pair[1]) - self.at(pair[0])).abs() >= gap;
            ticks.windows(2).all(apart)
        };
        match choices.find(roomy) {
            Some(ticks) if !ticks.is_empty() => ticks,
            _ => vec![(self.low * self.high).sqrt()],
        }
    }

    fn steps(&self, base: f64, factors: &[f64]) -> Vec<f64> {
        let power = |value: f64| value.log(base).floor() as i32;
        (power(self.low)..=power(self.high))
            .flat_map(|power| factors.iter().map(move |factor| factor * base.powi(power)))
            .filter(|value| (self.low..=self.high).contains(value))
            .collect()
    }
}

/// A round number without the zeros behind its point: "20.0 ms" is "20 ms".
fn tick_text(text: &str) -> String {
    match text.split_once(' ') {
        Some((number, unit)) if number.contains('.') => {
            let number = number.trim_end_matches('0').trim_end_matches('.');
            format!("{number} {unit}")
        }
        _ => text.to_owned(),
    }
}

/// The box that the axes span.
pub struct Frame {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Frame {
    /// Draws the grid, and the labels and the title of the vertical axis.
    pub fn vertical(&self, svg: &mut Svg, axis: &Axis, title: &str, label: fn(f64) -> String) {
        for tick in axis.ticks(26.0) {
            let y = axis.at(tick);
            svg.line("grid-line", [self.left, y, self.right, y]);
            svg.text(
                "soft small",
                Anchor::End,
                (self.left - 8.0, y),
                &tick_text(&label(tick)),
            );
        }
        svg.text(
            "soft small",
            Anchor::Start,
            (self.left, self.top - 9.0),
            &format!("↑ {title}"),
        );
    }

    /// The same for the horizontal axis, whose ticks are at the given places.
    pub fn horizontal(
        &self,
        svg: &mut Svg,
        ticks: impl Iterator<Item = (f64, String)>,
        title: &str,
    ) {
        for (x, label) in ticks {
            svg.line("grid-line", [x, self.top, x, self.bottom]);
            svg.text(
                "soft small",
                Anchor::Middle,
                (x, self.bottom + 16.0),
                &tick_text(&label),
            );
        }
        let place = (self.right, self.bottom + 36.0);
        svg.text("soft small", Anchor::End, place, &format!("{title} →"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_has_no_place_of_its_own() {
        let axis = |values: &[f64]| Axis::logarithmic(values.iter().copied(), 0.0, 100.0);
        let some = axis(&[0.0, 5.0, 50.0]).unwrap();
        assert_eq!(some.at(0.0), 0.0);
        assert_eq!(some.ticks(1.0).first(), Some(&5.0));
        assert!(axis(&[0.0]).is_none());
    }
}
