//! The gate between work and measuring: while slots run, nothing else does.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Lets work through, piece by piece, except while somebody measures.
///
/// A piece that has begun is waited for before measuring begins. It is not stopped half-way: a stopped
/// linker would keep its memory and have half-written pages on their way to the disk all the same, and
/// what it is waited for has to be done anyway.
#[derive(Debug, Default)]
pub struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Pieces of work under way.
    passes: usize,
    /// How many measure, or wait to.
    closed: usize,
    /// Nothing is let through any more.
    ended: bool,
    /// Time of all pieces that are done, added up.
    worked: Duration,
}

/// One piece of work; done when dropped.
#[derive(Debug)]
pub struct Pass<'a> {
    gate: &'a Gate,
    begun: Instant,
}

/// Silence, until it is dropped.
#[derive(Debug)]
pub struct Quiet<'a>(&'a Gate);

impl Gate {
    /// An open gate.
    pub fn new() -> Gate {
        Gate::default()
    }

    /// Waits until a piece of work may begin; `None` when no more is wanted.
    pub fn pass(&self) -> Option<Pass<'_>> {
        let mut state = self.state();
        while state.closed > 0 && !state.ended {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.ended {
            return None;
        }
        state.passes += 1;
        Some(Pass { gate: self, begun: Instant::now() })
    }

    /// Lets nothing begin, and waits until what has begun is done. Lanes that are measured at once close it together:
    /// it opens again when the last of them is done.
    pub fn close(&self) -> Quiet<'_> {
        let mut state = self.state();
        state.closed += 1;
        while state.passes > 0 {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        Quiet(self)
    }

    /// Lets nothing through any more; who waits is sent away.
    pub fn end(&self) {
        self.change(|state| state.ended = true);
    }

    /// Time of all pieces of work that are done, added up.
    pub fn worked(&self) -> Duration {
        self.state().worked
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.notify_all();
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        let worked = self.begun.elapsed();
        self.gate.change(|state| {
            state.passes -= 1;
            state.worked += worked;
        });
    }
}

impl Drop for Quiet<'_> {
    fn drop(&mut self) {
        self.0.change(|state| state.closed -= 1);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn nothing_works_while_somebody_measures() {
        let (gate, working, measuring) = (Gate::new(), AtomicUsize::new(0), AtomicBool::new(false));
        let pieces = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while let Some(_pass) = gate.pass() {
                        working.fetch_add(1, Ordering::SeqCst);
                        assert!(!measuring.load(Ordering::SeqCst));
                        thread::yield_now();
                        pieces.fetch_add(1, Ordering::SeqCst);
                        working.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
            for _ in 0..200 {
                let quiet = gate.close();
                measuring.store(true, Ordering::SeqCst);
                let before = pieces.load(Ordering::SeqCst);
                for _ in 0..20 {
                    assert_eq!(working.load(Ordering::SeqCst), 0);
                    thread::yield_now();
                }
                assert_eq!(pieces.load(Ordering::SeqCst), before);
                measuring.store(false, Ordering::SeqCst);
                drop(quiet);
                // Work goes on in between.
                while pieces.load(Ordering::SeqCst) == before {
                    thread::yield_now();
                }
            }
            gate.end();
        });
    }

    #[test]
    fn it_opens_when_the_last_one_is_done() {
        let gate = Gate::new();
        let (one, other) = (gate.close(), gate.close());
        drop(one);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| gate.pass().is_some());
            // It cannot have been let through, however long it was given.
            thread::sleep(Duration::from_millis(20));
            assert!(!waiting.is_finished());
            drop(other);
            assert!(waiting.join().expect("no panic"));
        });
    }

    #[test]
    fn the_end_sends_away_who_waits() {
        let gate = Gate::new();
        let quiet = gate.close();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| gate.pass().is_none());
            gate.end();
            assert!(waiting.join().expect("no panic"));
        });
        drop(quiet);
        assert!(gate.pass().is_none());
    }
}
