//! The evaluation that a synthetic net carries: material, piece-square tables, a middlegame share.
//!
//! ```text
//! value = own − enemy + TEMPO,   side = Σ end(piece, square) + Σ (middle − end)(piece, square) · phase / 254
//! ```
//!
//! Only pawns and kings have a middlegame table of their own. Squares are the owner's: rank 0 is home.

/// Centipawns for the side to move.
pub const TEMPO: i32 = 10;
/// The phase of the start position.
pub const FULL_PHASE: i32 = 254;
/// Phase of each piece type, P N B R Q K: 254 in the start position.
pub const PHASE: [i32; 6] = [0, 10, 10, 22, 43, 0];

/// Steps from the nearest edge, 0 to 3.
fn inward(line: usize) -> i32 {
    line.min(7 - line) as i32
}

/// Endgame value of a piece on its owner's square.
pub fn end(kind: usize, square: usize) -> i32 {
    let (file, rank) = (square % 8, square / 8);
    let centre = inward(file) + inward(rank);
    match kind {
        0 => 105 + [0, 0, 5, 15, 35, 70, 120, 0][rank],
        1 => 292 + 8 * centre + if (3..6).contains(&rank) { 8 } else { 0 },
        2 => 320 + 4 * centre,
        3 => 494 + 2 * inward(file) + if rank == 6 { 18 } else { 0 },
        4 => 944 + 2 * centre,
        _ => 7 * centre - 15,
    }
}

/// What the middlegame adds to [`end`].
pub fn middle_minus_end(kind: usize, square: usize) -> i32 {
    let (file, rank) = (square % 8, square / 8);
    let middle = match kind {
        0 => {
            let in_file = inward(file);
            95 + match rank {
                1 if in_file < 3 => 6,
                2 => 2 * in_file,
                3 => 7 * in_file,
                4 => 10 + 7 * in_file,
                5 => 30,
                6 => 60,
                _ => 0,
            }
        }
        5 => match rank {
            0 => [26, 36, 12, 0][inward(file) as usize],
            1 => -12 - 4 * inward(file),
            _ => -25 - 11 * (rank as i32).min(5),
        },
        _ => return 0,
    };
    middle - end(kind, square)
}
