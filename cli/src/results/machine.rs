//! The machine: what it is, and what about it may disturb a measurement.

use std::fs;

use serde::{Deserialize, Serialize};

/// Where a run took place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The operating system, with its version.
    pub os: String,
    /// The kernel's release.
    pub kernel: String,
    /// The architecture.
    pub arch: String,
    /// The processor's model.
    pub cpu: String,
    /// How many cores this process may use.
    pub cores: usize,
    /// The memory of the machine.
    pub memory_bytes: u64,
    /// How the frequency is governed, where that can be told.
    pub governor: Option<String>,
    /// Whether the frequency may rise above the nominal one, where that can be told.
    pub turbo: Option<bool>,
}

impl Machine {
    /// Looks at the machine that this runs on. What cannot be told is left empty.
    pub fn current() -> Self {
        Self {
            os: value_of("/etc/os-release", "PRETTY_NAME=", '"').unwrap_or_else(os),
            kernel: read("/proc/sys/kernel/osrelease").unwrap_or_default(),
            arch: std::env::consts::ARCH.to_owned(),
            cpu: value_of("/proc/cpuinfo", "model name", ':').unwrap_or_default(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: memory("MemTotal:").unwrap_or(0),
            governor: read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            turbo: turbo(),
        }
    }

    /// In a line.
    pub fn summary(&self) -> String {
        format!(
            "{}, {} cores, {}, {} {}",
            self.cpu, self.cores, self.os, self.arch, self.kernel
        )
    }
}

/// How much memory one plugin may take: three quarters of what is not in use, so that it fails
/// before the machine does.
pub fn memory_for_plugins() -> u64 {
    memory("MemAvailable:").map_or(u64::MAX, |bytes| bytes / 4 * 3)
}

fn memory(which: &str) -> Option<u64> {
    let text = value_of("/proc/meminfo", which, ' ')?;
    let kib = text.trim_end_matches(" kB").trim().parse::<u64>().ok()?;
    Some(kib * 1024)
}

fn os() -> String {
    std::env::consts::OS.to_owned()
}

fn turbo() -> Option<bool> {
    if let Some(off) = read("/sys/devices/system/cpu/intel_pstate/no_turbo") {
        return Some(off == "0");
    }
    read("/sys/devices/system/cpu/cpufreq/boost").map(|on| on == "1")
}

fn read(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim().to_owned())
}

/// What stands behind `key` in the file's first line that begins with it, less `trim` and blanks.
fn value_of(path: &str, key: &str, trim: char) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let value = line.trim_matches(|c: char| c.is_whitespace() || c == trim);
    Some(value.to_owned())
}

/// What may disturb a measurement on this machine, each with its remedy.
pub fn warnings(machine: &Machine, optimised: bool) -> Vec<String> {
    let mut warnings = Vec::new();
    if !optimised {
        warnings.push(
            "this serbench is a debug build, so the loop itself is slow; build it with --release"
                .to_owned(),
        );
    }
    if let Some(governor) = &machine.governor
        && governor != "performance"
    {
        warnings.push(format!(
            "the frequency governor is {governor:?}; `cpupower frequency-set -g performance` \
             steadies the clock"
        ));
    }
    if machine.turbo == Some(true) {
        warnings.push(
            "turbo is on, so the frequency follows temperature and load; ratios hold, absolute \
             times drift; switch it off in the firmware or under /sys/devices/system/cpu"
                .to_owned(),
        );
    }
    if let Some(load) = load_average()
        && load > 0.7
    {
        warnings.push(format!(
            "the load average is {load:.1}: something else is running; ratios hold, absolute \
             times suffer; stop it or wait"
        ));
    }
    warnings
}

/// Time that the processors have counted so far: all of it, and what a hypervisor took away.
#[derive(Debug, Clone, Copy)]
pub struct ProcessorTime {
    all: u64,
    stolen: u64,
}

impl ProcessorTime {
    /// Reads it, where the system tells.
    pub fn now() -> Option<Self> {
        Self::parse(&fs::read_to_string("/proc/stat").ok()?)
    }

    /// The first line: "cpu", then user, nice, system, idle, iowait, irq, softirq, steal, and guest
    /// times that are part of user and nice.
    fn parse(stat: &str) -> Option<Self> {
        let fields = stat.lines().next()?.strip_prefix("cpu ")?;
        let times = fields
            .split_whitespace()
            .take(8)
            .map(|field| field.parse::<u64>().ok())
            .collect::<Option<Vec<_>>>()?;
        Some(Self {
            all: times.iter().sum(),
            stolen: *times.get(7)?,
        })
    }

    /// What to warn of, when a hypervisor has taken time away since then.
    pub fn warning_since(self, start: Self) -> Option<String> {
        let stolen = self.stolen.saturating_sub(start.stolen) as f64;
        let share = stolen / self.all.saturating_sub(start.all).max(1) as f64;
        (share > 0.01).then(|| {
            format!(
                "the hypervisor took {:.0}% of the processors' time away: other guests are busy; \
                 ratios hold, absolute times suffer; use a machine of your own or another hour",
                share * 100.0
            )
        })
    }
}

/// The load of the last minute.
fn load_average() -> Option<f64> {
    read("/proc/loadavg")?.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stolen_time() {
        let at = |stat| ProcessorTime::parse(stat).unwrap();
        let start = at("cpu  100 0 50 800 10 0 5 35 0 0\ncpu0 1 2 3\n");
        let calm = at("cpu  300 0 50 1600 10 0 5 40 0 0\n");
        let busy = at("cpu  200 0 50 800 10 0 5 135 0 0\n");
        assert_eq!(calm.warning_since(start), None);
        let warning = busy.warning_since(start).unwrap();
        assert!(warning.contains("took 50% of"), "{warning}");
        assert!(ProcessorTime::parse("cpu 1 2\n").is_none());
    }
}
