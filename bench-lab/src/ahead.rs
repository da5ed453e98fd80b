//! Things made one ahead: while one is used, the next is made beside it, behind a gate.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::fault::Fault;
use crate::measure::Gate;
use crate::{Cancel, background};

/// How often a wait looks at the cancel token.
const WATCH: Duration = Duration::from_millis(50);

/// What is made one ahead. At most two things exist at a time: the one in use and the next one.
#[derive(Debug)]
pub struct Ahead<T> {
    made: Receiver<anyhow::Result<T>>,
    used: Option<T>,
}

impl<T> Ahead<T> {
    /// Gives up the thing in use and waits for the next one; a failure to make it is told here.
    pub fn next(&mut self, cancel: &Cancel) -> anyhow::Result<&T> {
        self.release();
        loop {
            match self.made.recv_timeout(WATCH) {
                Ok(made) => return Ok(self.used.insert(made?)),
                Err(RecvTimeoutError::Timeout) => cancel.check()?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Fault::Job("there is nothing more to make ahead".to_owned()).into());
                }
            }
        }
    }

    /// Gives up the thing in use.
    pub fn release(&mut self) {
        self.used = None;
    }
}

/// Makes a thing of every job, in their order, while `lead` uses them one after another.
///
/// `make` must do its work in passes of `gate`. When `lead` is done, whatever it says, the gate ends, and
/// what was made but not used is dropped before this returns.
pub fn ahead<J: Send, T: Send, R>(
    gate: &Gate,
    jobs: Vec<J>,
    make: impl Fn(J) -> anyhow::Result<T> + Send,
    lead: impl FnOnce(&mut Ahead<T>) -> R,
) -> R {
    // A rendezvous: the next thing is begun only when the one before has been taken, which its user
    // does after having given up the one in use.
    let (sender, made) = mpsc::sync_channel(0);
    thread::scope(|scope| {
        scope.spawn(move || {
            // Refused, it is as quick, but what it runs beside is slower.
            let _ = background::stand_back();
            for job in jobs {
                let thing = make(job);
                if thing.is_err() | sender.send(thing).is_err() {
                    break;
                }
            }
        });
        let _end = End(gate);
        // Dropped before the gate ends: a maker that waits to hand over is sent away.
        let mut ahead = Ahead { made, used: None };
        lead(&mut ahead)
    })
}

/// Ends the gate however the work ends, by a panic too: else the maker would wait for ever.
struct End<'a>(&'a Gate);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use anyhow::bail;

    use super::*;

    /// A thing that knows how many of its kind there are, and there were at most.
    struct Counted<'a>(usize, &'a Count);

    #[derive(Default)]
    struct Count {
        now: AtomicUsize,
        most: AtomicUsize,
        made: AtomicUsize,
    }

    impl Count {
        fn make(&self, number: usize) -> Counted<'_> {
            let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
            self.most.fetch_max(now, Ordering::SeqCst);
            self.made.fetch_add(1, Ordering::SeqCst);
            Counted(number, self)
        }
    }

    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.1.now.fetch_sub(1, Ordering::SeqCst);
        }
    }

    fn within<'a>(gate: &Gate, count: &'a Count, number: usize) -> anyhow::Result<Counted<'a>> {
        let Some(_pass) = gate.pass() else { bail!("not wanted") };
        Ok(count.make(number))
    }

    #[test]
    fn there_are_never_more_than_two() {
        let (gate, count) = (Gate::new(), Count::default());
        let jobs: Vec<usize> = (0..50).collect();
        let make = |number| within(&gate, &count, number);
        ahead(&gate, jobs, make, |ahead| {
            for number in 0..50 {
                assert_eq!(ahead.next(&Cancel::new()).expect("made").0, number);
                // The next one comes while this one is in use.
                while number < 49 && count.made.load(Ordering::SeqCst) < number + 2 {
                    thread::yield_now();
                }
                assert_eq!(count.made.load(Ordering::SeqCst), (number + 2).min(50));
            }
            let more = ahead.next(&Cancel::new()).err().expect("nothing more");
            assert!(more.to_string().contains("nothing more"), "{more}");
        });
        assert_eq!(count.most.load(Ordering::SeqCst), 2);
        assert_eq!(count.now.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn a_failure_is_told_at_its_own_turn() {
        let (gate, count) = (Gate::new(), Count::default());
        let make = |number| if number == 2 { bail!("no third") } else { within(&gate, &count, number) };
        ahead(&gate, (0..9).collect(), make, |ahead| {
            let cancel = Cancel::new();
            assert_eq!(ahead.next(&cancel).expect("made").0, 0);
            assert_eq!(ahead.next(&cancel).expect("made").0, 1);
            let failure = ahead.next(&cancel).err().expect("a failure");
            assert_eq!(failure.to_string(), "no third");
        });
        assert_eq!((count.made.load(Ordering::SeqCst), count.now.load(Ordering::SeqCst)), (2, 0));
    }

    #[test]
    fn who_breaks_off_leaves_nothing_behind() {
        // While somebody measures: the maker waits at the gate; else it waits to hand over.
        for measuring in [true, false] {
            let (gate, count) = (Gate::new(), Count::default());
            let make = |number| within(&gate, &count, number);
            let quiet = measuring.then(|| gate.close());
            ahead(&gate, (0..9).collect(), make, |ahead| {
                if !measuring {
                    ahead.next(&Cancel::new()).expect("made");
                }
            });
            assert_eq!(count.now.load(Ordering::SeqCst), 0);
            drop(quiet);
        }
    }

    #[test]
    fn a_cancelled_wait_ends() {
        let (gate, count, cancel) = (Gate::new(), Count::default(), Cancel::new());
        let quiet = gate.close();
        let make = |number| within(&gate, &count, number);
        let failure = ahead(&gate, vec![1], make, |ahead| {
            cancel.cancel();
            ahead.next(&cancel).err().expect("cancelled").to_string()
        });
        assert_eq!(failure, "cancelled");
        drop(quiet);
    }
}
