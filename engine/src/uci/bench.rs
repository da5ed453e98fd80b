//! `bench`: one number that tells whether two builds search alike, and how fast they do.

use std::time::{Duration, Instant};

use super::bench_positions::POSITIONS;
use super::command::BenchLimit;
use super::error::SessionError;
use super::output::Output;
use crate::nnue::{Net, Simd};
use crate::position::Position;
use crate::search::{Game, Limits, Searcher, Task, node_rate};

/// What `bench` does when nothing is said.
pub const DEFAULT: BenchLimit = BenchLimit::Depth(10);
/// Megabytes of the table: part of what fixes the node count.
const HASH: usize = 16;

/// Searches every position with a searcher of its own, so that nothing from outside changes the count and the
/// session keeps what it knows.
pub fn run(
    net: Net,
    simd: Simd,
    limit: BenchLimit,
    task: &Task,
    output: &Output,
) -> Result<(), SessionError> {
    let limits = match limit {
        BenchLimit::Depth(depth) => Limits::depth(depth),
        BenchLimit::Nodes(nodes) => Limits::nodes(nodes),
    };
    let mut searcher = Searcher::new(net, simd, HASH)?;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (index, fen) in POSITIONS.iter().enumerate() {
        let game = Game::new(Position::from_fen(fen).map_err(super::error::CommandError::from)?);
        let start = Instant::now();
        let outcome = searcher.search(&game, &limits, task, &mut |_| ());
        time += start.elapsed();
        nodes += outcome.nodes;
        if task.is_stopped() {
            output.note("bench: stopped");
            return Ok(());
        }
        let (number, best) = (index + 1, outcome.best);
        output.line(format_args!("{number:2}/{} {best:5} {:9} nodes  {fen}", POSITIONS.len(), outcome.nodes));
    }
    if let Some(values) = searcher.verified() {
        output.line(format_args!("Values verified : {values}"));
    }
    let rate = node_rate(nodes, time);
    output
        .line(format_args!("Nodes searched  : {nodes}\nNodes/second    : {rate}\n{nodes} nodes {rate} nps"));
    Ok(())
}
