//! Random games from seeded draws, the same in every test run.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tempo::position::{Move, Position};

/// Openings, middle games, and endings rich in pins, promotions, en passant and transpositions.
const STARTS: [&str; 12] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
    "q3k2q/3p1p2/2r1n1r1/8/1P1P1P1P/1B1R1R1B/2P1P1P1/Q3K2Q w - - 0 1",
    "8/8/4k3/8/2R5/8/1r2K3/8 w - - 0 1",
    "b2r3r/k5q1/p1p1p1p1/1P1P1P1P/p1p1p1p1/1P1P1P1P/K3Q3/B2R3R b - - 0 1",
];

/// Plays random games and shows every position with the move that is played next.
pub fn play(seed: u64, games: usize, plies: usize, mut visit: impl FnMut(&Position, Move)) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for game in 0..games {
        let mut position = Position::from_fen(STARTS[game % STARTS.len()]).unwrap();
        for _ in 0..plies {
            let (all, noisy) = (position.legal_moves(), position.legal_captures());
            if all.is_empty() {
                break;
            }
            // Few captures keep the board full; pawn moves and checks come by themselves.
            let quiet: Vec<Move> = all.iter().copied().filter(|m| !noisy.contains(m)).collect();
            let pool = if quiet.is_empty() || rng.random_ratio(1, 6) { &all[..] } else { &quiet };
            let m = pool[rng.random_range(0..pool.len())];
            visit(&position, m);
            position = position.make(m);
        }
    }
}
