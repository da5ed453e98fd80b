use crate::position::{Color, Square};

/// Why a FEN was refused: the field, what was found there, what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// Something outside ASCII.
    #[error("FEN: found `{found}` at byte {at}, expected ASCII only")]
    NotAscii {
        /// The character.
        found: char,
        /// Its byte offset.
        at: usize,
    },
    /// Fields are missing or too many.
    #[error("FEN: found {found} fields, expected 4 (without the counters) or 6")]
    FieldCount {
        /// How many.
        found: usize,
    },
    /// The board has not eight ranks.
    #[error("FEN board: found {found} ranks, expected 8")]
    RankCount {
        /// How many.
        found: usize,
    },
    /// A rank has not eight squares.
    #[error("FEN board, rank {rank} `{text}`: found {found} squares, expected 8")]
    RankWidth {
        /// 1…8
        rank: u8,
        /// The rank as written.
        text: String,
        /// How many squares.
        found: u32,
    },
    /// A character that is no piece and no number of empty squares.
    #[error("FEN board, rank {rank}: found `{found}`, expected one of pnbrqkPNBRQK or 1 to 8")]
    BoardLetter {
        /// 1…8
        rank: u8,
        /// The character.
        found: char,
    },
    /// No king or several.
    #[error("FEN board: found {found} kings of {color:?}, expected 1")]
    KingCount {
        /// Whose.
        color: Color,
        /// How many.
        found: u32,
    },
    /// More pieces than a side starts with.
    #[error("FEN board: found {found} pieces of {color:?}, expected at most 16")]
    PieceCount {
        /// Whose.
        color: Color,
        /// How many.
        found: u32,
    },
    /// More pawns and promoted pieces than there were pawns.
    #[error("FEN board: found {found} pawns and promoted pieces of {color:?}, expected at most 8")]
    PromotedCount {
        /// Whose.
        color: Color,
        /// How many.
        found: u32,
    },
    /// A pawn on the first or eighth rank.
    #[error("FEN board: found a pawn on {square}, expected none on ranks 1 and 8")]
    BackRankPawn {
        /// Where.
        square: Square,
    },
    /// The kings touch.
    #[error("FEN board: found kings on {white} and {black}, expected them apart")]
    AdjacentKings {
        /// The white king.
        white: Square,
        /// The black king.
        black: Square,
    },
    /// The side to move is not named.
    #[error("FEN side to move: found `{found}`, expected `w` or `b`")]
    SideToMove {
        /// The field.
        found: String,
    },
    /// The side that has just moved is in check.
    #[error(
        "FEN side to move: found {side:?} to move with the other king on {king} attacked, expected it safe"
    )]
    OpponentInCheck {
        /// The side to move.
        side: Color,
        /// The attacked king.
        king: Square,
    },
    /// More checks at once than a move can give.
    #[error("FEN board: found {found} pieces giving check, expected at most 2")]
    CheckerCount {
        /// How many.
        found: u32,
    },
    /// The castling field is not a set of rights.
    #[error("FEN castling rights: found `{found}`, expected `-` or letters of KQkq, each at most once")]
    Castling {
        /// The field.
        found: String,
    },
    /// A castling right without its king or rook.
    #[error(
        "FEN castling rights: found `{right}` without its pieces, expected the king on {king} and a rook on {rook}"
    )]
    CastlingPieces {
        /// The letter.
        right: char,
        /// Where the king should be.
        king: Square,
        /// Where the rook should be.
        rook: Square,
    },
    /// The en passant field is no square.
    #[error("FEN en passant square: found `{found}`, expected `-` or a square from a1 to h8")]
    EnPassant {
        /// The field.
        found: String,
    },
    /// No pawn can have passed the en passant square.
    #[error("FEN en passant square: found {square} with {side:?} to move, expected {expected}")]
    EnPassantImpossible {
        /// The square.
        square: Square,
        /// The side to move.
        side: Color,
        /// What would make it possible.
        expected: &'static str,
    },
    /// The halfmove clock is no number or too large.
    #[error("FEN halfmove clock: found `{found}`, expected a number from 0 to {max}")]
    HalfmoveClock {
        /// The field.
        found: String,
        /// The largest.
        max: u16,
    },
    /// The move number is no number or too large.
    #[error("FEN move number: found `{found}`, expected a number from 1 to {max}")]
    FullmoveNumber {
        /// The field.
        found: String,
        /// The largest.
        max: u16,
    },
}
