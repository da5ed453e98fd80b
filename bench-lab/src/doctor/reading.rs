//! What the system says at one moment: texts, as they are.

use std::fs;
use std::path::{Path, PathBuf};

use super::words;

/// The texts; none where the system has no such file.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    /// Cores that this process may use.
    pub allowed: Vec<usize>,
    /// `/proc/stat`
    pub stat: Option<String>,
    /// `/proc/interrupts`
    pub interrupts: Option<String>,
    /// `/proc/meminfo`
    pub meminfo: Option<String>,
    /// `/proc/vmstat`
    pub vmstat: Option<String>,
    /// `/proc/cpuinfo`
    pub cpuinfo: Option<String>,
    /// Governor of the core.
    pub governor: Option<String>,
    /// `1` where frequencies above the nominal one are allowed.
    pub boost: Option<String>,
    /// `0` where they are, with Intel's driver.
    pub no_turbo: Option<String>,
    /// How often the core was slowed because of heat.
    pub throttled: Option<String>,
    /// The kernel's clock.
    pub clock_source: Option<String>,
    /// Cores that share the core's execution units, itself included.
    pub siblings: Option<String>,
    /// Policy of transparent huge pages.
    pub huge_pages: Option<String>,
    /// Whether pages are moved between memory nodes.
    pub numa_balancing: Option<String>,
    /// Memory nodes.
    pub nodes: Option<String>,
    /// Who may count events.
    pub perf_paranoid: Option<String>,
    /// Limit of this process's control group.
    pub cpu_max: Option<String>,
    /// How often it was held up by that.
    pub cpu_stat: Option<String>,
    /// What is mounted.
    pub mountinfo: Option<String>,
    /// `1` for every power supply that is on line.
    pub supplies: Vec<String>,
    /// Where the lab would work, as the system names it.
    pub folder: PathBuf,
    /// Why nobody can work there, if it is no folder.
    pub folder_fault: Option<&'static str>,
}

impl Readings {
    /// Reads everything now.
    pub fn take(core: usize, folder: &Path) -> Readings {
        let cpu = |file: &str| text(format!("/sys/devices/system/cpu/cpu{core}/{file}"));
        let group = text("/proc/self/cgroup");
        let group = group.as_deref().and_then(words::group).unwrap_or("").to_owned();
        let grouped = |file: &str| text(format!("/sys/fs/cgroup{group}/{file}"));
        Readings {
            allowed: crate::measure::cores::usable(),
            stat: text("/proc/stat"),
            interrupts: text("/proc/interrupts"),
            meminfo: text("/proc/meminfo"),
            vmstat: text("/proc/vmstat"),
            cpuinfo: text("/proc/cpuinfo"),
            governor: cpu("cpufreq/scaling_governor"),
            boost: text("/sys/devices/system/cpu/cpufreq/boost"),
            no_turbo: text("/sys/devices/system/cpu/intel_pstate/no_turbo"),
            throttled: cpu("thermal_throttle/core_throttle_count"),
            clock_source: text("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
            siblings: cpu("topology/thread_siblings_list"),
            huge_pages: text("/sys/kernel/mm/transparent_hugepage/enabled"),
            numa_balancing: text("/proc/sys/kernel/numa_balancing"),
            nodes: text("/sys/devices/system/node/online"),
            perf_paranoid: text("/proc/sys/kernel/perf_event_paranoid"),
            cpu_max: grouped("cpu.max"),
            cpu_stat: grouped("cpu.stat"),
            mountinfo: text("/proc/self/mountinfo"),
            supplies: supplies(),
            folder: folder.canonicalize().unwrap_or_else(|_| folder.to_owned()),
            folder_fault: folder_fault(folder),
        }
    }
}

/// What is wrong with a path that is to be a folder.
fn folder_fault(folder: &Path) -> Option<&'static str> {
    match (folder.exists(), folder.is_dir()) {
        (_, true) => None,
        (true, false) => Some("is no folder"),
        (false, false) => Some("is not there"),
    }
}

fn text(path: impl AsRef<Path>) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim_end().to_owned())
}

/// Mains, not batteries: only they have an `online`.
fn supplies() -> Vec<String> {
    let entries = fs::read_dir("/sys/class/power_supply").into_iter().flatten().flatten();
    entries.filter_map(|entry| text(entry.path().join("online"))).collect()
}
