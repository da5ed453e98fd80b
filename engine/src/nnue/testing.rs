//! What several tests of this room need: random games, seeded nets, and what is wanted of nets that play.

#[path = "../../tests/starts/mod.rs"]
mod starts;

use std::path::Path;
use std::sync::Arc;

use super::architecture::Architecture;
use super::evaluator::Evaluator;
use super::network::Network;
use super::noise::Noise;
use super::writer::write_net;
use crate::position::Position;

pub(super) use super::games::random_game;
pub(super) use starts::STARTS;

/// The value of a position that nothing led to.
pub(super) fn value(evaluator: &mut Evaluator, fen: &str) -> i32 {
    let position = Position::from_fen(fen).unwrap();
    evaluator.reset(&position);
    evaluator.evaluate(&position)
}

/// Each position's value lies between the two that stand beside it.
pub(super) fn check_values(evaluator: &mut Evaluator, wanted: &[(&str, i32, i32)]) {
    for &(fen, low, high) in wanted {
        let found = value(evaluator, fen);
        assert!((low..=high).contains(&found), "{fen}: {found}, expected {low} to {high}");
    }
}

/// The first position of each pair is better than the second by that much at least.
pub(super) fn check_better(evaluator: &mut Evaluator, wanted: &[(&str, &str, i32)]) {
    for &(good, bad, least) in wanted {
        let (good_value, bad_value) = (value(evaluator, good), value(evaluator, bad));
        assert!(
            good_value - bad_value >= least,
            "{good}: {good_value}, {bad}: {bad_value}, expected a difference of {least}"
        );
    }
}

/// One seed makes one file, another seed another file. Leaves the file of seed 7 in the folder, as `a`.
pub(super) fn check_seeds(folder: &Path, make: impl Fn(u64, &Path)) {
    let file = |name: &str, seed| {
        let path = folder.join(name);
        make(seed, &path);
        std::fs::read(path).unwrap()
    };
    let first = file("a", 7);
    assert!(first == file("b", 7));
    assert!(first != file("c", 8));
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 3);
}

/// The smallest shape with threat rows.
pub(super) fn small_teacher() -> Architecture {
    Architecture { width: 64, ..Architecture::T1536 }
}

/// A net of any shape with random weights that let values differ, one threat row in twenty too large
/// for 8 bits.
pub(super) fn random_net(architecture: &Architecture, seed: u64) -> Arc<Network> {
    let a = architecture;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("random.net");
    let mut noise = Noise::new(seed);
    let mut row = |len: usize, deviation: i32| -> Vec<i16> {
        let mut row = vec![0; len];
        noise.fill(&mut row, deviation);
        row
    };
    write_net(&path, a, |out| {
        out.put(&row(a.piece_rows() * a.width, 40))?;
        for number in 0..a.threat_rows {
            let mut threats = row(a.width, 15);
            if number % 20 == 0 {
                threats[number % a.width] = if number % 40 == 0 { 128 } else { -129 };
            }
            out.put(&threats)?;
        }
        out.put(&row(a.width, 100))?;
        for (outputs, inputs, deviation) in [(a.hidden2, a.inputs(), 300), (a.hidden3, a.hidden2, 4000)] {
            out.put(&row(outputs * inputs, deviation))?;
            let bias: Vec<i32> = row(outputs, 5000).into_iter().map(|bias| i32::from(bias) * 200).collect();
            out.put(&bias)?;
        }
        out.put(&row(a.hidden3, 9000))?;
        out.put(&[54_321])
    })
    .unwrap();
    Network::load(&path).unwrap()
}
