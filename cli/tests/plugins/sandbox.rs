//! Plugins that do what no codec needs: the sandbox refuses it, and `--no-sandbox` does not.

use super::fixture::Plugin;
use super::run::{Run, run};

/// A plugin that fails where the attempt, an expression, succeeds.
fn attempts(name: &str, attempt: &str) -> Plugin {
    let act = format!("if ({attempt}) return fail(s, \"done\")");
    Plugin::named(name).define("IN_SERIALIZE", &act)
}

fn status(run: &Run, name: &str) -> (String, String) {
    let row = run.row(name);
    (row["status"].clone(), row["reason"].clone())
}

/// Whether the kernel has all that the sandbox is made of. Where it has not, the run says so, and
/// there is nothing more to see.
fn is_whole(run: &Run) -> bool {
    let lacks = run.stderr.contains("plugins are not kept");
    if lacks {
        eprintln!("this kernel lacks a part of the sandbox: {}", run.stderr);
    }
    !lacks
}

/// In the sandbox the attempt is in vain; outside it is not.
fn assert_refused(name: &str, attempt: &str) {
    let plugin = attempts(name, attempt);
    let inside = run(&[&plugin], &[]);
    if !is_whole(&inside) {
        return;
    }
    assert_eq!(status(&inside, name).0, "ok", "{:?}", inside.row(name));
    let outside = run(&[&plugin], &["--no-sandbox"]);
    let (status, reason) = status(&outside, name);
    assert_eq!(status, "error", "the attempt must be one that works");
    assert!(reason.contains("done"), "{reason}");
}

#[test]
fn the_network() {
    assert_refused(
        "connects",
        "socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM",
    );
    assert_refused(
        "listens",
        "socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || errno != EPERM",
    );
}

#[test]
fn other_processes() {
    let child = "if (child == 0) _exit(0); waitpid(child, NULL, 0);";
    assert_refused(
        "forks",
        &format!("({{ pid_t child = fork(); {child} child > 0; }})"),
    );
    assert_refused("runs", "system(\"true\") == 0");
    assert_refused("signals", "kill(getppid(), 0) == 0");
}

#[test]
fn files_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    let open = format!("open({file:?}, O_CREAT | O_WRONLY, 0600) >= 0");
    assert_refused("writes", &open);
    std::fs::write(&file, "kept").unwrap();
    let removes = attempts("removes", &format!("unlink({file:?}) == 0"));
    let run = run(&[&removes], &[]);
    if !is_whole(&run) {
        return;
    }
    assert_eq!(status(&run, "removes").0, "ok");
    assert_eq!(std::fs::read(&file).unwrap(), b"kept");
}

#[test]
fn what_codecs_may_do() {
    let plugin = Plugin::named("works").define(
        "IN_OPEN",
        "pthread_t thread; \
         if (pthread_create(&thread, NULL, (void *(*)(void *))free, NULL)) \
           return fail(s, \"no thread\"); \
         pthread_join(thread, NULL); \
         char path[4096]; \
         snprintf(path, sizeof path, \"%s/scratch\", getenv(\"TMPDIR\")); \
         if (open(path, O_CREAT | O_RDWR, 0600) < 0) return fail(s, \"no scratch file\"); \
         if (open(\"/etc/hostname\", O_RDONLY) < 0) return fail(s, \"no reading\");",
    );
    let run = run(&[&plugin], &[]);
    assert_eq!(status(&run, "works"), ("ok".to_owned(), String::new()));
}

#[test]
fn all_the_memory() {
    // A terabyte, of which it touches nothing.
    let plugin = Plugin::named("eats").define(
        "IN_OPEN",
        "for (int i = 0; i < 1024; i++) \
           if (malloc((size_t)1 << 30) == NULL) return SERBENCH_OUT_OF_MEMORY; \
         return SERBENCH_OK",
    );
    let run = run(&[&Plugin::named("good"), &plugin], &[]);
    let (status, reason) = status(&run, "eats");
    assert_eq!(status, "error");
    assert!(reason.contains("memory"), "{reason}");
    assert_eq!(run.row("good")["status"], "ok");
}
