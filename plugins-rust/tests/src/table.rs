//! Which codec carries which dataset, as a Markdown table.

use std::fmt::Write as _;

use crate::protocol::Outcome;

/// Outcomes, in the order in which they came.
#[derive(Default)]
pub struct Table {
    rows: Vec<(String, Vec<Outcome>)>,
    datasets: Vec<String>,
}

impl Table {
    pub fn add(&mut self, codec: &str, dataset: &str, outcome: Outcome) {
        if !self.datasets.iter().any(|known| known == dataset) {
            self.datasets.push(dataset.to_owned());
        }
        match self.rows.last_mut() {
            Some((last, outcomes)) if last == codec => outcomes.push(outcome),
            _ => self.rows.push((codec.to_owned(), vec![outcome])),
        }
    }

    /// The table, and a footnote for each reason.
    pub fn markdown(&self) -> String {
        let mut reasons: Vec<&str> = Vec::new();
        let mut out = format!("| codec | {} |\n", self.datasets.join(" | "));
        let _ = writeln!(out, "| :--- |{}", " :---: |".repeat(self.datasets.len()));
        for (codec, outcomes) in &self.rows {
            let _ = write!(out, "| {codec} |");
            for outcome in outcomes {
                let (mark, reason) = match outcome {
                    Outcome::Passed { unsupported: 0, .. } => ("✓", None),
                    Outcome::Passed { reason, .. } => ("✓", Some(reason)),
                    Outcome::Unsupported(reason) => ("–", Some(reason)),
                    Outcome::Failed(_) => ("✗", None),
                };
                let note = reason.map(|reason| note(&mut reasons, reason));
                let _ = write!(out, " {mark}{} |", note.unwrap_or_default());
            }
            out.push('\n');
        }
        out.push_str(
            "\n✓ carries it; – cannot, or not all values, for the reason given; ✗ fails.\n\n",
        );
        for (index, reason) in reasons.iter().enumerate() {
            let _ = writeln!(out, "- \\[{}\\] {reason}", index + 1);
        }
        out
    }
}

/// The footnote of a reason, which many cells may share.
fn note<'a>(reasons: &mut Vec<&'a str>, reason: &'a str) -> String {
    let known = reasons.iter().position(|known| *known == reason);
    let index = known.unwrap_or_else(|| {
        reasons.push(reason);
        reasons.len() - 1
    });
    format!(" \\[{}\\]", index + 1)
}
