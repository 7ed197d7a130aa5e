//! Numbers as people read them.

use super::{Cell, Value};

/// What stands where there is no value.
pub const NOTHING: &str = "-";

/// A cell as people read it.
pub fn text(cell: &Cell) -> String {
    if let Some(text) = &cell.text {
        return text.clone();
    }
    match &cell.value {
        Value::None => NOTHING.to_owned(),
        Value::Text(text) => text.clone(),
        Value::Count(count) => grouped(*count),
        Value::Bytes(bytes) => size(*bytes),
        Value::Nanoseconds(nanoseconds) => time(*nanoseconds),
        Value::Number(number) => significant(*number),
        Value::List(items) if items.is_empty() => NOTHING.to_owned(),
        Value::List(items) => items.join(", "),
    }
}

/// A time in the unit that suits it: "12.3 µs".
pub fn time(nanoseconds: f64) -> String {
    scaled(nanoseconds, 1000.0, &["ns", "µs", "ms", "s"])
}

/// A size, exact as long as it is short: "9,876 B", "108.3 KiB".
pub fn size(bytes: f64) -> String {
    if bytes < 9999.5 {
        let exact = bytes.fract() == 0.0 || bytes >= 1000.0;
        return match exact {
            true => format!("{} B", grouped(bytes.round() as u64)),
            false => format!("{bytes:.1} B"),
        };
    }
    let mut scaled = bytes / 1024.0;
    for unit in ["KiB", "MiB"] {
        if scaled < 1023.95 {
            return format!("{scaled:.1} {unit}");
        }
        scaled /= 1024.0;
    }
    format!("{scaled:.1} GiB")
}

/// A count with thousands apart.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A fraction in per cent, coarse where it is large: "0.4%", "12%".
pub fn percent(fraction: f64) -> String {
    let percent = fraction * 100.0;
    match percent {
        p if p < 9.95 => format!("{p:.1}%"),
        p => format!("{p:.0}%"),
    }
}

/// A number with three significant digits, as far as they stand behind the point.
pub fn significant(number: f64) -> String {
    match number.abs() {
        n if n > 0.0 && n < 0.000_995 => format!("{number:.1e}"),
        n if n > 0.0 && n < 0.0995 => format!("{number:.4}"),
        n if n > 0.0 && n < 0.995 => format!("{number:.3}"),
        n if n < 9.995 => format!("{number:.2}"),
        n if n < 99.95 => format!("{number:.1}"),
        _ => format!("{number:.0}"),
    }
}

/// A count that may be a mean: "12", "0.5", "1,234".
pub fn compact(count: f64) -> String {
    match count.fract() == 0.0 || count >= 99.5 {
        true => grouped(count.round() as u64),
        false => format!("{count:.1}"),
    }
}

fn scaled(number: f64, step: f64, units: &[&str]) -> String {
    let mut number = number;
    let mut unit = 0;
    // 999.5 rounds to 1000, which is better written in the next unit.
    while number >= step - 0.5 && unit + 1 < units.len() {
        number /= step;
        unit += 1;
    }
    format!("{} {}", significant(number), units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let expected = [
            (0.0, "0.00 ns"),
            (1.726, "1.73 ns"),
            (12.34, "12.3 ns"),
            (999.4, "999 ns"),
            (999.6, "1.00 µs"),
            (172_940.0, "173 µs"),
            (2.5e9, "2.50 s"),
            (7.2e13, "72000 s"),
        ];
        for (nanoseconds, text) in expected {
            assert_eq!(time(nanoseconds), text);
        }
    }

    #[test]
    fn sizes() {
        let expected = [
            (0.0, "0 B"),
            (154.0, "154 B"),
            (154.25, "154.2 B"),
            (9876.4, "9,876 B"),
            (110_895.0, "108.3 KiB"),
            (1_048_570.0, "1.0 MiB"),
            (5e9, "4.7 GiB"),
        ];
        for (bytes, text) in expected {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn ratios() {
        let expected = [
            (0.000_012, "1.2e-5"),
            (0.0123, "0.0123"),
            (0.5, "0.500"),
            (1.0, "1.00"),
            (12.34, "12.3"),
            (1234.0, "1234"),
        ];
        for (number, text) in expected {
            assert_eq!(significant(number), text);
        }
    }

    #[test]
    fn counts_and_fractions() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(percent(0.0042), "0.4%");
        assert_eq!(percent(0.123), "12%");
    }
}
