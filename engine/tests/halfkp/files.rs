//! HalfKP files made byte by byte, as another program would make them.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rows of the first layer.
pub const ROWS: usize = 41_024;

/// Everything that a file consists of. What is not set is zero.
pub struct File {
    pub words: [u32; 4],
    pub described: Option<u32>,
    pub description: Vec<u8>,
    pub bias: Vec<i16>,
    pub rows: Vec<i16>,
    pub hidden: [(Vec<i32>, Vec<i8>); 2],
    pub output_bias: i32,
    pub output: Vec<i8>,
}

impl File {
    /// Good words, and zeros.
    pub fn zeros() -> Self {
        Self {
            words: [0x7AF3_2F16, 0x3E5A_A6EE, 0x5D69_D7B8, 0x6333_7156],
            described: None,
            description: b"a net made by hand".to_vec(),
            bias: vec![0; 256],
            rows: vec![0; ROWS * 256],
            hidden: [(vec![0; 32], vec![0; 32 * 512]), (vec![0; 32], vec![0; 32 * 32])],
            output_bias: 0,
            output: vec![0; 32],
        }
    }

    /// Random weights; the first neurons' are so large that their sums wrap.
    pub fn random(seed: u64) -> Self {
        let mut random = Random(ChaCha8Rng::seed_from_u64(seed));
        let mut file = Self::zeros();
        file.bias.iter_mut().for_each(|value| *value = random.number(150) as i16);
        for (at, value) in file.rows.iter_mut().enumerate() {
            *value = random.number(if at % 256 < 8 { 9000 } else { 70 }) as i16;
        }
        for ((bias, weights), spread) in file.hidden.iter_mut().zip([25, 90]) {
            bias.iter_mut().for_each(|value| *value = random.number(4000));
            weights.iter_mut().for_each(|value| *value = random.number(spread) as i8);
        }
        file.output_bias = random.number(5000);
        file.output.iter_mut().for_each(|value| *value = random.number(127) as i8);
        file
    }

    pub fn bytes(&self) -> Vec<u8> {
        let described = self.described.unwrap_or(self.description.len() as u32);
        let mut bytes = Vec::with_capacity(21_100_000);
        [self.words[0], self.words[1], described].iter().for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.extend(&self.description);
        bytes.extend(self.words[2].to_le_bytes());
        self.bias.iter().chain(&self.rows).for_each(|value| bytes.extend(value.to_le_bytes()));
        bytes.extend(self.words[3].to_le_bytes());
        for (bias, weights) in &self.hidden {
            bias.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
            bytes.extend(weights.iter().map(|&value| value as u8));
        }
        bytes.extend(self.output_bias.to_le_bytes());
        bytes.extend(self.output.iter().map(|&value| value as u8));
        bytes
    }
}

struct Random(ChaCha8Rng);

impl Random {
    /// Between −spread and spread.
    fn number(&mut self, spread: i32) -> i32 {
        (self.0.next_u32() % (2 * spread as u32 + 1)) as i32 - spread
    }
}
