//! Facts of the machine, as the plan records them.

use std::fs;

use protocol::plan::Machine;

use crate::arm::counters;

/// What is known about this machine; unknown facts are said to be `unknown`.
pub fn facts() -> Machine {
    let known = |fact: Option<String>| fact.unwrap_or_else(|| "unknown".to_owned());
    Machine {
        processor: known(text("/proc/cpuinfo").as_deref().and_then(model)),
        cores: text("/sys/devices/system/cpu/online")
            .and_then(|list| count(&list))
            .or_else(|| std::thread::available_parallelism().ok().map(usize::from))
            .unwrap_or(1),
        kernel: known(text("/proc/sys/kernel/osrelease")),
        huge_pages: known(text("/sys/kernel/mm/transparent_hugepage/enabled").as_deref().and_then(chosen)),
        governor: text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        boot_id: known(text("/proc/sys/kernel/random/boot_id")),
        counters: counters::available(),
    }
}

fn text(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

/// The processor's name in `/proc/cpuinfo`.
fn model(cpuinfo: &str) -> Option<String> {
    cpuinfo.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        matches!(key.trim(), "model name" | "cpu model" | "CPU part").then(|| value.trim().to_owned())
    })
}

/// How many cores a list such as `0-3,8` names.
fn count(list: &str) -> Option<usize> {
    list.split(',')
        .map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            Some(last.checked_sub(first)? + 1)
        })
        .sum()
}

/// The word in brackets of `always [madvise] never`.
fn chosen(policy: &str) -> Option<String> {
    let (_, rest) = policy.split_once('[')?;
    Some(rest.split_once(']')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_kernels_write() {
        assert_eq!(model("processor\t: 0\nmodel name\t: AMD EPYC\n").as_deref(), Some("AMD EPYC"));
        assert_eq!(model("processor\t: 0\n"), None);
        for (list, expected) in
            [("0", Some(1)), ("0-3", Some(4)), ("0-3,8,10-11", Some(7)), ("3-0", None), ("", None)]
        {
            assert_eq!(count(list), expected, "{list:?}");
        }
        assert_eq!(chosen("always [madvise] never").as_deref(), Some("madvise"));
        assert_eq!(chosen("always"), None);
    }

    #[test]
    fn this_machine_is_known() {
        let facts = facts();
        assert!(facts.cores >= 1);
        assert_ne!(facts.kernel, "unknown");
        assert_ne!(facts.boot_id, "unknown");
        assert_eq!(facts, super::facts());
    }
}
