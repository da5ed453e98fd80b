//! Kings, pawns, promoted pieces, and the fullest and emptiest boards.

use rand_chacha::ChaCha8Rng;
use tempo::position::{Castle, Color, Move, Piece, PieceType, Position, Square, attacks};

use super::{Line, below, line, played};

const PROMOTED: [PieceType; 4] = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

/// What may follow a promotion: the position, a legal move, where the pawn has promoted, and the number of moves since.
type Then<'a> = &'a dyn Fn(&Position, Move, Square, usize) -> bool;

/// The square on this file and on the rank as `color` counts it, from 0.
fn square(color: Color, file: u8, rank: u8) -> Square {
    Square::new(file, if color == Color::White { rank } else { 7 - rank })
}

/// Every step of either king: with them every change of king bucket and mirror.
pub fn king_steps(random: &mut ChaCha8Rng) -> Vec<Line> {
    let mut lines = Vec::new();
    for (color, from) in Color::ALL.into_iter().flat_map(|color| Square::all().map(move |from| (color, from)))
    {
        for to in attacks::king(from) {
            let needed = [(Piece::new(color, PieceType::King), from)];
            lines.push(line(random, &needed, (color, "-"), 16, &[&|_, m| (m.from(), m.to()) == (from, to)]));
        }
    }
    lines
}

/// All four castlings.
pub fn castling(random: &mut ChaCha8Rng) -> Vec<Line> {
    let mut lines = Vec::new();
    for castle in &Castle::ALL {
        for _ in 0..16 {
            let king = (Piece::new(castle.color, PieceType::King), castle.king_from);
            let rook = (Piece::new(castle.color, PieceType::Rook), castle.rook_from);
            let rights = castle.letter.to_string();
            lines.push(line(random, &[king, rook], (castle.color, &rights), 14, &[&|_, m| m.is_castling()]));
        }
    }
    lines
}

/// Every double step beside a pawn that then takes en passant.
pub fn en_passant(random: &mut ChaCha8Rng) -> Vec<Line> {
    let mut lines = Vec::new();
    for color in Color::ALL {
        for (file, victim) in (0..7).flat_map(|file| [(file, file + 1), (file + 1, file)]) {
            let (pawn, from) = (square(color, file, 4), square(color, victim, 6));
            let needed =
                [(Piece::new(color, PieceType::Pawn), pawn), (Piece::new(!color, PieceType::Pawn), from)];
            let beside = square(color, victim, 4);
            let steps: [super::Step; 2] =
                [&|_, m| (m.from(), m.to()) == (from, beside), &|_, m| m.is_en_passant() && m.from() == pawn];
            lines.extend((0..4).map(|_| line(random, &needed, (!color, "-"), 12, &steps)));
        }
    }
    lines
}

/// A pawn that promotes straight ahead, to every piece on every file, and `more` moves after it.
fn promoting(random: &mut ChaCha8Rng, then: Then, more: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for color in Color::ALL {
        for (file, kind) in (0..8).flat_map(|file| PROMOTED.map(|kind| (file, kind))) {
            let (from, to) = (square(color, file, 6), square(color, file, 7));
            let pawn = (Piece::new(color, PieceType::Pawn), from);
            let promotes =
                |_: &Position, m: Move| (m.from(), m.to(), m.promotion()) == (from, to, Some(kind));
            let (second, third) = (|p: &Position, m| then(p, m, to, 0), |p: &Position, m| then(p, m, to, 1));
            let steps: [super::Step; 3] = [&promotes, &second, &third];
            lines.push(line(random, &[pawn], (color, "-"), 16, &steps[..=more]));
        }
    }
    lines
}

/// Promotions straight ahead.
pub fn promotions(random: &mut ChaCha8Rng) -> Vec<Line> {
    promoting(random, &|_, _, _, _| true, 0)
}

/// A promoted piece takes something on its next move.
pub fn promoted_captures(random: &mut ChaCha8Rng) -> Vec<Line> {
    let then = |position: &Position, m: Move, promoted, step| match step {
        0 => m.to() != promoted,
        _ => m.from() == promoted && position.is_capture(m),
    };
    promoting(random, &then, 2)
}

/// A promoted piece is taken at once.
pub fn promoted_captured(random: &mut ChaCha8Rng) -> Vec<Line> {
    promoting(random, &|_, m, promoted, _| m.to() == promoted, 1)
}

/// Promotions to every piece by taking every piece, on every file and to both sides.
pub fn capturing_promotions(random: &mut ChaCha8Rng) -> Vec<Line> {
    let mut lines = Vec::new();
    for color in Color::ALL {
        for (file, aside) in (0..7).flat_map(|file| [(file, file + 1), (file + 1, file)]) {
            let (from, to) = (square(color, file, 6), square(color, aside, 7));
            for (kind, victim) in PROMOTED.into_iter().flat_map(|kind| PROMOTED.map(|victim| (kind, victim)))
            {
                let needed = [(Piece::new(color, PieceType::Pawn), from), (Piece::new(!color, victim), to)];
                let promotes =
                    |_: &Position, m: Move| (m.from(), m.to(), m.promotion()) == (from, to, Some(kind));
                lines.push(line(random, &needed, (color, "-"), 12, &[&promotes]));
            }
        }
    }
    lines
}

/// Nothing is taken from the start position on.
pub fn all_pieces(random: &mut ChaCha8Rng) -> Vec<Line> {
    let quiet: super::Step = &|position, m| !position.is_capture(m);
    (0..8).filter_map(|_| played(random, Position::start(), &[quiet; 24])).collect()
}

/// On every square a king takes the last piece, and both kings walk on.
pub fn bare_kings(random: &mut ChaCha8Rng) -> Vec<Line> {
    let mut lines = Vec::new();
    for (color, from) in Color::ALL.into_iter().flat_map(|color| Square::all().map(move |from| (color, from)))
    {
        let around: Vec<Square> = attacks::king(from).into_iter().collect();
        let to = around[below(random, around.len())];
        let pawn_stands = (1..7).contains(&to.rank());
        let kind = PieceType::ALL[if pawn_stands { below(random, 5) } else { 1 + below(random, 4) }];
        let needed = [(Piece::new(color, PieceType::King), from), (Piece::new(!color, kind), to)];
        let takes = |_: &Position, m: Move| (m.from(), m.to()) == (from, to);
        lines.push(line(random, &needed, (color, "-"), 0, &[&takes, &|_, _| true, &|_, _| true]));
    }
    lines
}
