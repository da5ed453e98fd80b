use super::movegen::Sink;
use super::zobrist::KEYS;
use super::{Bitboard, Castle, Keys, Move, Piece, PieceType, Position, Square, attacks};

/// Asks whether one move is among those generated.
struct Question {
    wanted: Move,
    found: bool,
}

impl Question {
    #[inline]
    fn is_normal(&self) -> bool {
        self.wanted == Move::normal(self.wanted.from(), self.wanted.to())
    }
}

impl Sink for Question {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        let m = self.wanted;
        self.found |= targets.contains(m.to()) && m.from() == from && self.is_normal();
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, offset: i8) {
        let m = self.wanted;
        let comes_from = m.to().offset(-offset);
        self.found |= targets.contains(m.to()) && m.from() == comes_from && self.is_normal();
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, offset: i8) {
        let m = self.wanted;
        let comes_from = m.to().offset(-offset);
        self.found |= targets.contains(m.to()) && m.from() == comes_from && m.promotion().is_some();
    }

    #[inline]
    fn special(&mut self, m: Move) {
        self.found |= m == self.wanted;
    }
}

impl Position {
    /// Whether the move is legal here; any 16 bits may be asked for.
    pub fn is_legal(&self, m: Move) -> bool {
        let mut question = Question { wanted: m, found: false };
        self.generate::<false>(Bitboard::from(m.from()), &mut question);
        question.found
    }

    /// The legal move with this UCI text.
    pub fn parse_move(&self, text: &str) -> Option<Move> {
        let (from, to) = (text.get(..2)?.parse().ok()?, text.get(2..4)?.parse().ok()?);
        let promotion = text.get(4..)?;
        self.legal_moves().iter().copied().find(|m| {
            m.from() == from
                && m.to() == to
                && match m.promotion() {
                    Some(kind) => promotion.chars().eq([kind.letter()]),
                    None => promotion.is_empty(),
                }
        })
    }

    /// Whether the move takes something, en passant included.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        m.is_en_passant() || self.occupied().contains(m.to())
    }

    /// What kind of piece moves: `None` when the from-square is empty.
    #[inline]
    pub fn moved_piece(&self, m: Move) -> Option<PieceType> {
        self.piece_on(m.from()).map(|piece| piece.kind())
    }

    /// What the move takes.
    #[inline]
    pub fn captured(&self, m: Move) -> Option<PieceType> {
        if m.is_en_passant() {
            return Some(PieceType::Pawn);
        }
        self.piece_on(m.to()).map(|piece| piece.kind())
    }

    /// Whether a legal move gives check, directly or by discovery.
    pub fn gives_check(&self, m: Move) -> bool {
        use PieceType::{Bishop, Queen, Rook};
        let (from, to) = (m.from(), m.to());
        let king = self.king(!self.side);
        let (from_bit, to_bit) = (Bitboard::from(from), Bitboard::from(to));
        let mut occupied = self.occupied() ^ from_bit | to_bit;
        if m.is_castling() {
            let castle = Castle::to(to);
            occupied = occupied ^ Bitboard::from(castle.rook_from) | Bitboard::from(castle.rook_to);
            return attacks::rook(castle.rook_to, occupied).contains(king);
        }
        let Some(kind) = m.promotion().or(self.moved_piece(m)) else {
            return false;
        };
        if attacks::piece(self.side, kind, to, occupied).contains(king) {
            return true;
        }
        // A line is opened only by what leaves a line of the king.
        let mut left = from_bit;
        if m.is_en_passant() {
            let victim = Bitboard::from(to.en_passant_pawn());
            occupied ^= victim;
            left |= victim;
        }
        let rays = attacks::bishop_rays(king) | attacks::rook_rays(king);
        if (left & rays).is_empty() {
            return false;
        }
        let ours = self.color_bb(self.side) & !from_bit;
        let queens = self.kind_bb(Queen);
        let diagonal = ours & (self.kind_bb(Bishop) | queens);
        let straight = ours & (self.kind_bb(Rook) | queens);
        !(attacks::bishop(king, occupied) & diagonal).is_empty()
            || !(attacks::rook(king, occupied) & straight).is_empty()
    }

    /// The keys after a legal move, without making it. The hash is exact unless the move lets the
    /// other side take en passant.
    #[inline]
    pub fn keys_after(&self, m: Move) -> Keys {
        let (from, to) = (m.from(), m.to());
        let moved = self.mailbox[from.index()];
        let victim_on = if m.is_en_passant() { to.en_passant_pawn() } else { to };
        let victim = self.mailbox[victim_on.index()];
        let arrived = match m.promotion() {
            Some(kind) => Piece::new(self.side, kind).code(),
            None => moved,
        };
        let key = |code: u8, square: Square| KEYS.pieces[usize::from(code & 15)][square.index()];
        let mut placement =
            self.placement ^ KEYS.side ^ key(moved, from) ^ key(arrived, to) ^ key(victim, victim_on);
        if m.is_castling() {
            let castle = Castle::to(to);
            let rook = Piece::new(self.side, PieceType::Rook).code();
            placement ^= key(rook, castle.rook_from) ^ key(rook, castle.rook_to);
        }
        let castling = self.castling.after(from, to);
        Keys { placement, hash: placement ^ KEYS.castling[castling.index()] }
    }
}
