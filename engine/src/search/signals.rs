//! What the outside tells a running search: stop, and ponder hit.
//!
//! Searches are numbered. A signal names the last search it is meant for, so that one that arrives before its
//! search has begun is not lost and one that arrives late does not hit the next.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Shared by the searching thread and the one that reads commands.
#[derive(Default)]
pub struct Signals {
    stop: AtomicU64,
    ponder_hit: AtomicU64,
    gate: Mutex<()>,
    bell: Condvar,
}

impl Signals {
    /// Stops the searches up to number `search`.
    pub fn stop(&self, search: u64) {
        self.raise(&self.stop, search);
    }

    /// Stops every search, also those to come.
    pub fn stop_all(&self) {
        self.stop(u64::MAX);
    }

    /// The move that the searches up to number `search` ponder on was played.
    pub fn ponder_hit(&self, search: u64) {
        self.raise(&self.ponder_hit, search);
    }

    fn raise(&self, signal: &AtomicU64, search: u64) {
        // Under the lock, so that a waiter either sees the signal or hears the bell.
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        signal.fetch_max(search, Ordering::Relaxed);
        self.bell.notify_all();
    }

    /// Whether search number `search` was told to stop.
    pub fn is_stopped(&self, search: u64) -> bool {
        self.stop.load(Ordering::Relaxed) >= search
    }

    /// Whether search number `search` has had its ponder hit.
    pub fn is_hit(&self, search: u64) -> bool {
        self.ponder_hit.load(Ordering::Relaxed) >= search
    }

    /// Sleeps until search number `search` is stopped or, if `or_hit`, has its ponder hit.
    pub fn wait(&self, search: u64, or_hit: bool) {
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while !(self.is_stopped(search) || or_hit && self.is_hit(search)) {
            gate = self.bell.wait(gate).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn signals_reach_their_searches_only() {
        let signals = Signals::default();
        assert!(!signals.is_stopped(1));
        signals.stop(2);
        signals.stop(1);
        assert!(signals.is_stopped(1) && signals.is_stopped(2) && !signals.is_stopped(3));
        signals.ponder_hit(3);
        assert!(signals.is_hit(3) && !signals.is_hit(4));
        signals.stop_all();
        assert!(signals.is_stopped(1 << 60));
    }

    #[test]
    fn a_waiter_is_woken() {
        let signals = Signals::default();
        thread::scope(|scope| {
            let hit = scope.spawn(|| signals.wait(1, true));
            let stop = scope.spawn(|| signals.wait(1, false));
            signals.ponder_hit(1);
            hit.join().unwrap();
            assert!(!stop.is_finished());
            signals.stop(1);
            stop.join().unwrap();
        });
    }
}
