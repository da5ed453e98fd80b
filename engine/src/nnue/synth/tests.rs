//! Synthetic nets show the intended evaluation.

use std::sync::Arc;

use super::*;
use crate::nnue::testing::{check_better, check_seeds, check_values, random_game};
use crate::nnue::{Evaluator, Network, Simd};
use crate::position::{Color, Position};

fn synthetic(architecture: &Architecture, seed: u64) -> Arc<Network> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("synthetic.net");
    synthesise(architecture, seed, &path).unwrap();
    Network::load(&path).unwrap()
}

/// The evaluation itself, without a net.
fn intended(position: &Position) -> f64 {
    let phase: i32 =
        position.occupied().filter_map(|s| position.piece_on(s)).map(|p| PHASE[p.kind().index()]).sum();
    let side = |color: Color| -> f64 {
        let squares = position.color_bb(color);
        squares
            .filter_map(|square| position.piece_on(square).map(|piece| (piece.kind().index(), square)))
            .map(|(kind, square)| {
                let own = if color == Color::Black { square.flip() } else { square }.index();
                let share = f64::from(phase.min(255)) / 254.0;
                f64::from(end(kind, own)) + f64::from(middle_minus_end(kind, own)) * share
            })
            .sum()
    };
    side(position.side()) - side(!position.side()) + f64::from(TEMPO)
}

#[test]
fn values_follow_the_intended_evaluation() {
    for architecture in [Architecture::MAIN, Architecture::MAIN4] {
        let mut evaluator = Evaluator::new(synthetic(&architecture, 1), Simd::best());
        let (mut count, mut error, mut worst) = (0, 0.0, 0.0_f64);
        for seed in 0..40 {
            for (_, position) in random_game(&Position::start(), seed, 160) {
                let wanted = intended(&position);
                evaluator.reset(&position);
                let off = (f64::from(evaluator.evaluate(&position)) - wanted).abs();
                if wanted.abs() < 3800.0 {
                    (count, error, worst) = (count + 1, error + off, worst.max(off));
                }
            }
        }
        assert!(count > 3000);
        assert!(error / f64::from(count) < 5.0, "mean error {}", error / f64::from(count));
        assert!(worst < 25.0, "worst error {worst}");
    }
}

#[test]
fn being_ahead_has_the_expected_sign_and_size() {
    let mut evaluator = Evaluator::new(Network::embedded(), Simd::best());
    let wanted = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0, 20),
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 900, 1020),
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", -1000, -880),
        ("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", 460, 560),
        ("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 260, 370),
        ("rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 70, 140),
        ("4k3/1ppppppp/8/8/8/8/1PPPPPPP/QQ2K3 w - - 0 1", 1800, 2000),
        ("4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1", -2000, -1800),
        ("qqqqkqqq/8/8/8/8/8/8/4K3 w - - 0 1", -4300, -3900),
    ];
    check_values(&mut evaluator, &wanted);
}

#[test]
fn pieces_know_their_squares() {
    let mut evaluator = Evaluator::new(Network::embedded(), Simd::best());
    let wanted = [
        // A knight in the centre; a castled king with all pieces on the board; a king in the centre
        // and an advanced pawn without them.
        ("4k3/pppppppp/8/8/4N3/8/PPPPPPPP/4K3 w - - 0 1", "4k3/pppppppp/8/8/8/8/PPPPPPPP/N3K3 w - - 0 1", 40),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1RK1 w kq - 0 1",
            "rnbqkbnr/pppppppp/8/8/4K3/8/PPPPPPPP/RNBQ1R2 w kq - 0 1",
            50,
        ),
        ("6k1/8/8/8/4K3/8/4P3/8 w - - 0 1", "6k1/8/8/8/8/8/4P3/6K1 w - - 0 1", 15),
        ("6k1/8/4P3/8/8/8/8/6K1 w - - 0 1", "6k1/8/8/8/8/8/4P3/6K1 w - - 0 1", 40),
    ];
    check_better(&mut evaluator, &wanted);
}

#[test]
fn a_plausible_share_of_neurons_is_active() {
    let net = synthetic(&Architecture::MAIN, 1);
    let (mut active, mut all) = (0, 0);
    for (_, position) in random_game(&Position::start(), 5, 60) {
        let mut stack = crate::nnue::accumulator::Stack::new(
            Arc::clone(&net),
            crate::nnue::kernels::Kernels::new(Simd::Scalar),
        );
        stack.reset(&position);
        let sums = stack.accumulated();
        for view in sums.pieces {
            all += view.len();
            active +=
                view.iter().zip(sums.base.wide()).filter(|&(&sum, &base)| i32::from(sum) + base > 0).count();
        }
    }
    let share = active as f64 / all as f64;
    assert!((0.10..0.30).contains(&share), "{share}");
}

#[test]
fn one_seed_makes_one_file() {
    let folder = tempfile::tempdir().unwrap();
    check_seeds(folder.path(), |seed, path| synthesise(&Architecture::MAIN4, seed, path).unwrap());
}

#[test]
fn other_shapes_are_refused() {
    let error = synthesise(&Architecture::T1536, 1, Path::new("never-written")).unwrap_err().to_string();
    assert!(error.contains("width 1536"), "{error}");
    assert!(!Path::new("never-written").exists());
}
