//! From starts to a row: paired values, their interval, and what the machine makes of no difference.

use protocol::calibration::percent;
use protocol::compare::LEVELS;
use protocol::compare::ranks::Ranked;
use protocol::statistics::median;

use super::super::answer::{Side, Value};
use super::super::limits::Limits;
use super::super::row::{Measured, Place, Row};

/// Holds the head against the base, round by round; `again` is the base once more.
pub fn judged(place: Place, limits: &Limits, base: &[f64], head: &[f64], again: &[f64]) -> Row {
    let ([change, low, high], [_, floor_low, floor_high]) = match (change(base, head), change(base, again)) {
        (Some(change), Some(floor)) => (change, floor),
        _ => return Row::cannot_say(place, limits, "the measured values give no interval"),
    };
    let floor = floor_low.abs().max(floor_high.abs());
    let measured = Measured::noisy(median(base), median(head), change, [low, high], Some(floor));
    Row::judged(place, measured, limits)
}

/// By how many percent the second costs more, and the ends of its interval.
fn change(base: &[f64], head: &[f64]) -> Option<[f64; 3]> {
    let points: Vec<f64> = base.iter().zip(head).map(|(base, head)| 100.0 * (head / base).ln()).collect();
    let ranked = Ranked::paired(&points).ok()?;
    let ((low, high), _) = ranked.interval(LEVELS[0])?;
    Some([ranked.estimate(), low, high].map(percent))
}

/// The values of the three, for whoever computes it again.
pub fn values(place: &Place, sides: [&[f64]; 3]) -> Vec<Value> {
    let names = [Side::Base, Side::Head, Side::BaseAgain];
    let of_side = |(side, values): (Side, &[f64])| {
        (1..).zip(values).map(|(number, &value)| Value::new(place, side, number, value)).collect::<Vec<_>>()
    };
    names.into_iter().zip(sides).flat_map(of_side).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::question::Question;
    use super::super::super::row::Unit;
    use super::super::super::state::State;
    use super::*;

    fn row(limit: f64, base: &[f64], head: &[f64], again: &[f64]) -> Row {
        let place = Place::new(Question::Size, "start-up", Unit::Nanoseconds);
        judged(place, &Limits::new(None, Some(limit)).expect("a limit"), base, head, again)
    }

    /// Values up to 1.2 % above `scale`, other ones for every seed.
    fn noisy(scale: f64, seed: u32) -> Vec<f64> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 24)
        };
        (0..41).map(|_| scale * (1.0 + 0.012 * next())).collect()
    }

    #[test]
    fn equal_starts_are_held_and_slower_ones_lost() {
        let base = noisy(1e6, 0);
        let same = row(2.0, &base, &noisy(1e6, 4), &noisy(1e6, 9));
        assert_eq!(same.state, State::Held, "{same:?}");
        let slower = row(2.0, &base, &noisy(1.05e6, 4), &noisy(1e6, 9));
        assert_eq!(slower.state, State::Lost, "{slower:?}");
        assert!((slower.change.expect("a change") - 5.0).abs() < 0.5, "{slower:?}");
        assert!(slower.interval.is_some_and(|[low, high]| low < 5.0 && 5.0 < high), "{slower:?}");
    }

    #[test]
    fn what_does_not_vary_is_exact() {
        let constant = [4096.0; 9];
        let row = row(0.0, &constant, &constant, &constant);
        assert_eq!((row.state, row.interval), (State::Held, Some([0.0, 0.0])));
    }

    #[test]
    fn a_limit_that_the_machine_cannot_resolve_is_refused() {
        let row = row(0.05, &noisy(1e6, 0), &noisy(1e6, 4), &noisy(1.003e6, 9));
        assert_eq!(row.state, State::CannotSay);
        assert!(row.note.contains("below the noise floor"), "{}", row.note);
        assert!(row.hard.and_then(|bound| bound.smallest).is_some_and(|smallest| smallest > 0.05));
    }

    #[test]
    fn nothing_cannot_be_compared() {
        let row = row(1.0, &[0.0; 9], &[1.0; 9], &[0.0; 9]);
        assert_eq!(
            (row.state, row.note.as_str()),
            (State::CannotSay, "the measured values give no interval")
        );
    }

    #[test]
    fn values_are_told_side_by_side() {
        let place = Place::new(Question::Size, "memory", Unit::Bytes);
        let told: Vec<(Side, usize, f64)> = values(&place, [&[1.0, 2.0], &[3.0, 4.0], &[5.0, 6.0]])
            .into_iter()
            .map(|value| (value.side, value.number, value.value))
            .collect();
        assert_eq!(told[..3], [(Side::Base, 1, 1.0), (Side::Base, 2, 2.0), (Side::Head, 1, 3.0)]);
        assert_eq!(told[5], (Side::BaseAgain, 2, 6.0));
    }
}
