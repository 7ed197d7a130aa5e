//! The colours of the page and of the charts, for light and dark grounds.
//!
//! Kinds of formats are told apart by all common forms of colour vision (and languages by shape);
//! the contrast with the ground is at least 3:1 for marks and 4.5:1 for text.

use std::fmt::Write;

use crate::protocol::CodecInfo;

/// Name, on light, on dark.
const COLOURS: [(&str, &str, &str); 17] = [
    ("ground", "#fbfbfa", "#131518"),
    ("raised", "#ffffff", "#1a1d21"),
    ("ink", "#1b1d21", "#e8e9ea"),
    ("soft", "#5c626b", "#a3a9b2"),
    ("line", "#e3e4e1", "#2d3137"),
    ("grid", "#ececea", "#24282d"),
    ("accent", "#1f5fbf", "#7fb2f5"),
    ("accent-tint", "#eaf1fb", "#1e2a3a"),
    ("warn", "#8a4b00", "#f0bd6b"),
    ("warn-tint", "#fdf3e0", "#2d2415"),
    ("text", "#b5480f", "#f08a4b"),
    ("named", "#1f6fb2", "#5fb1ec"),
    ("schema", "#0a7f5c", "#35c193"),
    ("view", "#9b4192", "#dd8fd3"),
    ("baseline", "#757b84", "#969da7"),
    ("heat-slow", "#d9772b", "#c9702c"),
    ("heat-fast", "#2b84c9", "#3186c7"),
];

/// The kind of format that a codec belongs to: one of the colours.
pub fn family(codec: &CodecInfo) -> &'static str {
    if codec.has("baseline") {
        "baseline"
    } else if codec.has("text") {
        "text"
    } else if codec.yields == "view" {
        "view"
    } else if codec.has("self_describing") {
        "named"
    } else {
        "schema"
    }
}

/// The colours as CSS variables: as the system has it, unless the page's `data-theme` overrules.
pub fn variables() -> String {
    let block = |scheme: &str, pick: fn(&(&str, &'static str, &'static str)) -> &'static str| {
        let mut css = format!("color-scheme: {scheme};");
        for colour in &COLOURS {
            let _ = write!(css, " --{}: {};", colour.0, pick(colour));
        }
        css
    };
    let light = block("light", |colour| colour.1);
    let dark = block("dark", |colour| colour.2);
    format!(
        ":root {{ {light} }}\n\
         :root[data-theme=\"dark\"] {{ {dark} }}\n\
         @media (prefers-color-scheme: dark) {{ :root:not([data-theme=\"light\"]) {{ {dark} }} }}\n"
    )
}

/// The same as classes of an SVG file, for programs that know no variables: `.x` fills and
/// `.x-line` strokes.
pub fn classes() -> String {
    let rules = |pick: fn(&(&str, &'static str, &'static str)) -> &'static str| {
        let mut css = String::new();
        for colour in &COLOURS {
            let (name, value) = (colour.0, pick(colour));
            let _ = write!(css, ".{name}{{fill:{value}}}.{name}-line{{stroke:{value}}}");
        }
        let _ = write!(css, ".halo{{stroke:{}}}", pick(&COLOURS[0]));
        css
    };
    let light = rules(|colour| colour.1);
    let dark = rules(|colour| colour.2);
    format!("{light}\n@media (prefers-color-scheme:dark){{{dark}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of WCAG 2.
    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let value = u8::from_str_radix(&colour[at..at + 2], 16).unwrap();
            let value = f64::from(value) / 255.0;
            match value <= 0.04045 {
                true => value / 12.92,
                false => ((value + 0.055) / 1.055).powf(2.4),
            }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn contrasts_suffice() {
        let of = |wanted: &str| COLOURS.iter().find(|(name, ..)| *name == wanted).unwrap();
        let texts = ["ink", "soft", "accent", "warn"];
        let marks = ["text", "named", "schema", "view", "baseline"];
        for ground in ["ground", "raised"].map(of) {
            for (names, least) in [(&texts[..], 4.5), (&marks[..], 3.0)] {
                for (name, light, dark) in names.iter().map(|name| of(name)) {
                    let found = contrast(light, ground.1).min(contrast(dark, ground.2));
                    assert!(found >= least, "{name} on {}: {found:.2}", ground.0);
                }
            }
        }
        let (warn, tint) = (of("warn"), of("warn-tint"));
        assert!(contrast(warn.1, tint.1).min(contrast(warn.2, tint.2)) >= 4.5);
    }
}
