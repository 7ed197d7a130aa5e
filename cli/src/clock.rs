//! The clock that everything is timed with: the invariant time stamp counter where there is one,
//! else `CLOCK_MONOTONIC`. What a reading costs is measured, shown, and never subtracted.

use std::time::{Duration, Instant};

/// How many readings one measurement of the cost takes the mean of.
const COST_READINGS: u32 = 1000;
/// How many such measurements there are; the median counts.
const COST_REPEATS: usize = 11;

/// A source of ticks of constant length.
pub trait Clock {
    /// A reading that nothing after it overtakes: the start of a timed span.
    fn start(&self) -> u64;
    /// A reading that waits for all that went before it: the end of a timed span.
    fn stop(&self) -> u64;
    /// The length of a tick in picoseconds.
    fn tick_ps(&self) -> f64;

    /// What one reading costs, in ticks.
    fn cost_ticks(&self) -> f64 {
        let mut costs = [0.0; COST_REPEATS];
        for cost in &mut costs {
            let begin = self.start();
            for _ in 0..COST_READINGS {
                std::hint::black_box(self.start());
            }
            let end = self.stop();
            *cost = end.saturating_sub(begin) as f64 / f64::from(COST_READINGS);
        }
        costs.sort_by(f64::total_cmp);
        costs[COST_REPEATS / 2]
    }
}

/// The best clock of this machine.
#[derive(Debug)]
pub enum BestClock {
    /// The time stamp counter, invariant.
    #[cfg(target_arch = "x86_64")]
    Tsc(Tsc),
    /// The system's monotonic clock, and why nothing better was found.
    Monotonic(Monotonic, &'static str),
}

impl BestClock {
    /// Finds it; calibrating a time stamp counter takes some hundredths of a second.
    pub fn find() -> Self {
        #[cfg(target_arch = "x86_64")]
        return match Tsc::usable() {
            Ok(()) => Self::Tsc(Tsc::calibrate()),
            Err(why) => Self::Monotonic(Monotonic, why),
        };
        #[cfg(not(target_arch = "x86_64"))]
        Self::Monotonic(Monotonic, "this architecture has no known counter")
    }
}

/// `CLOCK_MONOTONIC`: a tick is a nanosecond.
#[derive(Debug, Clone, Copy)]
pub struct Monotonic;

impl Clock for Monotonic {
    #[inline(always)]
    fn start(&self) -> u64 {
        let mut now = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: `now` is writable; this clock exists on every system, so the call cannot fail.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
        now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
    }

    #[inline(always)]
    fn stop(&self) -> u64 {
        self.start()
    }

    fn tick_ps(&self) -> f64 {
        1000.0
    }
}

/// The time stamp counter of an x86-64 processor.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub struct Tsc {
    tick_ps: f64,
}

#[cfg(target_arch = "x86_64")]
impl Tsc {
    /// How long the counter is held against the monotonic clock: with readings that agree to some
    /// tens of nanoseconds, this makes it right to a few millionths.
    const CALIBRATION: Duration = Duration::from_millis(20);

    /// Whether the counter ticks evenly, on and over every core, or why not.
    fn usable() -> Result<(), &'static str> {
        use std::arch::x86_64::__cpuid;
        const EXTENDED: u32 = 0x8000_0000;
        const RDTSCP: u32 = 1 << 27;
        const INVARIANT: u32 = 1 << 8;
        if __cpuid(EXTENDED).eax < 0x8000_0007 {
            return Err("the processor does not say whether its time stamp counter is invariant");
        }
        if __cpuid(0x8000_0001).edx & RDTSCP == 0 {
            return Err("the processor has no rdtscp instruction");
        }
        if __cpuid(0x8000_0007).edx & INVARIANT == 0 {
            return Err("the processor's time stamp counter is not invariant");
        }
        // Linux takes the counter off this list when it has seen it go wrong.
        const SOURCES: &str = "/sys/devices/system/clocksource/clocksource0/available_clocksource";
        match std::fs::read_to_string(SOURCES) {
            Ok(sources) if !sources.split_whitespace().any(|source| source == "tsc") => {
                Err("the kernel holds the time stamp counter to be unstable")
            }
            _ => Ok(()),
        }
    }

    fn calibrate() -> Self {
        let mut clock = Self { tick_ps: 0.0 };
        let (ticks, time) = clock.both();
        std::thread::sleep(Self::CALIBRATION);
        let (later_ticks, later_time) = clock.both();
        let elapsed_ps = (later_time - time).as_nanos() as f64 * 1000.0;
        clock.tick_ps = elapsed_ps / (later_ticks - ticks) as f64;
        clock
    }

    /// The same moment on both clocks: the closest of several tries.
    fn both(&self) -> (u64, Instant) {
        (0..50)
            .map(|_| {
                let before = self.start();
                let time = Instant::now();
                let after = self.stop();
                (after - before, before + (after - before) / 2, time)
            })
            .min_by_key(|(width, ..)| *width)
            .map(|(_, ticks, time)| (ticks, time))
            .expect("there were tries")
    }
}

#[cfg(target_arch = "x86_64")]
impl Clock for Tsc {
    #[inline(always)]
    fn start(&self) -> u64 {
        use std::arch::x86_64::{_mm_lfence, _rdtsc};
        // SAFETY: both instructions are part of every x86-64 processor. The first fence keeps the
        // reading behind what went before, the second keeps what follows behind the reading.
        unsafe {
            _mm_lfence();
            let ticks = _rdtsc();
            _mm_lfence();
            ticks
        }
    }

    #[inline(always)]
    fn stop(&self) -> u64 {
        use std::arch::x86_64::{__rdtscp, _mm_lfence};
        let mut core = 0;
        // SAFETY: `usable` has seen that there is rdtscp, which waits for all that went before;
        // the fence keeps what follows out of the span.
        unsafe {
            let ticks = __rdtscp(&raw mut core);
            _mm_lfence();
            ticks
        }
    }

    fn tick_ps(&self) -> f64 {
        self.tick_ps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_clock_runs_as_fast_as_the_system_says() {
        const PAUSE: Duration = Duration::from_millis(50);
        // The readings stand inside what the system's clock sees, and outside the pause.
        fn within(clock: &impl Clock) {
            let outside = Instant::now();
            let begin = clock.start();
            std::thread::sleep(PAUSE);
            let ps = (clock.stop() - begin) as f64 * clock.tick_ps();
            let outside = outside.elapsed().as_nanos() as f64 * 1000.0;
            let inside = PAUSE.as_nanos() as f64 * 1000.0;
            assert!(
                inside * 0.99 < ps && ps < outside * 1.01,
                "{inside} {ps} {outside}"
            );
        }
        match BestClock::find() {
            #[cfg(target_arch = "x86_64")]
            BestClock::Tsc(clock) => within(&clock),
            BestClock::Monotonic(clock, _) => within(&clock),
        }
    }

    #[test]
    fn a_reading_costs_something() {
        assert!(Monotonic.cost_ticks() > 0.0);
    }
}
