//! `perft`: the number of lines of legal moves, divided by first moves.

use std::time::Instant;

use super::output::Output;
use crate::position::Position;
use crate::search::{Task, node_rate};

/// Subtrees of this depth are counted without looking whether to stop.
const UNINTERRUPTED: u32 = 4;

/// Counts and prints.
pub fn run(position: &Position, depth: u32, task: &Task, output: &Output) {
    let start = Instant::now();
    let mut total = 0u64;
    if depth == 0 {
        total = 1;
    } else {
        for &mv in &position.legal_moves() {
            let Some(count) = count(&position.make(mv), depth - 1, task) else {
                return output.note("perft: stopped");
            };
            output.line(format_args!("{mv}: {count}"));
            total += count;
        }
    }
    output.line(format_args!("{total} nodes {} nps", node_rate(total, start.elapsed())));
}

/// `None` when the search was stopped.
fn count(position: &Position, depth: u32, task: &Task) -> Option<u64> {
    if depth <= UNINTERRUPTED {
        return (!task.is_stopped()).then(|| position.perft(depth));
    }
    let moves = position.legal_moves();
    moves.iter().map(|&mv| count(&position.make(mv), depth - 1, task)).sum()
}
