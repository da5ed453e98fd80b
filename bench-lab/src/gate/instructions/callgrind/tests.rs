//! `plain.out` and `jumps.out` are of `toy.cpp`, compiled without optimisation and counted within `main`: the first with
//! every name in full, the second with numbers for names, relative positions, instructions and jumps.

use std::fmt::Write;

use proptest::prelude::*;

use super::*;

const PLAIN: &str = include_str!("plain.out");
const JUMPS: &str = include_str!("jumps.out");

fn own(counts: &Counts) -> Vec<(&str, u64)> {
    let functions = counts.functions.iter().filter(|(_, cost)| cost.own > 0);
    functions.map(|(name, cost)| (name.as_str(), cost.own)).collect()
}

#[test]
fn functions_and_total_are_those_that_callgrind_annotate_tells() {
    let counts = Counts::parse(PLAIN).expect("good");
    assert_eq!((counts.creator.as_str(), counts.total), ("callgrind-3.19.0", 857));
    assert_eq!(
        own(&counts),
        [
            ("main", 14),
            ("toy::(anonymous namespace)::ladder(unsigned long)", 14),
            ("toy::(anonymous namespace)::ladder(unsigned long)'2", 121),
            ("toy::Search<0>::nodes(unsigned long)", 60),
            ("toy::Search<1>::nodes(unsigned long)", 358),
            ("toy::Search<2>::nodes(unsigned long)", 201),
            ("toy::Search<3>::nodes(unsigned long)", 89),
        ]
    );
    let inclusive = |name: &str| counts.functions[name].inclusive;
    assert_eq!(inclusive("main"), 857);
    assert_eq!(inclusive("toy::Search<3>::nodes(unsigned long)"), 708);
    assert_eq!(inclusive("toy::(anonymous namespace)::ladder(unsigned long)"), 135);
}

#[test]
fn both_ways_to_write_the_same_counts_are_read_alike() {
    let (plain, jumps) = (Counts::parse(PLAIN).expect("good"), Counts::parse(JUMPS).expect("good"));
    assert_eq!(own(&plain), own(&jumps));
    assert_eq!(plain.functions["main"], jumps.functions["main"]);
}

#[test]
fn a_file_that_is_not_whole_is_refused() {
    let told = |text: &str| Counts::parse(text).expect_err("bad").to_string();
    let cut = PLAIN.replace("totals: 857\n", "");
    assert_eq!(told(&cut), "it has no line `totals:`: was callgrind killed?");
    let lost = PLAIN.replace("0 112\n", "");
    assert_eq!(told(&lost), "its functions executed 745 instructions, its total says 857");
    assert_eq!(
        told(&PLAIN.replace("events: Ir", "events: Dr")),
        "line 17: instructions (Ir) are not among the events: `events: Dr`"
    );
    assert_eq!(told("fn=a\n1 2\n"), "line 2: costs before `positions:`: `1 2`");
    assert_eq!(told("positions: line\n1 2\n"), "line 2: costs before `events:`: `1 2`");
    assert_eq!(told("positions: line\nevents: Ir\n1 2\n"), "line 3: costs before any function: `1 2`");
    assert_eq!(told("fn=(3)\n"), "line 1: a number that has no name yet: `fn=(3)`");
    assert_eq!(told("positions: line\nevents: Ir\nfn=a\n1 x\n"), "line 4: a cost that is no number: `1 x`");
    assert_eq!(told("garbage\n"), "line 1: neither costs nor a name: `garbage`");
}

#[test]
fn other_events_stand_beside_and_zeros_are_left_out() {
    let text = "positions: line\nevents: Dr Ir Dw\nfn=f\n1 5 7 9\n2 5\n\ntotals: 10 7 9\n";
    assert_eq!(Counts::parse(text).expect("good").functions["f"].own, 7);
}

/// Functions with what they execute themselves in pieces, and calls: callee and cost.
type Program = Vec<(Vec<u32>, Vec<(usize, u32)>)>;

fn programs() -> impl Strategy<Value = Program> {
    (1..8_usize).prop_flat_map(|functions| {
        let calls = prop::collection::vec((0..functions, any::<u32>()), 0..4);
        prop::collection::vec((prop::collection::vec(any::<u32>(), 0..5), calls), functions)
    })
}

/// As callgrind writes it, with numbers for names or without.
fn written(program: &Program, numbers: bool) -> String {
    let mut text = "# callgrind format\ncreator: callgrind-9\npositions: line\nevents: Ir\n\n".to_owned();
    let mut told = vec![false; program.len()];
    let mut name = |function: usize| {
        let name = format!("(space {function})::f<a=b>(int)");
        match (numbers, std::mem::replace(&mut told[function], true)) {
            (false, _) => name,
            (true, false) => format!("({function}) {name}"),
            (true, true) => format!("({function})"),
        }
    };
    let mut total = 0;
    for (function, (own, calls)) in program.iter().enumerate() {
        writeln!(text, "fn={}", name(function)).expect("a string");
        for &(callee, cost) in calls {
            writeln!(text, "cfn={}\ncalls=1 7\n3 {cost}", name(callee)).expect("a string");
        }
        for &cost in own {
            total += u64::from(cost);
            writeln!(text, "+1 {cost}").expect("a string");
        }
    }
    writeln!(text, "\ntotals: {total}").expect("a string");
    text
}

proptest! {
    #[test]
    fn what_is_written_is_read(program in programs(), numbers: bool) {
        let counts = Counts::parse(&written(&program, numbers)).expect("good");
        for (function, (own, calls)) in program.iter().enumerate() {
            let cost = counts.functions.get(&format!("(space {function})::f<a=b>(int)")).copied().unwrap_or_default();
            let expected: u64 = own.iter().map(|&cost| u64::from(cost)).sum();
            let called: u64 = calls.iter().map(|&(_, cost)| u64::from(cost)).sum();
            prop_assert_eq!(cost, Cost { own: expected, inclusive: expected + called });
        }
        prop_assert_eq!(counts.total, counts.functions.values().map(|cost| cost.own).sum::<u64>());
    }

    /// Whatever is left of a file, only the whole is taken.
    #[test]
    fn a_cut_is_noticed(program in programs(), numbers: bool, at: prop::sample::Index) {
        let text = written(&program, numbers);
        let last = text.rfind("totals").expect("there");
        prop_assert!(Counts::parse(&text[..at.index(last)]).is_err());
    }

    #[test]
    fn no_text_breaks_it(text in "(?s)[ -~\n]{0,200}", lines in prop::collection::vec(
        prop::sample::select(vec![
            "fn=(1) a", "fn=(1)", "fn=", "cfn=(2", "calls=", "calls=1 2", "1 18446744073709551615", "+1 2", "* 9", "jump=1 2",
            "events: Ir", "events:", "positions: line", "positions:", "totals: 18446744073709551615", "totals:", "=", ":",
        ]), 0..30)) {
        let _ = Counts::parse(&text);
        let _ = Counts::parse(&lines.join("\n"));
    }

    #[test]
    fn threads_are_summed(one in programs(), other in programs()) {
        let parse = |program| Counts::parse(&written(program, true)).expect("good");
        let (one, other) = (parse(&one), parse(&other));
        let mut sum = one.clone();
        sum.add(&other);
        prop_assert_eq!(sum.total, one.total + other.total);
        prop_assert_eq!(sum.functions.values().map(|cost| cost.own).sum::<u64>(), sum.total);
    }
}
