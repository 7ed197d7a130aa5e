//! `serbench run --robustness`: what codecs make of damaged messages, trusted ones too.

use super::fixture::Plugin;
use super::run::run;

const KINDS: [&str; 7] = [
    "rejected",
    "accepted",
    "wrong",
    "crashed",
    "hung",
    "out_of_bounds",
    "over_allocated",
];

#[test]
fn damaged_messages_are_counted_by_what_came_of_them() {
    // After an error there is no value, as the contract says.
    let plugin = |name: &str, short: &str| {
        let code = format!(
            "free(s->decoded); s->decoded = NULL; if (input.size < 16) {{ {short} \
             return SERBENCH_MALFORMED; }} \
             if (number(input.data + 12, 4) != input.size - 16) return SERBENCH_MALFORMED;"
        );
        Plugin::named(name).define("IN_DESERIALIZE", &code)
    };
    let careful = plugin("careful", "");
    let dies = plugin("dies", "abort();");
    let look = "volatile uint8_t byte = input.data[input.size + 127]; (void)byte;";
    let overreads = plugin("overreads", look);
    let run = run(&[&careful, &dies, &overreads], &["--robustness"]);
    assert_eq!(
        run.code, 0,
        "falling for them is no failure: {}",
        run.stderr
    );
    let rate = |codec: &str, kind: &str| -> f64 {
        let row = run.row(codec);
        assert_eq!(row["status"], "ok", "{row:?}");
        row[&format!("robustness_{kind}")].parse().unwrap()
    };
    for codec in ["careful", "dies", "overreads"] {
        assert!(rate(codec, "inputs") > 100.0, "{codec}");
        let all: f64 = KINDS.iter().map(|kind| rate(codec, kind)).sum();
        assert!((all - 10_000.0).abs() < 0.01, "{codec}: {all}");
    }
    assert!(rate("careful", "rejected") > 1000.0);
    for kind in ["crashed", "hung", "out_of_bounds", "over_allocated"] {
        assert_eq!(rate("careful", kind), 0.0, "{kind}");
    }
    assert!(rate("dies", "crashed") > 0.0);
    assert!(rate("overreads", "out_of_bounds") > 0.0);
}

#[test]
fn nothing_is_counted_unasked() {
    let run = run(&[&Plugin::named("unasked")], &[]);
    let row = run.row("unasked");
    for kind in KINDS {
        assert_eq!(row[&format!("robustness_{kind}")], "", "{kind}");
    }
}
