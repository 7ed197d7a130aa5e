//! A small writer of SVG.

use std::fmt::Write;

use super::palette;

/// A drawing.
pub struct Svg {
    width: f64,
    height: f64,
    title: String,
    body: String,
}

/// On which side of its point a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// What stands for a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
}

impl Shape {
    /// The shape of a language.
    pub fn of(language: &str) -> Self {
        match language.to_ascii_lowercase().as_str() {
            "rust" => Self::Circle,
            "c++" => Self::Square,
            "c" => Self::Triangle,
            _ => Self::Diamond,
        }
    }
}

impl Svg {
    /// An empty drawing; the title is for those who hear it.
    pub fn new(width: f64, height: f64, title: impl Into<String>) -> Self {
        Self {
            width,
            height,
            title: title.into(),
            body: String::new(),
        }
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
        let _ = writeln!(
            self.body,
            r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
        );
    }

    /// A line through points.
    pub fn path(&mut self, class: &str, points: &[(f64, f64)]) {
        let mut data = String::new();
        for (at, (x, y)) in points.iter().enumerate() {
            let _ = write!(data, "{}{x:.1} {y:.1}", if at == 0 { 'M' } else { 'L' });
        }
        let _ = writeln!(self.body, r#"<path class="{class}" d="{data}"/>"#);
    }

    /// A bar.
    pub fn bar(&mut self, class: &str, [x, y, width, height]: [f64; 4]) {
        let _ = writeln!(
            self.body,
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="1.5"/>"#
        );
    }

    /// A text at the height of its middle.
    pub fn text(&mut self, class: &str, anchor: Anchor, (x, y): (f64, f64), text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escape(text);
        let _ = writeln!(
            self.body,
            r#"<text class="{class}" x="{x:.1}" y="{y:.1}" dy=".34em" text-anchor="{anchor}">{text}</text>"#
        );
    }

    /// A mark with its middle at a point; `title` is shown to a pointer that rests on it.
    pub fn mark(&mut self, class: &str, shape: Shape, (x, y): (f64, f64), title: &str) {
        let title = escape(title);
        let _ = write!(self.body, r#"<g class="{class}"><title>{title}</title>"#);
        let _ = match shape {
            Shape::Circle => write!(self.body, r#"<circle cx="{x:.1}" cy="{y:.1}" r="4.6"/>"#),
            Shape::Square => write!(
                self.body,
                r#"<rect x="{:.1}" y="{:.1}" width="8.4" height="8.4"/>"#,
                x - 4.2,
                y - 4.2
            ),
            Shape::Triangle => {
                write!(
                    self.body,
                    r#"<path d="M{x:.1} {:.1}l5 8.8h-10z"/>"#,
                    y - 5.2
                )
            }
            Shape::Diamond => {
                write!(
                    self.body,
                    r#"<path d="M{x:.1} {:.1}l5.6 5.6-5.6 5.6-5.6-5.6z"/>"#,
                    y - 5.6
                )
            }
        };
        self.body.push_str("</g>\n");
    }

    /// The file.
    pub fn finish(self) -> String {
        let Self {
            width,
            height,
            title,
            body,
        } = self;
        let title = escape(&title);
        let colours = palette::classes();
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-labelledby="title">
<title id="title">{title}</title>
<style>
text{{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;font-variant-numeric:tabular-nums}}
.head{{font-size:17px;font-weight:650}}.small{{font-size:11px}}.strong{{font-weight:600}}
line,path{{stroke-width:1}}path[class]{{fill:none;stroke-width:1.8;stroke-linejoin:round}}
.dotted{{stroke-dasharray:3 3}}
.halo{{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}}
{colours}
</style>
<rect class="ground" width="{width}" height="{height}" rx="10"/>
{body}</svg>
"#
        )
    }
}

/// Text as it may stand between tags: markup escaped, what XML does not allow left out.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\r' | '\t' => escaped.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// About how wide a text of the usual size is.
pub fn width_of(text: &str) -> f64 {
    text.chars().count() as f64 * 6.7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_become_markup() {
        let mut svg = Svg::new(10.0, 10.0, "a<b>&\"\u{1}");
        svg.text("ink", Anchor::Start, (0.0, 0.0), "</text><script>\n");
        svg.mark("named", Shape::of("C++"), (0.0, 0.0), "]]>");
        let text = svg.finish();
        assert!(text.contains("a&lt;b&gt;&amp;&quot;<"));
        assert!(text.contains("&lt;/text&gt;&lt;script&gt; <"));
        assert!(!text.contains("<script") && !text.contains("]]>"));
    }
}
