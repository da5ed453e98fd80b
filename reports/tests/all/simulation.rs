//! The table and the picture of a simulation.

use protocol::EVALUATOR;
use protocol::simulation::{Noise, Outcome, Rate, SIMULATION_FORMAT, Setting, Simulation, simulate};
use reports::simulation::{Bound, power, table};
use roxmltree::Document;

fn simulated(components: usize, gains: &[f64], noises: &[Noise]) -> Simulation {
    let outcome = |&noise: &Noise| {
        let gains = gains.to_vec();
        let setting =
            Setting { noise, sd: 0.35, components, lanes: 1, gains, threshold_percent: 0.5, seed: 3 };
        let cells = simulate(&setting, 0..2_000).expect("a sound setting").cells(&setting);
        Outcome { noise, cells }
    };
    Simulation {
        format: SIMULATION_FORMAT,
        evaluator: EVALUATOR,
        trials: 2_000,
        seed: 3,
        sd: 0.35,
        components,
        lanes: 1,
        threshold_percent: 0.5,
        bound: 9.0 / 256.0,
        outcomes: noises.iter().map(outcome).collect(),
    }
}

const NOISES: [Noise; 4] = [
    Noise::Normal,
    Noise::SlowSpells { share: 0.1, phases: 4.0, points: 0.5 },
    Noise::Drift { points: 0.3 },
    Noise::Bias { points: 0.1 },
];

#[test]
fn the_table_tells_rates_and_what_became_of_the_bound() {
    insta::assert_snapshot!(table(&simulated(2, &[0.0, 0.1, 0.3], &NOISES)));
}

#[test]
fn a_single_component_has_no_idle_partner_and_no_gain_no_bound() {
    let table = table(&simulated(1, &[0.2], &NOISES[..1]));
    assert!(!table.contains("idle") && !table.contains("False proofs"), "{table}");
    assert!(table.contains("2,000 trials a line, seed 3: 1 component on 1 lane"), "{table}");
}

#[test]
fn the_bound_is_called_broken_only_beyond_doubt() {
    let of = |hits| Bound::of(&Rate::new(hits, 100_000), 9.0 / 256.0);
    assert_eq!(of(3_516), Bound::Reached);
    assert_eq!(of(3_600), Bound::Reached);
    assert_eq!(of(100), Bound::Kept);
    assert!(matches!(of(7_031), Bound::Broken(factor) if (factor - 2.0).abs() < 0.01));
}

#[test]
fn the_picture_stands_alone() {
    let simulation = simulated(2, &[0.0, 0.1, 0.3], &NOISES);
    let svg = power(&simulation).expect("a picture");
    let tree = Document::parse(&svg).expect("well formed");
    let label = tree.descendants().find(|node| node.attribute("id") == Some("desc"));
    let label = label.and_then(|node| node.text()).expect("a description");
    assert!(label.contains("Constant bias (0.1 points)"), "{label}");
    for foreign in ["<script", "href", "@import", "url("] {
        assert!(!svg.contains(foreign), "{foreign}");
    }
    // Every colour that is used has its value in the file, for light and dark.
    for used in svg.split("var(--").skip(1).filter_map(|rest| rest.split_once(')')).map(|(name, _)| name) {
        assert_eq!(svg.matches(&format!("--{used}:")).count(), 2, "{used}");
    }
    let titles = tree.descendants().filter(|node| node.attribute("font-weight") == Some("bold"));
    assert_eq!(titles.count(), 1 + NOISES.len());
    assert_eq!(power(&simulation).expect("a picture"), svg, "same simulation, same bytes");
}

#[test]
fn one_gain_and_no_outcome_still_fit() {
    assert!(power(&simulated(1, &[0.0], &NOISES[..1])).is_ok());
    assert!(power(&simulated(1, &[-1.0, 50.0], &NOISES[..1])).is_ok());
    assert!(power(&simulated(1, &[0.0], &[])).is_ok());
}
