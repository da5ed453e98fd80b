//! The benchmarks' work is what the engine does.

use std::collections::HashSet;
use std::sync::Arc;

use super::*;
use crate::nnue::architecture::Architecture;
use crate::nnue::evaluator::Evaluator;
use crate::nnue::kernels::Simd;
use crate::nnue::network::Network;
use crate::nnue::testing::{random_net, small_teacher};
use crate::position::{Move, Position};

/// Nets with and without threat rows, with values that differ.
fn nets() -> [Arc<Network>; 2] {
    [random_net(&Architecture { width: 64, ..Architecture::MAIN }, 1), random_net(&small_teacher(), 2)]
}

/// Every position's value, from nothing.
fn sum_of_values(network: &Arc<Network>, games: &[Game]) -> i32 {
    let mut evaluator = Evaluator::new(Arc::clone(network), Simd::Scalar);
    let positions = games
        .iter()
        .flat_map(|game| std::iter::once(game.start).chain(game.steps.iter().map(|step| step.after)));
    positions.fold(0, |sum, position| {
        evaluator.reset(&position);
        sum + evaluator.evaluate(&position)
    })
}

#[test]
fn games_begin_at_the_positions_of_bench_and_differ() {
    let games = games(0..50);
    assert_eq!(games.len(), 200);
    let starts: HashSet<_> = games.iter().map(|game| game.start.to_fen()).collect();
    let ends: HashSet<_> =
        games.iter().filter_map(|game| game.steps.last()).map(|step| step.after.to_fen()).collect();
    assert_eq!(starts.len(), 50);
    assert!(ends.len() > 190, "{}", ends.len());
    for game in &games {
        let befores = game.steps.iter().map(|step| step.before.to_fen());
        let afters =
            std::iter::once(game.start.to_fen()).chain(game.steps.iter().map(|step| step.after.to_fen()));
        assert!(befores.zip(afters).all(|(before, after)| before == after));
    }
}

#[test]
fn moves_change_as_many_rows_as_their_kind_says() {
    let network = Network::embedded();
    let games = games(0..50);
    let rows = |wanted: fn(&Position, Move) -> bool, each: usize| {
        let updates = Updates::pieces(&network, &moves(&games, 40, wanted));
        assert!(updates.len() >= 20, "{} updates", updates.len());
        assert_eq!(updates.rows(), each * updates.len());
    };
    rows(
        |position, played| {
            !played.is_castling() && played.promotion().is_none() && !position.is_capture(played)
        },
        2,
    );
    rows(|position, played| position.is_capture(played), 3);
    rows(|_, played| played.is_castling(), 4);
}

#[test]
fn a_rebuild_has_a_row_for_every_piece_and_pair() {
    let [_, teacher] = nets();
    let start = [Position::start()];
    assert_eq!(Updates::piece_rebuilds(&teacher, &start).rows(), 2 * 32);
    assert_eq!(Updates::threat_rebuilds(&teacher, &start).rows(), 2 * 40);
}

#[test]
fn other_tables_and_near_rows_leave_the_numbers_of_rows_and_updates() {
    let [_, teacher] = nets();
    let games = games(0..5);
    let made = || Updates::threats_along(&teacher, &games);
    let (as_built, wide, near) = (made(), made().sixteen_bit().unwrap(), made().near());
    assert_eq!((wide.rows(), wide.len()), (as_built.rows(), as_built.len()));
    assert_eq!((near.rows(), near.len()), (as_built.rows(), as_built.len()));
    let width = teacher.architecture().width;
    assert_eq!(wide.traffic().rows, wide.rows() * 2 * width);
    assert_eq!(wide.traffic().sums, wide.len() * 4 * width);
    if cfg!(feature = "threats-i8") {
        assert!(as_built.traffic().rows < wide.traffic().rows * 6 / 10);
    }
    assert!(
        near.traffic().working_set < 16 * 2 * width
            && near.traffic().working_set < wide.traffic().working_set
    );
}

#[test]
fn both_tables_lead_to_the_same_sums_on_every_path() {
    let [_, teacher] = nets();
    let games = games(3..5);
    let results: Vec<i16> = Simd::ALL
        .into_iter()
        .filter(|simd| simd.is_available())
        .flat_map(|simd| {
            let mut as_built = Updates::threats_along(&teacher, &games);
            let mut wide = Updates::threats_along(&teacher, &games).sixteen_bit().unwrap();
            [as_built.run(simd), wide.run(simd)]
        })
        .collect();
    assert!(results.iter().all(|result| result == &results[0]), "{results:?}");
}

#[test]
fn walks_give_the_engines_values() {
    for network in nets() {
        let games = games(0..6);
        let wanted = sum_of_values(&network, &games);
        let mut walk = Walk::new(&network, Simd::best(), games.clone());
        assert_eq!(walk.run(1), wanted);
        assert_eq!(walk.run_from_nothing(), wanted);
        let positions: usize = games.iter().map(|game| 1 + game.steps.len()).sum();
        assert_eq!((walk.evaluations(1), walk.evaluations(3)), (positions, 3 * positions - 2 * games.len()));
        let starts: i32 = games
            .iter()
            .map(|game| sum_of_values(&network, &[Game { start: game.start, steps: Vec::new() }]))
            .sum();
        assert_eq!(walk.run(3), 3 * wanted - 2 * starts);
    }
}

#[test]
fn heads_give_the_engines_values_sparse_and_dense() {
    for network in nets() {
        let games = games(0..6);
        let positions = || {
            games.iter().flat_map(|game| {
                std::iter::once(&game.start).chain(game.steps.iter().map(|step| &step.after))
            })
        };
        let mut heads = Heads::new(&network, positions());
        let wanted = sum_of_values(&network, &games);
        assert_eq!(heads.len(), positions().count());
        assert_eq!([heads.run(Simd::best(), true), heads.run(Simd::best(), false)], [wanted; 2]);
    }
}

#[test]
fn limited_heads_have_so_many_active_chunks_and_move_as_much() {
    for network in nets() {
        let games = games(0..2);
        let heads = Heads::new(&network, games.iter().map(|game| &game.start));
        assert!(heads.active_chunks() > 5 * heads.len() && heads.active_chunks() < heads.chunks());
        let (silent, few) = (heads.limited(0), heads.limited(3));
        assert_eq!((silent.active_chunks(), few.active_chunks()), (0, 3 * heads.len()));
        let chunk = 2 * network.head().layer2.layout.together() * network.architecture().hidden2;
        let weights = |heads: &Heads, sparse| heads.traffic(sparse).weights;
        assert_eq!(weights(&few, true) - weights(&silent, true), few.active_chunks() * chunk);
        assert_eq!(weights(&few, false) - weights(&silent, true), few.chunks() * chunk);
    }
}

#[test]
fn a_walk_moves_what_its_updates_and_heads_move() {
    for network in nets() {
        let games = games(0..4);
        let walk = Walk::new(&network, Simd::best(), games.clone());
        let mut rows = Updates::pieces_along(&network, &games).traffic().rows;
        if network.architecture().has_threats() {
            rows += Updates::threats_along(&network, &games).traffic().rows;
        }
        let traffic = walk.traffic();
        assert_eq!(traffic.rows, rows);
        assert!(traffic.sums > 0 && traffic.weights > 0 && traffic.working_set < traffic.bytes());
    }
}

fn distinct(reads: &Reads) -> usize {
    assert!(reads.places.iter().all(|place| place.is_multiple_of(reads.length)));
    reads.length * reads.places.iter().collect::<HashSet<_>>().len()
}

#[test]
fn readers_read_as_much_as_the_work_and_out_of_as_large_a_working_set() {
    for network in nets() {
        let games = games(0..4);
        let mut works = vec![Updates::pieces_along(&network, &games)];
        if network.architecture().has_threats() {
            works.push(Updates::threats_along(&network, &games));
            works.push(Updates::threats_along(&network, &games).sixteen_bit().unwrap());
        }
        let sums = 24 * 2 * network.architecture().width;
        for work in works {
            let (traffic, reads) = (work.traffic(), work.reads());
            assert_eq!(reads.places.len() * reads.length, traffic.rows);
            assert_eq!(distinct(&reads), traffic.working_set - sums);
        }
        let heads = Heads::new(&network, games.iter().map(|game| &game.start));
        for sparse in [true, false] {
            let reads = heads.reads(sparse);
            let (all, silent) = (heads.traffic(sparse), heads.limited(0).traffic(true));
            assert_eq!(reads.places.len() * reads.length, all.weights - silent.weights);
            assert_eq!(distinct(&reads), all.working_set - silent.working_set);
        }
        let walk = Walk::new(&network, Simd::best(), games);
        let (traffic, reads) = (walk.traffic(), walk.reads());
        let (read, wanted) = (reads.places.len() * reads.length, traffic.rows + traffic.weights);
        assert!(
            read <= wanted && wanted < read + walk.evaluations(1) * 2 * reads.length,
            "{read} of {wanted}"
        );
    }
}

#[test]
fn changed_pairs_lead_from_one_position_to_the_next() {
    let mut pairs = Pairs::default();
    let start = Position::start();
    assert_eq!(pairs.all(&start), 40);
    let played = start.parse_move("e2e4").unwrap();
    let step = Step::new(&start, played);
    // King, queen, bishop and knight protected the pawn; nothing attacks or protects anything new.
    assert_eq!((pairs.changed(&step), pairs.all(&step.after)), (4, 36));
}
