//! Lanes that are measured at once: they prepare together, begin their slots together, and end together.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::cancel::Cancel;
use crate::fault::Fault;

/// How often a wait looks at the cancel token.
const WATCH: Duration = Duration::from_millis(50);

/// Where lanes wait for one another.
#[derive(Debug)]
pub(super) struct Together {
    lanes: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Lanes that wait for the others.
    waiting: usize,
    /// How often all have met.
    meetings: usize,
    /// Some lane comes no more.
    left: bool,
}

/// One lane's seat. Dropping it sends away whoever still waits for this lane.
#[derive(Debug)]
pub(super) struct Seat<'a> {
    together: &'a Together,
    /// Set when this lane breaks off, so that the others do too.
    stop: &'a Cancel,
    is_done: bool,
}

impl Together {
    pub(super) fn new(lanes: usize) -> Together {
        Together { lanes, state: Mutex::default(), changed: Condvar::new() }
    }

    /// A lane takes part; unless it says that it is [`done`](Seat::done), `stop` is set when its seat is dropped.
    pub(super) fn seat<'a>(&'a self, stop: &'a Cancel) -> Seat<'a> {
        Seat { together: self, stop, is_done: false }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seat<'_> {
    /// Waits until all lanes have come here; [`Fault::Cancelled`] when one will not.
    pub(super) fn meet(&self) -> Result<(), Fault> {
        let Together { lanes, changed, .. } = self.together;
        let mut state = self.together.state();
        let meetings = state.meetings;
        state.waiting += 1;
        if state.waiting == *lanes {
            (state.waiting, state.meetings) = (0, meetings + 1);
            changed.notify_all();
            return Ok(());
        }
        while state.meetings == meetings {
            if state.left {
                return Err(Fault::Cancelled);
            }
            self.stop.check()?;
            state = changed.wait_timeout(state, WATCH).unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(())
    }

    /// The lane's work is done.
    pub(super) fn done(&mut self) {
        self.is_done = true;
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            self.stop.cancel();
        }
        self.together.state().left = true;
        self.together.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn nobody_goes_on_before_all_have_come() {
        let (together, stop, come) = (Together::new(3), Cancel::new(), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let mut seat = together.seat(&stop);
                    for meeting in 1..=200 {
                        come.fetch_add(1, Ordering::SeqCst);
                        seat.meet().expect("all come");
                        let come = come.load(Ordering::SeqCst);
                        assert_eq!(come, 3 * meeting);
                        // Nobody counts on before all have looked.
                        seat.meet().expect("all come");
                    }
                    seat.done();
                });
            }
        });
        assert!(!stop.is_cancelled());
    }

    #[test]
    fn one_that_breaks_off_sends_the_others_away() {
        let (together, stop) = (Together::new(2), Cancel::new());
        thread::scope(|scope| {
            let waiting = scope.spawn(|| together.seat(&stop).meet());
            drop(together.seat(&stop));
            assert!(matches!(waiting.join().expect("no panic"), Err(Fault::Cancelled)));
        });
        assert!(stop.is_cancelled());
    }

    #[test]
    fn a_panic_sends_the_others_away_too() {
        let (together, stop) = (Together::new(2), Cancel::new());
        let other = thread::scope(|scope| {
            let waiting = scope.spawn(|| together.seat(&stop).meet());
            let broken = scope.spawn(|| {
                let _seat = together.seat(&stop);
                panic!("on purpose");
            });
            assert!(broken.join().is_err());
            waiting.join().expect("no panic")
        });
        assert!(matches!(other, Err(Fault::Cancelled)));
    }

    #[test]
    fn who_is_cancelled_waits_no_longer() {
        let (together, stop) = (Together::new(2), Cancel::new());
        stop.cancel();
        assert!(matches!(together.seat(&stop).meet(), Err(Fault::Cancelled)));
    }
}
