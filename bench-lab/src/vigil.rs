//! A look-out for sleep: a machine that was suspended while something was measured.

use std::cell::Cell;
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use protocol::clocks::Reading;

use crate::fault::Fault;

/// Compares the clocks with what they were at the last look.
#[derive(Debug)]
pub struct Vigil {
    last: Cell<Reading>,
}

impl Vigil {
    /// Looks for the first time.
    pub fn begin() -> Result<Vigil, Fault> {
        Ok(Vigil { last: Cell::new(read()?) })
    }

    /// [`Fault::Slept`] when the machine slept since the last look.
    pub fn check(&self) -> Result<(), Fault> {
        self.look(read()?)
    }

    fn look(&self, now: Reading) -> Result<(), Fault> {
        match self.last.replace(now).slept_until(&now) {
            None => Ok(()),
            Some(slept) => Err(Fault::Slept { seconds: slept.as_secs_f64() }),
        }
    }
}

fn read() -> Result<Reading, Fault> {
    let time = |clock| {
        let time = clock_gettime(clock).map_err(Fault::system("cannot read the clock"))?;
        Ok::<_, Fault>(Duration::new(time.tv_sec().unsigned_abs(), time.tv_nsec() as u32))
    };
    Ok(Reading {
        awake_before: time(ClockId::CLOCK_MONOTONIC)?,
        since_boot: time(ClockId::CLOCK_BOOTTIME)?,
        awake_after: time(ClockId::CLOCK_MONOTONIC)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_is_awake_is_not_accused() {
        let vigil = Vigil::begin().expect("clocks");
        for _ in 0..10_000 {
            vigil.check().expect("awake");
        }
    }

    #[test]
    fn sleep_is_told_with_its_length_and_once() {
        let vigil = Vigil::begin().expect("clocks");
        // As it would be after five seconds of sleep.
        let now = vigil.last.get();
        let slept = Reading { since_boot: now.since_boot + Duration::from_secs(5), ..now };
        let told = vigil.look(slept).expect_err("slept").to_string();
        assert!(told.starts_with("the machine slept for 5.0 s meanwhile"), "{told}");
        vigil.look(slept).expect("awake since");
    }
}
