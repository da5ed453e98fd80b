//! Comparisons, users' own numbers and A/A measurements in words.

use std::collections::BTreeMap;

use protocol::calibration::forecast::{AA_FORMAT, Aa, Forecast, trial_seconds};
use protocol::calibration::{Sample, calibrate};
use protocol::compare::numbers::Numbers;
use protocol::compare::{COMPARISON_FORMAT, Comparison, Estimate, Outcome, Side, Sizing};
use protocol::plan::{Identity, IdentityLevel, Lane, Layout, LayoutPart, Machine, PartState, Tool, Workload};
use reports::compare::{commit_message, commit_message_of_numbers, numbers, table};

/// Twelve values about one that scatter by some tenths, the same in every test.
fn values(about: f64) -> Vec<f64> {
    let scatter = [0.21, -0.34, 0.05, 0.48, -0.12, -0.27, 0.33, -0.08, 0.16, -0.41, 0.02, 0.11];
    scatter.iter().map(|value| about + value).collect()
}

fn tool() -> Tool {
    Tool { version: "0.1.0".to_owned(), sha256: "00".repeat(32), evaluator: 2, linker: None }
}

fn machine() -> Machine {
    Machine {
        processor: "Synthetic Processor 3000 with a rather long name".to_owned(),
        cores: 4,
        kernel: "6.1.0".to_owned(),
        huge_pages: "madvise".to_owned(),
        governor: None,
        boot_id: "synthetic".to_owned(),
        counters: false,
    }
}

fn comparison(about: f64, relinked: bool) -> Comparison {
    let estimate = Estimate::paired(&values(about)).expect("an estimate");
    let state = if relinked { PartState::Drawn } else { PartState::NotScattered };
    let part = |(part, state): (&str, PartState)| LayoutPart { part: part.to_owned(), state };
    let side = |name: &str, what: &str, digit: &str| Side {
        name: name.to_owned(),
        what: what.to_owned(),
        inputs_sha256: digit.repeat(64),
        executable_sha256: digit.repeat(64),
    };
    Comparison {
        format: COMPARISON_FORMAT,
        created: "2026-01-01T00:00:00Z".to_owned(),
        a: side("main", "a commit 0123456789abcdef0123456789abcdef01234567", "a"),
        b: side("my-branch", "the files as they are", "b"),
        layout: Layout {
            scheme: "synthetic/1".to_owned(),
            seed: 7,
            parts: [("order", state), ("stack", PartState::Drawn), ("mapping", PartState::Fixed)]
                .map(part)
                .to_vec(),
            tables: None,
        },
        lane: Lane {
            name: "default".to_owned(),
            core: 3,
            options: BTreeMap::new(),
            files: BTreeMap::new(),
            build: 0,
        },
        workload: Workload::new(vec!["a position".to_owned(); 6], 58_000),
        slice_us: 5_000,
        processes: 4,
        identity: Some(Identity {
            levels: vec![IdentityLevel { positions: 64, nodes: 50_000 }],
            bench_nodes: BTreeMap::from([("default".to_owned(), 1_544_252)]),
            digests: BTreeMap::new(),
        }),
        sizing: Sizing { resolution_percent: 0.25, calibration_phases: 10, sd: 0.31, phases: 12 },
        values: values(about),
        rates: (1_034_221.4, 1_047_666.6),
        seconds: 51.3,
        outcome: estimate.outcome(),
        estimate,
        notes: vec!["a profile was used".to_owned()],
        tool: tool(),
        machine: machine(),
    }
}

#[test]
fn a_faster_build_is_told_with_bounds() {
    let text = table(&comparison(1.3, true));
    insta::assert_snapshot!("faster", text);
    assert!(!text.contains("LIMITED"));
}

#[test]
fn what_is_not_resolved_is_said_in_capitals() {
    let mut unresolved = comparison(0.05, true);
    unresolved.sizing.resolution_percent = 0.1;
    let text = table(&unresolved);
    insta::assert_snapshot!("not_resolved", text);
    assert_eq!(unresolved.outcome, Outcome::NotResolved);
}

#[test]
fn prebuilt_executables_are_limited_in_the_first_line_and_trees_may_differ() {
    let slower = Comparison { identity: None, ..comparison(-1.3, false) };
    let text = table(&slower);
    assert!(text.starts_with("LIMITED to start-up layouts"), "{text}");
    assert!(
        text.contains("SLOWER: B is slower than A") && text.contains("trees were not compared"),
        "{text}"
    );
}

#[test]
fn blocks_for_commit_messages_are_narrow() {
    let (faster, unresolved) =
        (commit_message(&comparison(1.3, true)), commit_message(&comparison(0.05, false)));
    let longest = faster.lines().chain(unresolved.lines()).map(|line| line.chars().count()).max();
    assert!(longest.is_some_and(|longest| longest <= 72), "{faster}{unresolved}");
    insta::assert_snapshot!("commit_message", format!("{faster}\n{unresolved}"));
}

#[test]
fn names_do_not_steer_the_terminal() {
    let mut comparison = comparison(1.3, true);
    comparison.b.name = "\u{1b}[2Jevil".to_owned();
    assert!(!table(&comparison).contains('\u{1b}') && !commit_message(&comparison).contains('\u{1b}'));
}

/// "+2.1 % from seven runs".
#[test]
fn seven_runs_say_little_and_what_it_would_take() {
    let text = "A: 1012000 985000 1004000 1031000 968000 1009000 991000\n\
                B: 1030000 1008000 1051000 997000 1022000 1044000 1001000\n";
    let judged = Numbers::read(text).expect("numbers").judge(0.25).expect("judged");
    assert!((judged.estimate.percent - 2.1).abs() < 0.2, "{}", judged.estimate.percent);
    insta::assert_snapshot!("seven_runs", numbers(&judged));
    insta::assert_snapshot!("seven_runs_commit", commit_message_of_numbers(&judged));
}

#[test]
fn seven_pairs_give_no_interval_of_99_percent() {
    let lines = ["1000 1021", "1010 1019", "990 1015", "1005 1016", "995 1024", "1002 1030", "1000 1020"];
    let judged = Numbers::read(&lines.join("\n")).expect("numbers").judge(0.5).expect("judged");
    assert_eq!(judged.outcome, Outcome::Faster);
    insta::assert_snapshot!("seven_pairs", numbers(&judged));
    let three = Numbers::read(&lines[..3].join("\n")).expect("numbers").judge(0.5).expect("judged");
    assert_eq!(three.outcome, Outcome::NotResolved);
    assert!(numbers(&three).contains("so few values give no 93 % interval"));
}

/// An A/A measurement of two lanes, one quiet and one hopeless.
fn aa() -> Aa {
    let lane = |name: &str, scale: f64| {
        let samples: Vec<Sample> = values(0.02)
            .iter()
            .enumerate()
            .flat_map(|(phase, &value)| {
                [value, -0.7 * value].map(|value| Sample { value: scale * value, swapped: phase % 2 == 1 })
            })
            .collect();
        let mut calibration = calibrate(name, &samples, 3.5).expect("a calibration");
        calibration.phases = 12;
        let own: Vec<Vec<f64>> =
            values(0.0).iter().map(|v| vec![1.8 * scale * v, -1.5 * scale * v]).collect();
        Forecast::new(calibration, &own).expect("a forecast")
    };
    let lanes = vec![lane("quiet", 1.0), lane("noisy", 9.0)];
    Aa {
        format: AA_FORMAT,
        created: "2026-01-01T00:00:00Z".to_owned(),
        bundle: "synthetic".to_owned(),
        seed: 7,
        trial_seconds: lanes.iter().map(|lane| trial_seconds(lane.calibration.phase_seconds)).sum(),
        lanes,
        tool: tool(),
        machine: machine(),
    }
}

#[test]
fn an_aa_measurement_says_what_a_trial_takes() {
    let aa = aa();
    assert!(!aa.lanes[0].must_fire && aa.lanes[0].can_prove());
    assert!(aa.lanes[1].must_fire && !aa.lanes[1].can_prove());
    insta::assert_snapshot!("aa", reports::aa::table(&aa));
}

#[test]
fn results_come_back_from_their_json() {
    let comparison = comparison(1.3, true);
    let text = serde_json::to_string(&comparison).expect("JSON");
    assert_eq!(serde_json::from_str::<Comparison>(&text).expect("the same"), comparison);
    let aa = aa();
    let text = serde_json::to_string(&aa).expect("JSON");
    assert_eq!(serde_json::from_str::<Aa>(&text).expect("the same"), aa);
}
