//! Williams squares: Latin squares balanced for carry-over.
//!
//! E. J. Williams, "Experimental designs balanced for the estimation of residual effects of
//! treatments" (Australian Journal of Scientific Research A 2, 1949): start with the row
//! `0, 1, n−1, 2, n−2, …`, whose neighbouring differences are all different modulo n, and add
//! 1, 2, … n−1 to it. For even n every ordered pair of treatments stands side by side exactly once;
//! for odd n the mirrored rows are needed too, and every pair does so exactly twice.

/// The rows of a square over `0..n`: n of them for even n, 2n for odd n.
///
/// Every row and every column holds each treatment equally often.
pub fn square(n: usize) -> Vec<Vec<usize>> {
    let first: Vec<usize> = (0..n).map(|i| if i % 2 == 1 { i / 2 + 1 } else { (n - i / 2) % n }).collect();
    let mut rows: Vec<Vec<usize>> =
        (0..n).map(|shift| first.iter().map(|&x| (x + shift) % n).collect()).collect();
    if n % 2 == 1 {
        let mirrored = rows.iter().map(|row| row.iter().rev().copied().collect());
        let mirrored: Vec<_> = mirrored.collect();
        rows.extend(mirrored);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_row_zigzags() {
        assert_eq!(square(6)[0], [0, 1, 5, 2, 4, 3]);
        assert_eq!(square(5)[0], [0, 1, 4, 2, 3]);
    }

    #[test]
    fn balanced_for_place_and_for_predecessor() {
        for n in 2..=16 {
            let rows = square(n);
            let times = if n % 2 == 0 { 1 } else { 2 };
            assert_eq!(rows.len(), n * times);
            let mut place = vec![vec![0; n]; n];
            let mut follows = vec![vec![0; n]; n];
            for row in &rows {
                for (column, &x) in row.iter().enumerate() {
                    place[column][x] += 1;
                }
                for pair in row.windows(2) {
                    follows[pair[0]][pair[1]] += 1;
                }
            }
            for a in 0..n {
                for b in 0..n {
                    assert_eq!(place[a][b], times, "n = {n}");
                    assert_eq!(follows[a][b], if a == b { 0 } else { times }, "n = {n}");
                }
            }
        }
    }
}
