//! Instances beside each other.

use std::sync::Barrier;
use std::thread;

use super::{Bench, wrong};
use crate::protocol::{Failure, Mode, Stage};
use crate::worker::arena::Arena;
use crate::worker::instance::Instance;
use crate::worker::verify::{same_checksum, same_value};

/// How often each of two threads opens, uses and closes an instance.
const ROUNDS: usize = 3;

/// What the header allows to be handed from thread to thread.
struct Moved<T>(T);

// SAFETY: "one instance is used by one thread at a time, any thread", and its input is memory that
// nobody writes to.
unsafe impl<T> Send for Moved<T> {}

impl Bench<'_> {
    /// What one instance has written and decoded is left alone by another.
    pub(super) fn second_instance(&self) -> Result<(), Failure> {
        let mode = Mode::default();
        let (first, second) = (self.open(mode)?, self.open(mode)?);
        let messages = self.messages(&first)?;
        let arena = Self::arena(&messages, mode)?;
        let last = messages.len() - 1;
        for value in 0..messages.len() {
            let output = std::ptr::from_ref(self.serialize(&first, value)?);
            // SAFETY: it stays until the next call on this instance.
            let look = || unsafe { std::slice::from_raw_parts(output.cast::<u8>(), output.len()) };
            let before = look().to_vec();
            self.serialize(&second, last - value)?;
            self.deserialize(&second.calls, last - value, arena.inputs()[last - value])?;
            if std::hint::black_box(look()) != before {
                let message = "the output has changed while another instance was used";
                return Err(wrong(Stage::Serialize, value, message));
            }
            self.deserialize(&first.calls, value, arena.inputs()[value])?;
            self.deserialize(&second.calls, last - value, arena.inputs()[last - value])?;
            self.came_back(&first, value, "after another instance was used")?;
        }
        let input = arena.inputs()[last];
        self.deserialize(&first.calls, last, input)?;
        self.progress.stage(Stage::Close);
        drop(second);
        self.came_back(&first, last, "after another instance was closed")
    }

    /// Two threads at once, each with instances of its own; then one instance that is opened, used
    /// and closed by different threads.
    pub(super) fn threads(&self) -> Result<(), Failure> {
        let together = Barrier::new(2);
        let work = || {
            together.wait();
            (0..ROUNDS).try_for_each(|_| self.there_and_back())
        };
        self.progress.stage(Stage::RoundTrip);
        thread::scope(|scope| {
            let threads = [scope.spawn(work), scope.spawn(work)];
            threads.map(|thread| thread.join().expect("it does not panic"))
        })
        .into_iter()
        .collect::<Result<(), _>>()
        .map_err(|failure| worded(failure, "with a thread beside"))?;
        self.wander()
            .map_err(|failure| worded(failure, "in another thread than the one before"))
    }

    fn there_and_back(&self) -> Result<(), Failure> {
        let mode = Mode::default();
        let instance = self.open(mode)?;
        let arena = Self::arena(&self.messages(&instance)?, mode)?;
        for (value, input) in arena.inputs().iter().enumerate() {
            self.deserialize(&instance.calls, value, *input)?;
            self.came_back(&instance, value, "")?;
        }
        Ok(())
    }

    fn wander(&self) -> Result<(), Failure> {
        let mode = Mode::default();
        let opened = Moved(self.open(mode)?);
        let (instance, arena) = elsewhere(move || {
            let Moved(instance) = { opened };
            let arena = Self::arena(&self.messages(&instance)?, mode)?;
            self.deserialize(&instance.calls, 0, arena.inputs()[0])?;
            Ok((instance, arena))
        })?;
        let decoded = Moved((instance, arena));
        let (instance, arena): (Instance, Arena) = elsewhere(move || {
            let Moved((instance, arena)) = { decoded };
            self.came_back(&instance, 0, "")?;
            Ok((instance, arena))
        })?;
        let last = Moved((instance, arena));
        elsewhere(move || {
            let Moved((instance, arena)) = { last };
            self.progress.stage(Stage::Close);
            // The decoded value may point into the input.
            drop(instance);
            drop(arena);
            Ok(())
        })
    }

    fn came_back(&self, instance: &Instance, value: usize, when: &str) -> Result<(), Failure> {
        let expected = instance.values.value(value);
        let checksum = self.read(&instance.calls, value)?;
        if !self.gives_values_back() {
            return Ok(());
        }
        same_checksum(&self.schema, value, expected, checksum)
            .and_then(|()| {
                same_value(
                    &self.schema,
                    value,
                    expected,
                    self.exported(instance, value)?,
                )
            })
            .map_err(|failure| worded(failure, when))
    }
}

/// Does it in a thread of its own, and waits for it.
fn elsewhere<T>(work: impl FnOnce() -> Result<T, Failure> + Send) -> Result<T, Failure> {
    let done = thread::scope(|scope| {
        let thread = scope.spawn(|| Moved(work()));
        thread.join().expect("it does not panic")
    });
    done.0
}

fn worded(failure: Failure, when: &str) -> Failure {
    let separator = if when.is_empty() { "" } else { ", " };
    Failure {
        message: format!("{}{separator}{when}", failure.message),
        ..failure
    }
}
