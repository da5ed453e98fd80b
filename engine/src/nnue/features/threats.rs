//! Row numbers of threat pairs.
//!
//! A row is counted, in this nesting order, by attacker piece 0…11, from-square, to-square among the
//! squares that the attacker reaches from there on an empty board, and target piece 0…11:
//!
//! ```text
//! row = BASE[attacker][from] + OFFSET[geometry][from][to] + slot(to, target)
//! ```
//!
//! Pawn attackers stand on ranks 2–7 only; on ranks 1 and 8 there are no pawn targets, so such a
//! to-square has 10 slots instead of 12. The count is 12 · 7,504 − 2 · 1,620 = 86,808.

use crate::nnue::architecture::THREAT_ROWS;

/// Ways to attack: own pawn (up the board), enemy pawn (down), knight, bishop, rook, queen, king.
const GEOMETRIES: usize = 7;

/// Unit steps as (files, ranks): the four straight ones, then the four oblique ones.
const STEPS: [(i8, i8); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

const REACH: [[u64; 64]; GEOMETRIES] = reach_table();
const TABLES: Tables = tables();
static BASE: [[u32; 64]; 12] = TABLES.base;
static OFFSET: [[[u16; 64]; 64]; GEOMETRIES] = TABLES.offset;
const _: () = assert!(TABLES.count as usize == THREAT_ROWS);

struct Tables {
    base: [[u32; 64]; 12],
    offset: [[[u16; 64]; 64]; GEOMETRIES],
    count: u32,
}

/// How a piece (colour · 6 + type) attacks.
const fn geometry(attacker: usize) -> usize {
    match attacker {
        0 => 0,
        6 => 1,
        _ => 1 + attacker % 6,
    }
}

/// The squares of one direction from `from`, nearest first: the piece attacks at most one occupied
/// square of each. `None` beyond the last direction.
pub(in crate::nnue) const fn ray(attacker: usize, from: usize, direction: usize) -> Option<u64> {
    let g = geometry(attacker);
    let (step, slides) = match (g, direction) {
        (0, 0) => ((-1, 1), false),
        (0, 1) => ((1, 1), false),
        (1, 0) => ((-1, -1), false),
        (1, 1) => ((1, -1), false),
        (2, 0..8) => (KNIGHT_STEPS[direction], false),
        (3, 0..4) => (STEPS[direction + 4], true),
        (4, 0..4) => (STEPS[direction], true),
        (5, 0..8) => (STEPS[direction], true),
        (6, 0..8) => (STEPS[direction], false),
        _ => return None,
    };
    if g < 2 && (from < 8 || from >= 56) {
        return None;
    }
    let (mut file, mut rank) = ((from % 8) as i8 + step.0, (from / 8) as i8 + step.1);
    let mut squares = 0;
    while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
        squares |= 1 << (rank * 8 + file);
        file += step.0;
        rank += step.1;
        if !slides {
            break;
        }
    }
    Some(squares)
}

const fn reach_table() -> [[u64; 64]; GEOMETRIES] {
    let mut table = [[0; 64]; GEOMETRIES];
    let attackers = [0, 6, 1, 2, 3, 4, 5];
    let mut g = 0;
    while g < GEOMETRIES {
        let mut from = 0;
        while from < 64 {
            let mut direction = 0;
            while let Some(squares) = ray(attackers[g], from, direction) {
                table[g][from] |= squares;
                direction += 1;
            }
            from += 1;
        }
        g += 1;
    }
    table
}

const fn on_edge(square: usize) -> bool {
    square < 8 || square >= 56
}

const fn tables() -> Tables {
    let mut offset = [[[0; 64]; 64]; GEOMETRIES];
    let mut size = [[0; 64]; GEOMETRIES];
    let mut g = 0;
    while g < GEOMETRIES {
        let mut from = 0;
        while from < 64 {
            let mut to = 0;
            while to < 64 {
                offset[g][from][to] = size[g][from];
                if REACH[g][from] >> to & 1 == 1 {
                    size[g][from] += slots(to) as u16;
                }
                to += 1;
            }
            from += 1;
        }
        g += 1;
    }
    let mut base = [[0; 64]; 12];
    let mut count = 0;
    let mut attacker = 0;
    while attacker < 12 {
        let mut from = 0;
        while from < 64 {
            base[attacker][from] = count;
            count += size[geometry(attacker)][from] as u32;
            from += 1;
        }
        attacker += 1;
    }
    Tables { base, offset, count }
}

/// Rows of one (attacker, from, to).
pub(in crate::nnue) const fn slots(to: usize) -> usize {
    if on_edge(to) { 10 } else { 12 }
}

/// First row of one (attacker, from, to); `to` must be reachable on an empty board.
#[inline]
pub(in crate::nnue) fn first_row(attacker: usize, from: usize, to: usize) -> u32 {
    BASE[attacker][from] + u32::from(OFFSET[geometry(attacker)][from][to])
}

/// The row of a pair, all in the view's own squares and colours.
#[inline]
pub fn row(attacker: usize, from: usize, to: usize, target: usize) -> u32 {
    debug_assert!(REACH[geometry(attacker)][from] >> to & 1 == 1);
    let missing = usize::from(on_edge(to)) * (1 + usize::from(target >= 6));
    first_row(attacker, from, to) + (target - missing) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the rows in the published nesting order, with another way to find the reach.
    #[test]
    fn rows_count_in_the_published_order() {
        let mut expected = 0;
        for attacker in 0..12 {
            for from in 0..64_usize {
                for to in 0..64_usize {
                    if !reaches(attacker, from as i32, to as i32) {
                        continue;
                    }
                    for target in 0..12 {
                        if target % 6 == 0 && !(8..56).contains(&to) {
                            continue;
                        }
                        assert_eq!(row(attacker, from, to, target), expected);
                        expected += 1;
                    }
                }
            }
        }
        assert_eq!(expected as usize, THREAT_ROWS);
    }

    fn reaches(attacker: usize, from: i32, to: i32) -> bool {
        let (df, dr) = (to % 8 - from % 8, to / 8 - from / 8);
        let (diagonal, straight) = (df.abs() == dr.abs() && df != 0, (df == 0) != (dr == 0));
        match attacker % 6 {
            0 => (8..56).contains(&from) && df.abs() == 1 && dr == if attacker == 0 { 1 } else { -1 },
            1 => df.abs() * dr.abs() == 2,
            2 => diagonal,
            3 => straight,
            4 => diagonal || straight,
            _ => df.abs().max(dr.abs()) == 1,
        }
    }

    #[test]
    fn rays_partition_the_reach() {
        for attacker in 0..12 {
            for (from, &reach) in REACH[geometry(attacker)].iter().enumerate() {
                let mut seen = 0;
                let mut direction = 0;
                while let Some(squares) = ray(attacker, from, direction) {
                    assert_eq!(seen & squares, 0);
                    seen |= squares;
                    direction += 1;
                }
                assert_eq!(seen, reach);
            }
        }
    }
}
