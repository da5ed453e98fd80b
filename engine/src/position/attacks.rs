//! Which squares a piece attacks.
//!
//! Sliders are computed by obstruction difference: a line through the square is split into the
//! part below and the part above; the nearest blocker below and the nearest above bound the attack,
//! and one subtraction sets all bits between them. The tables take 4 KiB instead of the
//! 800 KiB of magic look-ups, which leaves the caches to the net.

use super::{Bitboard, Color, PieceType, Square};

/// The squares of one line through a square, without it, by index below and above it.
#[derive(Clone, Copy)]
struct Line {
    below: u64,
    above: u64,
}

/// The lines through a square.
#[derive(Clone, Copy)]
struct Lines {
    file: Line,
    rank: Line,
    diagonal: Line,
    antidiagonal: Line,
}

/// One entry a pair of squares.
type Pairs = [[u64; 64]; 64];

static KNIGHT: [u64; 64] = leapers(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [u64; 64] = leapers(&[(1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1)]);
static PAWN: [[u64; 64]; 2] = [leapers(&[(-1, 1), (1, 1)]), leapers(&[(-1, -1), (1, -1)])];
static LINES: [Lines; 64] = lines();
static BETWEEN: Pairs = pairs().0;
static LINE: Pairs = pairs().1;

/// Squares that a pawn of `color` on `square` attacks.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    Bitboard(PAWN[color.index()][square.index()])
}

/// Squares that a knight attacks.
#[inline]
pub const fn knight(square: Square) -> Bitboard {
    Bitboard(KNIGHT[square.index()])
}

/// Squares that a king attacks.
#[inline]
pub const fn king(square: Square) -> Bitboard {
    Bitboard(KING[square.index()])
}

/// Squares that a bishop attacks when `occupied` squares block, blockers included.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square.index()];
    Bitboard(slide(lines.diagonal, occupied.0) | slide(lines.antidiagonal, occupied.0))
}

/// Squares that a rook attacks when `occupied` squares block, blockers included.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let lines = &LINES[square.index()];
    Bitboard(slide(lines.file, occupied.0) | slide(lines.rank, occupied.0))
}

/// Squares that a queen attacks when `occupied` squares block, blockers included.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// Squares that a piece attacks when `occupied` squares block, blockers included.
#[inline]
pub fn piece(color: Color, kind: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceType::Pawn => pawn(color, square),
        PieceType::Knight => knight(square),
        PieceType::Bishop => bishop(square, occupied),
        PieceType::Rook => rook(square, occupied),
        PieceType::Queen => queen(square, occupied),
        PieceType::King => king(square),
    }
}

/// Squares strictly between two squares of one line; none for other pairs.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(BETWEEN[a.index()][b.index()])
}

/// The whole line through two squares, both included; none when they share no line.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    Bitboard(LINE[a.index()][b.index()])
}

/// Squares of a bishop's lines, without the square itself.
#[inline]
pub(super) const fn bishop_rays(square: Square) -> Bitboard {
    let lines = &LINES[square.index()];
    Bitboard(lines.diagonal.whole() | lines.antidiagonal.whole())
}

/// Squares of a rook's lines, without the square itself.
#[inline]
pub(super) const fn rook_rays(square: Square) -> Bitboard {
    let lines = &LINES[square.index()];
    Bitboard(lines.file.whole() | lines.rank.whole())
}

impl Line {
    #[inline]
    const fn whole(self) -> u64 {
        self.below | self.above
    }
}

/// The part of a line up to and with the nearest blocker on either side.
#[inline]
fn slide(line: Line, occupied: u64) -> u64 {
    let below = line.below & occupied;
    let above = line.above & occupied;
    // Without a blocker below, bit 0 stands in: everything under it is masked away anyway.
    let nearest_below = 1 << (63 - (below | 1).leading_zeros());
    let nearest_above = above & above.wrapping_neg();
    // 2 · above − below sets the bits from one to the other; without a blocker above
    // the difference runs to the top.
    let span = nearest_above.wrapping_add(nearest_above).wrapping_sub(nearest_below);
    line.whole() & span
}

/// The bit of the square `df` files and `dr` ranks on, 0 beyond the edge.
const fn step(square: usize, df: i32, dr: i32) -> u64 {
    let (file, rank) = (square as i32 % 8 + df, square as i32 / 8 + dr);
    if file < 0 || file > 7 || rank < 0 || rank > 7 { 0 } else { 1 << (rank * 8 + file) }
}

const fn leapers(steps: &[(i32, i32)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < steps.len() {
            table[square] |= step(square, steps[i].0, steps[i].1);
            i += 1;
        }
        square += 1;
    }
    table
}

/// All squares in one direction on an empty board.
const fn ray(square: usize, df: i32, dr: i32) -> u64 {
    let (mut ray, mut n) = (0, 1);
    while n < 8 {
        ray |= step(square, n * df, n * dr);
        n += 1;
    }
    ray
}

const fn lines() -> [Lines; 64] {
    const NONE: Line = Line { below: 0, above: 0 };
    let mut table = [Lines { file: NONE, rank: NONE, diagonal: NONE, antidiagonal: NONE }; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Lines {
            file: line_of(square, 0, 1),
            rank: line_of(square, 1, 0),
            diagonal: line_of(square, 1, 1),
            antidiagonal: line_of(square, -1, 1),
        };
        square += 1;
    }
    table
}

/// `(df, dr)` is the direction of rising indices.
const fn line_of(square: usize, df: i32, dr: i32) -> Line {
    Line { below: ray(square, -df, -dr), above: ray(square, df, dr) }
}

/// The tables of `between` and `line`.
const fn pairs() -> (Pairs, Pairs) {
    const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (-1, 1)];
    let (mut between, mut line) = ([[0; 64]; 64], [[0; 64]; 64]);
    let mut a = 0;
    while a < 64 {
        let mut d = 0;
        while d < 4 {
            let (df, dr) = DIRECTIONS[d];
            let Line { below, above } = line_of(a, df, dr);
            let whole = below | above | 1 << a;
            let mut rest = below | above;
            while rest != 0 {
                let b = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                line[a][b] = whole;
                // What lies on the line inside the half-open index range of the two, without its lower end.
                let (low, high) = if a < b { (a, b) } else { (b, a) };
                between[a][b] = whole & ((1 << high) - 1) & !((2 << low) - 1);
            }
            d += 1;
        }
        a += 1;
    }
    (between, line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks square by square.
    fn walk(square: Square, occupied: Bitboard, directions: [(i32, i32); 4]) -> Bitboard {
        let mut attacked = Bitboard::EMPTY;
        for (df, dr) in directions {
            for n in 1..8 {
                let bit = Bitboard(step(square.index(), n * df, n * dr));
                attacked |= bit;
                if bit.is_empty() || !(bit & occupied).is_empty() {
                    break;
                }
            }
        }
        attacked
    }

    #[test]
    fn sliders_agree_with_a_walk() {
        let mut state = 1u64;
        for square in Square::all() {
            for round in 0..2000 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let mixed = state ^ state >> 29;
                // Dense, half and sparse boards.
                let occupied = Bitboard(match round % 3 {
                    0 => mixed,
                    1 => mixed & mixed.rotate_left(23),
                    _ => mixed & mixed.rotate_left(23) & mixed.rotate_left(41),
                });
                let diagonal = walk(square, occupied, [(1, 1), (1, -1), (-1, 1), (-1, -1)]);
                let straight = walk(square, occupied, [(1, 0), (-1, 0), (0, 1), (0, -1)]);
                assert_eq!(bishop(square, occupied), diagonal);
                assert_eq!(rook(square, occupied), straight);
                assert_eq!(queen(square, occupied), diagonal | straight);
            }
        }
    }

    #[test]
    fn lines_and_betweens_agree_with_sliders() {
        for a in Square::all() {
            for b in Square::all().filter(|&b| b != a) {
                let (from_a, from_b) = (Bitboard::from(a), Bitboard::from(b));
                let (mut expected_between, mut expected_line) = (Bitboard::EMPTY, Bitboard::EMPTY);
                for slider in [bishop, rook] {
                    if slider(a, Bitboard::EMPTY).contains(b) {
                        expected_between = slider(a, from_b) & slider(b, from_a);
                        expected_line =
                            slider(a, Bitboard::EMPTY) & slider(b, Bitboard::EMPTY) | from_a | from_b;
                    }
                }
                assert_eq!(between(a, b), expected_between, "{a} {b}");
                assert_eq!(line(a, b), expected_line, "{a} {b}");
            }
            assert!(line(a, a).is_empty() && between(a, a).is_empty());
        }
    }

    #[test]
    fn leapers_have_their_known_numbers_of_attacks() {
        let total =
            |attacks: &dyn Fn(Square) -> Bitboard| Square::all().map(|s| attacks(s).count()).sum::<u32>();
        assert_eq!(total(&knight), 336);
        assert_eq!(total(&king), 420);
        assert_eq!(total(&|s| pawn(Color::White, s)), 98);
        assert_eq!(total(&|s| bishop(s, Bitboard::EMPTY)), 560);
        assert_eq!(total(&|s| rook(s, Bitboard::EMPTY)), 896);
        let e4 = Square::new(4, 3);
        assert_eq!(format!("{:?}", pawn(Color::White, e4)), "{d5, f5}");
        assert_eq!(format!("{:?}", pawn(Color::Black, e4)), "{d3, f3}");
        assert_eq!(format!("{:?}", knight(Square::new(0, 0))), "{c2, b3}");
    }
}
