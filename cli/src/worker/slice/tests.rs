//! The loop on a clock and a codec that keep a time of their own, so that every figure is exact.

use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_void};

use super::*;

/// What a reading of the clock takes, in ticks of a nanosecond.
const READING: u64 = 20;

const LENGTH: Length = Length {
    warmup_ns: 100_000,
    measure_ns: 1_000_000,
    batch: None,
    patience_ns: 16_000_000,
    undisturbed_ps: None,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Call {
    Serialize(u64),
    Deserialize(u64),
    Read,
    Adopt(u64),
}

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(1 << 40) };
    /// What each call of the codec takes, but `adopt`, which takes ten times as long.
    static TAKES: Cell<u64> = const { Cell::new(0) };
    static CALLS: RefCell<Vec<Call>> = const { RefCell::new(Vec::new()) };
    /// At this many calls from now the clock steps back, or the codec fails.
    static STEP_BACK_IN: Cell<u64> = const { Cell::new(u64::MAX) };
    static FAIL_IN: Cell<u64> = const { Cell::new(u64::MAX) };
}

#[derive(Debug)]
struct FakeClock;

impl Clock for FakeClock {
    fn start(&self) -> u64 {
        NOW.set(NOW.get() + READING);
        NOW.get()
    }

    fn stop(&self) -> u64 {
        self.start()
    }

    fn tick_ps(&self) -> f64 {
        1000.0
    }
}

fn called(call: Call, takes: u64) -> i32 {
    // A call that takes no time is made millions of times.
    if takes > 0 {
        CALLS.with_borrow_mut(|calls| calls.push(call));
    }
    NOW.set(NOW.get() + takes);
    STEP_BACK_IN.set(STEP_BACK_IN.get().wrapping_sub(1));
    if STEP_BACK_IN.get() == 0 {
        NOW.set(NOW.get() - (1 << 30));
    }
    FAIL_IN.set(FAIL_IN.get() - 1);
    if FAIL_IN.get() == 0 {
        abi::INTERNAL
    } else {
        abi::OK
    }
}

unsafe extern "C" fn serialize(_: *mut c_void, value: u64, _: *mut abi::Bytes) -> i32 {
    called(Call::Serialize(value), TAKES.get())
}

unsafe extern "C" fn deserialize(_: *mut c_void, input: abi::Bytes) -> i32 {
    called(Call::Deserialize(input.size), TAKES.get())
}

unsafe extern "C" fn read(_: *mut c_void, _: *mut u64) -> i32 {
    called(Call::Read, TAKES.get())
}

unsafe extern "C" fn adopt(_: *mut c_void, input: abi::Bytes) -> i32 {
    called(Call::Adopt(input.size), 10 * TAKES.get())
}

unsafe extern "C" fn export(_: *mut c_void, _: *mut abi::Bytes) -> i32 {
    unreachable!("never timed")
}

unsafe extern "C" fn last_error(_: *mut c_void) -> *const c_char {
    c"failed".as_ptr()
}

unsafe extern "C" fn close(_: *mut c_void) {}

/// An instance with three values, each known by the size of its input.
struct Fixture {
    timer: Timer<FakeClock>,
    calls: Calls,
    inputs: [abi::Bytes; 3],
    next: usize,
    progress: Progress,
}

impl Fixture {
    fn new(takes: u64) -> Self {
        let timer = Timer::new(FakeClock);
        TAKES.set(takes);
        let input = |size| abi::Bytes {
            data: std::ptr::null(),
            size,
        };
        Self {
            timer,
            calls: Calls {
                this: std::ptr::null_mut(),
                serialize,
                deserialize,
                read,
                adopt: None,
                export_value: export,
                last_error,
                close,
            },
            inputs: [input(0), input(1), input(2)],
            next: 0,
            progress: Progress::create(&tempfile::tempfile().unwrap()).unwrap(),
        }
    }

    fn slice(&mut self, op: Op) -> Result<Slice, SliceError> {
        self.slice_of(op, LENGTH)
    }

    fn slice_of(&mut self, op: Op, length: Length) -> Result<Slice, SliceError> {
        let timed = Timed {
            calls: &self.calls,
            inputs: &self.inputs,
            next: &mut self.next,
        };
        self.timer.slice(op, timed, length, &self.progress)
    }
}

fn calls(slice: &Slice) -> u64 {
    slice.plain.recorded.calls
}

fn total(slice: &Slice) -> u64 {
    slice.plain.recorded.total_ps
}

fn taken() -> Vec<Call> {
    CALLS.take()
}

#[test]
fn a_long_call_is_timed_alone() {
    // The clock adds just less than 1 %, and a batch would be longer.
    let mut fixture = Fixture::new(100 * READING);
    assert_eq!(fixture.slice(Op::Serialize).unwrap().batch, 1);
    let mut fixture = Fixture::new(5000);
    let slice = fixture.slice(Op::Serialize).unwrap();
    assert_eq!(slice.batch, 1);
    assert_eq!(total(&slice), calls(&slice) * (5000 + READING) * 1000);
    // One call takes its time and two readings; the last one of a piece ends at or after its limit.
    let expected = (LENGTH.measure_ns / PIECES).div_ceil(5000 + 2 * READING) * PIECES;
    assert_eq!(calls(&slice), expected);
    assert_eq!(slice.discarded, 0);
}

#[test]
fn a_short_call_is_timed_in_the_smallest_batch_that_hides_the_clock() {
    let mut fixture = Fixture::new(50);
    let slice = fixture.slice(Op::Serialize).unwrap();
    assert_eq!(slice.batch, 400 * READING / 50);
    assert_eq!(calls(&slice) % slice.batch, 0);
    let spans = calls(&slice) / slice.batch;
    assert_eq!(total(&slice), (calls(&slice) * 50 + spans * READING) * 1000);
}

#[test]
fn a_call_that_takes_no_time_ends() {
    let mut fixture = Fixture::new(0);
    let length = Length {
        warmup_ns: 0,
        measure_ns: 0,
        batch: None,
        patience_ns: 0,
        undisturbed_ps: None,
    };
    let slice = fixture.slice_of(Op::Serialize, length).unwrap();
    assert_eq!(
        (slice.batch, slice.plain.recorded.calls),
        (MAX_BATCH, MAX_BATCH)
    );
}

#[test]
fn a_batch_that_was_decided_stays_when_the_codec_changes_its_pace() {
    let mut fixture = Fixture::new(50);
    let batch = fixture.slice(Op::Serialize).unwrap().batch;
    TAKES.set(5000);
    let length = Length {
        batch: Some(batch),
        ..LENGTH
    };
    let slice = fixture.slice_of(Op::Serialize, length).unwrap();
    assert_eq!(slice.batch, batch);
}

#[test]
fn the_rotation_goes_on_from_slice_to_slice() {
    let mut fixture = Fixture::new(300);
    fixture.slice(Op::Deserialize).unwrap();
    fixture.slice(Op::Deserialize).unwrap();
    for (number, call) in taken().into_iter().enumerate() {
        assert_eq!(call, Call::Deserialize(number as u64 % 3));
    }
}

#[test]
fn a_read_is_timed_without_the_deserialize_before_it() {
    const BATCH: usize = 400 * READING as usize / 500;
    let mut fixture = Fixture::new(500);
    let slice = fixture.slice(Op::Read).unwrap();
    assert_eq!(slice.batch, BATCH as u64);
    let spans = calls(&slice) / slice.batch;
    assert_eq!(
        total(&slice),
        (calls(&slice) * 500 + spans * READING) * 1000
    );
    let all = taken();
    let recorded = &all[all.len() - (BATCH + 1) * 3..];
    let values: Vec<Call> = recorded.iter().copied().step_by(BATCH + 1).collect();
    assert!(
        matches!(values[..], [Call::Deserialize(a), Call::Deserialize(b), _] if (a + 1) % 3 == b)
    );
    let mut spans = recorded.chunks(BATCH + 1);
    assert!(spans.all(|span| span[1..] == [Call::Read; BATCH]));
}

#[test]
fn joint_ops_time_both_calls() {
    for (op, second) in [
        (Op::RoundTrip, Call::Deserialize(0)),
        (Op::DeserializeRead, Call::Read),
    ] {
        let mut fixture = Fixture::new(5000);
        let slice = fixture.slice(op).unwrap();
        assert_eq!(total(&slice), calls(&slice) * (10_000 + READING) * 1000);
        assert_eq!(taken()[1], second);
    }
}

#[test]
fn input_is_adopted_before_each_span_and_untimed() {
    let mut fixture = Fixture::new(50);
    fixture.calls.adopt = Some(adopt);
    let slice = fixture.slice(Op::Deserialize).unwrap();
    assert_eq!(slice.batch, 1);
    assert_eq!(total(&slice), calls(&slice) * (50 + READING) * 1000);
    for (number, pair) in taken().chunks(2).enumerate() {
        let value = number as u64 % 3;
        assert_eq!(pair, [Call::Adopt(value), Call::Deserialize(value)]);
    }
}

#[test]
fn a_step_back_of_the_clock_costs_one_recording() {
    let mut fixture = Fixture::new(5000);
    STEP_BACK_IN.set(100);
    let slice = fixture.slice(Op::Serialize).unwrap();
    assert_eq!(slice.discarded, 1);
    assert_eq!(total(&slice), calls(&slice) * (5000 + READING) * 1000);
    let expected = (LENGTH.measure_ns / PIECES).div_ceil(5000 + 2 * READING) * PIECES;
    assert!((expected..=expected + 1).contains(&calls(&slice)));
}

#[test]
fn a_clock_that_only_steps_back_ends_the_slice() {
    #[derive(Debug)]
    struct Backwards(Cell<u64>);
    impl Clock for Backwards {
        fn start(&self) -> u64 {
            self.0.set(self.0.get() - 1);
            self.0.get()
        }
        fn stop(&self) -> u64 {
            self.start()
        }
        fn tick_ps(&self) -> f64 {
            1000.0
        }
    }
    let mut fixture = Fixture::new(50);
    let timed = Timed {
        calls: &fixture.calls,
        inputs: &fixture.inputs,
        next: &mut fixture.next,
    };
    let mut timer = Timer::new(Backwards(Cell::new(u64::MAX)));
    let outcome = timer.slice(Op::Serialize, timed, LENGTH, &fixture.progress);
    assert!(matches!(outcome, Err(SliceError::Clock)), "{outcome:?}");
}

#[test]
fn a_failing_call_is_named() {
    let mut fixture = Fixture::new(5000);
    FAIL_IN.set(8);
    match fixture.slice(Op::DeserializeRead) {
        Err(SliceError::Fault(fault)) => {
            assert_eq!((fault.stage, fault.value), (Stage::Read, 0));
            assert_eq!(fault.status, abi::INTERNAL);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(
        fixture.progress.position(),
        (Stage::DeserializeRead, Some(0))
    );
}

#[test]
fn every_recording_is_told() {
    let mut fixture = Fixture::new(5000);
    let slice = fixture.slice(Op::Serialize).unwrap();
    let counts = slice.plain.times.iter().map(|(_, count)| count);
    assert_eq!(counts.sum::<u64>(), calls(&slice));
    assert!(slice.plain.times.is_sorted());
    let (longest, _) = slice.plain.times.last().unwrap();
    assert!(new_histogram().equivalent(*longest, (5000 + READING) * 1000));
}

#[test]
fn a_long_call_is_its_own_warm_up() {
    let mut fixture = Fixture::new(30_000_000);
    let slice = fixture.slice(Op::Serialize).unwrap();
    assert_eq!((calls(&slice), slice.batch), (1, 1));
    assert_eq!(taken(), [Call::Serialize(0)]);
}

/// What the gauge's work takes: so long until this many readings from now, then so long.
fn with_gauge(takes: u64, then: (u64, u64), slice: impl FnOnce(&mut Fixture) -> Slice) -> Slice {
    thread_local! {
        static GAUGE: Cell<(u64, u64, u64)> = const { Cell::new((0, 0, 0)) };
    }
    fn work() {
        let (takes, after, then) = GAUGE.get();
        GAUGE.set((takes, after.saturating_sub(1), then));
        NOW.set(NOW.get() + if after > 0 { takes } else { then });
    }
    GAUGE.set((takes, then.0, then.1));
    let mut fixture = Fixture::new(5000);
    fixture.timer.gauge.work = work;
    slice(&mut fixture)
}

#[test]
fn an_undisturbed_slice_is_as_long_as_was_asked_for() {
    let slice = with_gauge(3000, (0, 3000), |fixture| {
        fixture.slice(Op::Serialize).unwrap()
    });
    let undisturbed = slice.undisturbed.unwrap();
    assert_eq!(undisturbed.recorded, slice.plain.recorded);
    assert_eq!(undisturbed.times, slice.plain.times);
    assert_eq!(slice.gauge_ps, (3000 + READING) * 1000);
}

#[test]
fn a_slice_on_a_disturbed_core_goes_on_until_it_is_undisturbed() {
    // Three readings make one of the gauge: two before the first piece, and one after each.
    let disturbed_pieces = 7;
    let slice = with_gauge(4500, (3 * (2 + disturbed_pieces), 3000), |fixture| {
        let length = Length {
            batch: Some(1),
            undisturbed_ps: Some((3000 + READING) * 1000),
            ..LENGTH
        };
        fixture.slice_of(Op::Serialize, length).unwrap()
    });
    let a_piece = (LENGTH.measure_ns / PIECES).div_ceil(5000 + 2 * READING);
    assert_eq!(calls(&slice), PIECES * a_piece);
    assert_eq!(
        slice.undisturbed.unwrap().recorded.calls,
        PIECES * a_piece,
        "as many pieces as were asked for, the first of them after the gauge has changed"
    );
    assert_eq!(
        taken().len() as u64 - LENGTH.warmup_ns.div_ceil(5000 + 2 * READING),
        (disturbed_pieces + 1 + PIECES) * a_piece
    );
}

#[test]
fn patience_with_a_disturbed_core_has_an_end() {
    let slice = with_gauge(4500, (u64::MAX, 0), |fixture| {
        let length = Length {
            undisturbed_ps: Some(3_000_000),
            ..LENGTH
        };
        fixture.slice_of(Op::Serialize, length).unwrap()
    });
    assert!(slice.undisturbed.is_none());
    assert!(calls(&slice) > 0);
    let recorded = taken().len() as u64 * (5000 + 2 * READING);
    let most = LENGTH.patience_ns + LENGTH.measure_ns;
    assert!((LENGTH.patience_ns..most).contains(&recorded), "{recorded}");
}
