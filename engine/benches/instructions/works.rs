//! Fixed work for the counted benchmarks: the same on every machine, made of nets and games that never change.

#[path = "../../tests/net_values/files.rs"]
mod net_files;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempo::measure::{Game, Heads, Pairs, Step, Updates, Walk, games, moves};
use tempo::nnue::{Network, Simd};
use tempo::position::{Move, Position};
use tempo::search::{self, Limits, Searcher, Task};
use tempo::uci::BENCH_POSITIONS;

/// The positions of `bench` from whose games the work is taken, every fifth: few, since each process makes them anew.
const STARTS: [usize; 10] = [0, 5, 10, 15, 20, 25, 30, 35, 40, 45];
/// Moves of one kind.
const MOVES: usize = 200;
/// Sums on which the head is run.
const HEADS: usize = 16;
/// Megabytes of a search's table.
const HASH: usize = 1;
/// Columns of the net with threats. It is narrow, so that a process has read it soon.
const WIDTH: usize = 256;

/// Which net.
#[derive(Clone, Copy)]
pub enum Net {
    /// The one that is built in.
    Main,
    /// Random weights with all threat rows, for the kernels that only such nets need.
    Threats,
}

impl Net {
    fn load(self) -> Arc<Network> {
        match self {
            Self::Main => Network::embedded(),
            Self::Threats => Network::load(&net_file()).unwrap_or_else(|error| panic!("{error}")),
        }
    }
}

fn net_file() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("threats{WIDTH}.net"))
}

/// Makes the net with threats where it does not lie yet, out of valgrind, where that takes no time.
pub fn make_net() {
    let file = net_file();
    if Network::load(&file).is_ok() {
        return;
    }
    let shape = net_files::Shape {
        width: WIDTH,
        buckets: 8,
        threats: 86_808,
        hidden2: 64,
        hidden3: 64,
        scale: 20_000,
    };
    net_files::save("", &file.to_string_lossy(), &shape.file(&shape.random_payload(1)));
}

fn all_games() -> Vec<Game> {
    STARTS.into_iter().flat_map(|start| games(start..start + 1)).collect()
}

/// Every move of the games, with the positions before and after it.
pub fn steps() -> Vec<Step> {
    all_games().iter().flat_map(|game| game.steps.clone()).collect()
}

/// The kinds of moves that ask for different rows.
#[derive(Clone, Copy)]
pub enum Kind {
    Quiet,
    Capture,
    Castling,
}

fn moves_of(kind: Kind) -> Vec<Step> {
    moves(&all_games(), MOVES, |position, played| match kind {
        Kind::Quiet => !played.is_castling() && !position.is_capture(played),
        Kind::Capture => position.is_capture(played),
        Kind::Castling => played.is_castling(),
    })
}

pub fn piece_updates(kind: Kind) -> Updates {
    Updates::pieces(&Net::Main.load(), &moves_of(kind))
}

pub fn piece_rebuilds() -> Updates {
    let positions: Vec<Position> = steps().iter().step_by(6).map(|step| step.after).collect();
    Updates::piece_rebuilds(&Net::Main.load(), &positions)
}

pub fn threat_updates(kind: Kind) -> Updates {
    Updates::threats(&Net::Threats.load(), &moves_of(kind))
}

/// Sums for the head, with the chunks that are zero skipped.
pub fn sparse_heads() -> (Heads, bool) {
    (heads(), true)
}

/// The same sums, with every chunk taken.
pub fn dense_heads() -> (Heads, bool) {
    (heads(), false)
}

fn heads() -> Heads {
    let games = all_games();
    let starts = games.iter().step_by(games.len() / HEADS).map(|game| &game.start).take(HEADS);
    Heads::new(&Net::Main.load(), starts)
}

pub fn walk(net: Net) -> Walk {
    Walk::new(&net.load(), Simd::best(), all_games())
}

/// Positions, and room for the threat pairs of each.
pub fn pairs() -> (Vec<Step>, Pairs) {
    (steps(), Pairs::default())
}

pub fn captures() -> Vec<(Position, Move)> {
    let of = |step: &Step| {
        let captures = step.before.legal_captures();
        captures.iter().map(|&capture| (step.before, capture)).collect::<Vec<_>>()
    };
    steps().iter().flat_map(of).collect()
}

/// A search that has not begun.
pub struct Search {
    searcher: Searcher,
    game: search::Game,
}

impl Search {
    pub fn run(&mut self, nodes: u64) -> u64 {
        let outcome =
            self.searcher.search(&self.game, &Limits::nodes(nodes), &Task::unattended(), &mut |_| ());
        outcome.nodes
    }
}

pub fn search(position: usize) -> Search {
    let fen = BENCH_POSITIONS[position];
    let start = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let searcher =
        Searcher::new(Network::embedded(), Simd::best(), HASH).unwrap_or_else(|error| panic!("{error}"));
    Search { searcher, game: search::Game::new(start) }
}
