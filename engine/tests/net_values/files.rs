//! Net files made byte by byte, as another program would make them.

use std::path::{Path, PathBuf};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

/// The numbers of a shape.
#[derive(Clone, Copy)]
pub struct Shape {
    pub width: usize,
    pub buckets: usize,
    pub threats: usize,
    pub hidden2: usize,
    pub hidden3: usize,
    pub scale: u32,
}

impl Shape {
    /// Header with a bucket map of stripes, and a payload that gets the right hash.
    pub fn file(self, payload: &[u8]) -> Vec<u8> {
        let mut file = b"TEMPONET".to_vec();
        let Self { width, buckets, threats, hidden2, hidden3, scale } = self;
        let numbers = [1, width, buckets, buckets * 768, threats, hidden2, hidden3, scale as usize, 255, 14];
        numbers.iter().for_each(|&number| file.extend((number as u32).to_le_bytes()));
        file.extend((0..32).map(|square| (square % buckets) as u8));
        file.extend(Sha256::digest(payload));
        file.extend(payload);
        file
    }

    /// A payload of random weights, each array with its own spread.
    pub fn random_payload(self, seed: u64) -> Vec<u8> {
        let mut random = Random(ChaCha8Rng::seed_from_u64(seed));
        let mut payload = Vec::new();
        let inputs = 2 * self.width;
        random.shorts(&mut payload, self.buckets * 768 * self.width, 60);
        let threats = payload.len();
        random.shorts(&mut payload, self.threats * self.width, 30);
        for row in (0..self.threats).step_by(25) {
            // Beyond 8 bits on either side.
            let value: i16 = if row % 2 == 0 { 128 } else { -129 };
            let at = threats + 2 * (row * self.width + row % self.width);
            payload[at..at + 2].copy_from_slice(&value.to_le_bytes());
        }
        random.shorts(&mut payload, self.width, 150);
        for (outputs, inputs, spread) in [(self.hidden2, inputs, 800), (self.hidden3, self.hidden2, 9000)] {
            random.shorts(&mut payload, outputs * inputs, spread);
            for _ in 0..outputs {
                payload.extend(random.number(3_000_000).to_le_bytes());
            }
        }
        random.shorts(&mut payload, self.hidden3, 20_000);
        payload.extend(random.number(9_000_000).to_le_bytes());
        payload
    }
}

struct Random(ChaCha8Rng);

impl Random {
    /// Between −spread and spread.
    fn number(&mut self, spread: i32) -> i32 {
        (self.0.next_u32() % (2 * spread as u32 + 1)) as i32 - spread
    }

    fn shorts(&mut self, payload: &mut Vec<u8>, count: usize, spread: i32) {
        for _ in 0..count {
            payload.extend((self.number(spread) as i16).to_le_bytes());
        }
    }
}

/// Writes a file into a folder.
pub fn save(folder: impl AsRef<Path>, name: &str, file: &[u8]) -> PathBuf {
    let path = folder.as_ref().join(name);
    std::fs::write(&path, file).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}
