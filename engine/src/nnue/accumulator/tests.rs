//! Accumulators along random paths equal those built from nothing.

use super::*;
use crate::nnue::architecture::Architecture;
use crate::nnue::kernels::Simd;
use crate::nnue::noise::Noise;
use crate::nnue::testing::{STARTS, random_game, random_net, small_teacher};

/// All sums of the current position: pieces and threats of the side to move and of the other.
fn sums(stack: &mut Stack) -> Vec<Vec<i16>> {
    let accumulated = stack.accumulated();
    let parts = [Some(accumulated.pieces), accumulated.threats];
    parts.into_iter().flatten().flatten().map(<[i16]>::to_vec).collect()
}

fn rebuilt(network: &Arc<Network>, position: &Position) -> Vec<Vec<i16>> {
    let mut stack = Stack::new(Arc::clone(network), Kernels::new(Simd::Scalar));
    stack.reset(position);
    sums(&mut stack)
}

/// Walks random games forwards and backwards, looking at some positions only, so that chains of
/// every length occur; null moves in between.
fn check_paths(network: &Arc<Network>, fens: &[&str], plies: usize) -> usize {
    let mut checked = 0;
    let mut stacks: Vec<Stack> = Simd::ALL
        .into_iter()
        .filter(|simd| simd.is_available())
        .map(|simd| Stack::new(Arc::clone(network), Kernels::new(simd)))
        .collect();
    for (seed, fen) in fens.iter().enumerate() {
        let mut noise = Noise::new(100 + seed as u64);
        let start = Position::from_fen(fen).unwrap();
        let mut path = vec![start];
        stacks.iter_mut().for_each(|stack| stack.reset(&start));
        let mut look = |stacks: &mut [Stack], position: &Position| {
            checked += 1;
            let wanted = rebuilt(network, position);
            for stack in stacks {
                assert!(sums(stack) == wanted, "{:?} at {}", stack.kernels.simd(), position.to_fen());
            }
        };
        for (played, after) in random_game(&start, seed as u64, plies) {
            stacks.iter_mut().for_each(|stack| stack.push(&after, played));
            path.push(after);
            if noise.below(3) == 0 {
                look(&mut stacks, &after);
            }
            if after.checkers().is_empty() && noise.below(4) == 0 {
                let passed = after.make_null();
                stacks.iter_mut().for_each(|stack| stack.push_null(&passed));
                look(&mut stacks, &passed);
                stacks.iter_mut().for_each(Stack::pop);
            }
            // Back a little and forward again by another move, as a search does.
            if path.len() > 3 && noise.below(5) == 0 {
                for _ in 0..=noise.below(2) {
                    path.pop();
                    stacks.iter_mut().for_each(Stack::pop);
                }
                let here = path[path.len() - 1];
                look(&mut stacks, &here);
                for &other in here.legal_moves().iter().take(3) {
                    let sibling = here.make(other);
                    stacks.iter_mut().for_each(|stack| stack.push(&sibling, other));
                    look(&mut stacks, &sibling);
                    stacks.iter_mut().for_each(Stack::pop);
                }
                // The game goes on from the position that it had reached.
                stacks.iter_mut().for_each(|stack| stack.reset(&after));
                path = vec![after];
            }
        }
    }
    checked
}

#[test]
fn paths_agree_with_rebuilding_in_the_main_shape() {
    assert!(check_paths(&Network::embedded(), &STARTS, 200) > 1000);
}

#[test]
fn paths_agree_with_rebuilding_in_a_small_teacher() {
    let network = random_net(&small_teacher(), 1);
    assert!(check_paths(&network, &STARTS, 200) > 1000);
}

#[test]
fn a_path_may_be_longer_than_reserved() {
    let network = random_net(&Architecture { width: 64, ..Architecture::MAIN }, 2);
    let start = Position::from_fen(STARTS[4]).unwrap();
    let mut stack = Stack::new(Arc::clone(&network), Kernels::new(Simd::best()));
    stack.reset(&start);
    let game = random_game(&start, 3, 600);
    assert!(game.len() > RESERVED);
    for (played, after) in &game {
        stack.push(after, *played);
    }
    let (_, last) = game[game.len() - 1];
    assert!(sums(&mut stack) == rebuilt(&network, &last));
}
