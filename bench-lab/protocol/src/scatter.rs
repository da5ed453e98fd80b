//! Where the scatter of phase values comes from: from what lasts a phase, its layout above all, or from the moment.

use crate::plan::FULL;
use crate::statistics::mean;
use crate::trial::Trial;
use crate::values::total_rate;
use crate::{PHASES, RUNS};

/// Standard deviations of a comparison's phase values inside runs, percentage points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scatter {
    /// What is the same for all processes of a phase and another in the next: the layout, and a mood of the machine
    /// that lasts as long. Longer phases do not lessen it.
    pub phase: f64,
    /// What differs between the processes of one phase: their pages, the moment. Longer phases and more processes
    /// lessen it.
    pub moment: f64,
}

impl Scatter {
    /// Whether the layouts scatter the values more than everything that a longer phase would average out.
    pub fn is_of_phases(&self) -> bool {
        self.phase > self.moment
    }

    /// From the values of single processes, `[run][phase][process]`; none when a phase has only one.
    ///
    /// The method of moments for a one-way layout with random effects, pooled over the runs, each with a mean of its
    /// own: with `n` processes the mean square between phases estimates `moment² + n·phase²`, here divided by `n`, so
    /// that `moment` is that of a phase's mean (Searle, Casella and McCulloch, *Variance Components*, 1992, 3.6).
    fn of(values: &[Vec<Vec<f64>>]) -> Option<Self> {
        let processes = values.first()?.first()?.len();
        if processes < 2 {
            return None;
        }
        let (mut between, mut within, mut phases) = (0.0, 0.0, 0);
        for run in values {
            let means: Vec<f64> = run.iter().map(|phase| mean(phase)).collect();
            let middle = mean(&means);
            between += means.iter().map(|phase| (phase - middle).powi(2)).sum::<f64>();
            for (phase, own) in run.iter().zip(&means) {
                within += phase.iter().map(|value| (value - own).powi(2)).sum::<f64>();
            }
            phases += run.len();
        }
        let of_means = between / phases.checked_sub(values.len()).filter(|&free| free > 0)? as f64;
        let moment = within / (phases * (processes - 1)) as f64 / processes as f64;
        Some(Self { phase: (of_means - moment).max(0.0).sqrt(), moment: moment.sqrt() })
    }
}

impl Trial<'_> {
    /// The scatter of `full` against another arm on one lane; none when every arm has one process in a phase.
    ///
    /// # Panics
    /// When `lane` or `other` is not in the plan.
    pub fn scatter(&self, lane: usize, other: usize) -> Option<Scatter> {
        let phase = |run, phase| {
            let pairs = self.processes(lane, run, phase, FULL).iter();
            let pairs = pairs.zip(self.processes(lane, run, phase, other));
            pairs.map(|(full, other)| total_rate(&[full], &[other])).collect()
        };
        let values: Vec<Vec<Vec<f64>>> =
            (0..RUNS).map(|run| (0..PHASES).map(|number| phase(run, number)).collect()).collect();
        Scatter::of(&values)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;
    use rand_distr::{Distribution, Normal};

    use super::*;
    use crate::synthetic::{self, Spec};

    /// Values with these standard deviations of phases and of processes, in runs with levels of their own.
    fn drawn(phase: f64, process: f64, processes: usize, seed: u64) -> Vec<Vec<Vec<f64>>> {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let normal = Normal::new(0.0, 1.0).expect("a distribution");
        let one_run = |run: usize| {
            let one_phase = |_| {
                let own = phase * normal.sample(&mut rng);
                let values =
                    (0..processes).map(|_| 5.0 * run as f64 + own + process * normal.sample(&mut rng));
                values.collect()
            };
            (0..PHASES).map(one_phase).collect()
        };
        (0..RUNS).map(one_run).collect::<Vec<_>>()
    }

    #[test]
    fn the_parts_are_found_again() {
        for (phase, process, processes) in
            [(0.0, 1.0, 2), (1.0, 0.0, 2), (1.5, 0.5, 2), (0.5, 1.5, 4), (1.0, 1.0, 8)]
        {
            let mut squares = (0.0, 0.0);
            let trials = 200;
            for seed in 0..trials {
                let scatter =
                    Scatter::of(&drawn(phase, process, processes, seed)).expect("several processes");
                squares.0 += scatter.phase.powi(2) / trials as f64;
                squares.1 += scatter.moment.powi(2) / trials as f64;
            }
            let expected = (phase.powi(2), process.powi(2) / processes as f64);
            assert!((squares.0 - expected.0).abs() < 0.05, "{squares:?}, expected {expected:?}");
            assert!((squares.1 - expected.1).abs() < 0.05, "{squares:?}, expected {expected:?}");
        }
    }

    #[test]
    fn one_process_a_phase_tells_nothing() {
        assert_eq!(Scatter::of(&drawn(1.0, 1.0, 1, 3)), None);
        assert_eq!(Scatter::of(&[]), None);
        let spec = Spec { processes: 1, ..Spec::new(&[("one", 1.0)], 1) };
        let (plan, records) = synthetic::trial(&spec).expect("a trial");
        assert_eq!(Trial::new(&plan, &records).expect("whole").scatter(0, 0), None);
    }

    #[test]
    fn trials_whose_layouts_scatter_say_so() {
        for (noise, jitter, of_phases) in [(1.5, 0.2, true), (0.05, 2.0, false)] {
            let spec = Spec { noise, jitter, ..Spec::new(&[("one", 1.0), ("two", 0.5)], 9) };
            let (plan, records) = synthetic::trial(&spec).expect("a trial");
            let trial = Trial::new(&plan, &records).expect("whole");
            let scatter = trial.scatter(0, crate::plan::without(1)).expect("two processes");
            assert_eq!(scatter.is_of_phases(), of_phases, "{scatter:?}");
        }
    }

    proptest! {
        #[test]
        fn a_shift_of_a_run_changes_nothing(shift in -50.0f64..50.0, seed in 0u64..1000) {
            let values = drawn(1.0, 0.5, 2, seed);
            let mut shifted = values.clone();
            shifted[3].iter_mut().flatten().for_each(|value| *value += shift);
            let (a, b) = (Scatter::of(&values).expect("two"), Scatter::of(&shifted).expect("two"));
            prop_assert!((a.phase - b.phase).abs() < 1e-6 && (a.moment - b.moment).abs() < 1e-9);
        }
    }
}
