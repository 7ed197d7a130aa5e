//! The page: one self-contained HTML file, without any network, made for looking.

mod data;
mod facts;
mod pack;
mod timings;

use data::{Detail, Page};

use crate::report::Filter;
use crate::report::charts::palette;
use crate::results::Results;

/// A page is kept below this size by keeping less of the raw times.
const LIMIT: usize = 1 << 20;

const FINE: Detail = Detail {
    rounds: 48,
    digits: 3,
    quantiles: &[
        0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9995, 0.9999,
    ],
};

/// The levels of detail, the finest first.
const DETAILS: [Detail; 6] = [
    Detail {
        rounds: 1024,
        ..FINE
    },
    FINE,
    Detail {
        rounds: 16,
        digits: 2,
        quantiles: &[0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999],
    },
    Detail {
        rounds: 8,
        digits: 2,
        quantiles: &[0.25, 0.5, 0.9, 0.99, 0.999],
    },
    Detail {
        rounds: 6,
        digits: 2,
        quantiles: &[0.5, 0.9, 0.99],
    },
    // Ratios without intervals, and no latencies: for a matrix beyond all bounds.
    Detail {
        rounds: 0,
        digits: 2,
        quantiles: &[],
    },
];

const TEMPLATE: &str = include_str!("page.html");
const STYLE: [&str; 2] = [include_str!("css/base.css"), include_str!("css/parts.css")];
const SCRIPT: [&str; 11] = [
    include_str!("js/dom.js"),
    include_str!("js/units.js"),
    include_str!("js/data.js"),
    include_str!("js/state.js"),
    include_str!("js/table.js"),
    include_str!("js/matrix.js"),
    include_str!("js/chart.js"),
    include_str!("js/scatter.js"),
    include_str!("js/curves.js"),
    include_str!("js/foot.js"),
    include_str!("js/main.js"),
];

/// Makes the page.
pub fn page(results: &Results, filter: &Filter) -> String {
    let [finer @ .., coarsest] = DETAILS;
    finer
        .into_iter()
        .map(|detail| render(results, filter, detail))
        .find(|page| page.len() < LIMIT)
        .unwrap_or_else(|| render(results, filter, coarsest))
}

fn render(results: &Results, filter: &Filter, detail: Detail) -> String {
    let json = serde_json::to_string(&Page::new(results, filter, detail))
        .expect("text and finite numbers can be written");
    // Within a script element only `<` could end it; as an escape, nothing can.
    let json = json.replace('<', "\\u003c");
    TEMPLATE
        .replace("/*STYLE*/", &(palette::variables() + &STYLE.concat()))
        .replace("/*SCRIPT*/", &SCRIPT.concat())
        .replace("/*DATA*/", &json)
}
