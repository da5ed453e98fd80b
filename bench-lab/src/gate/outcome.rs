//! What all rows together come to.

use super::question::Question;
use super::row::{Row, Severity};
use super::state::State;
use crate::exit::Exit;

/// The outcome of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Lost, void and cannot say only where a hard limit says so; what concerns soft limits is counted in `warnings`.
    pub state: State,
    /// The exit code.
    pub exit: Exit,
    /// Rows that fail.
    pub failures: usize,
    /// Rows that warn.
    pub warnings: usize,
}

impl Outcome {
    /// Of these rows.
    ///
    /// What is lost is lost, whatever else broke off; another tree comes first, because with it all other numbers are of
    /// other work. A gate that could ask nothing cannot say anything: silence is not green.
    pub fn of(rows: &[Row], strict: bool) -> Outcome {
        let hard = |row: &Row| row.hard.map_or(State::Held, |bound| bound.state);
        let lost = |row: &&Row| hard(row) == State::Lost;
        let count = |severity| rows.iter().filter(|row| row.severity(strict) == severity).count();
        let (state, exit) = if let Some(row) = rows.iter().filter(lost).min_by_key(|row| row.question) {
            (State::Lost, if row.question == Question::Tree { Exit::TreesDiffer } else { Exit::NotProven })
        } else if rows.iter().any(|row| row.state == State::Void) {
            (State::Void, Exit::Void)
        } else if rows.is_empty() || rows.iter().any(|row| hard(row) == State::CannotSay) {
            (State::CannotSay, if strict { Exit::NotResolved } else { Exit::Proven })
        } else {
            (State::Held, Exit::Proven)
        };
        Outcome { state, exit, failures: count(Severity::Failure), warnings: count(Severity::Warning) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::limits::Limits;
    use super::super::row::{Measured, Place, Unit};
    use super::*;

    fn row(question: Question, soft: Option<f64>, hard: Option<f64>, head: u64) -> Row {
        let limits = Limits::new(soft, hard).expect("a limit");
        let measured = Measured::exact(1_000, head).expect("a base");
        Row::judged(Place::new(question, "one", Unit::Bytes), measured, &limits)
    }

    fn unjudged(state: State, hard: bool) -> Row {
        let (soft, hard) = if hard { (None, Some(1.0)) } else { (Some(1.0), None) };
        let limits = Limits::new(soft, hard).expect("a limit");
        let place = Place::new(Question::Size, "other", Unit::Bytes);
        match state {
            State::Void => Row::void(place, &limits, ""),
            _ => Row::cannot_say(place, &limits, ""),
        }
    }

    fn tree(head: u64, is_hard: bool) -> Row {
        Row::equal(Place::new(Question::Tree, "bench", Unit::Nodes), 1_000, head, is_hard)
    }

    #[test]
    fn every_mixture_of_states_has_one_exit_code() {
        let held = || row(Question::Size, None, Some(1.0), 1_000);
        let lost = || row(Question::Instructions, None, Some(1.0), 1_020);
        let warned = || row(Question::Size, Some(1.0), Some(5.0), 1_020);
        let unknown = || unjudged(State::CannotSay, true);
        let soft_unknown = || unjudged(State::CannotSay, false);
        let void = || unjudged(State::Void, true);
        let soft_void = || unjudged(State::Void, false);
        // Rows, the state, and the codes as usual and when strict.
        let table: [(Vec<Row>, State, u8, u8); 14] = [
            (vec![], State::CannotSay, 0, 6),
            (vec![held()], State::Held, 0, 0),
            (vec![held(), warned()], State::Held, 0, 0),
            (vec![held(), soft_unknown()], State::Held, 0, 0),
            (vec![held(), unknown()], State::CannotSay, 0, 6),
            (vec![held(), lost()], State::Lost, 3, 3),
            (vec![unknown(), lost()], State::Lost, 3, 3),
            (vec![void(), lost()], State::Lost, 3, 3),
            (vec![void(), unknown()], State::Void, 5, 5),
            (vec![soft_void(), held()], State::Void, 5, 5),
            (vec![tree(1_000, true), held()], State::Held, 0, 0),
            (vec![lost(), tree(999, true)], State::Lost, 4, 4),
            (vec![held(), tree(999, false)], State::Held, 0, 0),
            (vec![lost(), tree(999, false)], State::Lost, 3, 3),
        ];
        for (number, (rows, state, usual, strict)) in table.into_iter().enumerate() {
            let codes = [false, true].map(|strict| Outcome::of(&rows, strict).exit.code());
            assert_eq!(codes, [usual, strict], "line {number}");
            assert_eq!(Outcome::of(&rows, false).state, state, "line {number}");
        }
    }

    #[test]
    fn failures_and_warnings_are_counted() {
        let rows = [row(Question::Size, Some(1.0), Some(5.0), 1_020), unjudged(State::CannotSay, true)];
        let counts = [false, true].map(|strict| Outcome::of(&rows, strict)).map(|o| (o.failures, o.warnings));
        assert_eq!(counts, [(0, 2), (1, 1)]);
    }
}
