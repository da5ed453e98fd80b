//! The keys of the position hash: drawn at compile time, the same in every build.

/// One key a feature of a position.
pub(super) struct Keys {
    /// By piece index and square. Rows 12–15 are zero, so that an empty square's code can
    /// be used without asking.
    pub pieces: [[u64; 64]; 16],
    /// By set of castling rights; the xor of the keys of its rights.
    pub castling: [u64; 16],
    /// By file of the en passant square.
    pub en_passant: [u64; 8],
    /// Black to move.
    pub side: u64,
}

pub(super) static KEYS: Keys = draw(0x5445_4d50_4f4e_4554);

/// One step of splitmix64: the next state and its output.
const fn splitmix64(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ z >> 31)
}

const fn draw(mut state: u64) -> Keys {
    let mut keys = Keys { pieces: [[0; 64]; 16], castling: [0; 16], en_passant: [0; 8], side: 0 };
    let mut piece = 0;
    while piece < 12 {
        let mut square = 0;
        while square < 64 {
            (state, keys.pieces[piece][square]) = splitmix64(state);
            square += 1;
        }
        piece += 1;
    }
    let mut right = 1;
    while right < 16 {
        let key;
        (state, key) = splitmix64(state);
        let mut rights = 0;
        while rights < 16 {
            if rights & right != 0 {
                keys.castling[rights] ^= key;
            }
            rights += 1;
        }
        right <<= 1;
    }
    let mut file = 0;
    while file < 8 {
        (state, keys.en_passant[file]) = splitmix64(state);
        file += 1;
    }
    (_, keys.side) = splitmix64(state);
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_generator_is_splitmix64() {
        // The first outputs of the reference implementation for seed 1234567.
        let (state, first) = splitmix64(1_234_567);
        let (_, second) = splitmix64(state);
        assert_eq!(first, 6_457_827_717_110_365_317);
        assert_eq!(second, 3_203_168_211_198_807_973);
    }

    #[test]
    fn keys_differ_and_have_bits_enough() {
        let mut keys: Vec<u64> = KEYS.pieces[..12].iter().flatten().copied().collect();
        keys.extend((0..4).map(|right| KEYS.castling[1 << right]));
        keys.extend(KEYS.en_passant);
        keys.push(KEYS.side);
        assert_eq!(keys.len(), 781);
        assert!(keys.iter().all(|key| (10..=54).contains(&key.count_ones())));
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), 781);
        assert!(KEYS.pieces[12..].iter().flatten().all(|&key| key == 0));
        assert_eq!(KEYS.castling[15], (0..4).fold(0, |all, right| all ^ KEYS.castling[1 << right]));
    }
}
