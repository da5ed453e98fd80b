//! Facts of the machine, as the plan records them.

use std::fs;

use protocol::plan::Machine;

use crate::arm::counters;
use crate::doctor::words;

/// What is known about this machine; unknown facts are said to be `unknown`.
pub fn facts() -> Machine {
    let known = |fact: Option<String>| fact.unwrap_or_else(|| "unknown".to_owned());
    Machine {
        processor: known(text("/proc/cpuinfo").as_deref().and_then(model)),
        cores: text("/sys/devices/system/cpu/online")
            .and_then(|list| Some(words::cores(&list)?.len()))
            .or_else(|| std::thread::available_parallelism().ok().map(usize::from))
            .unwrap_or(1),
        kernel: known(text("/proc/sys/kernel/osrelease")),
        huge_pages: known(text("/sys/kernel/mm/transparent_hugepage/enabled").as_deref().and_then(chosen)),
        governor: governors(&governor_of_cores()),
        boot_id: known(text("/proc/sys/kernel/random/boot_id")),
        counters: counters::available(),
    }
}

fn text(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

/// The governor of every core whose kernel tells, in the cores' order.
fn governor_of_cores() -> Vec<(usize, String)> {
    let cores =
        text("/sys/devices/system/cpu/possible").and_then(|list| words::cores(&list)).unwrap_or_default();
    let of_core =
        |core| Some((core, text(&format!("/sys/devices/system/cpu/cpu{core}/cpufreq/scaling_governor"))?));
    cores.into_iter().filter_map(of_core).collect()
}

/// The governor that all cores share, or each core's own.
fn governors(of_cores: &[(usize, String)]) -> Option<String> {
    let (_, first) = of_cores.first()?;
    if of_cores.iter().all(|(_, governor)| governor == first) {
        return Some(first.clone());
    }
    let told = of_cores.iter().map(|(core, governor)| format!("{governor} on core {core}"));
    Some(told.collect::<Vec<_>>().join(", "))
}

/// The processor's name in `/proc/cpuinfo`.
fn model(cpuinfo: &str) -> Option<String> {
    cpuinfo.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        matches!(key.trim(), "model name" | "cpu model" | "CPU part").then(|| value.trim().to_owned())
    })
}

/// The word in brackets of `always [madvise] never`.
pub(crate) fn chosen(policy: &str) -> Option<String> {
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
        let named = |governor: &str| governor.to_owned();
        assert_eq!(governors(&[]), None);
        let same = [(0, named("performance")), (1, named("performance"))];
        assert_eq!(governors(&same).as_deref(), Some("performance"));
        let mixed = [(0, named("performance")), (3, named("powersave"))];
        assert_eq!(governors(&mixed).as_deref(), Some("performance on core 0, powersave on core 3"));
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
