//! Seeds derived from the plan's master seed.
//!
//! Every derived seed is the first eight bytes, big-endian, of the SHA-256 of one line of text
//! (no newline at its end), so anybody can check it with `printf … | sha256sum`:
//!
//! | seed | text |
//! |---|---|
//! | schedule of a lane | `schedule master=M lane=NAME` |
//! | layout draw | `draw master=M run=R phase=P lane=NAME` |
//! | process start-up | `startup master=M run=R phase=P process=Q lane=NAME` |
//! | schedule of the diagnostics of a lane | `diagnostics-schedule master=M lane=NAME` |
//! | draw of a diagnostic phase | `diagnostics-draw master=M run=R phase=P lane=NAME` |
//! | start-up of a diagnostic process | `diagnostics-startup master=M run=R phase=P process=Q lane=NAME` |
//! | A/A draw | `calibration-draw master=M phase=P lane=NAME` |
//! | A/A process start-up | `calibration-startup master=M phase=P process=Q lane=NAME` |
//! | A/A slot plan | `calibration-slots master=M phase=P lane=NAME` |
//! | a simulation's noise | `simulation seed=M noise=NAME` |
//! | A/A draw of one copy | `calibration-own-draw master=M phase=P copy=C lane=NAME` |
//! | A/A process start-up of one copy | `calibration-own-startup master=M phase=P copy=C process=Q lane=NAME` |
//!
//! Numbers are decimal; runs, phases, copies and processes count from 1. The lane's name comes last, so
//! no two inputs share a text.

use crate::canonical::sha256;

/// Seed of a lane's schedule.
pub fn schedule(master: u64, lane: &str) -> u64 {
    of_text(&format!("schedule master={master} lane={lane}"))
}

/// Seed of the layout draw that all arms of a phase share.
pub fn draw(master: u64, lane: &str, run: usize, phase: usize) -> u64 {
    of_text(&format!("draw master={master} run={run} phase={phase} lane={lane}"))
}

/// Seed of the start-up layout (stack, mappings) that the processes numbered `process` of all
/// arms of a phase share.
pub fn startup(master: u64, lane: &str, run: usize, phase: usize, process: usize) -> u64 {
    of_text(&format!("startup master={master} run={run} phase={phase} process={process} lane={lane}"))
}

/// Seed of the schedule of a lane's diagnostics.
pub fn diagnostics_schedule(master: u64, lane: &str) -> u64 {
    of_text(&format!("diagnostics-schedule master={master} lane={lane}"))
}

/// Seed of the layout draw that all arms of a diagnostic phase share.
pub fn diagnostics_draw(master: u64, lane: &str, run: usize, phase: usize) -> u64 {
    of_text(&format!("diagnostics-draw master={master} run={run} phase={phase} lane={lane}"))
}

/// Seed of the start-up layout that the processes numbered `process` of all arms of a diagnostic phase share.
pub fn diagnostics_startup(master: u64, lane: &str, run: usize, phase: usize, process: usize) -> u64 {
    of_text(&format!(
        "diagnostics-startup master={master} run={run} phase={phase} process={process} lane={lane}"
    ))
}

/// Seed of the layout draw of an A/A phase.
pub fn calibration_draw(master: u64, lane: &str, phase: usize) -> u64 {
    of_text(&format!("calibration-draw master={master} phase={phase} lane={lane}"))
}

/// Seed of the start-up layout of an A/A process.
pub fn calibration_startup(master: u64, lane: &str, phase: usize, process: usize) -> u64 {
    of_text(&format!("calibration-startup master={master} phase={phase} process={process} lane={lane}"))
}

/// Seed of the slot plan of an A/A phase.
pub fn calibration_slots(master: u64, lane: &str, phase: usize) -> u64 {
    of_text(&format!("calibration-slots master={master} phase={phase} lane={lane}"))
}

/// Seed of the noise of a simulation.
pub fn simulation(seed: u64, noise: &str) -> u64 {
    of_text(&format!("simulation seed={seed} noise={noise}"))
}

/// Seed of the draw that one copy of an A/A phase has for itself.
pub fn calibration_own_draw(master: u64, lane: &str, phase: usize, copy: usize) -> u64 {
    of_text(&format!("calibration-own-draw master={master} phase={phase} copy={copy} lane={lane}"))
}

/// Seed of the start-up layout of a process of such a copy.
pub fn calibration_own_startup(master: u64, lane: &str, phase: usize, copy: usize, process: usize) -> u64 {
    of_text(&format!(
        "calibration-own-startup master={master} phase={phase} copy={copy} process={process} lane={lane}"
    ))
}

pub(crate) fn of_text(text: &str) -> u64 {
    let digest = sha256(text.as_bytes());
    digest[..8].iter().fold(0, |seed, &byte| seed << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `printf 'draw master=42 run=3 phase=7 lane=avx2' | sha256sum` and the like.
    #[test]
    fn seeds_are_those_of_the_documented_text() {
        assert_eq!(draw(42, "avx2", 3, 7), 0x1074_4f65_ad4b_db5f);
        assert_eq!(startup(42, "avx2", 3, 7, 2), 0x8cd5_ce53_78a6_7943);
        assert_eq!(schedule(42, "avx2"), 0x948c_8e51_cf9c_4f91);
    }

    #[test]
    fn every_coordinate_matters() {
        let seeds = [
            draw(1, "a", 1, 1),
            draw(2, "a", 1, 1),
            draw(1, "b", 1, 1),
            draw(1, "a", 2, 1),
            draw(1, "a", 1, 2),
            startup(1, "a", 1, 1, 1),
            startup(1, "a", 1, 1, 2),
            schedule(1, "a"),
            calibration_draw(1, "a", 1),
            calibration_startup(1, "a", 1, 1),
            calibration_slots(1, "a", 1),
            diagnostics_schedule(1, "a"),
            diagnostics_draw(1, "a", 1, 1),
            diagnostics_startup(1, "a", 1, 1, 1),
            simulation(1, "a"),
            calibration_own_draw(1, "a", 1, 1),
            calibration_own_draw(1, "a", 1, 2),
            calibration_own_startup(1, "a", 1, 1, 1),
            calibration_own_startup(1, "a", 1, 1, 2),
        ];
        for (i, a) in seeds.iter().enumerate() {
            assert!(!seeds[..i].contains(a), "seed {i} repeats");
        }
    }
}
