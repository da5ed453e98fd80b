//! A/A phases: copies of one image play all arms, so that every phase value is noise or bias.

use protocol::calibration::{CalibrationError, Sample};
use protocol::plan::{Calibration, Pace};

use crate::arm::ArmImage;
use crate::cancel::Cancel;
use crate::fault::Fault;
use crate::measure::{Gate, PhaseJob, ProcessMeasurement, Stage, StageClock, run_clocked};

/// Measures one A/A phase and compares the role `full` with every other role, in the roles' order.
///
/// `job.arms` are as many copies of one image as the trial has arms. When `swapped`, the copies play the
/// roles in reverse order: swap in half of the phases, so that the harness's own bias can be told from
/// what a copy is favoured by. `gate` is closed while slots run.
pub fn phase(
    job: &PhaseJob<'_>,
    full: usize,
    swapped: bool,
    gate: &Gate,
    cancel: &Cancel,
) -> Result<Vec<Sample>, Fault> {
    let mut samples = phases_paced(std::slice::from_ref(job), full, swapped, gate, cancel)?;
    Ok(samples.pop().map_or_else(Vec::new, |(samples, _)| samples))
}

/// The same of several lanes at once, in the jobs' order, and how fast the copies were.
pub fn phases_paced(
    jobs: &[PhaseJob<'_>],
    full: usize,
    swapped: bool,
    gate: &Gate,
    cancel: &Cancel,
) -> Result<Vec<(Vec<Sample>, Pace)>, Fault> {
    let mut copies: Vec<Vec<ArmImage>> = jobs.iter().map(|job| job.arms.to_vec()).collect();
    if swapped {
        copies.iter_mut().for_each(|copies| copies.reverse());
    }
    if let Some((job, copies)) = jobs.iter().zip(&copies).find(|(_, copies)| full >= copies.len()) {
        return Err(Fault::Job(format!("{}: role {full} is not among {} copies", job.place, copies.len())));
    }
    let jobs: Vec<PhaseJob<'_>> =
        jobs.iter().zip(&copies).map(|(job, copies)| PhaseJob { arms: copies, ..*job }).collect();
    let mut clocks: Vec<StageClock> = jobs.iter().map(|_| StageClock::begin(Stage::Copying)).collect();
    let measured = run_clocked(&jobs, clocks.iter_mut().collect(), gate, cancel)?;
    let lanes = jobs.iter().zip(&measured).zip(&clocks);
    let of_lane = |((job, measured), clock): ((&PhaseJob<'_>, &Vec<ProcessMeasurement>), &StageClock)| {
        // The filler is started too.
        let starts = job.measure.processes * (job.arms.len() + 1);
        let searches = measured.iter().flat_map(|one| &one.searches);
        let pace = Pace {
            search_ns: searches.map(|one| one.cpu_ns).max().unwrap_or(0),
            start_ns: clock.spent(Stage::Starting).as_nanos() as u64 / starts as u64,
        };
        (samples(measured, job.arms.len(), full, swapped), pace)
    };
    Ok(lanes.map(of_lane).collect())
}

/// Sums up what [`phase`] measured in every phase of a lane.
pub fn sum_up(
    lane: &str,
    phases: &[Vec<Sample>],
    phase_seconds: f64,
) -> Result<Calibration, CalibrationError> {
    let calibration = protocol::calibration::calibrate(lane, &phases.concat(), phase_seconds)?;
    Ok(Calibration { phases: phases.len(), ..calibration })
}

fn samples(measured: &[ProcessMeasurement], roles: usize, full: usize, swapped: bool) -> Vec<Sample> {
    let rate = log_rate(measured, full);
    let others = (0..roles).filter(|&role| role != full);
    others.map(|role| Sample { value: 100.0 * (rate - log_rate(measured, role)), swapped }).collect()
}

/// Logarithm of all nodes of an arm over all its processor time in the phase.
pub fn log_rate(measured: &[ProcessMeasurement], arm: usize) -> f64 {
    let of_arm = measured.iter().filter(|measured| measured.arm == arm);
    let (nodes, cpu_ns) = of_arm.fold((0, 0), |(nodes, cpu), one| (nodes + one.nodes, cpu + one.cpu_ns));
    (nodes as f64 / cpu_ns as f64).ln()
}

#[cfg(test)]
mod tests {
    use protocol::record::{Footprint, SlotSpan};

    use super::*;

    fn measured(arm: usize, process: usize, cpu_ns: u64) -> ProcessMeasurement {
        ProcessMeasurement {
            arm,
            process,
            slots: SlotSpan { first: 0, last: 0, count: 1 },
            nodes: 1_000,
            cpu_ns,
            wall_ns: cpu_ns,
            counters: None,
            searches: Vec::new(),
            footprint: Footprint { peak_bytes: 1, start_up_ns: 1 },
        }
    }

    #[test]
    fn values_compare_total_rates_with_the_role_full() {
        let phase = [
            measured(0, 1, 1_000),
            measured(1, 1, 900),
            measured(2, 1, 1_000),
            measured(0, 2, 1_200),
            measured(1, 2, 1_100),
            measured(2, 2, 1_000),
        ];
        let samples = samples(&phase, 3, 1, true);
        assert!(samples.iter().all(|sample| sample.swapped));
        let expected = [(2_200f64 / 2_000.0).ln() * 100.0, 0.0];
        assert_eq!(samples.len(), expected.len());
        for (sample, expected) in samples.iter().zip(expected) {
            assert!((sample.value - expected).abs() < 1e-9, "{sample:?}");
        }
    }

    #[test]
    fn phases_are_counted_not_values() {
        let of_phase =
            |value: f64, swapped| vec![Sample { value, swapped }, Sample { value: -value, swapped }];
        let phases = [of_phase(0.1, false), of_phase(0.2, true)];
        let calibration = sum_up("main", &phases, 2.0).unwrap();
        assert_eq!((calibration.phases, calibration.values), (2, vec![0.1, -0.1, 0.2, -0.2]));
        assert!(sum_up("main", &phases[..1], 2.0).is_err(), "no swapped roles");
    }
}
