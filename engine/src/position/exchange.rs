use super::{Bitboard, Color, Move, PieceType, Position, attacks};

/// What the pieces are worth in an exchange, by kind. A king is never taken.
const VALUE: [i32; 6] = [110, 320, 330, 500, 900, 0];

impl Position {
    /// Whether the exchanges on the to-square win at least `threshold` for the side that plays
    /// the move, when both sides always take with their cheapest piece and stop when it pays.
    ///
    /// Sliders behind others join in. Pins are ignored, a king takes only what is not protected, and
    /// only the first move promotes: a pawn that takes back on the last rank stays a pawn.
    pub fn see_ge(&self, m: Move, threshold: i32) -> bool {
        use PieceType::{Bishop, Queen, Rook};
        if m.is_castling() {
            return threshold <= 0;
        }
        let to = m.to();
        let mut at_risk = self.moved_piece(m).map_or(0, value);
        let mut balance = self.captured(m).map_or(0, value) - threshold;
        if let Some(kind) = m.promotion() {
            balance += value(kind) - value(PieceType::Pawn);
            at_risk = value(kind);
        }
        if balance < 0 {
            return false;
        }
        balance -= at_risk;
        if balance >= 0 {
            return true;
        }

        let mut occupied = self.occupied() ^ Bitboard::from(m.from()) | Bitboard::from(to);
        if m.is_en_passant() {
            occupied ^= Bitboard::from(to.en_passant_pawn());
        }
        let queens = self.kind_bb(Queen);
        let diagonal = self.kind_bb(Bishop) | queens;
        let straight = self.kind_bb(Rook) | queens;
        let mut attackers = self.attackers_to(to, occupied) & occupied;
        let mut side = !self.side();
        // The balance is that of the side that has just taken, less the piece it has now at risk.
        while let Some((kind, from)) = self.cheapest(attackers, side) {
            occupied ^= from;
            match kind {
                PieceType::Pawn | Bishop => attackers |= attacks::bishop(to, occupied) & diagonal,
                Rook => attackers |= attacks::rook(to, occupied) & straight,
                Queen => {
                    attackers |=
                        attacks::bishop(to, occupied) & diagonal | attacks::rook(to, occupied) & straight;
                }
                PieceType::Knight | PieceType::King => {}
            }
            attackers &= occupied;
            side = !side;
            balance = -balance - 1 - value(kind);
            if balance >= 0 {
                let protected = !(attackers & self.color_bb(side)).is_empty();
                if kind == PieceType::King && protected {
                    side = !side;
                }
                break;
            }
        }
        // Who cannot or need not take back has lost the argument.
        side != self.side()
    }

    /// The cheapest of the attackers of one side, as one square.
    #[inline]
    fn cheapest(&self, attackers: Bitboard, side: Color) -> Option<(PieceType, Bitboard)> {
        let own = attackers & self.color_bb(side);
        if own.is_empty() {
            return None;
        }
        PieceType::ALL.into_iter().find_map(|kind| {
            let from = (own & self.kind_bb(kind)).lsb()?;
            Some((kind, Bitboard::from(from)))
        })
    }
}

const fn value(kind: PieceType) -> i32 {
    VALUE[kind.index()]
}
