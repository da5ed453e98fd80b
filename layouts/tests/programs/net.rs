//! A program with a large file inside, as an engine with an embedded net.

static NET: &[u8] = include_bytes!(env!("NET"));

#[inline(never)]
fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().map(|&byte| u64::from(byte)).sum()
}

fn main() {
    println!("{} {}", NET.len(), sum(NET));
}
