//! Aspiration windows: an iteration first looks near the last score, and wider at each failure.

use super::Searcher;
use super::params::{ASPIRATION_DEPTH, ASPIRATION_OPEN, ASPIRATION_WINDOW};
use super::score::INFINITE;
use crate::position::Position;

impl Searcher {
    /// Searches the root to `depth` until the score lies inside the window, or the search is stopped.
    pub(super) fn aspirate(&mut self, position: &Position, depth: i32) {
        let mut width = ASPIRATION_WINDOW;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= ASPIRATION_DEPTH {
            (alpha, beta) = window(self.root.score, width);
        }
        loop {
            let score = self.search_root(position, alpha, beta, depth);
            if self.stopped || alpha < score && score < beta {
                return;
            }
            width += width;
            let (low, high) = window(score, width);
            if score <= alpha {
                alpha = low;
            } else {
                beta = high;
            }
            self.root.sort();
        }
    }
}

/// The window of half width `width` around `score`, each side open where it leaves the range of plain scores.
fn window(score: i32, width: i32) -> (i32, i32) {
    let low = if score - width < -ASPIRATION_OPEN { -INFINITE } else { score - width };
    let high = if score + width > ASPIRATION_OPEN { INFINITE } else { score + width };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_open_beyond_the_plain_scores() {
        assert_eq!(window(10, 18), (-8, 28));
        assert_eq!(window(1190, 18), (1172, INFINITE));
        assert_eq!(window(-1190, 18), (-INFINITE, -1172));
        assert_eq!(window(0, 2000), (-INFINITE, INFINITE));
    }
}
