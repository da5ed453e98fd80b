//! How long arms may take before they count as hanging.

use std::time::Duration;

use protocol::plan::Pace;

/// How long answers may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From the start of a process to the end of its hand-shake, each answer.
    pub start: Duration,
    /// One search, counted while the arm may run.
    pub search: Duration,
    /// From `quit` to the end of the process.
    pub quit: Duration,
}

/// How many times as long as in the calibration something may take.
const FACTOR: u32 = 20;

/// No search is given less: a machine may be busy with something else for that long.
const SHORTEST_SEARCH: Duration = Duration::from_secs(5);

/// No start is given less, which other processes may delay.
const SHORTEST_START: Duration = Duration::from_secs(10);

impl Default for Limits {
    /// Before anything is known of the arms. Generous: a hang must end a trial some time, a slow machine must
    /// not.
    fn default() -> Limits {
        Limits {
            start: Duration::from_secs(60),
            search: Duration::from_secs(120),
            quit: Duration::from_secs(60),
        }
    }
}

impl Limits {
    /// From how fast the copies of `full` were in the calibration; as by default where that is not known.
    ///
    /// Other arms are slower than `full`, and so is a machine at times, but none of that by a factor of twenty.
    pub fn calibrated(pace: Option<&Pace>) -> Limits {
        let Some(pace) = pace else { return Limits::default() };
        let times = |ns| Duration::from_nanos(ns).saturating_mul(FACTOR);
        let start = times(pace.start_ns).max(SHORTEST_START);
        Limits { start, search: times(pace.search_ns).max(SHORTEST_SEARCH), quit: start }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_follow_the_calibration_and_are_never_short() {
        let second = 1_000_000_000;
        let seconds = Duration::from_secs;
        for (start_ns, search_ns, start, search) in [
            (0, 0, seconds(10), seconds(5)),
            (second / 2, second / 4, seconds(10), seconds(5)),
            (second, 3 * second, seconds(20), seconds(60)),
            (u64::MAX, u64::MAX, Duration::from_nanos(u64::MAX) * 20, Duration::from_nanos(u64::MAX) * 20),
        ] {
            let limits = Limits::calibrated(Some(&Pace { start_ns, search_ns }));
            assert_eq!(limits, Limits { start, search, quit: start });
        }
        assert_eq!(Limits::calibrated(None), Limits::default());
    }
}
