//! Series of times in two characters each, so that a large matrix makes a small page.
//!
//! A time is kept as its logarithm relative to an anchor, through `asinh`: fine near the anchor
//! (0.007 %), coarser away from it (a 300th of the distance), and never out of range.

/// URL-safe base 64, which needs no escape in JSON or HTML.
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Where the steps turn from even to proportional, as a logarithm.
const SOFT: f64 = 0.02;

/// How many steps there are to that point, roughly.
const STEPS: f64 = 300.0;

/// The code of the anchor itself; that of a missing time is [`MISSING`].
const MIDDLE: f64 = 2047.0;

/// The code that stands for no time.
const MISSING: u16 = 4095;

/// Packs times relative to `anchor`; what is missing, or is no positive time, stays missing.
pub fn pack(times: impl IntoIterator<Item = Option<f64>>, anchor: f64) -> String {
    let mut text = String::new();
    for time in times {
        let code = time.map_or(MISSING, |time| code(time, anchor));
        for six_bits in [code >> 6, code & 63] {
            text.push(char::from(ALPHABET[usize::from(six_bits)]));
        }
    }
    text
}

fn code(time: f64, anchor: f64) -> u16 {
    let distance = (time / anchor).ln();
    if !distance.is_finite() {
        return MISSING;
    }
    let steps = (distance / SOFT).asinh() * STEPS;
    (steps.round() + MIDDLE).clamp(0.0, MIDDLE * 2.0) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `unpack` of data.js does.
    fn unpack(text: &str, anchor: f64) -> Vec<Option<f64>> {
        let digit = |c: u8| ALPHABET.iter().position(|known| *known == c).unwrap();
        text.as_bytes()
            .chunks(2)
            .map(|pair| digit(pair[0]) * 64 + digit(pair[1]))
            .map(|code| {
                let steps = (code as f64 - MIDDLE) / STEPS;
                (code != 4095).then(|| anchor * (steps.sinh() * SOFT).exp())
            })
            .collect()
    }

    #[test]
    fn what_is_packed_comes_back() {
        let anchor = 1234.5;
        for factor in [1e-3, 0.2, 0.97, 0.999, 1.0, 1.0001, 1.01, 1.3, 7.0, 1e3] {
            let time: f64 = anchor * factor;
            let back = unpack(&pack([Some(time)], anchor), anchor)[0].unwrap();
            let error = (back / time).ln().abs();
            let allowed = 0.00007 + f64::ln(factor).abs() / STEPS;
            assert!(error <= allowed, "{time} came back as {back}");
        }
        assert_eq!(
            unpack(&pack([Some(anchor)], anchor), anchor),
            [Some(anchor)]
        );
    }

    #[test]
    fn what_is_no_time_is_missing() {
        let none = [
            None,
            Some(0.0),
            Some(-1.0),
            Some(f64::NAN),
            Some(f64::INFINITY),
        ];
        assert_eq!(unpack(&pack(none, 10.0), 10.0), [None; 5]);
        assert_eq!(unpack(&pack([Some(1.0)], 0.0), 0.0), [None]);
    }
}
