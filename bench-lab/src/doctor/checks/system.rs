//! The system around: host, counters, randomisation, disk, power.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use layouts::parts::Parts;
use layouts::startup::Startup;
use nix::sys::prctl::set_timerslack;

use super::super::finding::Finding;
use super::super::reading::Readings;
use super::super::words;
use crate::arm::copy::FreshCopy;
use crate::arm::counters;

/// File systems that are slow, or that keep no pages of their own.
const SLOW: [&str; 8] = ["nfs", "nfs4", "cifs", "smb3", "9p", "fuse", "fuse.sshfs", "virtiofs"];
/// Bytes that are copied to see how fast that is.
const COPIED: usize = 10_000_000;
/// Bytes a second below which copies take a noticeable share of a phase.
const SLOW_COPY: f64 = 200e6;

/// What was timed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Nanoseconds that a reading of the clock takes.
    pub clock_ns: f64,
    /// Microseconds by which a wait of a millisecond ends too late; the middle of several.
    pub late_us: f64,
    /// Bytes a second of a fresh copy; none where none can be made.
    pub copy: Option<f64>,
}

/// Times clock, timers and copies.
pub fn measure_speed(folder: &Path) -> Speed {
    const READINGS: u32 = 20_000;
    let begun = Instant::now();
    for _ in 0..READINGS {
        std::hint::black_box(Instant::now());
    }
    let clock_ns = begun.elapsed().as_nanos() as f64 / f64::from(READINGS);
    // As the lab does; without it the lateness is the lab's too.
    let _ = set_timerslack(1);
    let wait = Duration::from_millis(1);
    let mut late: Vec<Duration> = (0..41)
        .map(|_| {
            let begun = Instant::now();
            std::thread::sleep(wait);
            begun.elapsed().saturating_sub(wait)
        })
        .collect();
    late.sort_unstable();
    Speed { clock_ns, late_us: late[late.len() / 2].as_nanos() as f64 / 1e3, copy: copy(folder) }
}

/// A fresh copy, as every arm process gets one.
fn copy(folder: &Path) -> Option<f64> {
    let scratch = tempfile::Builder::new().prefix(".doctor-").tempdir_in(folder).ok()?;
    let original = scratch.path().join("original");
    File::create(&original).and_then(|mut file| file.write_all(&vec![0x5a; COPIED])).ok()?;
    let begun = Instant::now();
    FreshCopy::new(&original, None, scratch.path()).ok()?;
    Some(COPIED as f64 / begun.elapsed().as_secs_f64())
}

/// Whether a host lies below.
pub fn virtual_machine(readings: &Readings) -> Finding {
    const WHAT: &str = "virtual machine";
    match readings.cpuinfo.as_deref() {
        None => Finding::unknown(WHAT, "not told"),
        Some(info) if words::has_flag(info, "hypervisor") => Finding::disturbs(
            WHAT,
            "yes",
            "slow spells of milliseconds to seconds that no clock shows: whole benches scatter by 5 to 11 %, slots of some ms by tenths",
        )
        .mended_by("a machine of one's own; else short slots and long phases"),
        Some(_) => Finding::fine(WHAT, "no"),
    }
}

/// Hardware counters.
pub fn counters(readings: &Readings) -> Finding {
    counted(counters::available(), readings)
}

fn counted(available: bool, readings: &Readings) -> Finding {
    const WHAT: &str = "hardware counters";
    const COST: &str =
        "nothing of the verdict: cycles and instructions are missing from the records, which would tell why";
    let paranoid = readings.perf_paranoid.as_deref().and_then(|level| level.trim().parse::<i32>().ok());
    match (available, paranoid) {
        (true, _) => Finding::fine(WHAT, "available"),
        (false, Some(level)) if level > 1 => Finding::disturbs(
            WHAT,
            format!("not allowed or not there (perf_event_paranoid {level})"),
            COST,
        )
        .mended_by(
            "sudo sysctl kernel.perf_event_paranoid=1 (in a virtual machine the host must pass them on)",
        ),
        (false, _) => Finding::disturbs(WHAT, "not there", COST)
            .mended_by("in a virtual machine the host must pass them on; else load the processor's driver"),
    }
}

/// Whether address randomisation can be switched off for the arms, which the lab does itself.
pub fn randomisation() -> Finding {
    const WHAT: &str = "address randomisation";
    let mut command = Command::new("/proc/self/exe");
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let applied = Startup::draw(0, &Parts::all()).apply(&mut command).map_err(|error| error.to_string());
    match applied.and_then(|()| command.status().map_err(|error| error.to_string())) {
        Ok(_) => Finding::fine(WHAT, "nothing to do: the lab switches it off for its arms and draws instead"),
        Err(error) => Finding::prevents(WHAT, error, "no layout can be drawn: the lab refuses to measure")
            .mended_by("allow personality(2): docker run --security-opt seccomp=unconfined, or a machine of one's own"),
    }
    .measured()
}

/// What the work folder lies on.
pub fn disk(readings: &Readings, speed: &Speed) -> Finding {
    const WHAT: &str = "work folder";
    const NAMED: &str = "--folder for the doctor, XDG_CACHE_HOME or CARGO_TARGET_DIR for trials";
    let folder = readings.folder.display();
    if let Some(fault) = readings.folder_fault {
        let cost = "nobody can tell how well the lab would work there";
        return Finding::prevents(WHAT, format!("{folder} {fault}"), cost)
            .mended_by(format!("name a folder that is there: {NAMED}"));
    }
    let mount = readings.mountinfo.as_deref().and_then(|info| words::mount(info, &readings.folder));
    let kind = mount.as_ref().map_or("an unknown file system", |mount| mount.kind.as_str());
    let Some(rate) = speed.copy else {
        let cost = "fresh copies of executables cannot be made";
        return Finding::prevents(WHAT, format!("{folder}, {kind}: nothing can be written"), cost)
            .mended_by(format!("name a folder that you may write to: {NAMED}"));
    };
    let found = format!("{folder}, {kind}, a fresh copy at {:.0} MB/s (blocks are never shared)", rate / 1e6);
    let elsewhere = format!("name a folder on a local disk or in memory: {NAMED}");
    match &mount {
        Some(mount) if !mount.runs => {
            let cost = "copies of executables cannot be started";
            Finding::prevents(WHAT, format!("{found}, mounted noexec"), cost).mended_by(elsewhere)
        }
        Some(mount) if SLOW.contains(&mount.kind.as_str()) => {
            let cost =
                "processes read their pages over the network or another process: late, and never alike";
            Finding::disturbs(WHAT, found, cost).mended_by(elsewhere)
        }
        _ if rate < SLOW_COPY => {
            let seconds = COPIED as f64 / rate;
            let cost =
                format!("{seconds:.2} s for every process of an engine of 10 MB, while nothing is measured");
            Finding::disturbs(WHAT, found, cost).mended_by(elsewhere)
        }
        _ => Finding::fine(WHAT, found),
    }
    .measured()
}

/// Mains or battery.
pub fn battery(readings: &Readings) -> Finding {
    const WHAT: &str = "power";
    let mut supplies = readings.supplies.iter().map(|online| online.trim());
    match (readings.supplies.is_empty(), supplies.any(|online| online == "1")) {
        (true, _) => Finding::fine(WHAT, "no battery"),
        (false, true) => Finding::fine(WHAT, "mains"),
        (false, false) => Finding::disturbs(
            WHAT,
            "battery",
            "the machine saves power: lower frequencies, changed any moment",
        )
        .mended_by("plug it in"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_that_are_forbidden_are_told_with_the_remedy() {
        let with = |level: &str| Readings { perf_paranoid: Some(level.to_owned()), ..Readings::default() };
        assert!(counted(false, &with("2")).mend.is_some_and(|mend| mend.contains("perf_event_paranoid=1")));
        assert!(counted(false, &with("-1")).mend.is_some_and(|mend| mend.contains("host")));
        assert_eq!(counted(true, &with("4")).cost, None);
    }
}
