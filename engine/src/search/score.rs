//! Scores: centipawns for the side to move, and mates as distances from [`MATE`].

use std::fmt;

/// The side to move has mated. A mate in `n` plies is `MATE - n`.
pub const MATE: i32 = 32_000;
/// Beyond every score.
pub const INFINITE: i32 = MATE + 1;
/// Scores beyond this are mates.
pub const MATE_BOUND: i32 = 31_000;
/// A draw by rule.
pub const DRAW: i32 = 0;

/// The score of being mated `ply` plies from the root.
pub const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// The score of mating `ply` plies from the root.
pub const fn mate_in(ply: usize) -> i32 {
    MATE - ply as i32
}

/// Whether `score` is a mate for either side.
pub const fn is_mate(score: i32) -> bool {
    score.abs() > MATE_BOUND
}

/// From distance to the root to distance to the node, as the table keeps mates.
pub const fn to_table(score: i32, ply: usize) -> i32 {
    if score > MATE_BOUND {
        score + ply as i32
    } else if score < -MATE_BOUND {
        score - ply as i32
    } else {
        score
    }
}

/// The way back from [`to_table`].
pub const fn from_table(score: i32, ply: usize) -> i32 {
    if score > MATE_BOUND {
        score - ply as i32
    } else if score < -MATE_BOUND {
        score + ply as i32
    } else {
        score
    }
}

/// A score as UCI writes it: `cp 31`, `mate 3`, `mate -2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UciScore(pub i32);

impl fmt::Display for UciScore {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let plies = MATE - self.0.abs();
        match self.0 {
            score if score > MATE_BOUND => write!(f, "mate {}", (plies + 1) / 2),
            score if score < -MATE_BOUND => write!(f, "mate {}", -((plies + 1) / 2)),
            score => write!(f, "cp {score}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uci_counts_mates_in_moves() {
        let table = [
            (mate_in(1), "mate 1"),
            (mate_in(2), "mate 1"),
            (mate_in(3), "mate 2"),
            (mate_in(5), "mate 3"),
            (mated_in(0), "mate 0"),
            (mated_in(2), "mate -1"),
            (mated_in(4), "mate -2"),
            (MATE_BOUND, "cp 31000"),
            (-17, "cp -17"),
        ];
        for (score, text) in table {
            assert_eq!(UciScore(score).to_string(), text);
        }
    }

    #[test]
    fn table_scores_are_distances_to_the_node() {
        for ply in [0, 1, 17, 127] {
            for score in [0, 250, -MATE_BOUND, mate_in(ply + 4), mated_in(ply + 3)] {
                assert_eq!(from_table(to_table(score, ply), ply), score);
            }
            assert_eq!(to_table(mate_in(ply + 4), ply), MATE - 4);
        }
    }
}
