//! Node counts published for well-known positions.

use tempo::position::Position;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ROOK_ENDING: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const PROMOTIONS: &str = "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1";
const PROMOTIONS_MIRRORED: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
const CASTLING_CAPTURE: &str = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
const MIDDLE_GAME: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
const MOST_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";

/// `counts[d]` is the count at depth `d + 1`.
fn check(fen: &str, counts: &[u64]) {
    let position = Position::from_fen(fen).unwrap();
    assert_eq!(position.perft(0), 1);
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(position.perft(depth), count, "depth {depth} of {fen}");
    }
}

#[test]
fn small_depths() {
    check(START, &[20, 400, 8902, 197_281]);
    check(KIWIPETE, &[48, 2039, 97_862]);
    check(ROOK_ENDING, &[14, 191, 2812, 43_238, 674_624]);
    check(PROMOTIONS, &[6, 264, 9467, 422_333]);
    check(PROMOTIONS_MIRRORED, &[6, 264, 9467, 422_333]);
    check(CASTLING_CAPTURE, &[44, 1486, 62_379]);
    check(MIDDLE_GAME, &[46, 2079, 89_890]);
    check(MOST_MOVES, &[218]);
}

#[test]
fn divide_splits_the_count_by_first_move() {
    let position = Position::from_fen(KIWIPETE).unwrap();
    let divided = position.perft_divide(3);
    assert_eq!(divided.len(), 48);
    assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), 97_862);
    let castling = divided.iter().find(|(m, _)| m.to_string() == "e1g1");
    assert_eq!(castling.map(|&(_, count)| count), Some(2059));
    assert!(position.perft_divide(0).is_empty());
}

#[test]
#[ignore = "large perft: minutes in a debug build"]
fn start_at_depth_6() {
    check(START, &[20, 400, 8902, 197_281, 4_865_609, 119_060_324]);
}

#[test]
#[ignore = "large perft: minutes in a debug build"]
fn kiwipete_at_depth_5() {
    check(KIWIPETE, &[48, 2039, 97_862, 4_085_603, 193_690_690]);
}

#[test]
#[ignore = "large perft: minutes in a debug build"]
fn rook_ending_at_depth_7() {
    check(ROOK_ENDING, &[14, 191, 2812, 43_238, 674_624, 11_030_083, 178_633_661]);
}

#[test]
#[ignore = "large perft: minutes in a debug build"]
fn promotions_at_depth_5() {
    check(PROMOTIONS, &[6, 264, 9467, 422_333, 15_833_292]);
    check(PROMOTIONS_MIRRORED, &[6, 264, 9467, 422_333, 15_833_292]);
}
