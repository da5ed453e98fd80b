//! The lab's own memory, kept small: every start of an arm copies the page tables of all of it.

/// Blocks of this many bytes and more go back to the system when they are freed.
#[cfg(target_env = "gnu")]
const GIVEN_BACK: i32 = 128 * 1024;

/// Lets freed memory go back to the system. To be called first of all in `main`.
///
/// By itself the C library keeps ever larger blocks once it has seen some freed: a hundred megabytes after captured
/// links with nets in them were read, which makes a start several milliseconds slower.
pub fn give_back_freed() {
    #[cfg(target_env = "gnu")]
    for parameter in [nix::libc::M_MMAP_THRESHOLD, nix::libc::M_TRIM_THRESHOLD] {
        // SAFETY: two numbers of the allocator are set, before there is another thread that could allocate. When it
        // refuses them, it only keeps its own.
        unsafe { nix::libc::mallopt(parameter, GIVEN_BACK) };
    }
}

#[cfg(all(test, target_env = "gnu"))]
mod tests {
    use super::*;

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
}
