//! Hostile plugins, each a real library that stands beside a good one in a run: every one gets one
//! clear message and a non-zero exit code, and the good one's row is whole.

use super::fixture::Plugin;
use super::run::{Run, run};

/// Runs the plugin beside a good one; checks what holds for every hostile plugin, and that its row
/// has this status and a reason with all of these parts.
fn assert_row(plugin: &Plugin, status: &str, reason: &[&str]) {
    let run = run(&[&Plugin::named("good"), plugin], &[]);
    assert_failed_row(&run, plugin, status, reason);
}

fn assert_failed_row(run: &Run, plugin: &Plugin, status: &str, reason: &[&str]) {
    assert_good_row(run);
    let row = run.row(plugin.name());
    assert_eq!(row["status"], status, "{row:?}");
    assert_parts(&row["reason"], reason);
    for (column, cell) in &row {
        let measured = column.ends_with("_ns") || column.ends_with("_bytes");
        assert!(
            !measured || cell.is_empty(),
            "{column} of a failed row: {cell}"
        );
    }
    assert_one_message(run, plugin.name(), reason);
}

/// Runs a plugin that cannot be loaded at all beside a good one.
fn assert_refused(plugin: &Plugin, reason: &[&str]) {
    let run = run(&[&Plugin::named("good"), plugin], &[]);
    assert_good_row(&run);
    assert_eq!(run.rows.len(), 1, "{:?}", run.rows);
    assert_one_message(&run, &plugin.path().display().to_string(), reason);
}

fn assert_good_row(run: &Run) {
    assert_eq!(run.code, 1, "{}", run.stderr);
    let good = run.row("good");
    assert_eq!(good["status"], "ok", "{good:?}");
    assert_eq!(good["reason"], "");
    assert_eq!(good["values"], "3");
    for column in ["size_bytes", "serialize_p50_ns", "deserialize_read_p50_ns"] {
        assert_ne!(good[column], "", "{column}");
    }
}

fn assert_one_message(run: &Run, name: &str, parts: &[&str]) {
    let errors: Vec<&str> = run
        .stderr
        .lines()
        .filter(|line| line.starts_with("error:"))
        .collect();
    assert_eq!(errors.len(), 1, "{}", run.stderr);
    assert_parts(errors[0], &[name]);
    assert_parts(errors[0], parts);
}

fn assert_parts(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in {text:?}");
    }
}

// ---- What cannot be loaded ----------------------------------------------------------------------

#[test]
fn a_text_file() {
    let plugin = Plugin::file("text", b"#!/bin/sh\necho I am no library\n");
    assert_refused(
        &plugin,
        &["no library", "#!/bin/sh", "expected a shared library"],
    );
}

#[test]
fn an_empty_file() {
    assert_refused(&Plugin::file("empty", b""), &["an empty file"]);
}

#[test]
fn a_library_cut_short() {
    let library = std::fs::read(Plugin::named("whole").path()).unwrap();
    let plugin = Plugin::file("cut", &library[..60]);
    assert_refused(&plugin, &["damaged or truncated"]);
}

#[test]
fn a_library_for_another_machine() {
    const E_MACHINE: usize = 18;
    const SPARC_V9: u8 = 43;
    let mut library = std::fs::read(Plugin::named("native").path()).unwrap();
    library[E_MACHINE] = SPARC_V9;
    library[E_MACHINE + 1] = 0;
    let plugin = Plugin::file("foreign", &library);
    assert_refused(&plugin, &["for another machine", "Sparc", "expected"]);
}

#[test]
fn a_library_that_is_no_plugin() {
    let plugin = Plugin::named("no_entry").define("NO_ENTRY", "1");
    assert_refused(
        &plugin,
        &["not a serbench plugin", "serbench_plugin_entry_v1"],
    );
}

#[test]
fn a_null_descriptor() {
    let plugin = Plugin::named("null_descriptor").define("IN_ENTRY", "return NULL;");
    assert_refused(&plugin, &["expected a descriptor"]);
}

#[test]
fn another_magic() {
    let plugin = Plugin::named("magic").define("MAGIC", "42");
    assert_refused(&plugin, &["magic number 0x000000000000002a"]);
}

#[test]
fn another_abi() {
    let plugin = Plugin::named("newer").define("MAJOR", "2");
    assert_refused(&plugin, &["ABI 2.0", "expected ABI 1.x", "newer serbench"]);
    let plugin = Plugin::named("older").define("MAJOR", "0");
    assert_refused(&plugin, &["ABI 0.0", "rebuild the plugin"]);
}

/// It has more fields and more capabilities than there are today, and runs as ever.
#[test]
fn a_later_version_of_the_abi() {
    let later = "SERBENCH_CAP_SCHEMA | SERBENCH_CAP_REUSES_OUTPUT | UINT64_C(1) << 60";
    let plugin = Plugin::named("later")
        .define("MINOR", "7")
        .define("PLUGIN_SIZE", "sizeof(serbench_plugin) + 8")
        .define("CODEC_SIZE", "sizeof(serbench_codec) + 8")
        .define("INSTANCE_SIZE", "sizeof(serbench_instance) + 8")
        .define("CAPABILITIES", later);
    let run = run(&[&plugin], &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.row("later")["status"], "ok");
}

#[test]
fn descriptors_that_are_too_short() {
    let plugin = Plugin::named("short").define("PLUGIN_SIZE", "32");
    assert_refused(&plugin, &["struct_size of 32", "at least"]);
    let plugin = Plugin::named("short_codec").define("CODEC_SIZE", "40");
    assert_refused(
        &plugin,
        &["codec number 0", "struct_size of 40", "at least"],
    );
}

#[test]
fn two_codecs_with_one_id() {
    let plugin = Plugin::named("twice")
        .define("CODEC_COUNT", "2")
        .define("SECOND_ID", "ID");
    assert_refused(&plugin, &["two codecs with the id \"twice\""]);
}

#[test]
fn a_codec_without_a_format() {
    let plugin = Plugin::named("formless").define("FORMAT", "NULL");
    assert_refused(&plugin, &["codec formless", "format is a null pointer"]);
    let plugin = Plugin::named("ansi").define("FORMAT", "\"\\033[31m\"");
    assert_refused(&plugin, &["codec ansi", "format has control characters"]);
}

#[test]
fn absurd_descriptors() {
    let plugin = Plugin::named("countless").define("CODEC_COUNT", "UINT64_MAX");
    assert_refused(&plugin, &["codec_count of 18446744073709551615", "at most"]);
    let plugin = Plugin::named("yields").define("YIELDS", "9");
    assert_refused(&plugin, &["yields is 9"]);
    let plugin = Plugin::named("exempt").define("CAPABILITIES", "SERBENCH_CAP_NO_ROUND_TRIP");
    assert_refused(&plugin, &["exempt from the round trip", "only baselines"]);
}

#[test]
fn parts_where_none_can_be() {
    for (change, reason) in [
        ("codecs = NULL", "its codecs at 0x0"),
        (
            "codecs = (const void *)((const char *)codecs + 1)",
            "8 bytes",
        ),
        (
            "dataset_count = 1, other.datasets = (const void *)((const char *)codecs + 4)",
            "its datasets at",
        ),
    ] {
        let copy = "static serbench_plugin other; memcpy(&other, &plugin, sizeof other);";
        let entry = format!("{copy} other.{change}; return &other;");
        let plugin = Plugin::named("astray").define("IN_ENTRY", &entry);
        assert_refused(&plugin, &["the plugin with", reason, "on a boundary of"]);
    }
}

#[test]
fn a_crash_on_loading() {
    let plugin = Plugin::named("dies_early").define("IN_ENTRY", "abort();");
    assert_refused(&plugin, &["killed by SIGABRT in the middle of load"]);
}

// ---- What does not open -------------------------------------------------------------------------

#[test]
fn another_version_of_the_dataset() {
    let plugin = Plugin::named("outdated")
        .define(
            "DATASETS",
            "(serbench_dataset_id[]){{\"readings\", \"0123456789abcdef0123456789abcdef\"}}",
        )
        .define("DATASET_COUNT", "1");
    assert_row(
        &plugin,
        "error",
        &[
            "another version of the dataset readings",
            "0123456789abcdef0123456789abcdef in the plugin",
            "in this serbench",
            "rebuild",
        ],
    );
}

#[test]
fn an_open_that_fails() {
    let plugin = Plugin::named("closed").define("IN_OPEN", "return SERBENCH_INTERNAL;");
    assert_row(&plugin, "error", &["open: it did not open"]);
    let plugin = Plugin::named("strange").define("IN_OPEN", "return 77;");
    assert_row(&plugin, "error", &["status 77"]);
}

#[test]
fn bad_instances() {
    let plugin = Plugin::named("nobody").define("IN_OPEN", "*instance = NULL;");
    assert_row(&plugin, "error", &["open succeeded with the instance 0x0"]);
    let plugin = Plugin::named("mute").define("READ_FUNCTION", "NULL");
    assert_row(&plugin, "error", &["`read` is a null pointer"]);
    let plugin = Plugin::named("small").define("INSTANCE_SIZE", "16");
    assert_row(&plugin, "error", &["struct_size of 16"]);
}

#[test]
fn an_output_mode_that_the_codec_lacks() {
    let both = "SERBENCH_CAP_REUSES_OUTPUT | SERBENCH_CAP_FRESH_OUTPUT";
    let able = Plugin::named("able").define("CAPABILITIES", both);
    let run = run(&[&able, &Plugin::named("reuses")], &["--buffers", "fresh"]);
    assert_eq!(run.code, 0, "unsupported is no fault: {}", run.stderr);
    assert_eq!(run.row("able")["status"], "ok");
    assert_eq!(run.row("reuses")["status"], "unsupported");
    assert_parts(&run.row("reuses")["reason"], &["newly allocated memory"]);
}

// ---- What ends the process ----------------------------------------------------------------------

#[test]
fn an_abort() {
    let plugin = Plugin::named("aborts").define(
        "IN_DESERIALIZE",
        "fprintf(stderr, \"out of ideas\\n\"); abort();",
    );
    assert_row(
        &plugin,
        "crashed",
        &["SIGABRT", "deserialize of value 0", "out of ideas"],
    );
}

#[test]
fn a_segmentation_fault() {
    let plugin = Plugin::named("segfaults")
        .define("IN_SERIALIZE", "if (index == 2) *(volatile int *)8 = 1;");
    assert_row(&plugin, "crashed", &["SIGSEGV", "serialize of value 2"]);
}

#[test]
fn a_write_into_its_input() {
    let plugin =
        Plugin::named("scribbles").define("IN_DESERIALIZE", "*(volatile uint8_t *)input.data = 1;");
    assert_row(&plugin, "crashed", &["SIGSEGV", "deserialize of value 0"]);
}

#[test]
fn an_exit_that_looks_like_success() {
    let plugin = Plugin::named("exits").define("IN_READ", "exit(0);");
    assert_row(
        &plugin,
        "crashed",
        &["exited with code 0 in the middle of read of value 0"],
    );
}

#[test]
fn an_exception_across_the_boundary() {
    let plugin = Plugin::cpp("throws").define("IN_EXPORT", "throw std::runtime_error(\"thrown\")");
    assert_row(&plugin, "crashed", &["SIGABRT", "export of value 0"]);
}

#[test]
fn a_fault_that_only_shows_while_it_is_timed() {
    let plugin = Plugin::named("late").define(
        "IN_SERIALIZE",
        "static int calls; if (++calls == 100) __builtin_trap();",
    );
    assert_row(&plugin, "crashed", &["SIGILL", "serialize"]);
    let plugin = Plugin::named("tired").define(
        "IN_SERIALIZE",
        "static int calls; if (++calls == 100) return fail(s, \"tired\");",
    );
    assert_row(&plugin, "error", &["serialize, value", "tired"]);
}

/// What a run of a plugin saves of its dataset. The plugin can be opened once in each process.
fn saved_of_once(arguments: &[&str]) -> serde_json::Value {
    let plugin = Plugin::named("once").define(
        "IN_OPEN",
        "static int opened; if (opened++) return SERBENCH_INTERNAL;",
    );
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("results.json");
    let arguments = [arguments, &["--save", save.to_str().unwrap()]].concat();
    let run = run(&[&plugin], &arguments);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = std::fs::read_to_string(save).unwrap();
    let mut results: serde_json::Value = serde_json::from_str(&text).unwrap();
    results["runs"][0]["datasets"][0].take()
}

#[test]
fn an_instance_in_each_process_and_no_more() {
    let dataset = saved_of_once(&[]);
    // Its second self, which shows the noise, is in a process of its own.
    let alias = &dataset["alias"];
    assert_eq!(alias["codec"], "once");
    assert!(alias["timings"]["serialize"].is_object(), "{alias}");
    assert_eq!(dataset["processes"], 1, "there was no time for more");
}

#[test]
fn a_run_does_not_depend_on_the_luck_of_one_process() {
    let dataset = saved_of_once(&["--budget", "20s", "--precision", "99%"]);
    let processes = dataset["processes"].as_u64().unwrap();
    let rounds = dataset["rounds"].as_u64().unwrap();
    // A machine so busy that its core is seldom undisturbed spends the budget.
    match dataset["ended"].as_str() {
        Some("precise") => assert!(processes >= 3, "{processes} processes"),
        _ => assert!(processes > 1, "{rounds} rounds"),
    }
    assert!(rounds >= 10 * (processes - 1), "{rounds} rounds");
    assert_eq!(dataset["rows"][0]["status"], "ok");
}

#[test]
fn a_hang() {
    let plugin = Plugin::named("hangs").define("IN_DESERIALIZE", "for (;;) pause();");
    let plugins = [&Plugin::named("good"), &plugin];
    let run = run(&plugins, &["--timeout", "2s"]);
    let reason = ["no progress for 2s", "deserialize of value 0"];
    assert_failed_row(&run, &plugin, "timeout", &reason);
}

#[test]
fn a_call_that_takes_longer_than_the_budget_is_measured_all_the_same() {
    let plugin = Plugin::named("slow").define("IN_DESERIALIZE", "usleep(100000);");
    let run = run(&[&plugin], &["--ops", "deserialize"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let row = run.row("slow");
    assert_eq!(row["status"], "ok");
    let median: f64 = row["deserialize_p50_ns"].parse().unwrap();
    assert!(median >= 100_000_000.0, "{median}");
}

#[test]
fn a_hang_that_holds_the_pipes_of_its_parent_open() {
    let plugin = Plugin::named("forks").define(
        "IN_DESERIALIZE",
        "if (fork() == 0) { sleep(5); _exit(0); } _exit(3);",
    );
    let run = run(&[&Plugin::named("good"), &plugin], &["--no-sandbox"]);
    assert_failed_row(&run, &plugin, "crashed", &["exited with code 3"]);
}

// ---- What lies ----------------------------------------------------------------------------------

#[test]
fn prints_that_would_break_a_pipe() {
    let plugin = Plugin::named("prints").define(
        "IN_SERIALIZE",
        "static int calls; if (++calls < 4) \
         for (int i = 0; i < 4000; i++) printf(\"%064d\\n\", i); fflush(stdout);",
    );
    let run = run(&[&Plugin::named("good"), &plugin], &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for name in ["good", "prints"] {
        assert_eq!(run.row(name)["status"], "ok");
    }
    assert_eq!(run.rows.len(), 2);
}

#[test]
fn words_on_every_descriptor() {
    let plugin = Plugin::named("babbles").define(
        "IN_SERIALIZE",
        "for (int fd = 3; fd < 200; fd++) { \
            if (write(fd, \"babble babble babble\", 20) < 0) continue; }",
    );
    assert_row(&plugin, "crashed", &["broke the protocol"]);
}

#[test]
fn wrong_bytes() {
    let plugin = Plugin::named("wrong_bytes")
        .define("IN_EXPORT", "if (s->decoded_size == 16) s->decoded[0] = 9;");
    assert_row(
        &plugin,
        "wrong",
        &["compare, value 1", ".sensor", "2 expected", "9 found"],
    );
}

#[test]
fn bytes_cut_short() {
    let plugin = Plugin::named("cut_bytes").define("IN_EXPORT", "out->size -= 1;");
    assert_row(&plugin, "wrong", &["compare, value 0", "came back changed"]);
}

#[test]
fn a_wrong_checksum() {
    let plugin = Plugin::named("wrong_sum").define("IN_READ", "*checksum += 1;");
    assert_row(&plugin, "wrong", &["read, value 0", "checksum", "expected"]);
}

#[test]
fn a_value_that_goes_wrong_after_the_first_verification() {
    let plugin = Plugin::named("rots").define(
        "IN_READ",
        "static int calls; if (++calls > 100) *checksum = 0;",
    );
    assert_row(&plugin, "wrong", &["read, value 0", "checksum"]);
}

#[test]
fn a_null_pointer_with_a_length() {
    let plugin = Plugin::named("null_output").define("IN_SERIALIZE", "out->data = NULL;");
    assert_row(
        &plugin,
        "error",
        &[
            "serialize, value 0",
            "null pointer with a length of 26 bytes",
        ],
    );
}

#[test]
fn an_absurd_length() {
    let plugin = Plugin::named("endless").define("IN_SERIALIZE", "out->size = UINT64_MAX;");
    assert_row(
        &plugin,
        "error",
        &["a length of 18446744073709551615 bytes"],
    );
}

#[test]
fn no_message_for_a_failure() {
    let plugin = Plugin::named("silent").define(
        "IN_DESERIALIZE",
        "s->error = NULL; return SERBENCH_MALFORMED;",
    );
    assert_row(&plugin, "error", &["malformed input: no message"]);
}
