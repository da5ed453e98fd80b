//! The container: words, a text and arrays, one after another.

use bytemuck::Pod;
use sha2::{Digest, Sha256};

use super::layers::{Layer, Layers};
use super::net::Parts;
use super::{HIDDEN, INPUTS, ROWS, Row};
use crate::huge::{HugeTable, table_bytes};
use crate::nnue::Refusal;
use crate::nnue::network::{SMALL, room};
use crate::nnue::source::Source;

/// The first word.
pub const VERSION: u32 = 0x7AF3_2F16;
/// Stands for the whole shape.
pub const SHAPE: u32 = 0x3E5A_A6EE;
/// Stands for the first layer.
pub const FIRST_LAYER: u32 = 0x5D69_D7B8;
/// Stands for the later layers.
pub const LATER_LAYERS: u32 = 0x6333_7156;
/// The longest description that is read; published files have a line.
const MOST_DESCRIBED: u32 = 1 << 16;
/// Length of the words before the description.
const START_BYTES: u64 = 12;
/// Length of a file without its description.
pub const FIXED_BYTES: u64 = START_BYTES
    + 4
    + (ROWS as u64 + 1) * size_of::<Row>() as u64
    + 4
    + (HIDDEN * (4 + INPUTS) + HIDDEN * (4 + HIDDEN) + 4 + HIDDEN) as u64;
const _: () = assert!(FIXED_BYTES == 21_022_520);

/// Whether a file begins as the containers of this family do, of whatever version.
pub fn is_container(file: &[u8]) -> bool {
    file.get(..4).is_some_and(|start| start[1..] == VERSION.to_le_bytes()[1..])
}

/// SHA-256 of a file that stays as it is meanwhile.
pub fn hash(source: &Source) -> Result<[u8; 32], Refusal> {
    let hash = Sha256::digest(source.bytes());
    source.unchanged()?;
    Ok(hash.into())
}

/// Reads and checks a file.
pub fn read(file: &[u8]) -> Result<Parts, Refusal> {
    let found = file.len() as u64;
    if found < START_BYTES {
        return Err(Refusal::Length { expected: FIXED_BYTES, found });
    }
    let mut input = Input(file);
    input.expect("version word", VERSION)?;
    input.expect("hash word of the shape", SHAPE)?;
    let [described] = input.values::<u32, 1>();
    if described > MOST_DESCRIBED {
        return Err(Refusal::Description { expected: MOST_DESCRIBED, found: described });
    }
    let expected = FIXED_BYTES + u64::from(described);
    if found != expected {
        return Err(Refusal::Length { expected, found });
    }
    let description = String::from_utf8_lossy(input.bytes(described as usize)).into_owned();
    input.expect("hash word of the first layer", FIRST_LAYER)?;
    let bias = Box::new(Row(input.values()));
    let mut rows = table()?;
    input.fill(&mut rows);
    input.expect("hash word of the later layers", LATER_LAYERS)?;
    let layers = Layers {
        first: input.layer(),
        second: input.layer(),
        output_bias: input.values::<i32, 1>()[0],
        output: input.values::<i8, HIDDEN>().map(i16::from),
    };
    layers.prove()?;
    Ok(Parts { description, bias, rows, layers })
}

fn table() -> Result<HugeTable<Row>, Refusal> {
    let bytes = ROWS * size_of::<Row>();
    room(table_bytes(bytes) + SMALL)?;
    HugeTable::zeroed("halfkp rows", ROWS).map_err(|error| Refusal::memory(bytes as u64, error))
}

/// What is still to be read of a file whose length is right.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (bytes, rest) = self.0.split_at(count);
        self.0 = rest;
        bytes
    }

    fn fill<T: Pod>(&mut self, values: &mut [T]) {
        let bytes = bytemuck::cast_slice_mut(values);
        bytes.copy_from_slice(self.bytes(bytes.len()));
    }

    fn values<T: Pod, const N: usize>(&mut self) -> [T; N] {
        let mut values = [T::zeroed(); N];
        self.fill(&mut values);
        values
    }

    fn expect(&mut self, field: &'static str, expected: u32) -> Result<(), Refusal> {
        let [found] = self.values::<u32, 1>();
        if found == expected { Ok(()) } else { Err(Refusal::Word { field, expected, found }) }
    }

    fn layer<const IN: usize>(&mut self) -> Layer<IN> {
        let bias = self.values();
        Layer::new(bytemuck::cast_slice(self.bytes(HIDDEN * IN)), bias)
    }
}
