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
