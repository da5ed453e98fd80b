//! The processor's data caches.

use std::fs;

/// Sizes where the system does not tell them.
const USUAL: [usize; 3] = [32 << 10, 1 << 20, 32 << 20];

/// Bytes of the first, second and third cache.
pub fn sizes() -> [usize; 3] {
    let mut sizes = USUAL;
    for index in 0..8 {
        let folder = format!("/sys/devices/system/cpu/cpu0/cache/index{index}");
        let read = |name: &str| fs::read_to_string(format!("{folder}/{name}")).ok();
        let (Some(kind), Some(level), Some(size)) = (read("type"), read("level"), read("size")) else {
            break;
        };
        let level = level.trim().parse::<usize>().unwrap_or(0);
        let size = size.trim().strip_suffix('K').and_then(|size| size.parse::<usize>().ok());
        if kind.trim() != "Instruction"
            && let Some(size) = size
            && (1..=3).contains(&level)
        {
            sizes[level - 1] = size << 10;
        }
    }
    sizes
}

/// The number of the cache that holds so many bytes, from 0; 3 is memory.
pub fn level(sizes: [usize; 3], bytes: usize) -> usize {
    sizes.iter().position(|&size| bytes <= size).unwrap_or(3)
}
