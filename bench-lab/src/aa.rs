//! A/A: `full` against copies of itself on every lane, to know the noise before the plan.

use std::ops::RangeInclusive;
use std::time::Instant;

use protocol::calibration::{Sample, forecast};
use protocol::plan::{Calibration, FULL, Lane, Pace, SlotPlan};
use protocol::schedule::order;
use protocol::{MAX_DEVIATION, seed};

use crate::ahead::ahead;
use crate::arm::ArmImage;
use crate::arm::session::Limits;
use crate::builds::Yard;
use crate::bundle::Bundle;
use crate::draws::Drawn;
use crate::measure::{Gate, PhaseJob};
use crate::progress::{Progress, duration};
use crate::subject::ArmSet;
use crate::vigil::Vigil;
use crate::{Cancel, calibrate, lanes, plan_maker};

/// Probability that the 2.0-point rule fires by noise from which on the user is warned.
const RISKY: f64 = 0.05;

/// What one lane gave in one phase: its A/A values, and how fast it went.
type LanePhase = (Vec<Sample>, Pace);

/// Everything that A/A phases are measured with.
pub struct Bench<'a> {
    /// The bundle.
    pub bundle: &'a Bundle,
    /// The arms of every build set.
    pub sets: &'a [ArmSet],
    /// The lanes, as processes are driven.
    pub lanes: &'a [Lane],
    /// Master seed.
    pub master: u64,
    /// The work folder.
    pub yard: &'a Yard,
    /// Where it tells how far it is.
    pub progress: &'a Progress,
    /// Whether it shall break off.
    pub cancel: &'a Cancel,
}

impl Bench<'_> {
    /// Measures every lane, copies of `full` under draws that all share, and says what the trial will be able to prove.
    pub fn measure(&self) -> anyhow::Result<Vec<Calibration>> {
        let (count, measure) = (self.bundle.measure.calibration_phases, plan_maker::measure(self.bundle));
        let groups = measure.groups(self.lanes.len());
        let mut calibrations = Vec::with_capacity(self.lanes.len());
        for group in &groups {
            let group: Vec<&Lane> = group.iter().map(|&lane| &self.lanes[lane]).collect();
            let gate = Gate::new();
            let draw = |phase| {
                let of_lane = |lane: &&Lane| {
                    let startup =
                        |process| seed::calibration_startup(self.master, &lane.name, phase, process);
                    let startups: Vec<u64> = (1..=measure.processes).map(startup).collect();
                    let seed = seed::calibration_draw(self.master, &lane.name, phase);
                    Drawn::copies(&self.sets[lane.build], seed, &startups, self.yard, &gate)
                };
                group.iter().map(of_lane).collect::<anyhow::Result<Vec<_>>>()
            };
            let begun = Instant::now();
            let what = format!("calibrating {}", lanes::told(&group));
            let images = |drawn: &Vec<Drawn>| drawn.iter().map(|one| one.images.clone()).collect();
            let measured = self.phases(&group, &what, 1..=count, &gate, draw, images)?;
            let seconds = begun.elapsed().as_secs_f64() / count as f64;
            for (index, lane) in group.iter().enumerate() {
                let of_lane = measured.iter().map(|phase| phase[index].clone());
                let (samples, paces): (Vec<_>, Vec<_>) = of_lane.unzip();
                let pace = paces.into_iter().reduce(Pace::slower);
                let calibration = Calibration { pace, ..calibrate::sum_up(&lane.name, &samples, seconds)? };
                self.progress.say(&told(&calibration, groups.len()));
                calibrations.push(calibration);
            }
        }
        Ok(calibrations)
    }

    /// The values of as many phases of a lane in which every copy has a draw of its own.
    pub fn own_layouts(&self, lane: &Lane) -> anyhow::Result<Vec<Vec<f64>>> {
        let (set, count) = (&self.sets[lane.build], self.bundle.measure.calibration_phases);
        let gate = Gate::new();
        let draw = |phase| {
            let own = |copy| {
                let name = lane.name.as_str();
                let startup = |q| seed::calibration_own_startup(self.master, name, phase, copy, q);
                let startups = (1..=self.bundle.measure.processes).map(startup).collect();
                (seed::calibration_own_draw(self.master, name, phase, copy), startups)
            };
            let seeds: Vec<(u64, Vec<u64>)> = (1..=set.arms.len()).map(own).collect();
            Drawn::apart(set, &seeds, self.yard, &gate)
        };
        let images = |copies: &Vec<Drawn>| vec![copies.iter().flat_map(|one| one.images.clone()).collect()];
        let what = format!("layouts of their own on lane {}", lane.name);
        // Other slot plans than those of the calibration.
        let measured = self.phases(&[lane], &what, count + 1..=2 * count, &gate, draw, images)?;
        let values = |(samples, _): &LanePhase| samples.iter().map(|sample| sample.value).collect();
        Ok(measured.iter().flatten().map(values).collect())
    }

    /// Measures phases of lanes at once whose images, lane by lane, come from what `draw` makes, one ahead.
    fn phases<D: Send>(
        &self,
        group: &[&Lane],
        what: &str,
        phases: RangeInclusive<usize>,
        gate: &Gate,
        draw: impl Fn(usize) -> anyhow::Result<D> + Send,
        images: impl Fn(&D) -> Vec<Vec<ArmImage>>,
    ) -> anyhow::Result<Vec<Vec<LanePhase>>> {
        let (workload, measure) = (plan_maker::workload(self.bundle), plan_maker::measure(self.bundle));
        let mut pieces = self.progress.pieces(phases.clone().count());
        let vigil = Vigil::begin()?;
        ahead(gate, phases.clone().collect(), draw, |draws| {
            let phase = |(done, phase): (usize, usize)| {
                self.cancel.check()?;
                let place = format!("{what}, phase {}", done + 1);
                pieces.at(done, &place);
                let arms = images(draws.next(self.cancel)?);
                let slots: Vec<SlotPlan> = group
                    .iter()
                    .zip(&arms)
                    .map(|(lane, arms)| {
                        let slots = seed::calibration_slots(self.master, &lane.name, phase);
                        order::slot_plan(arms.len(), slots)
                    })
                    .collect();
                let jobs: Vec<PhaseJob<'_>> = (0..group.len())
                    .map(|lane| PhaseJob {
                        place: &place,
                        lane: group[lane],
                        workload: &workload,
                        measure: &measure,
                        slots: &slots[lane],
                        arms: &arms[lane],
                        nodes: None,
                        scratch: self.yard.scratch(),
                        limits: Limits::default(),
                    })
                    .collect();
                let swapped = phase.is_multiple_of(2);
                let measured = calibrate::phases_paced(&jobs, FULL, swapped, gate, self.cancel)?;
                vigil.check()?;
                Ok(measured)
            };
            phases.enumerate().map(phase).collect()
        })
    }
}

/// What to say before a trial in which the 2.0-point rule is bound to fire; nothing if it is not.
pub fn hopeless(calibrations: &[Calibration]) -> Option<String> {
    let lanes = calibrations.iter().filter(|calibration| forecast::must_fire(calibration));
    let lines: Vec<String> = lanes
        .map(|c| {
            format!(
                "lane {}: a phase value has a standard deviation of {:.2} points by noise alone, so that the {MAX_DEVIATION:.1}-point rule \
                 is bound to fire and nothing can be proven; {}",
                c.lane,
                c.sd,
                longer(c)
            )
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The length of phases that would do.
fn longer(c: &Calibration) -> String {
    match forecast::calm_phase_seconds(c) {
        Some(seconds) => format!(
            "phases of {seconds:.1} s instead of {:.1} s would do (about {:.0} times the nodes)",
            c.phase_seconds,
            (seconds / c.phase_seconds).ceil()
        ),
        None => "no phase length will do on this machine".to_string(),
    }
}

/// What a calibration means for the trial, in which so many groups of lanes are measured one after another.
fn told(c: &Calibration, groups: usize) -> String {
    let provable = |gain: Option<f64>| gain.map_or("nothing".to_string(), |gain| format!("{gain:.2} %"));
    let trial = c.phase_seconds * (protocol::RUNS * protocol::PHASES * groups) as f64;
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
        text.push_str(&format!(
            "\nwarning: by noise alone the {MAX_DEVIATION:.1}-point rule would fire with probability {:.0} %; {}",
            100.0 * c.scatter_risk,
            longer(c)
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
    fn what_is_hopeless_is_said_with_what_would_do() {
        let noisy = Calibration { phases: 12, ..calibration(2.0, 1.0) };
        let text = hopeless(&[calibration(0.35, 0.001), noisy]).expect("hopeless");
        assert_eq!(
            text,
            "lane main: a phase value has a standard deviation of 2.00 points by noise alone, so that the 2.0-point rule \
             is bound to fire and nothing can be proven; phases of 93.1 s instead of 3.5 s would do (about 27 times the nodes)"
        );
        assert_eq!(hopeless(&[calibration(0.8, 0.7)]), None);
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
