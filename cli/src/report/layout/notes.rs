//! Footnotes, and what else stands beneath a table.

use crate::protocol::Op;
use crate::report::{Cell, Figures, Value, units};
use crate::results::statistics::{Estimate, ratio};
use crate::results::{DatasetResult, Ended, Row, Run, Status, Timing, ULTRA_BYTES, ZSTD_LEVELS};

/// Numbered footnotes: equal texts share a number.
#[derive(Default)]
pub struct Footnotes(Vec<String>);

impl Footnotes {
    /// The mark for a text, such as "[1]".
    pub fn mark(&mut self, text: impl Into<String>) -> String {
        let text = text.into();
        let known = self.0.iter().position(|note| *note == text);
        let number = known.unwrap_or_else(|| {
            self.0.push(text);
            self.0.len() - 1
        });
        format!("[{}]", number + 1)
    }

    /// The footnotes, each behind its mark.
    pub fn lines(self) -> Vec<String> {
        (1..)
            .zip(self.0)
            .map(|(number, text)| format!("[{number}] {text}"))
            .collect()
    }
}

/// What the marks and the numbers of a document mean: each said once, beneath all tables.
#[derive(Default)]
pub struct Legend(Vec<&'static str>);

impl Legend {
    /// Adds a line, unless it is there.
    pub fn say(&mut self, line: &'static str) {
        if !self.0.contains(&line) {
            self.0.push(line);
        }
    }

    /// The lines.
    pub fn lines(self) -> Vec<String> {
        self.0.into_iter().map(str::to_owned).collect()
    }
}

const BASELINE: &str = "○ a baseline: a floor to compare with, never ranked.";
const TRUSTED: &str = "⚠ trusts its input: hostile bytes are undefined behaviour.";
const BATCH: &str = "* the mean of a batch of calls, since one is too short to be timed alone.";

/// The codec's name with its marks: ○ for a baseline, ⚠ for trusted, and a footnote for whatever else there is to
/// know of the row.
pub fn codec(
    run: &Run,
    figures: &Figures<'_>,
    footnotes: &mut Footnotes,
    legend: &mut Legend,
) -> String {
    let mut name = figures.row.codec.clone();
    let mut add = |mark: &str| {
        name.push(' ');
        name.push_str(mark);
    };
    if figures.is_baseline() {
        add("○");
        legend.say(BASELINE);
    }
    if figures.is_trusted() {
        add("⚠");
        legend.say(TRUSTED);
    }
    if let Some(why) = failure(figures.row) {
        add(&footnotes.mark(why));
    }
    for note in remarks(run, figures) {
        add(&footnotes.mark(note));
    }
    name
}

/// The typical time of an operation, marked where it is the mean of a batch.
pub fn typical(row: &Figures<'_>, op: Op, legend: &mut Legend) -> Cell {
    let Some(typical) = row.typical(op) else {
        return Cell::default();
    };
    let value = Value::Nanoseconds(typical);
    if row.times[&op].batch == 1 {
        return value.into();
    }
    legend.say(BATCH);
    Cell::with_text(value, format!("{}*", units::time(typical)))
}

/// Why a row has no numbers: "crashed: …".
pub fn failure(row: &Row) -> Option<String> {
    let reason = row.reason.as_deref().unwrap_or("no reason is recorded");
    (row.status != Status::Ok).then(|| format!("{}: {reason}", row.status.name()))
}

/// What a reader must know of a row that has numbers.
pub fn remarks(run: &Run, figures: &Figures<'_>) -> Vec<String> {
    let mut remarks = Vec::new();
    if figures.row.status != Status::Ok {
        return remarks;
    }
    if let Some((_, codec)) = figures.described {
        remarks.push(codec.notes.clone());
        if codec
            .extensions
            .iter()
            .any(|name| name.contains("adopt-input"))
        {
            remarks.push("takes its input over into a container of its own, untimed".to_owned());
        }
        if !run.settings.mode.fresh_output && !codec.has("reuses_output") {
            remarks.push("allocates its output anew on every call, as it must".to_owned());
        }
    }
    remarks.push(figures.row.note.clone());
    remarks.retain(|remark| !remark.is_empty());
    remarks.dedup();
    remarks
}

/// "game_level: 1 value, 65.3 KiB in memory".
pub fn title(dataset: &DatasetResult) -> String {
    let values = match dataset.values {
        1 => "1 value".to_owned(),
        many => format!("{} values", units::grouped(many)),
    };
    let mean = dataset.data_bytes as f64 / dataset.values.max(1) as f64;
    let each = if dataset.values > 1 { " each" } else { "" };
    format!(
        "{}: {values}, {}{each} in memory",
        dataset.name,
        units::size(mean)
    )
}

/// How the rounds went, in sentences.
pub fn rounds(run: &Run, dataset: &DatasetResult, rows: &[Figures<'_>]) -> Vec<String> {
    let mut lines = Vec::new();
    let seconds = dataset.elapsed_ns as f64 / 1e9;
    let why = match dataset.ended {
        Ended::Precise => "every ratio is precise enough",
        Ended::Budget => "the time budget is spent",
        Ended::Interrupted => "interrupted",
        Ended::Nothing => return lines,
    };
    let rounds = match dataset.rounds {
        1 => "1 round".to_owned(),
        many => format!("{many} rounds"),
    };
    let processes = match dataset.processes {
        0 | 1 => String::new(),
        many => format!(", each codec in {many} processes one after another"),
    };
    lines.push(format!("{rounds} in {seconds:.1} s{processes}; {why}."));
    lines.extend(imprecise(run, dataset, rows));
    lines.push(steadiness(dataset));
    lines.extend(shared_core(dataset));
    lines.extend(noise(dataset));
    lines.extend(left_out(dataset));
    lines
}

/// Why there is no size at zstd's slowest level.
fn left_out(dataset: &DatasetResult) -> Option<String> {
    let sizes = dataset.rows.iter().filter_map(|row| row.sizes.as_ref());
    let taken = sizes
        .flat_map(|sizes| &sizes.zstd)
        .any(|zstd| zstd.level == ZSTD_LEVELS[1]);
    (!taken && dataset.canonical_bytes > ULTRA_BYTES).then(|| {
        "zstd-22 takes minutes on data of more than 1 MiB, and is left out: --zstd 3,22 asks for it."
            .to_owned()
    })
}

/// How many ratios are less precise than was asked for.
fn imprecise(run: &Run, dataset: &DatasetResult, rows: &[Figures<'_>]) -> Option<String> {
    let wanted = run.settings.precision;
    let ratios = rows
        .iter()
        .filter(|row| !row.is_baseline() && Some(&row.row.codec) != dataset.reference.as_ref())
        .flat_map(|row| row.times.values())
        .collect::<Vec<_>>();
    let good = |estimate: Option<Estimate>| {
        estimate
            .and_then(|estimate| estimate.spread())
            .is_some_and(|spread| spread <= wanted)
    };
    let missed = ratios.iter().filter(|times| !good(times.ratio)).count();
    (missed > 0).then(|| {
        format!(
            "{missed} of {} ratios are known less precisely than to {}; a larger --budget helps.",
            ratios.len(),
            units::percent(wanted)
        )
    })
}

/// What disturbed the rounds: how often the core was taken away, and whether the machine became
/// faster or slower on the way.
fn steadiness(dataset: &DatasetResult) -> String {
    let timings = || dataset.rows.iter().flat_map(|row| row.timings.values());
    let total = |count: fn(&Timing) -> u64| timings().map(count).fold(0, u64::saturating_add);
    let switches = total(|timing| timing.involuntary_switches);
    let per_round = switches as f64 / f64::from(dataset.rounds.max(1));
    let drift = timings().filter_map(drift).map(f64::ln).collect::<Vec<_>>();
    let mut text = format!(
        "Involuntary context switches: {} a round.",
        units::compact(per_round)
    );
    let discarded = total(|timing| timing.discarded);
    if discarded > 0 {
        text += &format!(
            " Recordings discarded, since the clock had stepped back: {}.",
            units::grouped(discarded)
        );
    }
    if !drift.is_empty() {
        let mean = (drift.iter().sum::<f64>() / drift.len() as f64).exp();
        text += &format!(
            " Drift, the last third of the rounds against the first: {:+.1}%.",
            (mean - 1.0) * 100.0
        );
    }
    text
}

/// How often somebody else used the core, and which times had to be taken all the same. Results of before
/// the gauge say nothing of it.
fn shared_core(dataset: &DatasetResult) -> Option<String> {
    const WORTH_TELLING: f64 = 0.01;
    /// More names than that nobody reads.
    const NAMED: usize = 4;
    let timings = || {
        let rows = dataset.rows.iter();
        rows.flat_map(|row| {
            row.timings
                .iter()
                .map(move |(op, timing)| (row, op, timing))
        })
    };
    let rounds = || timings().flat_map(|(.., timing)| &timing.rounds);
    let disturbed = rounds().filter(|round| round.undisturbed != Some(round.plain));
    let share = disturbed.count() as f64 / rounds().count().max(1) as f64;
    if share < WORTH_TELLING || rounds().all(|round| round.undisturbed.is_none()) {
        return None;
    }
    let without = timings().filter(|(.., timing)| !timing.is_undisturbed());
    let names = without
        .map(|(row, op, _)| format!("{} {}", row.codec, op_name(*op)))
        .collect::<Vec<_>>();
    let mut text = format!(
        "Somebody else used the core in {} of the slices; what was recorded meanwhile does not count.",
        units::percent(share)
    );
    if !names.is_empty() {
        let more = match names.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        text += &format!(
            " It does for {} of {} times, since there was too little else: {}{more}.",
            names.len(),
            timings().count(),
            names[..names.len().min(NAMED)].join(", ")
        );
    }
    Some(text)
}

/// The time in the last third of the rounds as a multiple of that in the first; with few rounds
/// there are no thirds.
fn drift(timing: &Timing) -> Option<f64> {
    let means = timing.means();
    let third = means.len() / 3;
    let median = |means: &[f64]| Some(Estimate::median(&mut means.to_vec())?.value);
    if third < 3 {
        return None;
    }
    let first = median(&means[..third])?;
    let last = median(&means[means.len() - third..])?;
    Some(last / first).filter(|drift| drift.is_finite() && *drift > 0.0)
}

/// What the ratio of a codec to itself says about the noise.
fn noise(dataset: &DatasetResult) -> Option<String> {
    let alias = dataset.alias.as_ref()?;
    let row = dataset.rows.iter().find(|row| row.codec == alias.codec)?;
    let ratios = alias
        .timings
        .iter()
        .filter_map(|(op, timing)| {
            let base = row.timings.get(op)?;
            let estimate = ratio(&timing.series(), &base.series())?;
            Some(format!("{} {}", op_name(*op), ratio_text(&estimate)))
        })
        .collect::<Vec<_>>();
    (!ratios.is_empty()).then(|| {
        format!(
            "Noise floor, {} against itself: {}.",
            alias.codec,
            ratios.join(", ")
        )
    })
}

/// "1.23 ±0.8%", or the bare ratio where there are too few rounds for an interval.
pub fn ratio_text(estimate: &Estimate) -> String {
    let value = units::significant(estimate.value);
    match estimate.spread() {
        Some(spread) => format!("{value} ±{}", units::percent(spread)),
        None => value,
    }
}

/// How people call an operation.
pub fn op_name(op: Op) -> &'static str {
    match op {
        Op::Serialize => "serialize",
        Op::Deserialize => "deserialize",
        Op::Read => "read",
        Op::RoundTrip => "serialize+deserialize",
        Op::DeserializeRead => "deserialize+read",
    }
}
