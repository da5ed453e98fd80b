//! The register: what fits, and that nothing can be changed, taken out, moved or cut unseen.

use proptest::prelude::*;
use protocol::RUNS;
use protocol::register::{
    Component, Elimination, Entry, Event, Judgement, Lab, Pause, Planned, Register, RegisterFault, Resume,
    Start, State, TornLine, Void, whole_lines,
};

const TIME: &str = "2026-01-02T03:04:05Z";

fn component(name: &str) -> Component {
    Component { name: name.to_owned(), switch: format!("feature {name}") }
}

fn id(number: usize) -> String {
    format!("{number:064x}")
}

fn lab() -> Lab {
    Lab { pid: 7, boot_id: "boot".to_owned() }
}

fn plan(number: usize, bundle: &str, components: &[&str], attempt: usize) -> Event {
    Event::Plan(Planned {
        plan_id: id(number),
        bundle: bundle.to_owned(),
        bundle_sha256: id(1000 + number),
        components: components.iter().map(|name| component(name)).collect(),
        attempt,
        folder: format!("../trials/{number}"),
        lab: lab(),
    })
}

fn start(number: usize, run: usize) -> Event {
    Event::Start(Start { plan_id: id(number), run })
}

fn pause(number: usize, after_run: usize) -> Event {
    Event::Pause(Pause { plan_id: id(number), after_run })
}

fn resume(number: usize) -> Event {
    Event::Resume(Resume { plan_id: id(number), lab: Lab { pid: 8, boot_id: "boot".to_owned() } })
}

fn void(number: usize) -> Event {
    Event::Void(Void { plan_id: id(number), reason: "cancelled".into(), place: "run 1".into() })
}

fn verdict(number: usize, unproven: &[&str]) -> Event {
    Event::Verdict(Judgement {
        plan_id: id(number),
        proven: unproven.is_empty(),
        unproven: unproven.iter().map(|&name| name.to_owned()).collect(),
        records_sha256: id(2000 + number),
        verdict_sha256: id(3000 + number),
    })
}

fn elimination(number: usize, bundle: &str, gone: &[&str], candidate: Option<&str>) -> Event {
    Event::Elimination(Elimination {
        plan_id: id(number),
        bundle: bundle.to_owned(),
        components: gone.iter().map(|name| component(name)).collect(),
        candidate: candidate.map(str::to_owned),
    })
}

fn starts(number: usize) -> Vec<Event> {
    (1..=RUNS).map(|run| start(number, run)).collect()
}

fn add(register: &mut Register, event: Event) {
    let entry = register.next(TIME, event).expect("an event that fits");
    register.push(entry).expect("an entry that fits");
}

fn registered(events: impl IntoIterator<Item = Event>) -> Register {
    let mut register = Register::default();
    events.into_iter().for_each(|event| add(&mut register, event));
    register
}

fn text(register: &Register) -> Vec<u8> {
    let mut text = Vec::new();
    for entry in register.entries() {
        text.extend(entry.line().expect("a line"));
        text.push(b'\n');
    }
    text
}

/// A bundle that fails a component, what is left of it, and a trial that breaks off.
fn sample() -> Register {
    let mut events = vec![plan(1, "quick", &["a", "b"], 1)];
    events.extend(starts(1));
    events.extend([verdict(1, &["a"]), elimination(1, "quick", &["a"], Some("quick-2"))]);
    events.extend([plan(2, "quick-2", &["b"], 1), start(2, 1), pause(2, 1), resume(2), start(2, 2), void(2)]);
    events.push(Event::Torn(TornLine { bytes: 3, sha256: id(4000) }));
    events.push(plan(3, "quick-2", &["b"], 2));
    registered(events)
}

#[test]
fn what_is_written_reads_back() {
    let register = sample();
    let again = Register::read(&text(&register)).expect("the same");
    assert_eq!(again.entries(), register.entries());
    assert_eq!(again.head(), register.head());
    assert_eq!(again.trials(), register.trials());
    let states: Vec<&str> = again.trials().iter().map(|trial| trial.state.words()).collect();
    assert_eq!(states, ["not proven", "void", "running"]);
    assert_eq!(again.trials()[1].plan.lab.pid, 8, "who resumed it");
    assert_eq!(again.open().map(|trial| trial.line).collect::<Vec<_>>(), [19]);
    assert!(matches!(&again.trials()[1].state, State::Void(void) if void.reason == "cancelled"));
    assert!(Register::read(b"").expect("nothing fits").entries().is_empty());
}

#[test]
fn a_line_is_canonical_and_holds_the_line_before() {
    let text = String::from_utf8(text(&registered([plan(1, "q", &["a"], 1), start(1, 1)]))).expect("UTF-8");
    let lines: Vec<&str> = text.lines().collect();
    let before = protocol::canonical::sha256_hex(lines[0].as_bytes());
    let own = protocol::canonical::sha256_hex(
        format!(
            r#"{{"event":{{"start":{{"plan_id":"{}","run":1}}}},"n":2,"previous":"{before}","time":"{TIME}"}}"#,
            id(1)
        )
        .as_bytes(),
    );
    assert_eq!(
        lines[1],
        format!(
            r#"{{"event":{{"start":{{"plan_id":"{}","run":1}}}},"n":2,"previous":"{before}","sha256":"{own}","time":"{TIME}"}}"#,
            id(1)
        )
    );
    assert!(lines[0].contains(&format!(r#""previous":"{}""#, "0".repeat(64))), "{}", lines[0]);
}

/// What an event meets, with what the register says of it.
fn refused(register: &Register, event: Event) -> String {
    let fault = register.next(TIME, event).expect_err("an event that does not fit");
    assert!(matches!(fault, RegisterFault::Story { .. }), "{fault}");
    assert_eq!(fault.line(), register.entries().len() + 1);
    fault.to_string()
}

#[test]
fn events_that_cannot_have_happened_are_refused() {
    let begun = |runs: usize| {
        let events = [plan(1, "q", &["a", "b"], 1)].into_iter().chain(starts(1).into_iter().take(runs));
        registered(events)
    };
    let cases: [(Register, Event, &str); 15] = [
        (begun(0), plan(1, "q", &["a", "b"], 2), "another plan than in line 1"),
        (begun(0), plan(2, "q", &["c"], 1), "expected attempt 2"),
        (begun(0), plan(2, "other", &["b", "a"], 1), "expected attempt 2"),
        (begun(0), plan(2, "other", &["a"], 2), "expected attempt 1"),
        (begun(0), start(2, 1), "expected a plan with this id in a line before"),
        (
            begun(0),
            start(1, 2),
            "found the start of run 2 of plan 000000000000, expected of the trial in line 1, the start of run 1",
        ),
        (begun(1), start(1, 1), "the start of run 2, a pause after run 1, or that it is void"),
        (begun(RUNS), start(1, RUNS + 1), "its verdict, or that it is void"),
        (begun(RUNS), pause(1, RUNS), "its verdict, or that it is void"),
        (begun(2), pause(1, 1), "a pause after run 2"),
        (begun(RUNS - 1), verdict(1, &[]), "the start of run 8"),
        (begun(1), resume(1), "found a resume of plan 000000000000"),
        (begun(1), elimination(1, "q", &["a"], None), "the start of run 2"),
        (
            registered([plan(1, "q", &["a"], 1), void(1)]),
            start(1, 1),
            "nothing more of the trial in line 1, which is void",
        ),
        (
            registered([plan(1, "q", &["a"], 1), pause(1, 0)]),
            start(1, 1),
            "that it goes on, or that it is void",
        ),
    ];
    for (register, event, told) in cases {
        let fault = refused(&register, event);
        assert!(fault.contains(told), "{fault}");
    }
    let mut judged = begun(RUNS);
    add(&mut judged, verdict(1, &["a"]));
    assert!(refused(&judged, void(1)).ends_with("the elimination of a"), "{}", refused(&judged, void(1)));
    assert!(refused(&judged, elimination(1, "q", &["b"], None)).ends_with("the elimination of a"));
    assert!(refused(&judged, elimination(1, "q", &[], None)).ends_with("the elimination of a"));
}

#[test]
fn attempts_are_counted_by_name_and_by_switches() {
    let mut register = sample();
    let count = |register: &Register, bundle: &str, names: &[&str]| {
        let components: Vec<Component> = names.iter().map(|name| component(name)).collect();
        register.attempts(bundle, &components).count()
    };
    assert_eq!(count(&register, "quick", &["z"]), 1, "the same name");
    assert_eq!(count(&register, "renamed", &["b", "a"]), 1, "the same switches in another order");
    assert_eq!(count(&register, "renamed", &["b"]), 2, "void and running plans count");
    assert_eq!(count(&register, "renamed", &["a"]), 0, "a part is another bundle");
    add(&mut register, plan(4, "renamed", &["b"], 3));
    assert_eq!(count(&register, "renamed", &["b"]), 3);
}

/// The names of the components that a bundle may not hold, with the lines of their trials.
fn bans(register: &Register, bundle: &str, components: &[Component]) -> Vec<(String, usize)> {
    let bans = register.bans(bundle, components);
    bans.iter().map(|ban| (ban.component.name.clone(), ban.trial.line)).collect()
}

#[test]
fn a_component_without_proof_does_not_come_back() {
    let register = sample();
    let of = |names: &[&str]| names.iter().map(|name| component(name)).collect::<Vec<_>>();
    let gone = vec![("a".to_owned(), 1)];
    assert_eq!(bans(&register, "quick", &of(&["b", "a"])), gone);
    assert_eq!(bans(&register, "quick", &of(&["a", "new"])), gone, "beside others");
    assert_eq!(bans(&register, "renamed", &of(&["b", "a"])), gone, "under another name");
    assert_eq!(bans(&register, "quick-2", &of(&["b", "a", "new"])), gone, "in what was left");
    assert_eq!(bans(&register, "quick", &of(&["b"])), []);
    assert_eq!(bans(&register, "other", &of(&["a", "new"])), [], "another bundle");
    let renamed = Component { name: "A".into(), switch: "feature a".into() };
    assert_eq!(bans(&register, "quick", &[renamed]), [("A".to_owned(), 1)], "neither under another name");
    let rewired = Component { name: "a".into(), switch: "feature a2".into() };
    assert_eq!(bans(&register, "quick", &[rewired]), gone, "nor by another switch");
}

#[test]
fn what_is_left_of_a_bundle_is_numbered_from_two() {
    let mut register = Register::default();
    assert_eq!(register.candidate("quick", |_| false), "quick-2");
    assert_eq!(register.candidate("quick", |name| name == "quick-2"), "quick-3", "a file of that name");
    assert_eq!(register.candidate("avx-512", |_| false), "avx-512-2");
    register = sample();
    assert_eq!(register.candidate("quick-2", |_| false), "quick-3", "not quick-2-2");
    assert_eq!(register.candidate("quick", |_| false), "quick-3", "quick-2 is known");
    assert_eq!(register.candidate("other-2", |_| false), "other-2-2", "nothing is left over");
}

#[test]
fn a_forger_who_mends_the_line_is_found_at_the_next() {
    let register = sample();
    let mut entries = register.entries().to_vec();
    let Event::Void(void) = &mut entries[16].event else { panic!("line 17 is the void") };
    void.reason = "nothing".into();
    let forged = Entry::new(17, TIME.into(), entries[16].event.clone(), entries[16].previous.clone());
    entries[16] = forged.expect("an entry");
    let mut told = Register::default();
    let fault = entries.into_iter().find_map(|entry| told.push(entry).err()).expect("a fault");
    assert_eq!(fault.line(), 17);
    let RegisterFault::Chain { line: 18, found, expected } = &fault else { panic!("{fault}") };
    assert_eq!(*expected, register.entries()[17].previous);
    assert_eq!(
        fault.to_string(),
        format!(
            "line 17: found SHA-256 {found}, expected {expected} as line 18 says: it is not the line that was there"
        )
    );
}

#[test]
fn a_cut_line_is_told_apart_from_whole_ones() {
    let whole = text(&sample());
    let mut cut = whole.clone();
    cut.extend(b"{\"event\":");
    assert_eq!(
        Register::read(&cut).unwrap_err().to_string(),
        "line 20: cut off after 9 bytes, expected a newline at its end"
    );
    assert_eq!(whole_lines(&cut), (whole.as_slice(), b"{\"event\":".as_slice()));
    assert_eq!(whole_lines(&whole), (whole.as_slice(), b"".as_slice()));
    assert_eq!(whole_lines(b"abc"), (b"".as_slice(), b"abc".as_slice()));
}

#[test]
fn what_is_no_entry_is_told_with_its_place() {
    let mut padded = text(&sample());
    let at = padded.iter().position(|&byte| byte == b',').expect("a comma");
    padded.insert(at + 1, b' ');
    let fault = Register::read(&padded).unwrap_err();
    assert!(
        matches!(fault, RegisterFault::NotCanonical { line: 1, column, .. } if column == at + 2),
        "{fault}"
    );
    let fault = Register::read(b"{\"n\":1}\n").unwrap_err().to_string();
    assert_eq!(
        fault,
        "line 1: JSON of another kind (missing field `time` at column 7); expected an entry of the register"
    );
}

/// A register of up to three trials.
fn some() -> impl Strategy<Value = Register> {
    let trial = (0..=RUNS, prop_oneof![Just("void"), Just("judged"), Just("paused"), Just("open")]);
    proptest::collection::vec(trial, 1..4).prop_map(|trials| {
        let mut events = Vec::new();
        for (number, (runs, end)) in (1..).zip(trials) {
            events.push(plan(number, "q", &["a", "b"], number));
            events.extend(starts(number).into_iter().take(if end == "judged" { RUNS } else { runs }));
            match end {
                "void" => events.push(void(number)),
                "judged" => events.extend([verdict(number, &["b"]), elimination(number, "q", &["b"], None)]),
                "paused" if runs < RUNS => events.push(pause(number, runs)),
                _ => {}
            }
        }
        registered(events)
    })
}

proptest! {
    #[test]
    fn any_changed_byte_is_found(register in some(), at in any::<prop::sample::Index>(), by in 1_u8..) {
        let mut bytes = text(&register);
        let at = at.index(bytes.len());
        bytes[at] ^= by;
        let fault = Register::read(&bytes);
        let line = text(&register)[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        prop_assert_eq!(fault.map(|_| ()).map_err(|fault| fault.line()), Err(line));
    }

    #[test]
    fn a_line_taken_out_is_found(register in some(), at in any::<prop::sample::Index>()) {
        let lines = register.entries().len();
        prop_assume!(lines > 1);
        let at = at.index(lines - 1);
        let bytes = text(&register);
        let all: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        let rest: Vec<u8> = [&all[..at], &all[at + 1..]].concat().concat();
        let fault = Register::read(&rest).unwrap_err();
        prop_assert_eq!(fault, RegisterFault::Number { line: at + 1, found: at + 2 });
    }

    #[test]
    fn swapped_lines_are_found(
        register in some(), a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>(),
    ) {
        let lines = register.entries().len();
        let (a, b) = (a.index(lines), b.index(lines));
        prop_assume!(a != b);
        let bytes = text(&register);
        let mut all: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        all.swap(a, b);
        prop_assert_eq!(Register::read(&all.concat()).unwrap_err().line(), a.min(b) + 1);
    }

    #[test]
    fn a_register_cut_within_a_line_is_found(register in some(), at in any::<prop::sample::Index>()) {
        let bytes = text(&register);
        let cut = &bytes[..at.index(bytes.len())];
        prop_assume!(!cut.is_empty() && !cut.ends_with(b"\n"));
        let torn = matches!(Register::read(cut), Err(RegisterFault::Torn { .. }));
        prop_assert!(torn);
        let (whole, rest) = whole_lines(cut);
        prop_assert!(Register::read(whole).is_ok() && !rest.is_empty());
    }
}
