//! Static exchange: hand-computed values, and a slow reference along random games.

mod games;

use tempo::position::{Bitboard, Color, Move, Piece, PieceType, Position, Square, attacks};

const P: i32 = 110;
const N: i32 = 320;
const B: i32 = 330;
const R: i32 = 500;
const Q: i32 = 900;

fn assert_worth(position: &Position, m: Move, value: i32) {
    for (threshold, expected) in [
        (value - 1, true),
        (value, true),
        (value + 1, false),
        (value - 10_000, true),
        (value + 10_000, false),
    ] {
        let found = position.see_ge(m, threshold);
        assert_eq!(found, expected, "{m} worth {value} at {threshold} in {position:?}");
    }
}

#[test]
fn hand_computed_exchanges() {
    for (fen, text, value) in [
        // A free pawn, a protected one, and quiet moves.
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", P),
        ("4k3/8/3p4/4p3/8/8/8/4RK2 w - - 0 1", "e1e5", P - R),
        ("4k3/8/3p4/4p3/8/8/8/4RK2 w - - 0 1", "e1e4", 0),
        ("4k3/8/3p4/4p3/8/8/8/4RK2 w - - 0 1", "e1d1", 0),
        ("k7/8/3p4/8/8/8/8/4RK2 w - - 0 1", "e1e5", -R),
        // Many attackers with x-rays: once the knight has fallen, taking on costs more.
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", P - N),
        // Doubled rooks against one: the second looks through the first.
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", P),
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", P - R),
        // A bishop behind a pawn that takes.
        ("4k3/8/5p2/4n3/3P4/8/1B6/4K3 w - - 0 1", "d4e5", N),
        ("4k3/2b5/3p4/4n3/3P4/8/1B6/4K3 w - - 0 1", "d4e5", N - P),
        // A queen behind a bishop, the wrong way round and the right one.
        ("4k3/2q5/3p4/4p3/3B4/2Q5/8/4K3 w - - 0 1", "d4e5", P - B),
        ("4k3/8/3p4/4p3/3Q4/2B5/8/4K3 w - - 0 1", "d4e5", P - Q + P),
        // En passant: undefended, and taken back.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", P),
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
        // En passant uncovers the rook behind the taken pawn.
        ("3r2k1/8/8/3pP3/8/8/8/3RK3 w - d6 0 1", "e5d6", P),
        // Promotions: free, taken back, with capture, to a knight.
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", Q - P),
        ("7k/P7/1n6/8/8/8/8/K7 w - - 0 1", "a7a8q", -P),
        ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8q", R + Q - P),
        ("1r3k2/P7/3n4/8/8/8/8/K7 w - - 0 1", "a7b8n", R + N - P),
        ("1rr4k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8q", R - P),
        // Only the first move promotes.
        ("3b2k1/1n2P3/8/8/8/8/8/3RK3 w - - 0 1", "d1d8", B - R + N),
        // The king takes back only what is not protected.
        ("8/8/4k3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", P - R),
        ("8/8/4k3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", P),
        ("4k3/8/8/8/8/5r2/8/4K3 b - - 0 1", "f3f2", -R),
        ("4k3/8/1b6/8/8/5r2/8/4K3 b - - 0 1", "f3f2", 0),
        // Pins are ignored: the knight on e6 may take back although it is pinned.
        ("4k3/8/4n3/8/3p4/8/3R4/4RK2 w - - 0 1", "d2d4", P - R),
        // Castling is quiet.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
    ] {
        let position = Position::from_fen(fen).unwrap_or_else(|e| panic!("{e}: {fen}"));
        let m = position.parse_move(text).unwrap_or_else(|| panic!("{text} in {fen}"));
        assert_eq!(reference(&position, m), value, "reference, {text} in {fen}");
        assert_worth(&position, m, value);
    }
}

#[test]
fn agrees_with_a_swap_off_on_a_mailbox() {
    let mut compared = 0;
    games::play(21, 360, 120, |position, _| {
        for &m in &position.legal_moves() {
            compared += 1;
            assert_worth(position, m, reference(position, m));
        }
    });
    assert!(compared > 100_000, "only {compared} exchanges");
}

/// A board that the reference may change.
type Mailbox = [Option<Piece>; 64];

fn value(kind: PieceType) -> i32 {
    [P, N, B, R, Q, 0][kind.index()]
}

/// The value of a move, every exchange played out.
fn reference(position: &Position, m: Move) -> i32 {
    if m.is_castling() {
        return 0;
    }
    let mut board: Mailbox = [None; 64];
    for square in position.occupied() {
        board[square.index()] = position.piece_on(square);
    }
    let moved = board[m.from().index()].take().unwrap();
    let mut gain = board[m.to().index()].map_or(0, |victim| value(victim.kind()));
    if m.is_en_passant() {
        board[Square::new(m.to().file(), m.from().rank()).index()] = None;
        gain = P;
    }
    let kind = m.promotion().unwrap_or(moved.kind());
    gain += value(kind) - value(moved.kind());
    board[m.to().index()] = Some(Piece::new(moved.color(), kind));
    gain - best_recapture(board, m.to(), !moved.color())
}

/// What `side` wins at most by taking on `to`, or nothing by leaving it.
fn best_recapture(mut board: Mailbox, to: Square, side: Color) -> i32 {
    let Some(from) =
        attackers(&board, to, side).into_iter().min_by_key(|&from| board[from.index()].unwrap().kind())
    else {
        return 0;
    };
    let taker = board[from.index()].take();
    let victim = board[to.index()].replace(taker.unwrap()).unwrap();
    let in_danger = !attackers(&board, to, !side).is_empty();
    if taker.unwrap().kind() == PieceType::King && in_danger {
        return 0;
    }
    (value(victim.kind()) - best_recapture(board, to, !side)).max(0)
}

fn attackers(board: &Mailbox, to: Square, side: Color) -> Vec<Square> {
    let occupied: Bitboard = Square::all().filter(|s| board[s.index()].is_some()).collect();
    occupied
        .filter(|&from| {
            let piece = board[from.index()].unwrap();
            piece.color() == side && attacks::piece(side, piece.kind(), from, occupied).contains(to)
        })
        .collect()
}
