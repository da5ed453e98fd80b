//! Who else wants the core.

use super::super::finding::Finding;
use super::super::reading::Readings;
use super::super::steadiness::Steadiness;
use super::super::words::{self, Ticks};

/// Share of another core's time that is worth a word.
const LOAD: f64 = 0.1;
/// Shares of a sibling's time that disturb, and that prevent.
const BUSY: (f64, f64) = (0.02, 0.25);
/// Shares that interruptions take.
const LOST: (f64, f64) = (0.01, 0.2);
/// Shares that the host takes.
const STOLEN: (f64, f64) = (0.005, 0.1);
/// Interrupts a second that are worth a word.
const INTERRUPTS: f64 = 2_000.0;

/// What was counted between two readings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counted {
    /// Busy share of every other core that this process may use.
    pub others: Vec<(usize, f64)>,
    /// Busy share of the siblings of the core, itself left out.
    pub siblings: Option<Vec<(usize, f64)>>,
    /// Share of the core's time that the host took.
    pub stolen: Option<f64>,
    /// Interrupts that the core served in a second.
    pub interrupts: Option<f64>,
    /// How often the control group was held up.
    pub held_up: u64,
}

impl Counted {
    /// The difference between two readings, so many seconds apart.
    pub fn between(before: &Readings, after: &Readings, core: usize, seconds: f64) -> Counted {
        let ticks = |core: usize| {
            let of = |readings: &Readings| words::ticks(readings.stat.as_deref()?, core);
            let (before, after) = (of(before)?, of(after)?);
            (after.all > before.all).then(|| Ticks {
                all: after.all - before.all,
                busy: after.busy.saturating_sub(before.busy),
                stolen: after.stolen.saturating_sub(before.stolen),
            })
        };
        let busy = |core: usize| Some((core, ticks(core).map(|t| t.busy as f64 / t.all as f64)?));
        let siblings = after.siblings.as_deref().and_then(words::cores);
        let served = |readings: &Readings| words::interrupts(readings.interrupts.as_deref()?, core);
        let held = |readings: &Readings| words::number(readings.cpu_stat.as_deref()?, "nr_throttled");
        Counted {
            others: after.allowed.iter().filter(|&&other| other != core).filter_map(|&c| busy(c)).collect(),
            siblings: siblings
                .map(|all| all.into_iter().filter(|&other| other != core).filter_map(busy).collect()),
            stolen: ticks(core).map(|t| t.stolen as f64 / t.all as f64),
            interrupts: served(after)
                .zip(served(before))
                .map(|(after, before)| after.saturating_sub(before) as f64 / seconds),
            held_up: held(after).unwrap_or(0).saturating_sub(held(before).unwrap_or(0)),
        }
    }
}

/// Whether the lab has a core beside the arms' one.
pub fn cores(readings: &Readings) -> Finding {
    const WHAT: &str = "cores";
    match readings.allowed.len() {
        0 => Finding::unknown(WHAT, "not told"),
        1 => Finding::prevents(
            WHAT,
            "one only",
            "the lab itself runs on the core that it measures and disturbs every slot",
        )
        .mended_by("allow a second core (taskset, the container's cpuset), or take a machine with two"),
        count => Finding::fine(WHAT, format!("{count} for this process: one for the lab")),
    }
}

/// Interruptions while the core worked.
pub fn gaps(seen: &Steadiness) -> Finding {
    const WHAT: &str = "interruptions";
    let found = format!(
        "{} in {:.1} s, {:.2} % of the time, the longest {:.1} ms",
        seen.gaps,
        seen.seconds,
        100.0 * seen.lost,
        seen.longest_us / 1e3
    );
    let cost = format!(
        "trials take {:.0} % longer, and whoever was interrupted finds the caches worn",
        100.0 * seen.lost / (1.0 - seen.lost)
    );
    let mend =
        "end what else runs, choose another core (--core), or keep others off it (isolcpus=, cset shield)";
    graded(WHAT, seen.lost, LOST, found, cost, mend)
}

/// Work on the other cores.
pub fn load(counted: &Counted) -> Finding {
    const WHAT: &str = "load beside";
    let Some(&(core, most)) = counted.others.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else {
        return Finding::unknown(WHAT, "there is no other core to look at");
    };
    let found = format!("core {core} was busy {:.0} % of the time, the busiest of the others", 100.0 * most);
    let cost = "neighbours share the last cache and the memory: dense kernels lose some percent, memory-bound ones more";
    // Work elsewhere alone makes nothing impossible.
    graded(WHAT, most, (LOAD, f64::INFINITY), found, cost.to_owned(), "end what else runs (top shows it)")
}

/// Time that the host took.
pub fn steal(counted: &Counted) -> Finding {
    const WHAT: &str = "steal time";
    let Some(stolen) = counted.stolen else { return Finding::unknown(WHAT, "not told") };
    let found = format!("{:.1} % of the core's time", 100.0 * stolen);
    let cost = format!("{:.1} % of the time, at moments that nobody chooses", 100.0 * stolen);
    let mend = "a host with fewer guests, or an instance whose cores are its own";
    graded(WHAT, stolen, STOLEN, found, cost, mend)
}

/// Whether somebody shares the core's execution units.
pub fn sibling(counted: &Counted) -> Finding {
    const WHAT: &str = "SMT sibling";
    let Some(siblings) = &counted.siblings else { return Finding::unknown(WHAT, "not told") };
    let Some(&(core, busy)) = siblings.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else {
        return Finding::fine(WHAT, "none");
    };
    let found =
        format!("core {core} shares the execution units and was busy {:.0} % of the time", 100.0 * busy);
    let cost = "while it is busy the core does a third to a half less, and how much hangs on what runs there";
    let mend = format!(
        "keep it idle, or take it off line: echo 0 | sudo tee /sys/devices/system/cpu/cpu{core}/online"
    );
    graded(WHAT, busy, BUSY, found, cost.to_owned(), &mend)
}

/// Interrupts on the core.
pub fn interrupts(counted: &Counted) -> Finding {
    const WHAT: &str = "interrupts";
    let Some(rate) = counted.interrupts else { return Finding::unknown(WHAT, "not told") };
    let found = format!("{rate:.0} a second on this core");
    let cost = "some microseconds each: at this rate about a percent, unevenly";
    let mend = "choose another core, or move them: echo 0 | sudo tee /proc/irq/*/smp_affinity_list";
    graded(WHAT, rate, (INTERRUPTS, f64::INFINITY), found, cost.to_owned(), mend)
}

/// The control group's limit.
pub fn quota(counted: &Counted, readings: &Readings) -> Finding {
    const WHAT: &str = "processor quota";
    const COST: &str =
        "the kernel stops everything for the rest of a period, 100 ms mostly, when it is used up";
    let mend = "raise or lift the container's limit (docker: no --cpus; systemd: CPUQuota=)";
    match readings.cpu_max.as_deref().and_then(words::quota) {
        None => Finding::fine(WHAT, "none"),
        Some(cores) if counted.held_up > 0 => {
            let found = format!("{cores:.2} cores, held up {} times while this ran", counted.held_up);
            Finding::prevents(WHAT, found, COST).mended_by(mend).measured()
        }
        Some(cores) if cores < 2.0 => {
            Finding::disturbs(WHAT, format!("{cores:.2} cores"), COST).mended_by(mend)
        }
        Some(cores) => Finding::fine(WHAT, format!("{cores:.2} cores")),
    }
}

/// By two limits: from which on it disturbs, and from which on it prevents.
fn graded(what: &str, value: f64, limits: (f64, f64), found: String, cost: String, mend: &str) -> Finding {
    match value {
        _ if value < limits.0 => Finding::fine(what, found),
        _ if value < limits.1 => Finding::disturbs(what, found, cost).mended_by(mend),
        _ => Finding::prevents(what, found, cost).mended_by(mend),
    }
    .measured()
}
