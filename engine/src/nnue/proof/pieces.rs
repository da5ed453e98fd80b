//! Bounds of the sum of piece rows: both kings, and up to fifteen other pieces a side.

use super::{Bounds, Extremes, greatest_sum};
use crate::nnue::architecture::{Architecture, ROWS_PER_BUCKET};

/// Bounds over all king buckets.
///
/// First quickly, as if every square held a piece of either side; a neuron that this does not settle
/// gets the fifteen greatest squares of each side.
pub(in crate::nnue) fn piece_bounds(architecture: &Architecture, rows: &[i16]) -> Bounds {
    let width = architecture.width;
    let buckets = rows.chunks_exact(ROWS_PER_BUCKET * width);
    let mut united: Option<Bounds> = None;
    for (bucket, rows) in buckets.enumerate() {
        let squares = own_king_squares(architecture, bucket);
        if squares.is_empty() {
            continue;
        }
        let mut bounds = quick_bounds(width, rows, &squares);
        for neuron in 0..width {
            if bounds.high[neuron] - bounds.low[neuron] >= i32::from(u16::MAX) {
                let at =
                    |piece: usize, square: usize| i32::from(rows[(piece * 64 + square) * width + neuron]);
                bounds.high[neuron] = tight_high(&squares, at);
                bounds.low[neuron] = -tight_high(&squares, |piece, square| -at(piece, square));
            }
        }
        match &mut united {
            Some(all) => all.unite(&bounds),
            none => *none = Some(bounds),
        }
    }
    united.unwrap_or_else(|| Bounds::zero(width))
}

/// The own king's squares of a bucket.
fn own_king_squares(architecture: &Architecture, bucket: usize) -> Vec<usize> {
    let map = architecture.king_map.iter().enumerate();
    map.filter(|&(_, &b)| usize::from(b) == bucket).map(|(half, _)| half / 4 * 8 + half % 4).collect()
}

fn quick_bounds(width: usize, rows: &[i16], own_king: &[usize]) -> Bounds {
    let row = |piece: usize, square: usize| &rows[(piece * 64 + square) * width..][..width];
    let mut bounds = Bounds::zero(width);
    let mut extremes = Extremes::new(width);
    let all: Vec<usize> = (0..64).collect();
    for (king, squares) in [(5, own_king), (11, &all[..])] {
        extremes.start(row(king, squares[0]));
        squares.iter().for_each(|&square| extremes.include(row(king, square)));
        bounds.add(&extremes);
    }
    for side in [0, 6] {
        for square in 0..64 {
            extremes.clear();
            (side..side + 5).for_each(|piece| extremes.include(row(piece, square)));
            bounds.add(&extremes);
        }
    }
    bounds
}

fn tight_high(own_king: &[usize], at: impl Fn(usize, usize) -> i32) -> i32 {
    let own = own_king.iter().map(|&square| at(5, square)).max().unwrap_or(0);
    let enemy = (0..64).map(|square| at(11, square)).max().unwrap_or(0);
    let others: i32 = [0, 6]
        .into_iter()
        .map(|side| {
            let best = |square| (side..side + 5).map(|piece| at(piece, square)).max().unwrap_or(0);
            greatest_sum(&mut std::array::from_fn(best))
        })
        .sum();
    own + enemy + others
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 64;

    fn shape() -> Architecture {
        Architecture { width: WIDTH, king_buckets: 1, king_map: [0; 32], ..Architecture::MAIN }
    }

    fn bounds_of(set: impl Fn(usize, usize) -> i16) -> (i32, i32) {
        let mut rows = vec![0; ROWS_PER_BUCKET * WIDTH];
        for piece in 0..12 {
            for square in 0..64 {
                rows[(piece * 64 + square) * WIDTH + 3] = set(piece, square);
            }
        }
        let bounds = piece_bounds(&shape(), &rows);
        assert_eq!((bounds.low[2], bounds.high[2]), (0, 0));
        (bounds.low[3], bounds.high[3])
    }

    #[test]
    fn a_side_has_one_king_and_fifteen_others() {
        let own_queens = |piece, _| if piece == 4 { 2000 } else { 0 };
        assert_eq!(bounds_of(own_queens), (0, 30_000));
        let own_king = |piece, square| if piece == 5 { square as i16 + 1 } else { 0 };
        assert_eq!(bounds_of(own_king), (1, 60));
        let enemy_kings_and_pawns = |piece, _| match piece {
            11 => -5000,
            6 => -1500,
            _ => 0,
        };
        assert_eq!(bounds_of(enemy_kings_and_pawns), (-27_500, -5000));
    }

    #[test]
    fn quick_bounds_are_never_tighter() {
        let mixed = |piece, square| (piece as i16 * 37 + square as i16 * 101) % 61 - 30;
        let (low, high) = bounds_of(mixed);
        let at = |piece: usize, square: usize| i32::from(mixed(piece, square));
        let squares: Vec<usize> = (0..64).filter(|square| square % 8 < 4).collect();
        assert!(high >= tight_high(&squares, at));
        assert!(low <= -tight_high(&squares, |piece, square| -at(piece, square)));
    }

    #[test]
    fn the_zero_point_is_proved_up_to_its_last_value() {
        let edge = |low, high| Bounds { low: vec![low], high: vec![high] }.zero_points("piece");
        assert_eq!(edge(-32_768, 32_767).unwrap(), [0]);
        assert_eq!(edge(100_000, 165_534).unwrap(), [132_767]);
        assert!(edge(-32_768, 32_768).is_err());
        let error = edge(-40_000, 40_000).unwrap_err().to_string();
        assert!(error.contains("neuron 0") && error.contains("-40000 to 40000"), "{error}");
    }
}
