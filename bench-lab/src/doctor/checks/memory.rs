//! Memory: pages and where they lie.

use super::super::finding::Finding;
use super::super::reading::Readings;
use super::super::words;
use crate::machine::chosen;

/// Free memory in kB below which copies of executables push others out.
const LITTLE: u64 = 1_000_000;

/// The policy of transparent huge pages.
pub fn huge_pages(readings: &Readings) -> Finding {
    const WHAT: &str = "huge pages";
    let mend = "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled";
    match readings.huge_pages.as_deref().and_then(chosen).as_deref() {
        None => Finding::unknown(WHAT, "not told"),
        Some("never") => Finding::disturbs(
            WHAT,
            "never",
            "engines that ask for them don't get them: Tempo takes 7 % longer, and its processes scatter twice as much",
        )
        .mended_by(mend),
        Some("always") => Finding::disturbs(
            WHAT,
            "always",
            "some processes get them and their twins don't, as memory happens to lie: offsets of some tenths of a percent for a process's life",
        )
        .mended_by(mend),
        Some(policy) => Finding::fine(WHAT, policy),
    }
}

/// Swapping, and how much memory is left.
pub fn swap(before: &Readings, after: &Readings) -> Finding {
    const WHAT: &str = "memory and swap";
    let of = |readings: &Readings, name: &str| words::number(readings.meminfo.as_deref()?, name);
    let moved = |readings: &Readings| {
        let text = readings.vmstat.as_deref()?;
        Some(words::number(text, "pswpin")? + words::number(text, "pswpout")?)
    };
    let Some(available) = of(after, "MemAvailable") else { return Finding::unknown(WHAT, "not told") };
    let used = of(after, "SwapTotal").unwrap_or(0).saturating_sub(of(after, "SwapFree").unwrap_or(0));
    let pages = moved(after).unwrap_or(0).saturating_sub(moved(before).unwrap_or(0));
    let found = format!("{} MB available, {} MB swapped out", available / 1000, used / 1000);
    if pages > 0 {
        let found = format!("{found}, {pages} pages moved while this ran");
        let cost = "every page that comes back holds its process up for as long as the disk takes";
        return Finding::prevents(WHAT, found, cost)
            .mended_by("end what needs the memory, then sudo swapoff -a")
            .measured();
    }
    match (available < LITTLE, used > 0) {
        (true, _) => {
            let cost =
                "fresh copies of executables push others out of memory, and processes wait for the disk";
            Finding::disturbs(WHAT, found, cost).mended_by("end what needs the memory")
        }
        (false, true) => {
            let cost = "what is swapped out comes back when it is wanted, in the middle of a slot perhaps";
            Finding::disturbs(WHAT, found, cost).mended_by("sudo swapoff -a")
        }
        (false, false) => Finding::fine(WHAT, found),
    }
    .measured()
}

/// Pages that the kernel moves between memory nodes.
pub fn balancing(readings: &Readings) -> Finding {
    const WHAT: &str = "NUMA balancing";
    let nodes = readings.nodes.as_deref().and_then(words::cores).map_or(1, |nodes| nodes.len());
    match readings.numa_balancing.as_deref().map(str::trim) {
        _ if nodes < 2 => Finding::fine(WHAT, "one memory node"),
        Some("0") => Finding::fine(WHAT, format!("off, {nodes} memory nodes")),
        Some(_) => Finding::disturbs(
            WHAT,
            format!("on, {nodes} memory nodes"),
            "the kernel takes pages away for a moment to see who uses them, and moves them: faults in the middle of slots",
        )
        .mended_by("sudo sysctl kernel.numa_balancing=0"),
        None => Finding::unknown(WHAT, "not told"),
    }
}
