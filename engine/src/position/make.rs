use super::zobrist::KEYS;
use super::{Bitboard, Castle, Move, Piece, PieceType, Position, Square, attacks};

impl Position {
    /// The position after a move, which must be legal here.
    #[must_use]
    pub fn make(&self, m: Move) -> Self {
        debug_assert!(self.is_legal(m), "{m} in {}", self.to_fen());
        let mut next = *self;
        let (from, to) = (m.from(), m.to());
        let moved = self.mailbox[from.index()];
        let is_pawn = self.kind_bb(PieceType::Pawn).contains(from);

        next.en_passant = None;
        next.halfmove = if is_pawn { 0 } else { self.halfmove.saturating_add(1) };
        let victim_on = if m.is_en_passant() { to.en_passant_pawn() } else { to };
        if let Some(victim) = self.piece_on(victim_on) {
            next.toggle(victim, victim_on);
            next.mailbox[victim_on.index()] = Piece::EMPTY;
            next.halfmove = 0;
        }
        if let Some(piece) = Piece::from_code(moved) {
            next.toggle(piece, from);
            let arrived = match m.promotion() {
                Some(kind) => Piece::new(self.side, kind),
                None => piece,
            };
            next.toggle(arrived, to);
            next.mailbox[from.index()] = Piece::EMPTY;
            next.mailbox[to.index()] = arrived.code();
        }
        if m.is_castling() {
            let castle = Castle::to(to);
            let rook = Piece::new(self.side, PieceType::Rook);
            next.toggle(rook, castle.rook_from);
            next.toggle(rook, castle.rook_to);
            next.mailbox[castle.rook_from.index()] = Piece::EMPTY;
            next.mailbox[castle.rook_to.index()] = rook.code();
        }
        next.castling = self.castling.after(from, to);
        next.pass_the_move();
        if is_pawn && from.index().abs_diff(to.index()) == 16 {
            next.set_en_passant(Square::from_low_bits((from.index() + to.index()) as u32 / 2));
        }
        next
    }

    /// The position after passing, which is not allowed in check.
    #[must_use]
    pub fn make_null(&self) -> Self {
        debug_assert!(self.checkers.is_empty(), "null move in check: {}", self.to_fen());
        let mut next = *self;
        next.en_passant = None;
        next.halfmove = self.halfmove.saturating_add(1);
        next.pass_the_move();
        next
    }

    /// Gives the move to the other side and finds its checkers and pins.
    #[inline]
    fn pass_the_move(&mut self) {
        self.fullmove = self.fullmove.saturating_add(self.side as u16);
        self.side = !self.side;
        self.placement ^= KEYS.side;
        self.find_checkers_and_pins();
    }

    /// Adds or removes a piece everywhere but in the mailbox.
    #[inline]
    pub(super) fn toggle(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::from(square);
        self.colors[piece.color().index()] ^= bit;
        self.kinds[piece.kind().index()] ^= bit;
        self.placement ^= KEYS.pieces[piece.index()][square.index()];
    }

    /// Sets the en passant square when a legal capture onto it exists.
    pub(super) fn set_en_passant(&mut self, square: Square) {
        let takers = attacks::pawn(!self.side, square) & self.pieces(self.side, PieceType::Pawn);
        if takers.into_iter().any(|from| self.en_passant_is_safe(from, square)) {
            self.en_passant = Some(square);
        }
    }

    /// Whether the king is safe after an en passant capture; two pawns leave their lines at once, so
    /// neither pins nor checkers tell.
    pub(super) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let victim = Bitboard::from(to.en_passant_pawn());
        let occupied = self.occupied() ^ Bitboard::from(from) ^ victim | Bitboard::from(to);
        let attackers = self.attackers_to(self.king(self.side), occupied);
        (attackers & self.color_bb(!self.side) & !victim).is_empty()
    }

    /// One pass over the enemy pieces that could reach the king on an empty board.
    #[inline]
    pub(super) fn find_checkers_and_pins(&mut self) {
        use PieceType::{Bishop, Knight, Pawn, Queen, Rook};
        let (us, them) = (self.side, !self.side);
        let king = self.king(us);
        let (ours, theirs) = (self.color_bb(us), self.color_bb(them));
        let queens = self.kind_bb(Queen);
        self.checkers = theirs
            & (attacks::pawn(us, king) & self.kind_bb(Pawn) | attacks::knight(king) & self.kind_bb(Knight));
        self.pinned = Bitboard::EMPTY;
        let snipers = theirs
            & (attacks::bishop_rays(king) & (self.kind_bb(Bishop) | queens)
                | attacks::rook_rays(king) & (self.kind_bb(Rook) | queens));
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & (ours | theirs);
            if blockers.is_empty() {
                self.checkers |= Bitboard::from(sniper);
            } else if !blockers.has_several() {
                self.pinned |= blockers & ours;
            }
        }
    }
}
