//! How much more something may cost, and whether it does.

use serde::{Deserialize, Serialize};

use super::row::Measured;
use super::state::State;

/// Limits of one benchmark, in percent of more cost; at least one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Beyond it there is a warning.
    soft: Option<f64>,
    /// Beyond it the gate fails.
    hard: Option<f64>,
}

impl Limits {
    /// None without any limit: what has none cannot be judged.
    pub fn new(soft: Option<f64>, hard: Option<f64>) -> Option<Limits> {
        (soft.is_some() || hard.is_some()).then_some(Limits { soft, hard })
    }

    /// The soft one.
    pub fn soft(&self) -> Option<f64> {
        self.soft
    }

    /// The hard one.
    pub fn hard(&self) -> Option<f64> {
        self.hard
    }
}

/// A limit with what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bound {
    /// Percent of more cost; none: nothing may differ at all.
    pub limit: Option<f64>,
    /// How it fared.
    pub state: State,
    /// Set when the limit was refused because it is below the noise floor: the smallest limit that is above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest: Option<f64>,
}

impl Bound {
    /// Holds what was measured against a limit.
    ///
    /// A limit below the noise floor is refused: it cannot be shown to be held, whatever this one measurement happened
    /// to give. A loss whose whole interval is beyond it stands all the same.
    pub fn judge(limit: f64, measured: &Measured) -> Bound {
        let [low, high] = measured.interval.unwrap_or([measured.change; 2]);
        let smallest = measured.floor.filter(|&floor| limit < floor).map(round_up);
        let state = match smallest {
            _ if low > limit => State::Lost,
            None if high <= limit => State::Held,
            _ => State::CannotSay,
        };
        Bound { limit: Some(limit), state, smallest: smallest.filter(|_| state != State::Lost) }
    }

    /// A limit that nothing was held against.
    pub fn unjudged(limit: f64, state: State) -> Bound {
        Bound { limit: Some(limit), state, smallest: None }
    }

    /// Nothing may differ.
    pub fn equality(state: State) -> Bound {
        Bound { limit: None, state, smallest: None }
    }
}

/// To two digits, never downwards: a limit that is told must be one that is accepted.
fn round_up(value: f64) -> f64 {
    if value <= 0.0 || !value.is_finite() {
        return value;
    }
    // Digits after the point; as a divisor, so that the result is the number that is printed.
    let digits = 1 - value.log10().floor() as i32;
    let rounded = match digits {
        0.. => (value * 10f64.powi(digits)).ceil() / 10f64.powi(digits),
        _ => (value / 10f64.powi(-digits)).ceil() * 10f64.powi(-digits),
    };
    rounded.max(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_held_lost_or_not_known_by_the_whole_interval() {
        use State::{CannotSay, Held, Lost};
        for (interval, limit, state) in [
            ([-1.0, 0.9], 1.0, Held),
            ([-1.0, 1.0], 1.0, Held),
            ([0.9, 1.1], 1.0, CannotSay),
            ([1.0, 1.1], 1.0, CannotSay),
            ([1.1, 1.2], 1.0, Lost),
            ([-3.0, -2.0], 0.0, Held),
            ([0.1, 0.2], 0.0, Lost),
            ([f64::NAN, f64::NAN], 1.0, CannotSay),
        ] {
            let measured = Measured::noisy(100.0, 101.0, 1.0, interval, None);
            let bound = Bound::judge(limit, &measured);
            assert_eq!(
                bound,
                Bound { limit: Some(limit), state, smallest: None },
                "{interval:?} against {limit}"
            );
        }
    }

    #[test]
    fn counts_are_points() {
        let judge =
            |base, head, limit| Bound::judge(limit, &Measured::exact(base, head).expect("a base")).state;
        assert_eq!(judge(1_000, 1_003, 0.3), State::Held);
        assert_eq!(judge(1_000, 1_004, 0.3), State::Lost);
        assert_eq!(judge(1_000, 900, 0.3), State::Held);
        assert_eq!(judge(1_000, 1_000, 0.0), State::Held);
        assert_eq!(judge(u64::MAX / 2, u64::MAX / 2 + 1_000_000_000, 0.0), State::Lost);
        assert_eq!(Measured::exact(0, 5), None);
    }

    #[test]
    fn a_limit_below_the_noise_floor_is_refused_with_the_smallest_that_is_not() {
        let judge = |interval, limit| {
            let bound = Bound::judge(limit, &Measured::noisy(100.0, 100.0, 0.0, interval, Some(0.803)));
            (bound.state, bound.smallest)
        };
        assert_eq!(judge([-0.8, 0.8], 0.5), (State::CannotSay, Some(0.81)));
        // By luck it seems to be held.
        assert_eq!(judge([-2.0, -0.4], 0.5), (State::CannotSay, Some(0.81)));
        assert_eq!(judge([4.0, 5.0], 0.5), (State::Lost, None));
        assert_eq!(judge([-0.8, 0.8], 0.81), (State::Held, None));
        assert_eq!(judge([0.5, 2.0], 1.0), (State::CannotSay, None));
    }

    #[test]
    fn limits_are_rounded_upwards_to_two_digits() {
        for (value, rounded) in [
            (0.803, 0.81),
            (0.81, 0.81),
            (0.0123, 0.013),
            (12.1, 13.0),
            (123.0, 130.0),
            (9.99, 10.0),
            (0.0, 0.0),
        ] {
            let got = round_up(value);
            assert!((got - rounded).abs() < 1e-12 && got >= value, "{value}: {got}");
        }
    }

    #[test]
    fn without_a_limit_there_is_nothing_to_judge() {
        assert_eq!(Limits::new(None, None), None);
        let limits = Limits::new(Some(0.1), None).expect("a limit");
        assert_eq!((limits.soft(), limits.hard()), (Some(0.1), None));
    }
}
