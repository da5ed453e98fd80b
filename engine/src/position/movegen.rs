use super::{Bitboard, Castle, Color, Move, MoveList, PieceType, Position, Square, attacks};

/// What takes generated moves: a list, a counter, a question.
pub(super) trait Sink {
    /// Normal moves of one piece.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Normal pawn moves that all go `offset` squares on.
    fn pawns(&mut self, targets: Bitboard, offset: i8);
    /// Promotions to all four pieces, `offset` squares on.
    fn promotions(&mut self, targets: Bitboard, offset: i8);
    /// En passant or castling.
    fn special(&mut self, m: Move);
}

impl Sink for MoveList {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::normal(from, to));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, offset: i8) {
        for to in targets {
            self.push(Move::normal(to.offset(-offset), to));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, offset: i8) {
        use PieceType::{Bishop, Knight, Queen, Rook};
        for to in targets {
            for kind in [Queen, Rook, Bishop, Knight] {
                self.push(Move::promoting(to.offset(-offset), to, kind));
            }
        }
    }

    #[inline]
    fn special(&mut self, m: Move) {
        self.push(m);
    }
}

/// Counts moves without writing them down.
struct Counter(u64);

impl Sink for Counter {
    #[inline]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i8) {
        self.0 += u64::from(targets.count());
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i8) {
        self.0 += 4 * u64::from(targets.count());
    }

    #[inline]
    fn special(&mut self, _: Move) {
        self.0 += 1;
    }
}

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<false>(Bitboard::ALL, &mut list);
        list
    }

    /// All legal captures, en passant included, and all promotions.
    pub fn legal_captures(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<true>(Bitboard::ALL, &mut list);
        list
    }

    /// How many legal moves there are; faster than making the list.
    pub fn count_legal_moves(&self) -> u64 {
        let mut counter = Counter(0);
        self.generate::<false>(Bitboard::ALL, &mut counter);
        counter.0
    }

    /// Sends the legal moves of the pieces on `movable` squares; with `NOISY` captures and promotions only.
    #[inline]
    pub(super) fn generate<const NOISY: bool>(&self, movable: Bitboard, sink: &mut impl Sink) {
        let king = self.king(self.side);
        let ours = self.color_bb(self.side);
        let wanted = if NOISY { self.color_bb(!self.side) } else { !ours };
        let movable = movable & ours;
        if movable.contains(king) {
            self.king_moves::<NOISY>(king, wanted, sink);
        }
        let Some(checker) = self.checkers.lsb() else {
            self.piece_moves(king, movable, wanted, sink);
            self.all_pawn_moves::<NOISY>(king, movable, Bitboard::ALL, sink);
            return;
        };
        if self.checkers.has_several() {
            return;
        }
        let evasions = attacks::between(king, checker) | self.checkers;
        self.piece_moves(king, movable, wanted & evasions, sink);
        self.all_pawn_moves::<NOISY>(king, movable, evasions, sink);
    }

    #[inline]
    fn king_moves<const NOISY: bool>(&self, king: Square, wanted: Bitboard, sink: &mut impl Sink) {
        // The king must not hide behind itself.
        let occupied = self.occupied() ^ Bitboard::from(king);
        let targets = (attacks::king(king) & wanted).filter(|&to| !self.is_attacked(to, occupied)).collect();
        sink.piece(king, targets);
        if NOISY || self.castling.is_empty() || !self.checkers.is_empty() {
            return;
        }
        for castle in Castle::of(self.side) {
            if self.castling.has(castle)
                && (castle.empty & self.occupied()).is_empty()
                && !self.is_attacked(castle.rook_to, occupied)
                && !self.is_attacked(castle.king_to, occupied)
            {
                sink.special(Move::castling(king, castle.king_to));
            }
        }
    }

    /// Whether the side not to move attacks a square.
    #[inline]
    fn is_attacked(&self, square: Square, occupied: Bitboard) -> bool {
        use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};
        let theirs = self.color_bb(!self.side);
        let leapers = attacks::pawn(self.side, square) & self.kind_bb(Pawn)
            | attacks::knight(square) & self.kind_bb(Knight)
            | attacks::king(square) & self.kind_bb(King);
        if !(leapers & theirs).is_empty() {
            return true;
        }
        let straight = theirs & (self.kind_bb(Rook) | self.kind_bb(Queen));
        let diagonal = theirs & (self.kind_bb(Bishop) | self.kind_bb(Queen));
        !(attacks::rook(square, occupied) & straight).is_empty()
            || !(attacks::bishop(square, occupied) & diagonal).is_empty()
    }

    /// Moves of knights, bishops, rooks and queens.
    #[inline]
    fn piece_moves(&self, king: Square, movable: Bitboard, wanted: Bitboard, sink: &mut impl Sink) {
        use PieceType::{Bishop, Knight, Queen, Rook};
        let occupied = self.occupied();
        let queens = self.kind_bb(Queen);
        // A pinned knight has no move.
        for from in movable & self.kind_bb(Knight) & !self.pinned {
            sink.piece(from, attacks::knight(from) & wanted);
        }
        let diagonal = movable & (self.kind_bb(Bishop) | queens);
        let straight = movable & (self.kind_bb(Rook) | queens);
        for from in diagonal & !self.pinned {
            sink.piece(from, attacks::bishop(from, occupied) & wanted);
        }
        for from in straight & !self.pinned {
            sink.piece(from, attacks::rook(from, occupied) & wanted);
        }
        for from in diagonal & self.pinned {
            let targets = attacks::bishop(from, occupied) & attacks::line(king, from);
            sink.piece(from, targets & wanted);
        }
        for from in straight & self.pinned {
            let targets = attacks::rook(from, occupied) & attacks::line(king, from);
            sink.piece(from, targets & wanted);
        }
    }

    /// Pawns all at once; pinned ones each along its line.
    #[inline]
    fn all_pawn_moves<const NOISY: bool>(
        &self,
        king: Square,
        movable: Bitboard,
        wanted: Bitboard,
        sink: &mut impl Sink,
    ) {
        let pawns = movable & self.kind_bb(PieceType::Pawn);
        self.pawn_moves::<NOISY>(pawns & !self.pinned, wanted, sink);
        for from in pawns & self.pinned {
            let line = attacks::line(king, from);
            self.pawn_moves::<NOISY>(Bitboard::from(from), wanted & line, sink);
        }
        if let Some(to) = self.en_passant {
            for from in attacks::pawn(!self.side, to) & pawns {
                if self.en_passant_is_safe(from, to) {
                    sink.special(Move::en_passant(from, to));
                }
            }
        }
    }

    #[inline]
    fn pawn_moves<const NOISY: bool>(&self, pawns: Bitboard, wanted: Bitboard, sink: &mut impl Sink) {
        let theirs = self.color_bb(!self.side);
        let empty = !self.occupied();
        let (up, double_rank, last_rank) = match self.side {
            Color::White => (8, Bitboard::rank(3), Bitboard::rank(7)),
            Color::Black => (-8, Bitboard::rank(4), Bitboard::rank(0)),
        };
        let push = shift(pawns, up) & empty;
        let double = shift(push, up) & empty & double_rank & wanted;
        let push = push & wanted;
        let west = shift(pawns & !Bitboard::FILE_A, up - 1) & theirs & wanted;
        let east = shift(pawns & !Bitboard::FILE_H, up + 1) & theirs & wanted;
        for (targets, offset) in [(west, up - 1), (east, up + 1)] {
            sink.pawns(targets & !last_rank, offset);
            sink.promotions(targets & last_rank, offset);
        }
        sink.promotions(push & last_rank, up);
        if !NOISY {
            sink.pawns(push & !last_rank, up);
            sink.pawns(double, 2 * up);
        }
    }
}

/// Moves all squares by `offset` indices. Pawns stand on neither back rank, so what wraps
/// round the board is never theirs; a double push that wraps is masked by its rank.
#[inline]
fn shift(set: Bitboard, offset: i8) -> Bitboard {
    Bitboard(set.0.rotate_left(offset as u32 & 63))
}
