//! A machine that jumps between two speeds (1.75 and 2.8 million nodes a second) within a run: the right verdict or
//! none, never a wrong one.

use protocol::synthetic::Spec;

use super::machine::{Machine, measure};
use super::trial::Judged;

const SPEEDS: [f64; 2] = [1.75e6, 2.8e6];
/// Points that the parts gain.
const GAINS: [(&str, f64); 3] = [("prefetch", 1.0), ("padding", 0.0), ("big-table", -1.0)];

/// A trial of the three parts on a machine that jumps every `dwell` seconds on average.
fn trial(dwell: f64, seed: u64) -> Judged {
    let spec = Spec { noise: 0.0, jitter: 0.0, nodes: 220_000, ..Spec::new(&GAINS, seed) };
    Judged::new(&spec, |plan, records| {
        measure(plan, records, &levels(), &mut Machine::new(SPEEDS, dwell, seed));
    })
}

/// Log rates of the arms above base.
fn levels() -> Vec<f64> {
    let all: f64 = GAINS.iter().map(|(_, gain)| gain).sum();
    [0.0, all].into_iter().chain(GAINS.iter().map(|(_, gain)| all - gain)).collect()
}

#[test]
fn never_a_wrong_verdict() {
    let (mut right, mut silent, mut lucky) = (0, 0, 0);
    for dwell in [0.02, 0.3, 4.0] {
        for seed in 0..12 {
            let trial = trial(dwell, seed);
            let told = trial.table();
            let costs = |name: &str| told.contains(&format!("{name} on main: costs speed"));
            assert!(!trial.passed("big-table") && !costs("prefetch"), "{dwell} s, seed {seed}:\n{told}");
            match (trial.passed("prefetch"), costs("big-table")) {
                (true, true) => right += 1,
                _ => silent += 1,
            }
            lucky += usize::from(trial.passed("padding"));
        }
    }
    // 36 trials of a part that does nothing: 9/256 of them pass by luck.
    assert!(lucky <= 4, "{lucky} times");
    assert!(right >= 12 && silent > 0, "{right} right, {silent} silent");
}

#[test]
fn a_machine_that_jumps_every_few_slots_is_told_to_be_too_unsteady() {
    insta::assert_snapshot!(trial(0.02, 3).table());
}

#[test]
fn a_machine_that_jumps_within_runs_is_measured_all_the_same() {
    insta::assert_snapshot!(trial(4.0, 3).table());
}

/// What the slots are good for: whole benches one after another say anything.
#[test]
fn whole_benches_in_turn_would_say_anything() {
    let whole = |seed: u64| {
        let mut machine = Machine::new(SPEEDS, 4.0, seed);
        let mut bench = || machine.work(&mut 2.6e6, 1.0, f64::INFINITY);
        let (first, second): (f64, f64) = (bench(), bench());
        100.0 * (second / first).ln()
    };
    let said: Vec<f64> = (0..100).map(whole).collect();
    let off = said.iter().filter(|said| said.abs() > 20.0).count();
    assert!(off > 10, "{off} of 100 pairs of equal engines differ by more than 20 points");
}
