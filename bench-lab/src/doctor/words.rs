//! What the texts of `/proc` and `/sys` say. Pure: a text in, numbers out, none where it says nothing.

use std::path::{Path, PathBuf};

/// Ticks of one core since the system started, from `/proc/stat`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ticks {
    /// All of them.
    pub all: u64,
    /// Neither idle nor waiting for a disk.
    pub busy: u64,
    /// Taken by the host.
    pub stolen: u64,
}

/// The line of a core in `/proc/stat`.
pub fn ticks(stat: &str, core: usize) -> Option<Ticks> {
    let name = format!("cpu{core}");
    let line = stat.lines().find(|line| line.split_whitespace().next() == Some(&name))?;
    let values: Vec<u64> = line.split_whitespace().skip(1).map_while(|word| word.parse().ok()).collect();
    // user nice system idle iowait irq softirq steal; guest times are in user already.
    let [user, nice, system, idle, wait, irq, soft, stolen] = *values.first_chunk::<8>()?;
    let busy = user + nice + system + irq + soft + stolen;
    Some(Ticks { all: busy + idle + wait, busy, stolen })
}

/// Interrupts that a core has served, from `/proc/interrupts`.
pub fn interrupts(text: &str, core: usize) -> Option<u64> {
    let name = format!("CPU{core}");
    let mut lines = text.lines();
    let column = lines.next()?.split_whitespace().position(|word| word == name)?;
    Some(lines.filter_map(|line| line.split_whitespace().nth(column + 1)?.parse::<u64>().ok()).sum())
}

/// The number behind a name: `MemTotal:  123 kB`, `pswpin 5`.
pub fn number(text: &str, name: &str) -> Option<u64> {
    let of_line = |line: &str| {
        let mut words = line.split_whitespace();
        (words.next()?.trim_end_matches(':') == name).then(|| words.next()?.parse().ok())?
    };
    text.lines().find_map(of_line)
}

/// Whether the first `flags` line of `/proc/cpuinfo` has a flag.
pub fn has_flag(cpuinfo: &str, flag: &str) -> bool {
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"));
    flags.is_some_and(|line| line.split_whitespace().any(|word| word == flag))
}

/// Cores of a list such as `0-3,8`.
pub fn cores(list: &str) -> Option<Vec<usize>> {
    let mut cores = Vec::new();
    for range in list.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if last < first {
            return None;
        }
        cores.extend(first..=last);
    }
    Some(cores)
}

/// Cores' worth of time that `cpu.max` allows; none for no limit.
pub fn quota(cpu_max: &str) -> Option<f64> {
    let (most, period) = cpu_max.trim().split_once(' ')?;
    Some(most.parse::<f64>().ok()? / period.parse::<f64>().ok()?)
}

/// The folder of this process's group below the mount of control groups, from `/proc/self/cgroup`.
pub fn group(cgroup: &str) -> Option<&str> {
    cgroup.lines().find_map(|line| line.strip_prefix("0::"))
}

/// A mounted file system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// Where.
    pub at: PathBuf,
    /// Its kind.
    pub kind: String,
    /// Whether programs on it may run.
    pub runs: bool,
}

/// What a folder lies on, from `/proc/self/mountinfo`.
pub fn mount(mountinfo: &str, folder: &Path) -> Option<Mount> {
    let parsed = mountinfo.lines().filter_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let mut words = before.split(' ').skip(4);
        // Blanks are written so.
        let at = PathBuf::from(words.next()?.replace("\\040", " "));
        let runs = !words.next()?.split(',').any(|option| option == "noexec");
        Some(Mount { at, kind: after.split(' ').next()?.to_owned(), runs })
    });
    // Of those on one place the last one is on top.
    parsed.filter(|mount| folder.starts_with(&mount.at)).max_by_key(|mount| mount.at.components().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_of_the_system_are_read() {
        let stat =
            "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 1 0 0 9 0 0 0 0 0 0\ncpu1 10 1 5 100 4 2 3 7 6 0\nintr 5\n";
        assert_eq!(ticks(stat, 1), Some(Ticks { all: 132, busy: 28, stolen: 7 }));
        assert_eq!((ticks(stat, 2), ticks("cpu0 1 2\n", 0)), (None, None));
        let table =
            "      CPU0  CPU1\n 24:   1   10  IO-APIC\nLOC:  5   7  Local timer interrupts\nERR:  0\n";
        assert_eq!(
            (interrupts(table, 0), interrupts(table, 1), interrupts(table, 2)),
            (Some(6), Some(17), None)
        );
        for (text, name, expected) in [
            ("MemTotal:  123 kB\nSwapTotal: 7 kB\n", "SwapTotal", Some(7)),
            ("pswpin 5\npswpout 6\n", "pswpout", Some(6)),
            ("pswpin x\n", "pswpin", None),
            ("", "pswpin", None),
        ] {
            assert_eq!(number(text, name), expected, "{name}");
        }
        assert!(has_flag("model name : x\nflags\t\t: fpu hypervisor avx\n", "hypervisor"));
        assert!(!has_flag("flags : fpu hypervisors\n", "hypervisor"));
    }

    #[test]
    fn lists_and_limits_are_read() {
        for (list, expected) in
            [("0", Some(vec![0])), ("0-2,8\n", Some(vec![0, 1, 2, 8])), ("3-1", None), ("", None)]
        {
            assert_eq!(cores(list), expected, "{list:?}");
        }
        assert_eq!((quota("max 100000"), quota("150000 100000\n"), quota("")), (None, Some(1.5), None));
        assert_eq!(group("12:pids:/x\n0::/user.slice\n"), Some("/user.slice"));
    }

    #[test]
    fn the_innermost_mount_counts() {
        let info = "1 0 8:1 / / rw,relatime - ext4 /dev/a rw\n2 1 0:5 / /tmp/a\\040b rw,noexec shared:1 - tmpfs t rw\n";
        let on = |folder: &str| mount(info, Path::new(folder)).expect("a mount");
        assert_eq!((on("/tmp/a").kind.as_str(), on("/tmp/a").runs), ("ext4", true));
        assert_eq!((on("/tmp/a b/c").kind.as_str(), on("/tmp/a b/c").runs), ("tmpfs", false));
        assert_eq!(mount("", Path::new("/")), None);
    }
}
