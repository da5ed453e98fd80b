//! A simulation of the rules: how often they are wrong, and what they can prove.

mod plot;
mod text;

pub use plot::power;
pub use text::table;

use protocol::simulation::{Noise, Outcome, Rate, Simulation};

/// What the simulation says about the bound of false proofs under one model of the noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// The bound itself, as far as so many trials tell.
    Reached,
    /// Fewer false proofs than the bound allows.
    Kept,
    /// More; by this factor.
    Broken(f64),
}

impl Bound {
    /// Compares a rate of false proofs with the bound.
    pub fn of(rate: &Rate, bound: f64) -> Self {
        match rate.interval {
            (low, _) if low > bound => Bound::Broken(rate.share / bound),
            (_, high) if high < bound => Bound::Kept,
            _ => Bound::Reached,
        }
    }
}

/// False proofs of one comparison, for every model that was simulated without a gain.
fn false_proofs(simulation: &Simulation) -> Vec<(&Outcome, Rate)> {
    let at_zero = |outcome: &Outcome| {
        outcome.cells.iter().find(|cell| cell.gain_percent == 0.0).map(|cell| cell.comparison)
    };
    simulation.outcomes.iter().filter_map(|outcome| Some((outcome, at_zero(outcome)?))).collect()
}

/// A model's name as a heading.
fn title(noise: &Noise) -> String {
    match noise {
        Noise::Normal => "Normal".to_owned(),
        Noise::HeavyTailed { freedom } => format!("Heavy tails (t, {freedom})"),
        Noise::SlowSpells { share, .. } => format!("Slow spells ({:.0} % of phases)", 100.0 * share),
        Noise::Drift { points } => format!("Drift ({points} points a run)"),
        Noise::Autocorrelated { correlation } => format!("Autocorrelated runs ({correlation})"),
        Noise::Bias { points } => format!("Constant bias ({points} points)"),
        Noise::OneLayout { points } => format!("One layout (sd {points} points)"),
    }
}
