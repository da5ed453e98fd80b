//! The same `bench` count, but another tree on a position with promotions, or on one SIMD path only: found by the
//! identity suite, the first line shown.

use crate::fake_lab::{Lab, lane, saving};
use crate::support::cores;

const ODD: &str =
    "[[component]]\nname = \"shortcut\"\noption = { name = \"Odd\", on = true, off = false }\ncosts = []\n";
const SUITE: &str = "[identity]\npositions = 32\nnodes = 100\n";

/// A lane on a SIMD path, on which the part is odd where `odd` says.
fn path(name: &str, odd: &str) -> String {
    lane(name, cores()[0], name, &format!("odd={odd}"))
}

/// What the lab says to such a part.
fn told(lanes: &[String], identity: &str) -> String {
    let lab = Lab::new();
    let told = lab.run(&lab.bundle(ODD, lanes, identity));
    assert_eq!(told.code, Some(4), "{}", told.err);
    assert!(!lab.trial().exists(), "nothing is planned");
    told.error().to_owned()
}

#[test]
fn on_positions_with_promotions() {
    insta::assert_snapshot!(told(&[path("avx2", "promotions")], SUITE));
}

#[test]
fn on_one_simd_path_that_is_a_lane() {
    insta::assert_snapshot!(told(&["avx2", "avx512"].map(|name| path(name, "avx512")), SUITE));
}

#[test]
fn on_one_simd_path_that_no_lane_measures() {
    let paths = format!("{SUITE}paths = [{{ SIMD = \"scalar\" }}, {{ SIMD = \"avx2\" }}]\n");
    insta::assert_snapshot!(told(&[path("avx512", "avx2")], &paths));
}

/// Each part alone leaves the tree as it is, and so do all of them; only what the diagnostics leave out together does not.
#[test]
fn where_parts_are_left_out_together() {
    let lab = Lab::new();
    let parts = [&saving(&[5, 5]), ODD].concat();
    let rest = format!("{SUITE}[diagnostics]\ntogether = [[\"part-a\", \"part-b\"]]\nphases = 1\n");
    let told = lab.run(&lab.bundle(&parts, &[path("avx2", "alone")], &rest));
    assert_eq!(told.code, Some(4), "{}", told.err);
    assert!(!lab.trial().exists(), "nothing is planned");
    // Which arm was there first to be compared with depends on the machine.
    let error = told.error();
    let [place, other, joint] = error.lines().collect::<Vec<_>>()[..] else { panic!("{error}") };
    let suite = include_str!("../../../bundles/workloads/identity.epd");
    let first = suite.lines().find(|line| line.contains('/')).expect("a position");
    assert_eq!(place, format!("error: the trees differ on {first} at 100 nodes, line 1, lane avx2"));
    let line = |told: &str| told.split_once("  info depth 1 score cp ").map(|(_, line)| line.to_owned());
    assert!(joint.starts_with("  without:part-a+part-b  info depth 1 "), "{error}");
    assert!(line(other).is_some() && line(joint).is_some() && line(other) != line(joint), "{error}");
}

/// The suite that comes with the lab has such positions in every level, however small.
#[test]
fn the_suite_has_promotions_early_and_often() {
    let suite = include_str!("../../../bundles/workloads/identity.epd");
    let fens: Vec<&str> =
        suite.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).collect();
    let promoting = |count: usize| fens[..count].iter().filter(|fen| can_promote(fen)).count();
    assert!(
        promoting(8) >= 2 && promoting(64) >= 8 && promoting(256) >= 32,
        "{:?}",
        [8, 64, 256].map(promoting)
    );
}

/// A pawn of the side to move stands one step from promotion, and the square before it is free.
fn can_promote(fen: &str) -> bool {
    let (board, side) = fen.split_once(' ').expect("a side to move");
    let files = |rank: &str| -> String {
        rank.chars().map(|c| c.to_digit(10).map_or(c.to_string(), |n| " ".repeat(n as usize))).collect()
    };
    let ranks: Vec<String> = board.split('/').map(files).collect();
    let (last, seventh, pawn) = if side.starts_with('w') { (0, 1, 'P') } else { (7, 6, 'p') };
    ranks[seventh].chars().zip(ranks[last].chars()).any(|(own, before)| own == pawn && before == ' ')
}
