mod error;

use std::fmt::Write;

pub use error::FenError;

use super::{Bitboard, Castle, CastlingRights, Color, Piece, PieceType, Position, Square, attacks};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MAX_HALFMOVE: u16 = 999;
const MAX_FULLMOVE: u16 = 9999;

impl Position {
    /// The start of a game.
    pub fn start() -> Self {
        Self::from_fen(START).expect("the start position is legal")
    }

    /// Reads a FEN of six fields, or of four without the counters (then 0 and 1). A move
    /// number of 0 is read as 1. A possible en passant square onto which no legal capture exists is accepted and
    /// forgotten.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        if let Some((at, found)) = fen.char_indices().find(|(_, c)| !c.is_ascii()) {
            return Err(FenError::NotAscii { found, at });
        }
        let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
        let (fields, counters) = match *fields {
            [board, side, castling, en_passant] => ([board, side, castling, en_passant], None),
            [board, side, castling, en_passant, half, full] => {
                ([board, side, castling, en_passant], Some((half, full)))
            }
            _ => return Err(FenError::FieldCount { found: fields.len() }),
        };
        let [board, side, castling, en_passant] = fields;
        let mut position = Self::empty();
        position.read_board(board)?;
        position.check_board()?;
        position.read_side(side)?;
        position.find_checkers_and_pins();
        position.check_checks()?;
        position.read_castling(castling)?;
        position.read_en_passant(en_passant)?;
        if let Some((half, full)) = counters {
            position.halfmove = counter(half, MAX_HALFMOVE)
                .ok_or_else(|| FenError::HalfmoveClock { found: half.to_owned(), max: MAX_HALFMOVE })?;
            let number = counter(full, MAX_FULLMOVE)
                .ok_or_else(|| FenError::FullmoveNumber { found: full.to_owned(), max: MAX_FULLMOVE })?;
            position.fullmove = number.max(1);
        }
        Ok(position)
    }

    /// The FEN, six fields.
    pub fn to_fen(&self) -> String {
        let ranks: Vec<String> = (0..8).rev().map(|rank| self.rank_text(rank)).collect();
        let mut fen = ranks.join("/");
        fen.push_str(match self.side {
            Color::White => " w ",
            Color::Black => " b ",
        });
        if self.castling.is_empty() {
            fen.push('-');
        }
        fen.extend(Castle::ALL.iter().filter(|c| self.castling.has(c)).map(|c| c.letter));
        let en_passant = self.en_passant.map_or("-".to_owned(), |s| s.to_string());
        write!(fen, " {en_passant} {} {}", self.halfmove, self.fullmove).expect("a string takes any text");
        fen
    }

    fn rank_text(&self, rank: u8) -> String {
        let (mut text, mut gap) = (String::new(), 0);
        for file in 0..8 {
            match self.piece_on(Square::new(file, rank)) {
                None => gap += 1,
                Some(piece) => {
                    text.extend(char::from_digit(gap, 10).filter(|_| gap > 0));
                    text.push(piece.letter());
                    gap = 0;
                }
            }
        }
        text.extend(char::from_digit(gap, 10).filter(|_| gap > 0));
        text
    }

    fn empty() -> Self {
        Self {
            colors: [Bitboard::EMPTY; 2],
            kinds: [Bitboard::EMPTY; 6],
            mailbox: [Piece::EMPTY; 64],
            placement: 0,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            fullmove: 1,
            halfmove: 0,
            side: Color::White,
            castling: CastlingRights::NONE,
            en_passant: None,
        }
    }

    fn read_board(&mut self, text: &str) -> Result<(), FenError> {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != 8 {
            return Err(FenError::RankCount { found: ranks.len() });
        }
        for (rank, text) in (0..8).rev().zip(ranks) {
            let mut file = 0;
            for letter in text.chars() {
                if let Some(gap @ 1..=8) = letter.to_digit(10) {
                    file += gap;
                } else if let Some(piece) = Piece::from_letter(letter) {
                    if file < 8 {
                        let square = Square::new(file as u8, rank);
                        self.toggle(piece, square);
                        self.mailbox[square.index()] = piece.code();
                    }
                    file += 1;
                } else {
                    return Err(FenError::BoardLetter { rank: rank + 1, found: letter });
                }
            }
            if file != 8 {
                return Err(FenError::RankWidth { rank: rank + 1, text: text.to_owned(), found: file });
            }
        }
        Ok(())
    }

    /// What must hold whoever is to move.
    fn check_board(&self) -> Result<(), FenError> {
        use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};
        for color in Color::ALL {
            let count = |kind| self.pieces(color, kind).count();
            if count(King) != 1 {
                return Err(FenError::KingCount { color, found: count(King) });
            }
            let found = self.color_bb(color).count();
            if found > 16 {
                return Err(FenError::PieceCount { color, found });
            }
            let beyond = [(Knight, 2), (Bishop, 2), (Rook, 2), (Queen, 1)]
                .map(|(kind, at_start)| count(kind).saturating_sub(at_start));
            let found = count(Pawn) + beyond.iter().sum::<u32>();
            if found > 8 {
                return Err(FenError::PromotedCount { color, found });
            }
        }
        let back_ranks = Bitboard::rank(0) | Bitboard::rank(7);
        if let Some(square) = (self.kind_bb(Pawn) & back_ranks).lsb() {
            return Err(FenError::BackRankPawn { square });
        }
        let (white, black) = (self.king(Color::White), self.king(Color::Black));
        if attacks::king(white).contains(black) {
            return Err(FenError::AdjacentKings { white, black });
        }
        Ok(())
    }

    fn read_side(&mut self, text: &str) -> Result<(), FenError> {
        match text {
            "w" => {}
            "b" => {
                self.side = Color::Black;
                self.placement ^= super::KEYS.side;
            }
            _ => {
                return Err(FenError::SideToMove { found: text.to_owned() });
            }
        }
        Ok(())
    }

    fn check_checks(&self) -> Result<(), FenError> {
        let king = self.king(!self.side);
        let attackers = self.attackers_to(king, self.occupied()) & self.color_bb(self.side);
        if !attackers.is_empty() {
            return Err(FenError::OpponentInCheck { side: self.side, king });
        }
        let found = self.checkers.count();
        if found > 2 {
            return Err(FenError::CheckerCount { found });
        }
        Ok(())
    }

    fn read_castling(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        for letter in text.chars() {
            let known = Castle::ALL.iter().find(|c| c.letter == letter && !self.castling.has(c));
            let Some(castle) = known else {
                return Err(FenError::Castling { found: text.to_owned() });
            };
            let has = |kind, square| self.piece_on(square) == Some(Piece::new(castle.color, kind));
            if !has(PieceType::King, castle.king_from) || !has(PieceType::Rook, castle.rook_from) {
                return Err(FenError::CastlingPieces {
                    right: letter,
                    king: castle.king_from,
                    rook: castle.rook_from,
                });
            }
            self.castling = self.castling.with(castle);
        }
        Ok(())
    }

    fn read_en_passant(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let square: Square = text.parse().map_err(|_| FenError::EnPassant { found: text.to_owned() })?;
        let impossible = |expected| FenError::EnPassantImpossible { square, side: self.side, expected };
        let (us, them) = (self.side, !self.side);
        if square.relative_rank(us) != 5 {
            return Err(impossible("one on the sixth rank of the side to move"));
        }
        let stands = square.en_passant_pawn();
        let started = Square::new(square.file(), them as u8 * 5 + 1);
        if self.piece_on(stands) != Some(Piece::new(them, PieceType::Pawn)) {
            return Err(impossible("an enemy pawn in front of it"));
        }
        if self.occupied().contains(square) || self.occupied().contains(started) {
            return Err(impossible("it and the square behind it empty"));
        }
        // Take the double step back: the king must not have been in check before it.
        let king = self.king(us);
        let occupied = self.occupied() ^ Bitboard::from(stands) | Bitboard::from(started);
        let attackers = self.attackers_to(king, occupied) & self.color_bb(them);
        let others = attackers & !Bitboard::from(stands);
        if !others.is_empty() || attacks::pawn(them, started).contains(king) {
            return Err(impossible("no check that was there before the pawn's double step"));
        }
        self.set_en_passant(square);
        Ok(())
    }
}

/// A number of digits only, at most `max`.
fn counter(text: &str, max: u16) -> Option<u16> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|&n| digits && n <= max)
}
