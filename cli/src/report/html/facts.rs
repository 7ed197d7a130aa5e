//! What the foot of the page says of a run: method, machine, settings.

use crate::report::units;
use crate::results::Run;

/// How buffers were provided, in words.
pub fn mode(run: &Run) -> String {
    let mode = run.settings.mode;
    format!(
        "output buffer {}, input {}",
        if mode.fresh_output { "fresh" } else { "reused" },
        if mode.misaligned_input {
            "misaligned"
        } else {
            "aligned"
        },
    )
}

/// Everything that is known of a run, by name.
pub fn of(run: &Run) -> Vec<(&'static str, String)> {
    let machine = &run.machine;
    let settings = &run.settings;
    let time = |nanoseconds: u64| units::time(nanoseconds as f64);
    let mut facts = vec![
        ("Processor", machine.cpu.clone()),
        ("Cores", machine.cores.to_string()),
        ("Memory", units::size(machine.memory_bytes as f64)),
        (
            "System",
            format!("{}, {} {}", machine.os, machine.arch, machine.kernel),
        ),
        (
            "Governor",
            machine
                .governor
                .clone()
                .unwrap_or_else(|| "not known".to_owned()),
        ),
        (
            "Turbo",
            machine
                .turbo
                .map_or("not known", |on| if on { "on" } else { "off" })
                .to_owned(),
        ),
    ];
    if let Some(instruments) = &run.instruments {
        let cost = units::time(instruments.clock_cost_ps as f64 / 1000.0);
        let core = match instruments.core {
            Some(core) => format!("pinned to core {core}"),
            None => "not pinned".to_owned(),
        };
        facts.push(("Clock", format!("{}, {cost} a reading", instruments.clock)));
        facts.push(("Workers", core));
    }
    facts.extend([
        ("Mode", mode(run)),
        (
            "Slices",
            format!(
                "{} after {} unrecorded",
                time(settings.slice_ns),
                time(settings.warmup_ns)
            ),
        ),
        (
            "Rounds",
            format!(
                "until every interval is within {}, for at most {} a dataset",
                units::percent(settings.precision),
                time(settings.budget_ns)
            ),
        ),
        ("zstd", settings.zstd_version.clone()),
        ("Started", run.started.clone()),
        ("Command", run.command.join(" ")),
    ]);
    if run.interrupted {
        facts.push(("Interrupted", "this is what had been measured".to_owned()));
    }
    if !run.optimised {
        facts.push(("Build", "serbench itself was a debug build".to_owned()));
    }
    facts
}
