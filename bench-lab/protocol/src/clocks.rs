//! Whether the machine slept: the clock that counts sleep against the one that does not.
//!
//! Everything measured is measured by clocks that nobody can set. The time of day is read for people to
//! read; a step of it changes nothing, and nothing here looks at it.

use std::time::Duration;

/// One look at the clocks. The three cannot be read at one moment, so the running clock is read on both
/// sides of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The clock that stands still while the machine sleeps (`CLOCK_MONOTONIC`), first.
    pub awake_before: Duration,
    /// The clock that goes on (`CLOCK_BOOTTIME`).
    pub since_boot: Duration,
    /// The clock that stands still, again.
    pub awake_after: Duration,
}

impl Reading {
    /// Time slept since the machine was started: at least and at most.
    fn slept(&self) -> (Duration, Duration) {
        (self.since_boot.saturating_sub(self.awake_after), self.since_boot.saturating_sub(self.awake_before))
    }

    /// Time that the machine surely slept between this reading and a later one; none when it need not have.
    ///
    /// However long each reading took, and whenever it was interrupted, a machine that was awake is never
    /// said to have slept.
    pub fn slept_until(&self, later: &Reading) -> Option<Duration> {
        let (_, at_most_before) = self.slept();
        let (at_least_after, _) = later.slept();
        at_least_after.checked_sub(at_most_before).filter(|slept| !slept.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A kernel's clocks, in nanoseconds.
    #[derive(Clone, Copy)]
    struct Kernel {
        awake: u64,
        slept: u64,
        /// The time of day, which anybody may set.
        of_day: i64,
    }

    impl Kernel {
        fn run(&mut self, ns: u64) {
            (self.awake, self.of_day) = (self.awake + ns, self.of_day + ns as i64);
        }

        fn sleep(&mut self, ns: u64) {
            (self.slept, self.of_day) = (self.slept + ns, self.of_day + ns as i64);
        }

        /// A reading that takes this long between its steps.
        fn read(&mut self, first: u64, second: u64) -> Reading {
            let ns = Duration::from_nanos;
            let awake_before = ns(self.awake);
            self.run(first);
            let since_boot = ns(self.awake + self.slept);
            self.run(second);
            Reading { awake_before, since_boot, awake_after: ns(self.awake) }
        }
    }

    const SECOND: u64 = 1_000_000_000;
    const KERNEL: Kernel = Kernel { awake: 5 * SECOND, slept: 40, of_day: 1_700_000_000 * SECOND as i64 };

    #[test]
    fn sleep_is_found_and_measured() {
        for (slept, expected) in [(0, None), (1, Some(1)), (3_600 * SECOND, Some(3_600 * SECOND))] {
            let mut kernel = KERNEL;
            let before = kernel.read(0, 0);
            kernel.run(SECOND);
            kernel.sleep(slept);
            let after = kernel.read(0, 0);
            assert_eq!(before.slept_until(&after), expected.map(Duration::from_nanos));
        }
    }

    #[test]
    fn a_stepped_time_of_day_changes_nothing() {
        let hour = 3_600 * SECOND as i64;
        for step in [-hour, 0, hour] {
            for (slept, expected) in [(0, None), (SECOND, Some(Duration::from_secs(1)))] {
                let mut kernel = KERNEL;
                let before = kernel.read(100, 100);
                kernel.of_day += step;
                kernel.sleep(slept);
                kernel.of_day -= 2 * step;
                let after = kernel.read(0, 0);
                assert_eq!(kernel.of_day, KERNEL.of_day - step + 200 + slept as i64);
                let found = before.slept_until(&after);
                assert_eq!(found, expected.map(|slept| slept - Duration::from_nanos(100)), "step {step}");
            }
        }
    }

    #[test]
    fn a_reading_that_was_interrupted_accuses_nobody() {
        // A whole second goes by between two steps of a reading: that much sleep can hide, none can appear.
        for (slept, expected) in [(0, None), (10 * SECOND, Some(Duration::from_secs(8)))] {
            let mut kernel = KERNEL;
            let before = kernel.read(SECOND, 0);
            kernel.sleep(slept);
            assert_eq!(before.slept_until(&kernel.read(0, SECOND)), expected);
        }
    }

    proptest! {
        #[test]
        fn who_was_awake_never_slept_and_sleep_beyond_the_readings_is_seen(
            awake in 0u64..1 << 50, earlier in 0u64..1 << 50, between in 0u64..1 << 40,
            steps in [0u64..1 << 32, 0u64..1 << 32, 0u64..1 << 32, 0u64..1 << 32],
            slept in 0u64..1 << 40,
        ) {
            let [a, b, c, d] = steps;
            let read_twice = |slept| {
                let mut kernel = Kernel { awake, slept: earlier, of_day: 0 };
                let before = kernel.read(a, b);
                kernel.run(between);
                kernel.sleep(slept);
                before.slept_until(&kernel.read(c, d))
            };
            prop_assert_eq!(read_twice(0), None);
            let (found, slept) = (read_twice(slept).unwrap_or_default(), Duration::from_nanos(slept));
            prop_assert!(found <= slept);
            prop_assert!(found + Duration::from_nanos(a + d) >= slept);
        }
    }
}
