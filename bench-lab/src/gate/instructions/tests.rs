use super::super::limits::Limits;
use super::super::state::State;
use super::*;

fn counts(list: &[(&str, u64)]) -> Counts {
    let cost = |own| Cost { own, inclusive: own };
    Counts {
        creator: "callgrind-3.19.0".to_owned(),
        total: list.iter().map(|&(_, own)| own).sum(),
        functions: list.iter().map(|&(name, own)| (name.to_owned(), cost(own))).collect(),
    }
}

fn all(benchmarks: &[(&str, Counted)], facts: &[(&str, &str)]) -> All {
    let mut all = All::default();
    for (name, Counted { totals, functions }) in benchmarks {
        let counted = Counted { totals: totals.clone(), functions: functions.clone() };
        all.benchmarks.insert((*name).to_owned(), counted);
    }
    facts.iter().for_each(|&(name, fact)| all.add_fact(name.to_owned(), fact.to_owned()));
    all
}

fn once(list: &[(&str, u64)]) -> Counted {
    Counted::once(&counts(list))
}

fn twice(list: &[(&str, u64)], second: u64) -> Counted {
    let once = once(list);
    Counted { totals: vec![once.totals[0], second], ..once }
}

fn limits() -> LimitSet {
    LimitSet { common: Limits::new(Some(0.1), Some(0.3)), ..LimitSet::default() }
}

fn told(answer: &Answer) -> Vec<String> {
    let row = |row: &Row| format!("{}: {} ({})", row.benchmark, row.state, row.note);
    answer.rows.iter().map(row).collect()
}

const FACTS: &[(&str, &str)] = &[("kernels", "avx2"), ("valgrind", "3.19.0")];

fn recorded() -> Baseline {
    let search = &[("negamax", 700_000), ("update", 200_000), ("see", 90_000), ("old", 10_000)];
    all(&[("search", once(search)), ("see", once(&[("see", 1_000)]))], FACTS).baseline()
}

#[test]
fn functions_that_grew_stand_behind_a_lost_row() {
    let search = &[("negamax", 700_000), ("update", 203_000), ("see", 90_001), ("new", 12_000)];
    let now = all(&[("search", once(search)), ("see", once(&[("see", 1_000)]))], FACTS);
    let answer = answer(&now, Some(&recorded()), &limits(), 2);
    assert_eq!(told(&answer), ["search: lost ()", "see: held ()"]);
    insta::assert_snapshot!(serde_json::to_string_pretty(&answer.details).expect("text"));
    assert_eq!(answer.values.len(), 2);
    assert_eq!(answer.baseline, Some(now.baseline()));
}

#[test]
fn where_less_is_executed_the_functions_that_shrank_are_told() {
    let search = &[("negamax", 650_000), ("update", 200_500), ("see", 90_000), ("old", 10_000)];
    let now = all(&[("search", once(search))], FACTS);
    let answer = answer(&now, Some(&recorded()), &limits(), 9);
    assert_eq!(answer.rows[0].state, State::Held);
    assert_eq!(answer.details.len(), 1);
    assert_eq!(answer.details[0].title, "instructions of search: -4.950 %, functions that shrank");
    assert_eq!(answer.details[0].rows.len(), 1);
}

#[test]
fn another_path_of_kernels_is_not_lost() {
    for other in
        [[("kernels", "scalar"), ("valgrind", "3.19.0")], [("kernels", "avx2"), ("valgrind", "3.25.1")]]
    {
        let now = all(&[("search", once(&[("negamax", 9_000_000)]))], &other);
        let answer = answer(&now, Some(&recorded()), &limits(), 9);
        let row = &answer.rows[0];
        assert_eq!((row.benchmark.as_str(), row.state), ("search", State::CannotSay));
        assert!(row.note.contains(" was `") && row.note.contains("not the commit's"), "{}", row.note);
        assert_eq!(answer.details, []);
    }
}

#[test]
fn what_is_counted_twice_alike_is_exact() {
    let work = &[("negamax", 1_000_000)];
    let before = all(&[("bench", twice(work, 1_000_000))], FACTS).baseline();
    let now = all(&[("bench", twice(&[("negamax", 1_001_001)], 1_001_001))], FACTS);
    let answer = answer(&now, Some(&before), &limits(), 9);
    assert_eq!(told(&answer), ["bench: lost (counted twice alike)"]);
    assert_eq!(answer.rows[0].interval, None);
    assert_eq!(answer.values.iter().map(|value| value.number).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn limits_below_the_difference_of_two_counts_are_refused() {
    let before = all(&[("bench", once(&[("negamax", 1_000_000)]))], FACTS).baseline();
    let judged = |first, second| {
        let now = all(&[("bench", twice(&[("negamax", first)], second))], FACTS);
        let mut answer = answer(&now, Some(&before), &limits(), 9);
        answer.rows.remove(0)
    };
    let small = judged(1_000_500, 1_000_000);
    assert_eq!((small.state, small.note.as_str()), (State::Held, "counted twice: 0.0500 % apart"));
    let large = judged(1_005_000, 1_000_000);
    assert_eq!(large.state, State::CannotSay);
    assert!(large.note.contains("the hard limit of 0.3 % is below the noise floor"), "{}", large.note);
    // A loss beyond all noise stands.
    assert_eq!(judged(1_105_000, 1_100_000).state, State::Lost);
}

#[test]
fn a_base_that_is_counted_too_stands_for_the_baseline() {
    let mut now = all(
        &[("see", once(&[("see", 1_000)])), ("work", twice(&[("negamax", 2_000), ("new", 40)], 2_040))],
        &[("kernels", "avx2"), ("valgrind", "3.25.1")],
    );
    now.base.insert("work".to_owned(), twice(&[("negamax", 2_000)], 2_000));
    let answer = answer(&now, Some(&recorded()), &limits(), 9);
    let states: Vec<_> = answer.rows.iter().map(|row| (row.benchmark.as_str(), row.state)).collect();
    // Recorded by another valgrind, and the base by the same one.
    assert_eq!(states, [("search", State::CannotSay), ("see", State::CannotSay), ("work", State::Lost)]);
    assert_eq!(answer.details[0].rows[0][..2], ["new", "new"]);
    let sides: Vec<_> = answer.values.iter().map(|value| (value.side, value.value)).collect();
    assert_eq!(
        sides,
        [
            (Side::Base, 2_000.0),
            (Side::Base, 2_000.0),
            (Side::Head, 1_000.0),
            (Side::Head, 2_040.0),
            (Side::Head, 2_040.0),
        ]
    );
}

#[test]
fn what_broke_off_is_void_and_nothing_is_recorded_then() {
    let mut now = all(&[("see", once(&[("see", 1_000)]))], FACTS);
    now.void.insert("search".to_owned(), "arm head died".to_owned());
    let answer = answer(&now, Some(&recorded()), &limits(), 9);
    assert_eq!(told(&answer), ["search: void (arm head died)", "see: held ()"]);
    assert_eq!(answer.baseline, None);
}

#[test]
fn without_a_baseline_nothing_can_be_said_and_all_can_be_recorded() {
    let now = all(&[("see", once(&[("see", 1_000)]))], FACTS);
    let answer = answer(&now, None, &limits(), 9);
    assert_eq!(answer.rows[0].state, State::CannotSay);
    assert_eq!(answer.baseline.map(|baseline| baseline.benchmarks["see"].value), Some(1_000));
}

#[test]
fn a_limit_on_what_nobody_counts_is_told() {
    let mut now = all(&[("see", once(&[("see", 1_000)]))], FACTS);
    now.void.insert("search".to_owned(), "arm head died".to_owned());
    let own = |name: &str| (name.to_owned(), Limits::new(None, Some(1.0)).expect("a limit"));
    let own: BTreeMap<String, Limits> = ["sea", "search", "see"].map(own).into();
    let counted = ["search: void (arm head died)", "see: held ()"];
    for common in [None, limits().common] {
        let limits = LimitSet { common, own: own.clone() };
        let answer = answer(&now, Some(&recorded()), &limits, 9);
        assert_eq!(told(&answer)[0], "sea: cannot say (it was not counted)");
        assert_eq!(told(&answer)[1..], counted);
        let sea = &answer.rows[0];
        assert_eq!(sea.severity(true), super::super::row::Severity::Failure, "a hard limit, when strict");
    }
    // What was once recorded has a row already.
    let limits = LimitSet { common: None, own: own.clone() };
    let answer = answer(&all(&[], FACTS), Some(&recorded()), &limits, 9);
    let states: Vec<_> = answer.rows.iter().map(|row| (row.benchmark.as_str(), row.state)).collect();
    assert_eq!(states, [("sea", State::CannotSay), ("search", State::CannotSay), ("see", State::CannotSay)]);
    assert!(answer.rows[1].note.contains("not measured any more"), "{}", answer.rows[1].note);
}

#[test]
fn facts_that_differ_among_executables_are_told_all() {
    let all = all(&[], &[("compiler", "a"), ("compiler", "a"), ("compiler", "b")]);
    assert_eq!(all.facts["compiler"], "a | b");
}
