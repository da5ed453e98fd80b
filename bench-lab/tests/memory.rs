//! The lab's memory: a test by itself, because it counts the whole process.

#![cfg(target_env = "gnu")]

use bench_lab::memory::give_back_freed;

/// Kilobytes of the process that lie in memory and belong to no file.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("status");
    let line = status.lines().find(|line| line.starts_with("RssAnon:")).expect("RssAnon");
    line.split_whitespace().nth(1).expect("a number").parse().expect("a number")
}

#[test]
fn what_is_freed_is_gone() {
    give_back_freed();
    // Blocks of one megabyte, as files of a link are read; each freed before the next.
    for _ in 0..32 {
        drop(std::hint::black_box(vec![1u8; 1 << 20]));
    }
    let before = resident();
    let blocks: Vec<Vec<u8>> = (0..64).map(|_| std::hint::black_box(vec![1u8; 1 << 20])).collect();
    let used = resident();
    drop(blocks);
    let after = resident();
    assert!(used > before + 48 * 1024, "{before} kB, with 64 MB more {used} kB");
    assert!(after < before + 16 * 1024, "{before} kB, after 64 MB were freed {after} kB");
}
