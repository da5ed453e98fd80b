use super::{Move, Position};

impl Position {
    /// The number of games of `depth` half moves from here.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_legal_moves(),
            _ => self.legal_moves().iter().map(|&m| self.make(m).perft(depth - 1)).sum(),
        }
    }

    /// `perft` by first move; nothing at depth 0.
    pub fn perft_divide(&self, depth: u32) -> Vec<(Move, u64)> {
        let Some(rest) = depth.checked_sub(1) else {
            return Vec::new();
        };
        self.legal_moves().iter().map(|&m| (m, self.make(m).perft(rest))).collect()
    }
}
