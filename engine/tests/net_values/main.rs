//! Net values: every path of the engine against a slow reading of the format's page.

mod bounds;
mod files;
mod paths;
mod reference;
#[path = "../starts/mod.rs"]
mod starts;
#[path = "../targeted/mod.rs"]
mod targeted;

use std::path::Path;

use files::{Shape, save};
use paths::Paths;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reference::{pairs, threat_index, view_of};
use starts::STARTS;
use targeted::Kind;
use tempo::nnue::{Evaluator, Network, Simd, scaled};
use tempo::position::{Color, Position};

/// Plays random games and compares, on positions reached with and without looking in between. Returns the number of
/// positions.
fn compare(net: &Path, rounds: u64) -> usize {
    let mut paths = Paths::new(net);
    let mut random = ChaCha8Rng::seed_from_u64(rounds);
    for fen in STARTS.iter().cycle().take(rounds as usize * STARTS.len()) {
        let mut position = Position::from_fen(fen).unwrap();
        paths.start(&position);
        for ply in 0..100 {
            if ply == 0 || random.next_u32() % 3 != 0 {
                paths.check(&position);
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let played = moves[random.next_u32() as usize % moves.len()];
            position = position.make(played);
            paths.play(&position, played);
        }
    }
    paths.finish()
}

/// Plays the targeted lines and compares their positions, once all of them and once the last ones alone.
fn compare_targeted(net: &Path, kinds: &[Kind]) {
    let mut paths = Paths::new(net);
    for line in kinds.iter().flat_map(|kind| &kind.lines) {
        let positions = line.positions();
        for looks_in_between in [true, false] {
            paths.start(&line.start);
            for (index, (position, &played)) in positions[1..].iter().zip(&line.moves).enumerate() {
                if looks_in_between {
                    paths.check(&positions[index]);
                }
                paths.play(position, played);
            }
            paths.check(&positions[line.moves.len()]);
        }
    }
    paths.finish();
}

#[test]
fn the_embedded_net_has_the_published_values() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("nets/main.net");
    // Loading the file verifies the hash, which the embedded copy is spared.
    assert_eq!(Network::load(&path).unwrap().payload_hash(), Network::embedded().payload_hash());
    assert!(compare(&path, 5) > 1000);
}

#[test]
fn threat_nets_have_the_published_values() {
    let folder = tempfile::tempdir().unwrap();
    for (seed, shape) in [
        Shape { width: 64, buckets: 8, threats: 86_808, hidden2: 64, hidden3: 64, scale: 138 },
        Shape { width: 192, buckets: 3, threats: 86_808, hidden2: 16, hidden3: 32, scale: 153 },
    ]
    .into_iter()
    .enumerate()
    {
        let file = shape.file(&shape.random_payload(seed as u64));
        assert!(compare(&save(&folder, "threats.net", &file), 4) > 1000);
    }
}

#[test]
fn other_supported_shapes_have_the_published_values() {
    let folder = tempfile::tempdir().unwrap();
    for (seed, shape) in [
        Shape { width: 128, buckets: 1, threats: 0, hidden2: 32, hidden3: 16, scale: 400 },
        Shape { width: 320, buckets: 32, threats: 0, hidden2: 64, hidden3: 32, scale: 1000 },
    ]
    .into_iter()
    .enumerate()
    {
        let file = shape.file(&shape.random_payload(seed as u64));
        assert!(compare(&save(&folder, "other.net", &file), 2) > 500);
    }
}

#[test]
fn targeted_positions_have_the_published_values() {
    let kinds = targeted::kinds();
    let folder = tempfile::tempdir().unwrap();
    // The large scale tells small differences apart.
    let shape = Shape { width: 64, buckets: 8, threats: 86_808, hidden2: 64, hidden3: 64, scale: 20_000 };
    let file = shape.file(&shape.random_payload(2));
    compare_targeted(&save(&folder, "threats.net", &file), &kinds);
    compare_targeted(&Path::new(env!("CARGO_MANIFEST_DIR")).join("nets/main.net"), &kinds);
}

#[test]
fn the_targeted_lines_show_what_they_are_for() {
    let kinds = targeted::kinds();
    let mut most_pairs = 0;
    for Kind { name, lines } in &kinds {
        assert!(lines.len() >= 8, "{name}: {} lines", lines.len());
        for line in lines {
            assert!(!line.moves.is_empty(), "{name}: no moves from {}", line.start.to_fen());
            for position in line.positions() {
                most_pairs = most_pairs.max(pairs(&view_of(&position, Color::White)).len());
            }
        }
    }
    assert!(kinds.iter().map(|kind| kind.lines.len()).sum::<usize>() >= 1000);
    // Random games hardly reach half of it.
    assert!(most_pairs >= 170, "{most_pairs} pairs");
    let bare = kinds.iter().find(|kind| kind.name == "two bare kings").unwrap();
    assert!(bare.lines.iter().all(|line| line.positions()[1..].iter().all(|p| p.occupied().count() == 2)));
    let full = kinds.iter().find(|kind| kind.name == "32 pieces").unwrap();
    assert!(full.lines.iter().all(|line| line.positions().iter().all(|p| p.occupied().count() == 32)));
}

#[test]
fn published_counts_of_features() {
    let index = threat_index();
    assert_eq!(index.len(), 86_808);
    for (fen, all, on_enemies) in [("6k1/8/5n2/3q4/2B1P3/8/8/3R2K1 w - - 0 1", 11, 7), (STARTS[0], 40, 0)] {
        let position = Position::from_fen(fen).unwrap();
        for color in Color::ALL {
            let pairs = pairs(&view_of(&position, color));
            let enemies = pairs.iter().filter(|(attacker, _, _, target)| attacker / 6 != target / 6).count();
            assert_eq!((pairs.len(), enemies), (all, on_enemies));
            assert!(pairs.iter().all(|pair| index.contains_key(pair)));
        }
    }
}

#[test]
fn null_moves_and_way_back() {
    let mut evaluator = Evaluator::new(Network::embedded(), Simd::best());
    let start = Position::start();
    evaluator.reset(&start);
    let value = evaluator.evaluate(&start);
    let passed = start.make_null();
    evaluator.push_null(&passed);
    let mut fresh = Evaluator::new(Network::embedded(), Simd::Scalar);
    fresh.reset(&passed);
    assert_eq!(evaluator.evaluate(&passed), fresh.evaluate(&passed));
    evaluator.pop();
    assert_eq!(evaluator.evaluate(&start), value);
}

#[test]
fn values_are_scaled_by_material() {
    let start = Position::start();
    // 16 · 110 + 4 · 320 + 4 · 330 + 4 · 500 + 2 · 900 = 8160; 8160 − 3370 = 4790.
    assert_eq!(scaled(1000, &start), 1000 + 1000 * 80 * 4790 / 1_000_000);
    assert_eq!(scaled(-7, &start), -7 - 2);
    let bare = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    // 80 · −3370 / 1,000,000 = −0.2696, truncated toward zero after the product.
    assert_eq!(scaled(100, &bare), 100 - 26);
    assert_eq!(scaled(-100, &bare), -100 + 26);
    assert_eq!(scaled(i32::MAX, &start), 30_000);
    assert_eq!(scaled(i32::MIN, &start), -30_000);
}
