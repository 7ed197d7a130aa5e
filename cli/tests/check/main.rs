//! `serbench check` finds each promise that a plugin breaks, and nothing in one that keeps them all.
//! Each plugin is real, and breaks what its macro says.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The fixture, compiled with these macros.
fn fixture(macros: &[&str]) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let test = std::thread::current().name().unwrap_or("main").to_owned();
    let plugin = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("check-{test}.so"));
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let status = Command::new(compiler)
        .args([
            "-shared", "-fPIC", "-pthread", "-O1", "-Wall", "-Wextra", "-I",
        ])
        .arg(here.join("../plugin-abi/include"))
        .args(macros.iter().map(|name| format!("-D{name}")))
        .arg(here.join("tests/check/plugin.c"))
        .arg("-o")
        .arg(&plugin)
        .status()
        .expect("a C compiler runs; set CC if it is not cc");
    assert!(status.success());
    plugin
}

fn check(plugin: &Path, arguments: &[&str]) -> (Output, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_serbench"))
        .arg("check")
        .args(arguments)
        .arg(plugin)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output, text)
}

/// The checks of the fixture on the dataset `basic`.
fn checks(macros: &[&str]) -> (i32, Vec<Value>) {
    let arguments = ["--dataset", "basic", "--format", "json"];
    let (output, text) = check(&fixture(macros), &arguments);
    let reports: Value = serde_json::from_slice(&output.stdout).expect(&text);
    let checks = reports[0]["checks"].as_array().unwrap().clone();
    (output.status.code().expect(&text), checks)
}

/// Checks the fixture with a promise broken: just these checks fail, the first of them in a way that
/// this text tells, and with a hint.
fn finds(macros: &[&str], broken: &[&str], expected: &str) {
    let (code, checks) = checks(macros);
    assert_eq!(code, 1, "{checks:#?}");
    let failed = checks.iter().filter(|check| check["result"] == "failed");
    let failed: Vec<&Value> = failed.collect();
    let names: Vec<&str> = failed
        .iter()
        .map(|check| check["check"].as_str().unwrap())
        .collect();
    assert_eq!(names, broken, "{failed:#?}");
    let message = failed[0]["failures"][0]["message"].as_str().unwrap();
    assert!(message.contains(expected), "{message}");
    for check in failed {
        assert!(!check["hint"].as_str().unwrap().is_empty(), "{check:#?}");
    }
}

const DAMAGE: [&str; 4] = ["truncation", "bit flips", "random bytes", "length bombs"];

/// Those of them that change how long the message is.
const DAMAGED_LENGTH: [&str; 3] = ["truncation", "random bytes", "length bombs"];

// ---- A good plugin ------------------------------------------------------------------------------

#[test]
fn a_good_plugin_passes_every_check() {
    let (code, checks) = checks(&[]);
    assert_eq!(code, 0, "{checks:#?}");
    let names: Vec<&str> = checks
        .iter()
        .map(|check| check["check"].as_str().unwrap())
        .collect();
    let expected = [
        "descriptor",
        "exported symbols",
        "loading",
        "datasets",
        "round trip",
        "checksum",
        "export",
        "determinism",
        "second instance",
        "threads",
        "reopening",
        "output",
        "bounds",
        "side effects",
        "modes",
        "truncation",
        "bit flips",
        "random bytes",
        "length bombs",
    ];
    assert_eq!(names, expected);
    for check in &checks[4..] {
        assert_eq!(
            (&check["result"], &check["datasets"]),
            (&"ok".into(), &1.into())
        );
    }
}

#[test]
fn a_line_for_each_check_and_datasets_that_cannot_be_carried() {
    let (output, text) = check(&fixture(&[]), &["--dataset", "[bl]*"]);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert_eq!(text.lines().count(), 1 + 19 + 1, "{text}");
    let line = |name: &str| text.lines().find(|line| line.contains(name)).unwrap();
    assert!(
        line(" datasets ")
            .ends_with("1 of 3; not large_tensor: it is not the dataset basic (and 1 more)"),
        "{text}"
    );
    assert!(line(" truncation ").contains("1 dataset, "), "{text}");
    assert!(text.ends_with("19 checks, 0 failed\n"), "{text}");
}

#[test]
fn a_trusted_codec_is_told_apart() {
    let (code, checks) = checks(&["VALIDATION=SERBENCH_TRUSTED", "ABORTS"]);
    assert_eq!(code, 0, "{checks:#?}");
    for check in &checks[15..] {
        assert_eq!(check["result"], "exempt", "{check}");
        assert!(
            check["detail"].as_str().unwrap().contains("trusted"),
            "{check}"
        );
    }
}

#[test]
fn a_view_may_look_at_its_input_for_longer() {
    let (code, checks) = checks(&["KEEPS_INPUT", "YIELDS=SERBENCH_YIELDS_VIEW"]);
    assert_eq!(code, 0, "{checks:#?}");
}

#[test]
fn output_that_differs_as_declared() {
    let capability = "CAPABILITIES=SERBENCH_CAP_SCHEMA|SERBENCH_CAP_REUSES_OUTPUT|\
                      SERBENCH_CAP_NONDETERMINISTIC";
    let (_, checks) = checks(&["UNSTEADY", capability]);
    assert_eq!(checks[7]["result"], "exempt", "{}", checks[7]);
}

/// A fault that the codec declares is shown as such, and no other is let pass with it.
#[test]
fn faults_of_the_library_as_declared() {
    let declares =
        |bits: &str| format!("CAPABILITIES=SERBENCH_CAP_SCHEMA|SERBENCH_CAP_REUSES_OUTPUT|{bits}");
    let unbounded = declares("SERBENCH_CAP_UNBOUNDED");
    let notes = "NOTES=\"asks for a GiB\"";
    let (code, found) = checks(&["OVER_ALLOCATES", &unbounded, notes]);
    assert_eq!(code, 0, "{found:#?}");
    for check in &found[15..] {
        let is_known = DAMAGED_LENGTH.contains(&check["check"].as_str().unwrap());
        assert_eq!(
            check["result"],
            if is_known { "known" } else { "ok" },
            "{check}"
        );
        if is_known {
            assert_eq!(check["detail"], "asks for a GiB", "{check}");
            let message = check["failures"][0]["message"].as_str().unwrap();
            assert!(message.starts_with("unbounded, as declared: "), "{message}");
            assert!(message.contains("over-allocated of"), "{message}");
        }
    }
    let plugin = fixture(&["OVER_ALLOCATES", &unbounded, notes]);
    let (_, text) = check(&plugin, &["--dataset", "basic"]);
    assert!(
        text.contains("known   fixture  truncation        1 of 1 dataset: asks for a GiB\n"),
        "{text}"
    );
    assert!(
        text.ends_with("19 checks, 0 failed, 3 by a fault that the codec declares\n"),
        "{text}"
    );

    let (_, found) = checks(&["MISREADS_OTHERS", &declares("SERBENCH_CAP_LENIENT"), notes]);
    let known = found
        .iter()
        .filter(|check| check["result"] == "known")
        .count();
    assert!(known > 0, "{found:#?}");
    for check in found.iter().filter(|check| check["result"] == "known") {
        let message = check["failures"][0]["message"].as_str().unwrap();
        assert!(message.starts_with("lenient, as declared: "), "{message}");
    }
}

#[test]
fn other_faults_than_those_declared() {
    let lenient =
        "CAPABILITIES=SERBENCH_CAP_SCHEMA|SERBENCH_CAP_REUSES_OUTPUT|SERBENCH_CAP_LENIENT";
    let notes = "NOTES=\"takes anything\"";
    finds(
        &["OVER_ALLOCATES", lenient, notes],
        &DAMAGED_LENGTH,
        "over-allocated",
    );
    finds(&["ABORTS", lenient, notes], &DAMAGED_LENGTH, "crashed");
    finds(
        &[lenient],
        &["descriptor"],
        "of which its notes do not tell",
    );
}

#[test]
fn a_mode_of_a_later_version() {
    finds(
        &["TAKES_ANY_MODE"],
        &["modes"],
        "succeeded in the mode 0x8000000000000000",
    );
}

// ---- The plugin ---------------------------------------------------------------------------------

#[test]
fn an_empty_string_in_the_descriptor() {
    let broken = ["descriptor"];
    finds(
        &["LIBRARY_VERSION=\"\""],
        &broken,
        "the library_version of the codec fixture is empty",
    );
}

#[test]
fn a_capability_that_there_is_not() {
    let capability = "CAPABILITIES=SERBENCH_CAP_REUSES_OUTPUT|0x800";
    finds(
        &[capability],
        &["descriptor"],
        "0x800, which the ABI does not have",
    );
}

#[test]
fn an_exported_symbol() {
    finds(
        &["EXPORTS_MORE"],
        &["exported symbols"],
        "helper_of_the_plugin",
    );
}

#[test]
fn what_loading_changes() {
    for (change, expected) in [
        (
            "signal(SIGUSR1,SIG_IGN)",
            "SIGUSR1 is handled in another way",
        ),
        (
            "setenv(\"MINE\",\"1\",1)",
            "environment variable MINE is new: 1",
        ),
        ("open(\"/dev/null\",O_RDONLY)", "is new: /dev/null"),
    ] {
        finds(&[&format!("IN_LOADING={change}")], &["loading"], expected);
    }
}

#[test]
fn a_file_that_is_no_plugin() {
    let (output, text) = check(Path::new(file!()).file_name().unwrap().as_ref(), &[]);
    assert_eq!(output.status.code(), Some(2), "{text}");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check/plugin.c");
    let (output, text) = check(&source, &["--dataset", "basic"]);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("FAILED") && text.contains("a file that is no library"),
        "{text}"
    );
}

#[test]
fn nothing_to_check() {
    let plugin = fixture(&[]);
    for (arguments, expected) in [
        (["--dataset", "absent"], "no dataset matches \"absent\""),
        (["--dataset", "log"], "no codec carries any of the datasets"),
        (["--codec", "absent"], "no codec matches \"absent\""),
    ] {
        let (output, text) = check(&plugin, &arguments);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

// ---- Values -------------------------------------------------------------------------------------

#[test]
fn a_changed_value() {
    let (_, checks) = checks(&["CHANGES"]);
    let round_trip = &checks[4];
    assert_eq!(round_trip["result"], "failed");
    let message = round_trip["failures"][0]["message"].as_str().unwrap();
    assert!(
        message.contains("value 0: the value came back changed: .id"),
        "{message}"
    );
}

#[test]
fn a_wrong_checksum() {
    let (_, checks) = checks(&["MISREADS"]);
    assert_eq!(checks[4]["result"], "ok", "the value itself does come back");
    assert_eq!(checks[5]["result"], "failed");
}

#[test]
fn a_value_before_the_first() {
    finds(
        &["TALKS_EARLY"],
        &["export", "truncation", "random bytes", "length bombs"],
        "read of value 0: succeeded",
    );
}

#[test]
fn an_export_that_changes() {
    finds(
        &["TIRES"],
        &[
            "round trip",
            "export",
            "second instance",
            "threads",
            "bounds",
            "truncation",
            "bit flips",
            "random bytes",
            "length bombs",
        ],
        "came back changed",
    );
}

#[test]
fn output_that_differs_from_call_to_call() {
    let (_, checks) = checks(&["UNSTEADY"]);
    assert_eq!(checks[7]["result"], "failed", "{}", checks[7]);
    let message = checks[7]["failures"][0]["message"].to_string();
    assert!(
        message.contains("written in another way the second time"),
        "{message}"
    );
}

#[test]
fn a_crash_ends_nothing_else() {
    let (code, checks) = checks(&["DIES_IN_EXPORT"]);
    assert_eq!(code, 1);
    assert_eq!(checks.len(), 19, "every check is made all the same");
    let message = checks[4]["failures"][0]["message"].to_string();
    assert!(
        message.contains("export of value 0: killed by SIGABRT"),
        "{message}"
    );
    let result = |name: &str| {
        let check = checks.iter().find(|check| check["check"] == name).unwrap();
        check["result"].as_str().unwrap().to_owned()
    };
    for (name, expected) in [
        ("checksum", "ok"),
        ("determinism", "ok"),
        ("reopening", "ok"),
        ("bit flips", "failed"),
    ] {
        assert_eq!(result(name), expected, "{name}");
    }
}

// ---- Instances and threads ----------------------------------------------------------------------

#[test]
fn an_output_buffer_for_all_instances() {
    let (_, checks) = checks(&["SHARES_OUTPUT"]);
    let message = checks[8]["failures"][0]["message"].to_string();
    assert!(
        message.contains("changed while another instance was used"),
        "{message}"
    );
}

#[test]
fn a_decoded_value_for_all_instances() {
    let (_, checks) = checks(&["SHARES_VALUE"]);
    let message = checks[8]["failures"][0]["message"].to_string();
    assert!(
        message.contains("after another instance was used"),
        "{message}"
    );
}

#[test]
fn an_instance_that_stays_in_its_thread() {
    finds(
        &["BOUND_TO_THREAD"],
        &["threads"],
        "in another thread than the one before",
    );
}

#[test]
fn an_instance_that_is_not_freed() {
    finds(&["LEAKS"], &["reopening"], "bytes held from the heap grew");
}

#[test]
fn a_file_that_stays_open() {
    let macros = ["IN_OPEN=open(\"/dev/null\",O_RDONLY)"];
    finds(&macros, &["reopening", "side effects"], "file descriptors");
}

#[test]
fn a_thread_that_writes_into_the_output() {
    let (_, checks) = checks(&["SCRIBBLES"]);
    let message = checks[11]["failures"][0]["message"].to_string();
    assert!(message.contains("has changed since the call"), "{message}");
    let message = checks[13]["failures"][0]["message"].to_string();
    assert!(message.contains("threads"), "{message}");
}

#[test]
fn what_a_codec_changes_in_the_process() {
    for (change, expected) in [
        (
            "signal(SIGUSR1,SIG_IGN)",
            "SIGUSR1 is handled in another way",
        ),
        ("chdir(\"/\")", "the working directory is another"),
        (
            "setenv(\"MINE\",\"1\",1)",
            "environment variable MINE is new: 1",
        ),
        ("setlocale(LC_ALL,\"C.UTF-8\")", "the locale has become"),
    ] {
        let (_, checks) = checks(&[&format!("IN_OPEN={change}")]);
        let check = &checks[13];
        assert_eq!(check["result"], "failed", "{change}");
        let message = check["failures"][0]["message"].to_string();
        assert!(message.contains(expected), "{message}");
    }
}

// ---- Bounds -------------------------------------------------------------------------------------

#[test]
fn memory_around_the_input() {
    let expected = "beyond the input and the 64 bytes behind it";
    finds(
        &["LOOKS_BEYOND"],
        &[
            "bounds",
            "truncation",
            "bit flips",
            "random bytes",
            "length bombs",
        ],
        expected,
    );
    let (_, checks) = checks(&["LOOKS_IN_FRONT"]);
    let message = checks[12]["failures"][0]["message"].to_string();
    assert!(message.contains("in front of the input"), "{message}");
}

#[test]
fn memory_behind_the_canonical_bytes() {
    let macros = ["IN_OPEN=(void)*(volatile const uint8_t*)(args->values[0].data+8)"];
    let (_, checks) = checks(&macros);
    let message = checks[12]["failures"][0]["message"].to_string();
    assert!(
        message.contains("stood behind the value that `open` was given"),
        "{message}"
    );
}

#[test]
fn an_owned_value_that_is_none() {
    finds(
        &["KEEPS_INPUT"],
        &["bounds"],
        "it looked at the input after `deserialize`",
    );
}

#[test]
fn a_write_into_the_input() {
    let (_, checks) = checks(&["WRITES_INPUT"]);
    let message = checks[12]["failures"][0]["message"].to_string();
    assert!(message.contains("it wrote into its input"), "{message}");
}

// ---- Damaged messages ---------------------------------------------------------------------------

#[test]
fn a_value_that_outlives_an_error() {
    finds(
        &["STALE"],
        &DAMAGED_LENGTH,
        "there is a value to read after an error",
    );
}

#[test]
fn bytes_that_are_no_value() {
    // No bomb makes a message shorter.
    finds(
        &["TAKES_LESS"],
        &DAMAGED_LENGTH[..2],
        "what came of it is no value of the dataset",
    );
}

#[test]
fn a_checksum_of_something_else() {
    finds(
        &["MISREADS_OTHERS"],
        &DAMAGE[1..],
        "`read` gave another checksum",
    );
}

#[test]
fn a_crash() {
    finds(&["ABORTS"], &DAMAGED_LENGTH, "200 crashed of 200 inputs");
}

/// Thousands of backtraces would be made for nobody, and take hours.
#[test]
fn a_backtrace_is_not_asked_for() {
    let plugin = fixture(&["MAKES_BACKTRACES"]);
    let output = Command::new(env!("CARGO_BIN_EXE_serbench"))
        .args(["check", "--dataset", "basic"])
        .arg(plugin)
        .env("RUST_BACKTRACE", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
}

#[test]
fn a_hang() {
    finds(&["HANGS"], &["truncation"], "1 hung of");
}

#[test]
fn a_look_beyond() {
    finds(
        &["LOOKS_BEYOND_DAMAGED"],
        &DAMAGED_LENGTH,
        "it touched memory beyond the padding of its input",
    );
}

#[test]
fn more_memory_than_the_input_is_worth() {
    finds(
        &["OVER_ALLOCATES"],
        &DAMAGED_LENGTH,
        "it asked for 1024.0 MiB",
    );
    finds(
        &["TRUSTS_LENGTHS"],
        &DAMAGED_LENGTH,
        "killed by SIGABRT, having asked for 1099511627776.0 MiB",
    );
}

#[test]
fn more_stack_than_there_is() {
    finds(
        &["OVERFLOWS"],
        &DAMAGED_LENGTH,
        "200 over-allocated of 200 inputs; the first: killed by SIGSEGV, having run out of stack",
    );
}

#[test]
fn a_codec_that_is_spoilt_for_good() {
    finds(
        &["SPOILT"],
        &DAMAGED_LENGTH,
        "after it, a good message failed",
    );
}
