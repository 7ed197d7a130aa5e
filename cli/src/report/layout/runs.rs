//! What is said of the runs: beneath the tables for people, in columns of every row for machines.
//! So rows of several runs stay apart wherever they are read.

use crate::report::{Cell, Column, Filter, Table, Value, units};
use crate::results::{Results, Run};

/// Which run a table is of, as the end of its headline; nothing where there is but one.
pub fn which(results: &Results, number: u64) -> String {
    match results.runs.len() {
        1 => String::new(),
        all => format!(" (run {number} of {all})"),
    }
}

/// Adds to every row of a table which run it is of.
pub fn tell(table: &mut Table, run: &Run, number: u64) {
    table.columns.extend(columns());
    for row in &mut table.rows {
        row.extend(cells(run, number));
    }
}

/// The columns that say of which run a row is, for machines.
pub fn columns() -> [Column; 5] {
    ["run", "started", "machine", "output_buffer", "input"].map(Column::machine)
}

/// The cells of these columns.
pub fn cells(run: &Run, number: u64) -> [Cell; 5] {
    [
        Value::Count(number).into(),
        run.started.as_str().into(),
        run.machine.cpu.as_str().into(),
        output_buffer(run).into(),
        input(run).into(),
    ]
}

/// How the output buffer was provided.
fn output_buffer(run: &Run) -> &'static str {
    match run.settings.mode.fresh_output {
        true => "fresh",
        false => "reused",
    }
}

/// Where the input started.
pub fn input(run: &Run) -> &'static str {
    match run.settings.mode.misaligned_input {
        true => "misaligned",
        false => "aligned",
    }
}

/// The machines, clocks, modes and warnings of the runs that have datasets to show.
pub fn notes(results: &Results, filter: &Filter) -> Vec<String> {
    let is_shown = |run: &&Run| {
        let mut names = run.datasets.iter().map(|dataset| &dataset.name);
        names.any(|name| filter.datasets.pass(name))
    };
    let several = results.runs.len() > 1;
    let mut lines = Vec::new();
    for (number, run) in (1..).zip(&results.runs).filter(|(_, run)| is_shown(run)) {
        let head = match several {
            true => format!("Run {number}"),
            false => "Machine".to_owned(),
        };
        lines.push(format!("{head}: {}.", run.machine.summary()));
        lines.extend(of_run(run));
    }
    lines
}

/// The clock, the modes and the warnings of a run, and the plugins that it refused.
fn of_run(run: &Run) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(instruments) = &run.instruments {
        let core = match instruments.core {
            Some(core) => format!("workers pinned to core {core}"),
            None => "workers not pinned".to_owned(),
        };
        lines.push(format!(
            "Clock: {}, {} a reading; {core}.",
            instruments.clock,
            units::time(instruments.clock_cost_ps as f64 / 1000.0)
        ));
    }
    lines.push(format!(
        "Mode: output buffer {}, input {}. serbench {}, zstd {}, {}.",
        output_buffer(run),
        input(run),
        run.version,
        run.settings.zstd_version,
        run.started
    ));
    if run.interrupted {
        lines.push("The run was interrupted: this is what had been measured.".to_owned());
    }
    let warnings = run.warnings.iter();
    lines.extend(warnings.map(|warning| format!("Warning: {warning}.")));
    lines.extend(
        run.refused
            .iter()
            .map(|refused| format!("Not loaded: {}: {}", refused.path.display(), refused.reason)),
    );
    lines
}
