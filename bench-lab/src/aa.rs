//! A/A: before the plan, `full` against copies of itself on every lane, to know the noise.

use std::time::Instant;

use protocol::calibration::{SD_FLOOR, TARGET_SD, propose_phase_seconds};
use protocol::plan::{Calibration, FULL, Lane, Pace};
use protocol::schedule::order;
use protocol::{MAX_DEVIATION, seed};

use crate::ahead::ahead;
use crate::arm::session::Limits;
use crate::builds::Yard;
use crate::bundle::Bundle;
use crate::draws::Drawn;
use crate::measure::{Gate, PhaseJob};
use crate::progress::{Progress, duration};
use crate::subject::ArmSet;
use crate::vigil::Vigil;
use crate::{Cancel, calibrate, plan_maker};

/// Probability that the 2.0-point rule fires by noise from which on the user is warned.
const RISKY: f64 = 0.05;

/// Measures every lane and says what the trial will be able to prove.
pub fn measure(
    bundle: &Bundle,
    sets: &[ArmSet],
    lanes: &[Lane],
    master: u64,
    yard: &Yard,
    progress: &Progress,
    cancel: &Cancel,
) -> anyhow::Result<Vec<Calibration>> {
    let count = bundle.measure.calibration_phases;
    let mut pieces = progress.pieces(count * lanes.len());
    let mut calibrations = Vec::with_capacity(lanes.len());
    for (number, lane) in lanes.iter().enumerate() {
        let set = &sets[lane.build];
        let gate = Gate::new();
        let draw = |phase| {
            let startup = |process| seed::calibration_startup(master, &lane.name, phase, process);
            let startups: Vec<u64> = (1..=bundle.measure.processes).map(startup).collect();
            let seed = seed::calibration_draw(master, &lane.name, phase);
            Drawn::copies(set, seed, &startups, yard, &gate)
        };
        let measure = |phase, drawn: &Drawn| {
            let slots = seed::calibration_slots(master, &lane.name, phase);
            let job = PhaseJob {
                place: &format!("calibration, phase {phase}"),
                lane,
                workload: &plan_maker::workload(bundle),
                measure: &plan_maker::measure(bundle),
                slots: &order::slot_plan(set.arms.len(), slots),
                arms: &drawn.images,
                nodes: None,
                scratch: yard.scratch(),
                limits: Limits::default(),
            };
            calibrate::phase_paced(&job, FULL, phase.is_multiple_of(2), &gate, cancel)
        };
        let vigil = Vigil::begin()?;
        let begun = Instant::now();
        let samples = ahead(&gate, (1..=count).collect(), draw, |draws| {
            let phase = |phase| {
                cancel.check()?;
                let done = number * count + phase - 1;
                pieces.at(done, &format!("calibrating lane {}, phase {phase}", lane.name));
                let measured = measure(phase, draws.next(cancel)?)?;
                vigil.check()?;
                Ok(measured)
            };
            (1..=count).map(phase).collect::<anyhow::Result<Vec<_>>>()
        })?;
        let seconds = begun.elapsed().as_secs_f64() / count as f64;
        let (samples, paces): (Vec<_>, Vec<_>) = samples.into_iter().unzip();
        let pace = paces.into_iter().reduce(Pace::slower);
        let calibration = Calibration { pace, ..calibrate::sum_up(&lane.name, &samples, seconds)? };
        progress.say(&told(&calibration, lanes.len()));
        calibrations.push(calibration);
    }
    Ok(calibrations)
}

/// What a calibration means for the trial.
fn told(c: &Calibration, lanes: usize) -> String {
    let provable = |gain: Option<f64>| gain.map_or("nothing".to_string(), |gain| format!("{gain:.2} %"));
    let trial = c.phase_seconds * (protocol::RUNS * protocol::PHASES * lanes) as f64;
    let mut text = format!(
        "lane {}: sd of a phase value {:.2} points, bias {:+.2}; proves {} with 80 % and {} with 95 % probability; \
         the trial will take about {}",
        c.lane,
        c.sd,
        c.bias,
        provable(c.provable_80),
        provable(c.provable_95),
        duration(trial)
    );
    if c.scatter_risk >= RISKY {
        let longer = match propose_phase_seconds(c.phase_seconds, c.sd, TARGET_SD, SD_FLOOR) {
            Some(seconds) => format!("phases of {seconds:.1} s instead of {:.1} s would do", c.phase_seconds),
            None => "no phase length will do on this machine".to_string(),
        };
        text.push_str(&format!(
            "\nwarning: by noise alone the {MAX_DEVIATION:.1}-point rule would fire with probability {:.0} %; {longer}",
            100.0 * c.scatter_risk
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calibration(sd: f64, risk: f64) -> Calibration {
        Calibration {
            lane: "main".into(),
            phases: 2,
            values: vec![0.0; 4],
            sd,
            bias: -0.02,
            phase_seconds: 3.5,
            provable_80: Some(0.13),
            provable_95: None,
            scatter_risk: risk,
            pace: None,
        }
    }

    #[test]
    fn quiet_machines_are_not_warned() {
        let text = told(&calibration(0.35, 0.001), 1);
        assert_eq!(
            text,
            "lane main: sd of a phase value 0.35 points, bias -0.02; proves 0.13 % with 80 % and nothing with 95 % \
             probability; the trial will take about 5 min 36 s"
        );
    }

    #[test]
    fn noisy_machines_are_warned_with_a_remedy() {
        let text = told(&calibration(0.8, 0.7), 1);
        assert!(
            text.contains("\nwarning: by noise alone the 2.0-point rule would fire with probability 70 %")
        );
        assert!(text.contains("phases of 14.7 s instead of 3.5 s would do"), "{text}");
    }
}
