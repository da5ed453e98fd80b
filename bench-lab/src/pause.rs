//! The wish to pause after the run that is under way, and what comes of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use protocol::RUNS;

use crate::progress::duration;

/// Shared by the trial, which is asked, and by whoever asks; cloning gives a handle on the same wish.
#[derive(Clone, Debug, Default)]
pub struct Pause(Arc<State>);

#[derive(Debug, Default)]
struct State {
    wanted: AtomicBool,
    /// Nothing when there is no run that a pause could follow.
    course: Mutex<Option<Course>>,
}

/// How far the trial is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// The run under way.
    pub run: usize,
    /// Measurements of a phase on a lane in this run that have not ended.
    pub left: usize,
    /// What one of them takes, as far as that is known.
    pub each: Duration,
    /// When the current one began.
    pub since: Instant,
}

impl Pause {
    /// A wish that nobody has yet.
    pub fn new() -> Pause {
        Pause::default()
    }

    /// Says how far the trial is; nothing when it can't pause.
    pub fn at(&self, course: Option<Course>) {
        *self.0.course.lock().unwrap_or_else(PoisonError::into_inner) = course;
    }

    /// Asks for a pause. Tells what will come of it; nothing when no trial is under way, or when that was asked
    /// before.
    pub fn ask(&self, again: &str) -> Option<String> {
        let course = (*self.0.course.lock().unwrap_or_else(PoisonError::into_inner))?;
        let first = !self.0.wanted.swap(true, Ordering::SeqCst);
        first.then(|| told(&course, Instant::now(), again))
    }

    /// Whether somebody wants a pause.
    pub fn is_wanted(&self) -> bool {
        self.0.wanted.load(Ordering::SeqCst)
    }

    /// Forgets the wish.
    pub fn forget(&self) {
        self.0.wanted.store(false, Ordering::SeqCst);
    }
}

/// What a wish leads to; `again` says what asking again does.
pub fn told(course: &Course, now: Instant, again: &str) -> String {
    let begun = now.saturating_duration_since(course.since).min(course.each);
    let left = (course.each * course.left as u32).saturating_sub(begun);
    let left = duration(left.as_secs_f64());
    match course.run {
        RUNS => format!("run {RUNS} is the last: the trial ends in about {left}; {again}"),
        run => format!("pausing after run {run} of {RUNS}, in about {left}; {again}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(run: usize, left: usize) -> Course {
        Course { run, left, each: Duration::from_secs(10), since: Instant::now() }
    }

    #[test]
    fn what_comes_of_a_wish_is_told_with_its_time() {
        let three = course(3, 5);
        let after = |seconds| three.since + Duration::from_secs(seconds);
        assert_eq!(told(&three, after(0), "again"), "pausing after run 3 of 8, in about 50 s; again");
        assert_eq!(told(&three, after(4), "again"), "pausing after run 3 of 8, in about 46 s; again");
        // A measurement that takes longer than the ones before makes nobody wait a negative time.
        assert_eq!(told(&three, after(999), "again"), "pausing after run 3 of 8, in about 40 s; again");
        let last = course(8, 12);
        assert_eq!(
            told(&last, last.since, "again"),
            "run 8 is the last: the trial ends in about 2 min 00 s; again"
        );
    }

    #[test]
    fn only_a_trial_under_way_is_asked_and_once() {
        let pause = Pause::new();
        assert_eq!(pause.ask("again"), None);
        assert!(!pause.is_wanted());
        pause.at(Some(course(1, 12)));
        assert!(pause.ask("again").is_some() && pause.is_wanted());
        assert_eq!(pause.ask("again"), None);
        pause.forget();
        assert!(!pause.is_wanted());
        assert!(pause.clone().ask("again").is_some() && pause.is_wanted());
        pause.at(None);
        pause.forget();
        assert_eq!(pause.ask("again"), None);
    }
}
