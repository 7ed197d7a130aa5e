//! The results reader: any bytes are refused with a message, or can be saved again and shown in
//! every way there is.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use clap::ValueEnum;
use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::args::{Globs, Layout, ReportArgs, ReportFormat};
use crate::cmd::export::hdr;
use crate::compare::{self, Rules};
use crate::report::{self, Filter, charts};
use crate::results::{Results, store};

/// The first byte chooses what is done with the results; the others are the file.
pub fn check(data: &[u8]) {
    let Some((view, text)) = data.split_first() else {
        return;
    };
    match store::parse(&with_histograms(text)) {
        Err(message) => assert!(!message.is_empty()),
        Ok(results) => {
            is_saved_as_it_is(&results);
            show(&results, (*view).into());
        }
    }
}

/// A histogram may be given as `~` and its bytes before they are compressed, a letter from `@` to `O`
/// for each half: a mutation then makes another histogram, not a broken archive.
fn with_histograms(mut text: &[u8]) -> Vec<u8> {
    const BEGIN: &[u8] = b"\"~";
    let mut whole = Vec::new();
    while let Some(begin) = text.windows(2).position(|pair| pair == BEGIN) {
        whole.extend_from_slice(&text[..=begin]);
        text = &text[begin + BEGIN.len()..];
        let end = text.iter().position(|byte| *byte == b'"');
        let (halves, rest) = text.split_at(end.unwrap_or(text.len()));
        let bytes = halves
            .chunks_exact(2)
            .map(|pair| (pair[0] & 15) << 4 | pair[1] & 15)
            .collect::<Vec<_>>();
        whole.extend_from_slice(compressed(&bytes).as_bytes());
        text = rest;
    }
    whole.extend_from_slice(text);
    whole
}

/// The V2 DEFLATE form of an HdrHistogram.
fn compressed(bytes: &[u8]) -> String {
    const COOKIE: u32 = 0x1c84_9304;
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    let archive = encoder.finish().unwrap();
    let head = [COOKIE, archive.len() as u32].map(u32::to_be_bytes);
    BASE64.encode([head.as_flattened(), &archive].concat())
}

fn saved(results: &Results) -> Vec<u8> {
    let mut text = Vec::new();
    store::write(results, &mut text).unwrap();
    text
}

fn is_saved_as_it_is(results: &Results) {
    let text = saved(results);
    let again = store::parse(&text).expect("what was saved can be read");
    assert!(saved(&again) == text, "it is not saved as it was read");
}

/// Shows the results in one of the ways.
fn show(results: &Results, way: usize) {
    let filter = &Filter {
        codecs: Globs::new(&[]).unwrap(),
        datasets: Globs::new(&[]).unwrap(),
    };
    let (layouts, formats) = (Layout::value_variants(), ReportFormat::value_variants());
    let reports = layouts.len() * formats.len();
    match way % (reports + 3) {
        way if way < reports => {
            let layout = layouts[way / formats.len()];
            print(results, filter, layout, formats[way % formats.len()]);
        }
        way if way == reports => {
            for (_, chart) in charts::of(results, filter) {
                assert!(chart.ends_with("</svg>\n"));
            }
        }
        way if way == reports + 1 => {
            hdr::files(results).unwrap();
        }
        _ => with_itself(results, filter),
    }
}

fn print(results: &Results, filter: &Filter, layout: Layout, format: ReportFormat) {
    let args = ReportArgs {
        format,
        layout,
        columns: Vec::new(),
        sort: None,
        link: 1e9,
        // Nothing is written; a terminal would be asked how wide it is.
        out: Some("report".into()),
        charts: None,
    };
    // Different modes are refused, and so are results without a row.
    let Ok(text) = report::render(results, filter, &args) else {
        return;
    };
    let text = String::from_utf8(text).unwrap();
    match format {
        ReportFormat::Table | ReportFormat::Markdown => {
            let is_control = |c: char| c.is_control() && c != '\n';
            assert!(!text.contains(is_control), "{text:?}");
        }
        ReportFormat::Json => {
            serde_json::from_str::<serde_json::Value>(&text).unwrap();
        }
        ReportFormat::Csv | ReportFormat::Html => {}
    }
}

/// Nothing changes from a file to itself.
fn with_itself(results: &Results, filter: &Filter) {
    let rules = Rules {
        limit: 0.05,
        relative_to: None,
    };
    let Ok(comparison) = compare::compare(results, results, filter, &rules) else {
        return;
    };
    // With several rows of a name, one is compared with another.
    assert!(!comparison.has_regressions() || results.runs.len() != 1 || repeats(results));
    compare::document(&comparison, &rules, true);
    compare::github_action_benchmark(&comparison, &rules);
    compare::bencher(&comparison);
}

/// Whether a row is there twice.
fn repeats(results: &Results) -> bool {
    let mut known = std::collections::HashSet::new();
    let datasets = results.runs.iter().flat_map(|run| &run.datasets);
    let mut rows = datasets.flat_map(|dataset| {
        let rows = dataset.rows.iter();
        rows.map(|row| (&dataset.name, &row.codec))
    });
    !rows.all(|row| known.insert(row))
}
