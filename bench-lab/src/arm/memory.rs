//! Peak resident memory of a living process.

use std::fs;
use std::io;

use nix::unistd::Pid;

/// Peak resident memory in bytes; `None` when the process has ended.
///
/// Read from the process itself: what `wait4` tells of an ended one begins at the size that the lab had when it forked.
pub(super) fn peak(pid: Pid) -> io::Result<Option<u64>> {
    Ok(parse(&fs::read_to_string(format!("/proc/{pid}/status"))?))
}

fn parse(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_in_bytes() {
        assert_eq!(parse("Name:\ta\nVmHWM:\t    2100 kB\nVmRSS:\t 1 kB\n"), Some(2_150_400));
        assert_eq!(parse("Name:\ta\nState:\tZ (zombie)\n"), None);
        let own = peak(nix::unistd::getpid()).expect("readable").expect("alive");
        assert!(own > 100_000, "{own} bytes");
    }
}
