//! What a question gives: one row a benchmark, with its numbers, limits and state.

use serde::{Deserialize, Serialize};

use super::limits::{Bound, Limits};
use super::question::Question;
use super::state::State;

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Nodes of a search.
    Nodes,
    /// Executed instructions.
    Instructions,
    /// Bytes.
    Bytes,
    /// Nanoseconds.
    Nanoseconds,
}

impl Unit {
    /// All of them.
    pub const ALL: [Unit; 4] = [Unit::Nodes, Unit::Instructions, Unit::Bytes, Unit::Nanoseconds];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Nodes => "nodes",
            Unit::Instructions => "instructions",
            Unit::Bytes => "bytes",
            Unit::Nanoseconds => "nanoseconds",
        }
    }
}

/// Which row it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The question.
    pub question: Question,
    /// The benchmark, unique within the question.
    pub benchmark: String,
    /// What its numbers count.
    pub unit: Unit,
}

impl Place {
    /// A place.
    pub fn new(question: Question, benchmark: impl Into<String>, unit: Unit) -> Place {
        Place { question, benchmark: benchmark.into(), unit }
    }
}

/// Both sides, and how much more the head costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// What the base costs.
    pub base: f64,
    /// What the head costs.
    pub head: f64,
    /// How much more the head costs, percent; less than zero when it costs less.
    pub change: f64,
    /// The interval of the change; none for what is counted exactly.
    pub interval: Option<[f64; 2]>,
    /// The smallest change that the measurement tells from none on this machine.
    pub floor: Option<f64>,
}

impl Measured {
    /// Two exact counts; none when the base is nothing, of which there are no percents.
    pub fn exact(base: u64, head: u64) -> Option<Measured> {
        if base == 0 {
            return None;
        }
        // The difference of the integers: large counts differ by less than a float can hold.
        let change = 100.0 * (i128::from(head) - i128::from(base)) as f64 / base as f64;
        Some(Measured { base: base as f64, head: head as f64, change, interval: None, floor: None })
    }

    /// Two measurements with noise.
    pub fn noisy(base: f64, head: f64, change: f64, interval: [f64; 2], floor: Option<f64>) -> Measured {
        Measured { base, head, change, interval: Some(interval), floor }
    }
}

/// One benchmark of one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The question.
    pub question: Question,
    /// The benchmark.
    pub benchmark: String,
    /// What the numbers count.
    pub unit: Unit,
    /// The number of the base, or the recorded one.
    pub base: Option<f64>,
    /// The number of the head.
    pub head: Option<f64>,
    /// How much more the head costs, percent.
    pub change: Option<f64>,
    /// The interval of the change.
    pub interval: Option<[f64; 2]>,
    /// The soft limit: beyond it there is a warning.
    pub soft: Option<Bound>,
    /// The hard limit: beyond it the gate fails.
    pub hard: Option<Bound>,
    /// The worse of both.
    pub state: State,
    /// What else is to be said.
    pub note: String,
}

/// What a row asks of who reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing.
    Fine,
    /// A look.
    Warning,
    /// The gate fails.
    Failure,
}

impl Row {
    /// Holds what was measured against the limits.
    pub fn judged(place: Place, measured: Measured, limits: &Limits) -> Row {
        let bound = |limit: Option<f64>| limit.map(|limit| Bound::judge(limit, &measured));
        let row = Row {
            base: Some(measured.base),
            head: Some(measured.head),
            change: Some(measured.change),
            interval: measured.interval,
            ..Row::bare(place, bound(limits.soft()), bound(limits.hard()))
        };
        let refused = [("hard", row.hard), ("soft", row.soft)].into_iter().filter_map(|(which, bound)| {
            let Bound { limit: Some(limit), smallest: Some(smallest), .. } = bound? else { return None };
            Some(format!(
                "the {which} limit of {limit} % is below the noise floor of this machine: the smallest that it \
                 resolves is {smallest} %"
            ))
        });
        let refused: Vec<String> = refused.collect();
        refused.into_iter().fold(row, Row::noted)
    }

    /// Two numbers that have to be the same, or are only looked at.
    pub fn equal(place: Place, base: u64, head: u64, is_hard: bool) -> Row {
        let state = if base == head { State::Held } else { State::Lost };
        let row = Row::equality(place, is_hard, state);
        Row { base: Some(base as f64), head: Some(head as f64), ..row }
    }

    /// An equality of which nothing is known yet but its state.
    pub fn equality(place: Place, is_hard: bool, state: State) -> Row {
        let bound = Some(Bound::equality(state));
        match is_hard {
            true => Row::bare(place, None, bound),
            false => Row::bare(place, bound, None),
        }
    }

    /// Nothing was or could be compared.
    pub fn cannot_say(place: Place, limits: &Limits, note: impl Into<String>) -> Row {
        Row::unjudged(place, limits, State::CannotSay).noted(note)
    }

    /// Measuring broke off.
    pub fn void(place: Place, limits: &Limits, note: impl Into<String>) -> Row {
        Row::unjudged(place, limits, State::Void).noted(note)
    }

    fn unjudged(place: Place, limits: &Limits, state: State) -> Row {
        let bound = |limit: Option<f64>| limit.map(|limit| Bound::unjudged(limit, state));
        Row::bare(place, bound(limits.soft()), bound(limits.hard()))
    }

    fn bare(place: Place, soft: Option<Bound>, hard: Option<Bound>) -> Row {
        let states = [soft, hard].into_iter().flatten().map(|bound| bound.state);
        Row {
            question: place.question,
            benchmark: place.benchmark,
            unit: place.unit,
            base: None,
            head: None,
            change: None,
            interval: None,
            soft,
            hard,
            state: states.max().unwrap_or(State::CannotSay),
            note: String::new(),
        }
    }

    /// The same with the head's number, of which there is nothing to compare with.
    pub fn with_head(self, head: u64) -> Row {
        Row { head: Some(head as f64), ..self }
    }

    /// The same with one more thing said.
    pub fn noted(mut self, note: impl Into<String>) -> Row {
        let note = note.into();
        if !self.note.is_empty() && !note.is_empty() {
            self.note.push_str("; ");
        }
        self.note.push_str(&note);
        self
    }

    /// What it asks of who reads it. Soft limits only warn; what cannot be said fails only when one is strict.
    pub fn severity(&self, strict: bool) -> Severity {
        let hard = self.hard.map_or(State::Held, |bound| bound.state);
        match (hard, self.state) {
            (State::Lost, _) | (_, State::Void) => Severity::Failure,
            (State::CannotSay, _) if strict => Severity::Failure,
            (_, State::Held) => Severity::Fine,
            _ => Severity::Warning,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> Place {
        Place::new(Question::Instructions, "search", Unit::Instructions)
    }

    fn limits(soft: f64, hard: f64) -> Limits {
        Limits::new(Some(soft), Some(hard)).expect("limits")
    }

    #[test]
    fn soft_limits_warn_and_hard_ones_fail() {
        use Severity::{Failure, Fine, Warning};
        for (head, state, severity) in
            [(1_000, State::Held, Fine), (1_002, State::Lost, Warning), (1_004, State::Lost, Failure)]
        {
            let row = Row::judged(place(), Measured::exact(1_000, head).expect("a base"), &limits(0.1, 0.3));
            assert_eq!((row.state, row.severity(false)), (state, severity), "{head}");
            assert_eq!(row.severity(true), severity, "{head}");
        }
    }

    #[test]
    fn what_cannot_be_said_warns_and_fails_when_strict_if_a_hard_limit_asks() {
        let row = Row::cannot_say(place(), &limits(0.1, 0.3), "no baseline");
        assert_eq!((row.severity(false), row.severity(true)), (Severity::Warning, Severity::Failure));
        let soft = Row::cannot_say(place(), &Limits::new(Some(0.1), None).expect("a limit"), "no baseline");
        assert_eq!((soft.severity(false), soft.severity(true)), (Severity::Warning, Severity::Warning));
        let void = Row::void(place(), &limits(0.1, 0.3), "died");
        assert_eq!((void.severity(false), void.state), (Severity::Failure, State::Void));
    }

    #[test]
    fn the_hard_limit_may_be_held_where_the_soft_one_is_not_known() {
        let measured = Measured::noisy(1.0, 1.0, 0.5, [0.0, 1.0], None);
        let row = Row::judged(place(), measured, &limits(0.5, 2.0));
        assert_eq!((row.state, row.hard.map(|bound| bound.state)), (State::CannotSay, Some(State::Held)));
        assert_eq!(row.severity(true), Severity::Warning);
    }

    #[test]
    fn a_refused_limit_is_told() {
        let row =
            Row::judged(place(), Measured::noisy(1.0, 1.0, 0.0, [-0.4, 0.4], Some(0.42)), &limits(0.1, 1.0));
        assert_eq!(
            row.note,
            "the soft limit of 0.1 % is below the noise floor of this machine: the smallest that it resolves is 0.42 %"
        );
        assert_eq!(row.state, State::CannotSay);
    }

    #[test]
    fn trees_are_the_same_or_not() {
        let tree = |base, head, is_hard| {
            Row::equal(Place::new(Question::Tree, "bench", Unit::Nodes), base, head, is_hard).severity(false)
        };
        assert_eq!(tree(5, 5, true), Severity::Fine);
        assert_eq!(tree(5, 4, true), Severity::Failure);
        assert_eq!(tree(5, 6, false), Severity::Warning);
    }

    #[test]
    fn notes_are_joined() {
        let row = Row::cannot_say(place(), &limits(0.1, 0.3), "one").noted("").noted("two");
        assert_eq!(row.note, "one; two");
    }
}
