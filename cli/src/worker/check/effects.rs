//! What a plugin shares with everything else in its process, and must leave as it is.

use std::collections::BTreeMap;
use std::ffi::{CStr, OsString};
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use nix::sys::signal::Signal;

/// The state of the process, as far as a plugin could change it for others.
pub struct Effects {
    /// How each signal is handled: the function, and its flags.
    signals: BTreeMap<i32, (usize, i32)>,
    /// What each open file descriptor stands for.
    descriptors: BTreeMap<String, PathBuf>,
    folder: Option<PathBuf>,
    environment: BTreeMap<OsString, OsString>,
    locale: Option<String>,
    threads: usize,
}

impl Effects {
    /// The state as it is now.
    pub fn now() -> Self {
        Self {
            signals: signals(),
            descriptors: descriptors(),
            folder: std::env::current_dir().ok(),
            environment: std::env::vars_os().collect(),
            locale: locale(),
            threads: fs::read_dir("/proc/self/task").map_or(0, |tasks| tasks.count()),
        }
    }

    /// What has changed since, in words.
    pub fn changes(&self) -> Vec<String> {
        let now = Self::now();
        let mut changes = Vec::new();
        for (number, handler) in &now.signals {
            if self.signals.get(number) != Some(handler) {
                let name = Signal::try_from(*number)
                    .map_or_else(|_| format!("signal {number}"), |signal| signal.to_string());
                changes.push(format!("{name} is handled in another way"));
            }
        }
        let show = |path: &PathBuf| path.display().to_string();
        differences(
            "file descriptor",
            &self.descriptors,
            &now.descriptors,
            show,
            &mut changes,
        );
        let show = |value: &OsString| value.to_string_lossy().into_owned();
        let of = |variables: &BTreeMap<OsString, OsString>| {
            let named = variables.iter();
            named
                .map(|(name, value)| (name.to_string_lossy().into_owned(), value.clone()))
                .collect::<BTreeMap<_, _>>()
        };
        let (before, after) = (of(&self.environment), of(&now.environment));
        differences("environment variable", &before, &after, show, &mut changes);
        if self.folder != now.folder {
            changes.push("the working directory is another".to_owned());
        }
        if self.locale != now.locale {
            let name = now.locale.as_deref().unwrap_or("unknown");
            changes.push(format!("the locale has become {name}"));
        }
        if self.threads != now.threads {
            changes.push(format!(
                "there are {} threads, {} before",
                now.threads, self.threads
            ));
        }
        changes
    }
}

/// What has come, gone or changed.
fn differences<V: PartialEq>(
    what: &str,
    before: &BTreeMap<String, V>,
    after: &BTreeMap<String, V>,
    show: impl Fn(&V) -> String,
    changes: &mut Vec<String>,
) {
    let mut say = |name: &dyn Display, how: String| changes.push(format!("{what} {name} {how}"));
    for (name, value) in after {
        match before.get(name) {
            None => say(name, format!("is new: {}", show(value))),
            Some(old) if old != value => say(name, format!("has become {}", show(value))),
            Some(_) => {}
        }
    }
    for name in before.keys().filter(|name| !after.contains_key(*name)) {
        say(name, "is gone".to_owned());
    }
}

fn signals() -> BTreeMap<i32, (usize, i32)> {
    let last = libc::SIGRTMAX();
    let handler = |number| {
        // SAFETY: a plain question, with room for the answer.
        let (status, action) = unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let status = libc::sigaction(number, std::ptr::null(), &raw mut action);
            (status, action)
        };
        (status == 0).then_some((number, (action.sa_sigaction, action.sa_flags)))
    };
    (1..=last).filter_map(handler).collect()
}

/// Without the one by which the folder is read: that is gone when the links are looked at.
fn descriptors() -> BTreeMap<String, PathBuf> {
    const FOLDER: &str = "/proc/self/fd";
    let Ok(found) = fs::read_dir(FOLDER) else {
        return BTreeMap::new();
    };
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let names: Vec<String> = found.filter_map(Result::ok).map(name).collect();
    let named = names.into_iter().filter_map(|name| {
        let stands_for = fs::read_link(Path::new(FOLDER).join(&name)).ok()?;
        Some((name, stands_for))
    });
    named.collect()
}

fn locale() -> Option<String> {
    // SAFETY: a plain question; the answer is a string that stands until the next call, and the
    // worker has one thread.
    unsafe {
        let name = libc::setlocale(libc::LC_ALL, std::ptr::null());
        (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy().into_owned())
    }
}
