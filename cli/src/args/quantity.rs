//! Quantities on the command line.

use std::time::Duration;

/// Reads a time such as `2s`, `500ms` or `1m30s`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text)
        .map_err(|error| format!("{error}; write it as 10s, 500ms or 1m30s"))?;
    if time.is_zero() {
        return Err("it must be more than zero".into());
    }
    Ok(time)
}

/// Reads a fraction such as `2%` or `0.02`, above zero and below one.
pub fn fraction(text: &str) -> Result<f64, String> {
    let (number, scale) = match text.strip_suffix('%') {
        Some(percent) => (percent, 0.01),
        None => (text, 1.0),
    };
    let value = number
        .trim()
        .parse::<f64>()
        .map_err(|_| "write it as 2% or 0.02".to_owned())?
        * scale;
    if value > 0.0 && value < 1.0 {
        Ok(value)
    } else {
        Err("it must be above 0 % and below 100 %".into())
    }
}

/// Reads the speed of a link such as `100mbit` or `2.5gbit`, in bits per second.
pub fn bits_per_second(text: &str) -> Result<f64, String> {
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let scale = match lower[digits.len()..].trim() {
        "bit" => 1.0,
        "kbit" => 1e3,
        "mbit" => 1e6,
        "gbit" => 1e9,
        "tbit" => 1e12,
        _ => return Err("write it as 100mbit or 2.5gbit".into()),
    };
    match digits.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number * scale),
        _ => Err("write it as 100mbit or 2.5gbit".into()),
    }
}

/// Reads a part such as `2/5`.
pub fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    match parts {
        Some((number, of)) if 1 <= number && number <= of => Ok((number, of)),
        _ => Err("write it as 2/5: the second of five".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions() {
        assert_eq!(fraction("2%"), Ok(0.02));
        assert_eq!(fraction("0.5 %"), Ok(0.005));
        assert_eq!(fraction("0.02"), Ok(0.02));
        for bad in ["0", "0%", "-1%", "100%", "2", "NaN", "", "x"] {
            assert!(fraction(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn links() {
        assert_eq!(bits_per_second("2.5gbit"), Ok(2.5e9));
        assert_eq!(bits_per_second("100 Mbit"), Ok(1e8));
        for bad in ["", "gbit", "0gbit", "-1gbit", "1", "1gbyte"] {
            assert!(bits_per_second(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn shards() {
        assert_eq!(shard("1/1"), Ok((1, 1)));
        assert_eq!(shard("2/5"), Ok((2, 5)));
        for bad in ["", "2", "0/5", "6/5", "1/0", "-1/2", "a/b"] {
            assert!(shard(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn durations() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        for bad in ["0s", "", "5", "soon"] {
            assert!(duration(bad).is_err(), "{bad:?}");
        }
    }
}
