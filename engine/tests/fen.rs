//! FEN: what is refused and why, and that no text breaks anything.

use proptest::prelude::*;
use tempo::position::{Color, FenError, Position};

fn refusal(fen: &str) -> FenError {
    match Position::from_fen(fen) {
        Err(error) => error,
        Ok(position) => panic!("{fen} was read as {position:?}"),
    }
}

#[test]
fn good_ones_come_back() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 99 200",
        "4k3/8/8/8/8/8/8/4K3 w - - 999 9999",
    ] {
        assert_eq!(Position::from_fen(fen).unwrap().to_fen(), fen);
    }
    assert_eq!(Position::start().side(), Color::White);
}

#[test]
fn counters_may_be_missing_and_spaces_many() {
    let read = |fen| Position::from_fen(fen).unwrap().to_fen();
    assert_eq!(read("4k3/8/8/8/8/8/8/4K3 b - -"), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    assert_eq!(read("  4k3/8/8/8/8/8/8/4K3   w - -  3 0 "), "4k3/8/8/8/8/8/8/4K3 w - - 3 1");
    assert_eq!(read("4k3/8/8/8/8/8/8/R3K2R w QK - 0 1"), "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
}

#[test]
fn every_fault_is_named() {
    for (fen, message) in [
        ("4k3/8/8/8/8/8/8/4K3 w - – 0 1", "FEN: found `–` at byte 24, expected ASCII only"),
        ("", "FEN: found 0 fields, expected 4 (without the counters) or 6"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0", "FEN: found 5 fields, expected 4 (without the counters) or 6"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "FEN board: found 7 ranks, expected 8"),
        ("4k3/8/8/8/8/7/8/4K3 w - - 0 1", "FEN board, rank 3 `7`: found 7 squares, expected 8"),
        (
            "4k3/8/8/8/ppppppppp/8/8/4K3 w - - 0 1",
            "FEN board, rank 4 `ppppppppp`: found 9 squares, expected 8",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2x w - - 0 1",
            "FEN board, rank 1: found `x`, expected one of pnbrqkPNBRQK or 1 to 8",
        ),
        (
            "4k3/8/8/8/9/8/8/4K3 w - - 0 1",
            "FEN board, rank 4: found `9`, expected one of pnbrqkPNBRQK or 1 to 8",
        ),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "FEN board: found 0 kings of Black, expected 1"),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "FEN board: found 2 kings of White, expected 1"),
        (
            "4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1",
            "FEN board: found 17 pieces of White, expected at most 16",
        ),
        (
            "4k3/8/8/8/8/Q7/PPPPPPPP/R2QK3 w - - 0 1",
            "FEN board: found 9 pawns and promoted pieces of White, expected at most 8",
        ),
        ("4k2p/8/8/8/8/8/8/4K3 w - - 0 1", "FEN board: found a pawn on h8, expected none on ranks 1 and 8"),
        ("8/8/8/8/8/8/3k4/4K3 w - - 0 1", "FEN board: found kings on e1 and d2, expected them apart"),
        ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", "FEN side to move: found `W`, expected `w` or `b`"),
        (
            "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
            "FEN side to move: found White to move with the other king on e8 attacked, expected it safe",
        ),
        (
            "4r1k1/8/8/8/1b5r/8/6n1/4K3 w - - 0 1",
            "FEN board: found 3 pieces giving check, expected at most 2",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQK - 0 1",
            "FEN castling rights: found `KQK`, expected `-` or letters of KQkq, each at most once",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
            "FEN castling rights: found `HAha`, expected `-` or letters of KQkq, each at most once",
        ),
        (
            "r3k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "FEN castling rights: found `k` without its pieces, expected the king on e8 and a rook on h8",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R2K3R w Q - 0 1",
            "FEN castling rights: found `Q` without its pieces, expected the king on e1 and a rook on a1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e 0 1",
            "FEN en passant square: found `e`, expected `-` or a square from a1 to h8",
        ),
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1",
            "FEN en passant square: found d3 with White to move, expected one on the sixth rank of the side to move",
        ),
        (
            "4k3/8/8/3nP3/8/8/8/4K3 w - d6 0 1",
            "FEN en passant square: found d6 with White to move, expected an enemy pawn in front of it",
        ),
        (
            "4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "FEN en passant square: found d6 with White to move, expected it and the square behind it empty",
        ),
        (
            "4k3/8/8/8/3Pp3/3N4/8/4K3 b - d3 0 1",
            "FEN en passant square: found d3 with Black to move, expected it and the square behind it empty",
        ),
        (
            "4r1k1/8/8/3p2P1/8/8/8/4K3 w - d6 0 1",
            "FEN en passant square: found d6 with White to move, expected no check that was there before the pawn's double step",
        ),
        (
            "4k3/8/4K3/3pP3/8/8/8/8 w - d6 0 1",
            "FEN en passant square: found d6 with White to move, expected no check that was there before the pawn's double step",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 1000 1",
            "FEN halfmove clock: found `1000`, expected a number from 0 to 999",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "FEN halfmove clock: found `-1`, expected a number from 0 to 999"),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999",
            "FEN move number: found `99999999999999999999`, expected a number from 1 to 9999",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 +1", "FEN move number: found `+1`, expected a number from 1 to 9999"),
    ] {
        assert_eq!(refusal(fen).to_string(), message, "{fen}");
    }
}

#[test]
fn a_double_step_may_open_a_line_but_not_find_it_open() {
    let opened = Position::from_fen("4k3/r6K/8/3pP3/8/8/8/8 w - d6 0 1").unwrap();
    assert_eq!(format!("{:?}", opened.checkers()), "{a7}");
    // Taking does not answer the rook's check.
    assert_eq!(opened.ep_square(), None);
    for open in ["4k3/8/8/b2pP3/8/8/3K4/8 w - d6 0 1", "4k3/1b6/8/3pP3/8/5K2/8/8 w - d6 0 1"] {
        assert!(matches!(refusal(open), FenError::EnPassantImpossible { .. }), "{open}");
    }
}

/// Whatever is read can be used.
fn use_it(text: &str) -> Result<(), TestCaseError> {
    if let Ok(position) = Position::from_fen(text) {
        let moves = position.legal_moves();
        prop_assert_eq!(moves.len() as u64, position.perft(1));
        for &m in &moves {
            let next = position.make(m);
            prop_assert_eq!(position.gives_check(m), !next.checkers().is_empty());
            position.see_ge(m, 0);
        }
        let again = Position::from_fen(&position.to_fen());
        prop_assert!(again == Ok(position));
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        use_it(&text)?;
    }

    #[test]
    fn changed_fens_are_read_or_refused(
        changes in prop::collection::vec((0usize..68, "[pnbrqkPNBRQK1-8/ wabcdefgh -]"), 1..6),
    ) {
        let start = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let mut letters: Vec<char> = start.chars().collect();
        for (at, letter) in changes {
            letters[at].clone_from(&letter.chars().next().unwrap());
        }
        use_it(&letters.into_iter().collect::<String>())?;
    }

    #[test]
    fn scattered_pieces_are_read_or_refused(
        pieces in prop::collection::vec((0usize..64, "[pnbrqPNBRQ]"), 0..20),
        kings in (0usize..64, 0usize..64),
        rest in "[wb] (-|K|Qk) (-|[a-h][36]) 0 1",
    ) {
        let mut board = [b'1'; 64];
        for (square, letter) in pieces {
            board[square] = letter.as_bytes()[0];
        }
        board[kings.0] = b'K';
        board[kings.1] = b'k';
        let ranks: Vec<&str> = board.chunks(8).map(|r| std::str::from_utf8(r).unwrap()).collect();
        use_it(&format!("{} {rest}", ranks.join("/")))?;
    }
}
