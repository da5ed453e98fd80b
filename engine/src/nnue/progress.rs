//! How far work on a large net has come, told by whole percents.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Bytes of a net from which on somebody may want to know.
const LARGE: usize = 50 << 20;

/// Somebody who wants to know.
pub trait Report: Sync {
    /// Percents between two reports.
    fn every(&self) -> usize;
    /// Takes the percents, from any thread; one call after the other, each with more than the one before.
    fn tell(&self, percent: usize);
}

/// Nobody.
pub struct Silence;

impl Report for Silence {
    fn every(&self) -> usize {
        100
    }

    fn tell(&self, _: usize) {}
}

/// A line on standard error, if that is a terminal, that goes away at the end.
pub struct Terminal {
    what: &'static str,
    shown: AtomicBool,
}

impl Terminal {
    /// Tells how far `what` has come.
    pub fn new(what: &'static str) -> Self {
        Self { what, shown: AtomicBool::new(false) }
    }
}

impl Report for Terminal {
    fn every(&self) -> usize {
        1
    }

    fn tell(&self, percent: usize) {
        if std::io::stderr().is_terminal() {
            eprint!("\r{}: {percent} %", self.what);
            self.shown.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if self.shown.load(Ordering::Relaxed) {
            eprint!("\r\x1b[K");
        }
    }
}

/// Work on so many bytes, which several threads may share.
pub struct Progress<'a> {
    total: usize,
    report: &'a dyn Report,
    /// Bytes done, and the percents last told.
    state: Mutex<(usize, usize)>,
}

impl<'a> Progress<'a> {
    /// Nothing is done yet. Of little work nothing is told.
    pub fn new(total: usize, report: &'a dyn Report) -> Self {
        Self { total, report: if total < LARGE { &Silence } else { report }, state: Mutex::new((0, 0)) }
    }

    /// So many bytes more are done. Not for every few of them.
    pub fn advance(&self, bytes: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 += bytes;
        let every = self.report.every();
        let reached = state.0 * 100 / self.total.max(1) / every * every;
        // The end speaks for itself.
        if reached > state.1 && reached < 100 {
            state.1 = reached;
            self.report.tell(reached);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Keeps what it is told.
    pub struct Kept(pub usize, pub Mutex<Vec<usize>>);

    impl Report for Kept {
        fn every(&self) -> usize {
            self.0
        }

        fn tell(&self, percent: usize) {
            self.1.lock().unwrap().push(percent);
        }
    }

    fn told(every: usize, total: usize, steps: &[usize]) -> Vec<usize> {
        let report = Kept(every, Mutex::default());
        let progress = Progress::new(total, &report);
        steps.iter().for_each(|&step| progress.advance(step));
        report.1.into_inner().unwrap()
    }

    #[test]
    fn each_step_is_told_once_and_the_end_is_not() {
        let total = 100 * LARGE;
        let percents = [total / 100; 100];
        assert_eq!(told(1, total, &percents), (1..100).collect::<Vec<_>>());
        assert_eq!(told(25, total, &percents), [25, 50, 75]);
        assert_eq!(told(25, total, &[total / 3; 2]), [25, 50]);
        assert_eq!(told(25, total, &[total, total]), []);
        assert_eq!(told(1, LARGE - 1, &[LARGE / 2]), []);
    }

    #[test]
    fn threads_tell_in_order() {
        let report = Kept(1, Mutex::default());
        let progress = Progress::new(100 * LARGE, &report);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..25).for_each(|_| progress.advance(LARGE)));
            }
        });
        assert_eq!(report.1.into_inner().unwrap(), (1..100).collect::<Vec<_>>());
    }
}
