//! How fast the core runs, and by which clock.

use super::super::finding::Finding;
use super::super::reading::Readings;
use super::super::steadiness::Steadiness;
use super::super::words;

/// A swing of speed in percent that is worth a word.
const SWING: f64 = 2.0;
/// Clocks that a program reads without the kernel's help.
const QUICK: [&str; 3] = ["tsc", "kvm-clock", "hyperv_clocksource_tsc_page"];
/// A reading of the clock that takes longer, in nanoseconds, goes through the kernel.
const SLOW_NS: f64 = 300.0;
/// A timer that is later, in microseconds, makes slots of some milliseconds uneven.
const LATE_US: f64 = 200.0;

/// Whether the same work takes the same time.
pub fn steady(seen: &Steadiness) -> Finding {
    let swing = seen.swing_percent;
    let found = format!("the same work takes up to {swing:.1} % longer, over stretches of 50 ms");
    let cost = format!(
        "whole benches after one another scatter by up to {swing:.0} %; in slots of a few ms all arms meet all speeds alike"
    );
    match swing < SWING {
        true => Finding::fine("steady speed", found),
        false => Finding::disturbs("steady speed", found, cost).mended_by(
            "leave the machine alone, fix its frequency (governor, turbo), or choose another core",
        ),
    }
    .measured()
}

/// The frequency governor.
pub fn governor(readings: &Readings) -> Finding {
    const WHAT: &str = "frequency governor";
    match readings.governor.as_deref() {
        None => Finding::unknown(WHAT, "not told (usual in virtual machines: the host decides)"),
        Some("performance") => Finding::fine(WHAT, "performance"),
        Some(other) => Finding::disturbs(
            WHAT,
            other,
            "the core slows down while the lab changes processes and takes milliseconds to speed up again: the first slots of every phase are slow",
        )
        .mended_by("echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"),
    }
}

/// Frequencies above the nominal one.
pub fn boost(readings: &Readings) -> Finding {
    const WHAT: &str = "turbo";
    const COST: &str = "the frequency hangs on heat and on what the other cores do: a few percent from minute to minute, which slots of a few ms mostly cancel";
    match (readings.boost.as_deref(), readings.no_turbo.as_deref()) {
        (_, Some("1")) | (Some("0"), None) => Finding::fine(WHAT, "off"),
        (_, Some("0")) => Finding::disturbs(WHAT, "on", COST)
            .mended_by("echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"),
        (Some("1"), _) => Finding::disturbs(WHAT, "on", COST)
            .mended_by("echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"),
        _ => Finding::unknown(WHAT, "not told (usual in virtual machines: the host decides)"),
    }
}

/// Whether heat slowed the core down.
pub fn throttling(before: &Readings, after: &Readings) -> Finding {
    const WHAT: &str = "thermal throttling";
    let count = |readings: &Readings| readings.throttled.as_ref()?.trim().parse::<u64>().ok();
    match (count(before), count(after)) {
        (Some(before), Some(after)) if after > before => Finding::prevents(
            WHAT,
            format!("{} times while this ran", after - before),
            "the core slows down by itself, by a third and more, as long as it is hot",
        )
        .mended_by("cool the machine, or switch turbo off")
        .measured(),
        (_, Some(0)) => Finding::fine(WHAT, "never since the start"),
        (_, Some(times)) => Finding::disturbs(
            WHAT,
            format!("{times} times since the start, not now"),
            "long trials make the machine hot again",
        )
        .mended_by("cool the machine, or switch turbo off"),
        _ => Finding::unknown(WHAT, "not told"),
    }
}

/// The kernel's clock, and nanoseconds that reading it takes.
pub fn source(readings: &Readings, ns: f64) -> Finding {
    const WHAT: &str = "clock source";
    let Some(source) = readings.clock_source.as_deref() else {
        return Finding::unknown(WHAT, "not told");
    };
    let found = format!("{source}, {ns:.0} ns a reading");
    if QUICK.contains(&source) && ns < SLOW_NS {
        return Finding::fine(WHAT, found).measured();
    }
    let offered = readings.cpuinfo.as_deref().is_some_and(|info| words::has_flag(info, "constant_tsc"));
    let mend = match offered {
        true => "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource",
        false => "none: the processor's own counter is not steady, or the host hides it",
    };
    Finding::disturbs(WHAT, found, "engines that look at the clock in the search pay for every look")
        .mended_by(mend)
        .measured()
}

/// Microseconds by which a wait of a millisecond ends too late.
pub fn timers(late_us: f64) -> Finding {
    const WHAT: &str = "timers";
    let found = format!("a wait of 1 ms ends {late_us:.0} µs late (the lab asks for exact timers itself)");
    match late_us {
        late if late < LATE_US => Finding::fine(WHAT, found),
        _ => Finding::disturbs(WHAT, found, "slots become longer than planned, all alike")
            .mended_by("give the lab a core that nobody else uses, or slots of 10 ms (slice_ms)"),
    }
    .measured()
}
