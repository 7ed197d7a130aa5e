//! Workers, spoken to as the coordinator does: what `serbench run` asks of them only on request.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::fixture::Plugin;

/// A worker with one plugin.
struct Worker {
    child: Child,
    folder: tempfile::TempDir,
}

impl Worker {
    fn start(plugin: &Plugin, arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("progress");
        std::fs::write(&page, [0; 24]).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_serbench"))
            .arg("__worker")
            .arg("--plugin")
            .arg(plugin.path())
            .arg("--folder")
            .arg(folder.path())
            .arg("--progress")
            .arg(&page)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self { child, folder }
    }

    fn send(&mut self, request: &Value) {
        let body = request.to_string();
        let to = self.child.stdin.as_mut().unwrap();
        to.write_all(&(body.len() as u32).to_le_bytes()).unwrap();
        to.write_all(body.as_bytes()).unwrap();
    }

    fn call(&mut self, request: &Value) -> Value {
        self.send(request);
        let from = self.child.stdout.as_mut().unwrap();
        let mut head = [0; 4];
        from.read_exact(&mut head).unwrap();
        let mut body = vec![0; u32::from_le_bytes(head) as usize];
        from.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    /// The request to open the plugin's codec on the readings.
    fn request_to_open(&self, plugin: &Plugin) -> Value {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plugins/readings");
        let dataset = serbench_datasets::open_dir(&folder).unwrap();
        let values = dataset.values(1).unwrap();
        let path = self.folder.path().join("values");
        std::fs::write(&path, values.bytes()).unwrap();
        json!({"open": {
            "slot": 0,
            "codec": plugin.name(),
            "dataset": {
                "name": dataset.name,
                "fingerprint": dataset.fingerprint,
                "schema": dataset.schema.to_json(),
                "path": path,
                "sizes": values.sizes(),
            },
            "mode": {"fresh_output": false, "misaligned_input": false},
        }})
    }

    /// Opens and verifies it; returns where the output is, and its sizes.
    fn open(&mut self, plugin: &Plugin) -> (PathBuf, Value) {
        let opened = self.call(&self.request_to_open(plugin));
        assert_eq!(opened, json!({"opened": {"note": ""}}));
        let spool = self.folder.path().join("output");
        let verified = self.call(&json!({"verify": {"slot": 0, "spool": spool}}));
        (spool, verified["verified"]["sizes"].clone())
    }

    fn count(&mut self, op: &str) -> Value {
        self.call(&json!({"count_heap": {"slot": 0, "op": op}}))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let status = self.child.wait().unwrap();
        assert!(status.success() || std::thread::panicking(), "{status}");
    }
}

#[test]
fn heap_use_is_counted_in_a_plugin_that_knows_nothing_of_it() {
    // Two blocks for each output, one of which is kept until the next.
    let plugin = Plugin::named("allocates").define(
        "IN_SERIALIZE",
        "void *volatile big = malloc(100000); free(big); \
         static void *kept; free(kept); kept = malloc(5000);",
    );
    let mut worker = Worker::start(&plugin, &["--count-heap"]);
    let (_, sizes) = worker.open(&plugin);
    assert_eq!(sizes, json!([26, 16, 52]));

    let serialize = worker.count("serialize")["heap_counted"].take();
    assert_eq!(serialize["calls"], 3);
    assert_eq!(serialize["allocations"], 6);
    assert_eq!(serialize["bytes"], 3 * 105_000);
    let peak = serialize["peak_bytes"].as_u64().unwrap();
    assert!((100_000..106_000).contains(&peak), "{peak}");

    let deserialize = worker.count("deserialize")["heap_counted"].take();
    assert_eq!(deserialize["allocations"], 3);
    assert_eq!(deserialize["bytes"], 26 + 16 + 52);
    let peak = deserialize["peak_bytes"].as_u64().unwrap();
    assert!(
        (52..80).contains(&peak),
        "the longest value, rounded up: {peak}"
    );

    let read = json!({"calls": 3, "allocations": 0, "bytes": 0, "peak_bytes": 0});
    assert_eq!(worker.count("read"), json!({"heap_counted": read}));
}

#[test]
fn a_worker_that_times_does_not_count() {
    let plugin = Plugin::named("uncounted");
    let mut worker = Worker::start(&plugin, &[]);
    worker.open(&plugin);
    let failed = worker.count("read");
    let message = failed["failed"]["message"].as_str().unwrap();
    assert!(message.contains("does not count"), "{message}");
}

#[test]
fn zstd_is_verified_and_timed_like_a_codec() {
    let plugin = Plugin::named("messages");
    let mut worker = Worker::start(&plugin, &[]);
    let (spool, sizes) = worker.open(&plugin);
    let bytes = std::fs::read(&spool).unwrap();
    for (slot, level, sizes) in [(1, 3, &sizes), (2, 22, &sizes), (3, 3, &json!([94]))] {
        let open = json!({"slot": slot, "level": level, "path": spool, "sizes": sizes});
        let opened = worker.call(&json!({"open_zstd": open}));
        assert_eq!(opened, json!({"opened": {"note": ""}}));
        let verified = worker.call(&json!({"verify": {"slot": slot, "spool": null}}));
        let mut rest = &bytes[..];
        for (size, found) in sizes
            .as_array()
            .unwrap()
            .iter()
            .zip(verified["verified"]["sizes"].as_array().unwrap())
        {
            let (message, after) = rest.split_at(size.as_u64().unwrap() as usize);
            rest = after;
            let expected = zstd::bulk::compress(message, level).unwrap().len();
            assert_eq!(found.as_u64().unwrap(), expected as u64);
        }
        for op in ["serialize", "deserialize"] {
            let slice =
                json!({"slot": slot, "op": op, "warmup_ns": 0, "measure_ns": 1, "patience_ns": 0});
            let measured = worker.call(&json!({"slice": slice}));
            let measured = &measured["measured"]["plain"]["recorded"];
            assert!(measured["calls"].as_u64().unwrap() > 0, "{measured}");
            assert!(measured["total_ps"].as_u64().unwrap() > 0, "{measured}");
        }
    }
}

#[test]
fn a_core_that_there_is_not_is_a_warning() {
    let plugin = Plugin::named("homeless");
    let mut worker = Worker::start(&plugin, &["--core", "1000"]);
    let probed = worker.call(&json!("probe"));
    assert_eq!(probed["probed"]["core"], Value::Null);
    let warning = probed["probed"]["warnings"][0].as_str().unwrap();
    assert!(warning.contains("cannot stay on core 1000"), "{warning}");
}

#[test]
fn a_worker_ends_with_its_coordinator_even_in_a_call_that_never_returns() {
    const STAGE_OPEN: u8 = 3;
    let plugin = Plugin::named("endless").define("IN_OPEN", "for (;;);");
    let mut worker = Worker::start(&plugin, &[]);
    worker.send(&worker.request_to_open(&plugin));
    let page = worker.folder.path().join("progress");
    while std::fs::read(&page).unwrap()[8] != STAGE_OPEN {
        let status = worker.child.try_wait().unwrap();
        assert!(status.is_none(), "it has ended already: {status:?}");
        std::thread::yield_now();
    }
    // Dropping the worker closes its pipe and waits for its end.
}
