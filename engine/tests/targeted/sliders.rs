//! Lines of sliders that other pieces open, close, and move along; and boards on which nearly everything attacks
//! something.

use rand_chacha::ChaCha8Rng;
use tempo::position::{Bitboard, Color, Move, Piece, PieceType, Position, Square, attacks};

use super::board::{Board, count_pairs};
use super::{Line, below, line, played};

const SLIDERS: [PieceType; 3] = [PieceType::Bishop, PieceType::Rook, PieceType::Queen];

/// What a slider that does not move attacks before and after a move.
struct Seen {
    from: Square,
    before: Bitboard,
    after: Bitboard,
    /// Squares whose content changes.
    changed: Bitboard,
}

impl Seen {
    /// Something that does not move is attacked now.
    fn opened(&self, _: Move) -> bool {
        !(self.after & !self.before & !self.changed).is_empty()
    }

    /// Something that does not move is attacked no longer.
    fn closed(&self, _: Move) -> bool {
        !(self.before & !self.after & !self.changed).is_empty()
    }

    /// The moving piece was attacked and still is, on the same line.
    fn stretched(&self, m: Move) -> bool {
        let line = attacks::line(self.from, m.from());
        line.contains(m.to()) && self.before.contains(m.from()) && self.after.contains(m.to())
    }
}

/// Whether the move does it to some slider of this colour and kind.
fn does_it(position: &Position, m: Move, slider: Piece, does: fn(&Seen, Move) -> bool) -> bool {
    let (color, kind) = (slider.color(), slider.kind());
    let next = position.make(m);
    let (old, new) = (position.occupied(), next.occupied());
    let changed = (old ^ new) | Bitboard::from(m.from()) | Bitboard::from(m.to());
    (position.pieces(color, kind) & !changed).into_iter().any(|from| {
        let hits = |occupied| attacks::piece(color, kind, from, occupied) & occupied;
        does(&Seen { from, before: hits(old), after: hits(new), changed }, m)
    })
}

/// Lines in which it is done to every kind of slider of both colours, by both colours.
fn lines(random: &mut ChaCha8Rng, does: fn(&Seen, Move) -> bool) -> Vec<Line> {
    let mut lines = Vec::new();
    for slider in Color::ALL.into_iter().flat_map(|color| SLIDERS.map(|kind| Piece::new(color, kind))) {
        for side in Color::ALL {
            let step: super::Step = &|position, m| does_it(position, m, slider, does);
            lines.extend((0..10).map(|_| line(random, &[], (side, "-"), 18, &[step])));
        }
    }
    lines
}

/// A move opens a slider's line to another piece.
pub fn opened(random: &mut ChaCha8Rng) -> Vec<Line> {
    lines(random, Seen::opened)
}

/// A move closes a slider's line to another piece.
pub fn closed(random: &mut ChaCha8Rng) -> Vec<Line> {
    lines(random, Seen::closed)
}

/// A piece moves along the line on which it is attacked: one pair goes and one comes.
pub fn stretched(random: &mut ChaCha8Rng) -> Vec<Line> {
    lines(random, Seen::stretched)
}

/// Boards with as many pairs as climbing finds, and moves on them.
pub fn most_pairs(random: &mut ChaCha8Rng) -> Vec<Line> {
    let mut lines = Vec::new();
    while lines.len() < 12 {
        let position = climb(random);
        let any: super::Step = &|_, _| true;
        lines.extend(played(random, position, &[any; 3]));
    }
    lines
}

/// Starts from two kings and adds all pieces that either side can have without pawns, or moves them about, wherever that
/// is legal and loses no pair.
fn climb(random: &mut ChaCha8Rng) -> Position {
    const TRIES: usize = 6000;
    let side = Color::ALL[below(random, 2)];
    let corners = [(Color::White, 0, 0), (Color::Black, 7, 7)];
    let kings =
        corners.map(|(color, file, rank)| (Piece::new(color, PieceType::King), Square::new(file, rank)));
    let mut board = Board::of(&kings);
    let mut best = board.position(side, "-").expect("kings in opposite corners are legal");
    let mut waiting = pieces();
    for _ in 0..TRIES {
        let mut changed = board.clone();
        let added = (!waiting.is_empty()).then(|| below(random, waiting.len()));
        match added {
            Some(index) => changed.put(random, waiting[index]),
            None => changed.swap(below(random, 64), below(random, 64)),
        }
        let legal = changed.position(side, "-");
        if let Some(position) = legal.filter(|position| count_pairs(position) >= count_pairs(&best)) {
            (board, best) = (changed, position);
            if let Some(index) = added {
                waiting.swap_remove(index);
            }
        } else if added.is_some() {
            // A piece that finds no legal place may find one when others have moved, whatever that loses.
            let mut moved = board.clone();
            moved.swap(below(random, 64), below(random, 64));
            if let Some(position) = moved.position(side, "-") {
                (board, best) = (moved, position);
            }
        }
    }
    best
}

/// All pieces but the kings that a side can have when its pawns are queens, for both sides.
fn pieces() -> Vec<Piece> {
    let most = [(PieceType::Queen, 9), (PieceType::Rook, 2), (PieceType::Bishop, 2), (PieceType::Knight, 2)];
    let mut pieces = Vec::new();
    for (color, (kind, count)) in Color::ALL.into_iter().flat_map(|color| most.map(|entry| (color, entry))) {
        pieces.extend(std::iter::repeat_n(Piece::new(color, kind), count));
    }
    pieces
}
