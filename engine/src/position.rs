//! Positions: board, hashing, legal moves, static exchange.
//!
//! A [`Position`] is a value: [`Position::make`] leaves it alone and returns the next one. Whatever
//! a `Position` holds has passed the checks of [`Position::from_fen`] or comes from a legal move, so
//! everything else may rely on one king a side, at most sixteen pieces a side, no pawn on the
//! back ranks, and a side not to move that is not in check.

pub mod attacks;
mod bitboard;
mod castling;
mod display;
mod exchange;
mod fen;
mod legality;
mod make;
mod movegen;
mod moves;
mod perft;
mod piece;
pub mod reversals;
mod square;
mod zobrist;

pub use bitboard::Bitboard;
pub use castling::{Castle, CastlingRights};
pub use fen::FenError;
pub use moves::{Move, MoveList};
pub use piece::{Color, Piece, PieceType};
pub use square::{Square, SquareError};

use zobrist::KEYS;

/// A legal chess position with its counters.
///
/// Invariants: bitboards, mailbox and placement key agree; `checkers` and `pinned` are those of the
/// side to move; the en passant square is set only when a legal capture onto it exists.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    colors: [Bitboard; 2],
    kinds: [Bitboard; 6],
    mailbox: [u8; 64],
    placement: u64,
    checkers: Bitboard,
    pinned: Bitboard,
    fullmove: u16,
    halfmove: u16,
    side: Color,
    castling: CastlingRights,
    en_passant: Option<Square>,
}

/// The two hashes of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keys {
    /// See [`Position::placement_key`].
    pub placement: u64,
    /// See [`Position::hash`].
    pub hash: u64,
}

impl Position {
    /// The side to move.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        Piece::from_code(self.mailbox[square.index()])
    }

    /// Squares of the pieces of one colour and kind.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.color_bb(color) & self.kind_bb(kind)
    }

    /// Squares of all pieces of one colour.
    #[inline]
    pub fn color_bb(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// Squares of all pieces of one kind.
    #[inline]
    pub fn kind_bb(&self, kind: PieceType) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// Squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Where the king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        // There is always a king, so the number of trailing zeros is below 64.
        Square::from_low_bits(self.pieces(color, PieceType::King).0.trailing_zeros())
    }

    /// What castling moves are still allowed.
    #[inline]
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square passed by a pawn that has just moved two steps, when a legal en passant
    /// capture exists.
    #[inline]
    pub fn ep_square(&self) -> Option<Square> {
        self.en_passant
    }

    /// Half moves since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove
    }

    /// The number of the move, 1 at the start, one more after each move of Black.
    #[inline]
    pub fn fullmove(&self) -> u16 {
        self.fullmove
    }

    /// The Zobrist hash of all that tells positions apart for the rules of repetition: pieces, side
    /// to move, castling rights, and the en passant file when a legal capture exists.
    #[inline]
    pub fn hash(&self) -> u64 {
        let en_passant = match self.en_passant {
            Some(square) => KEYS.en_passant[square.file() as usize],
            None => 0,
        };
        self.placement ^ KEYS.castling[self.castling.index()] ^ en_passant
    }

    /// The Zobrist hash of what the net sees: pieces and side to move only.
    #[inline]
    pub fn placement_key(&self) -> u64 {
        self.placement
    }

    /// Pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Pieces of the side to move that are pinned to their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// Pieces of both colours that attack a square when `occupied` squares block.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};
        let queens = self.kind_bb(Queen);
        attacks::pawn(Color::Black, square) & self.pieces(Color::White, Pawn)
            | attacks::pawn(Color::White, square) & self.pieces(Color::Black, Pawn)
            | attacks::knight(square) & self.kind_bb(Knight)
            | attacks::king(square) & self.kind_bb(King)
            | attacks::bishop(square, occupied) & (self.kind_bb(Bishop) | queens)
            | attacks::rook(square, occupied) & (self.kind_bb(Rook) | queens)
    }

    /// Whether neither side can mate any more, however badly the other plays: bare kings, one
    /// minor piece, or only bishops on squares of one colour.
    pub fn is_insufficient_material(&self) -> bool {
        use PieceType::{Bishop, Knight, Pawn, Queen, Rook};
        let heavy = self.kind_bb(Pawn) | self.kind_bb(Rook) | self.kind_bb(Queen);
        if !heavy.is_empty() {
            return false;
        }
        let (knights, bishops) = (self.kind_bb(Knight), self.kind_bb(Bishop));
        let one_colour = (bishops & Bitboard::LIGHT).is_empty() || (bishops & !Bitboard::LIGHT).is_empty();
        (knights | bishops).count() <= 1 || knights.is_empty() && one_colour
    }
}
