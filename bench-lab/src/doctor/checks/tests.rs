//! Whole machines as their texts describe them, and what is said of each.

use std::path::PathBuf;

use super::company::Counted;
use super::system::Speed;
use super::{clock, company, memory, system};
use crate::doctor::finding::{Finding, Status};
use crate::doctor::reading::Readings;
use crate::doctor::steadiness::{Steadiness, judge};

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// A desktop that was prepared for measuring.
fn prepared() -> Readings {
    Readings {
        allowed: vec![0, 1, 2, 3],
        stat: some(
            "cpu0 100 0 0 900 0 0 0 0\ncpu1 0 0 0 1000 0 0 0 0\ncpu2 0 0 0 1000 0 0 0 0\ncpu3 0 0 0 1000 0 0 0 0",
        ),
        interrupts: some("  CPU0 CPU1 CPU2 CPU3\nLOC: 100 100 100 100 Local timer interrupts"),
        meminfo: some("MemAvailable: 16000000 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB"),
        vmstat: some("pswpin 7\npswpout 9"),
        cpuinfo: some("flags : fpu constant_tsc"),
        governor: some("performance"),
        boost: some("0"),
        throttled: some("0"),
        clock_source: some("tsc"),
        siblings: some("3"),
        huge_pages: some("always [madvise] never"),
        numa_balancing: some("0"),
        nodes: some("0"),
        perf_paranoid: some("1"),
        mountinfo: some("1 0 8:1 / / rw - ext4 /dev/a rw"),
        folder: PathBuf::from("/home/x/.cache"),
        ..Readings::default()
    }
}

/// A laptop on battery with a browser open.
fn laptop() -> Readings {
    Readings {
        stat: some(
            "cpu0 200 0 0 950 0 0 0 0\ncpu1 900 0 0 1100 0 0 0 0\ncpu2 0 0 0 2000 0 0 0 0\ncpu3 950 0 0 1050 0 0 0 0",
        ),
        interrupts: some("  CPU0 CPU1 CPU2 CPU3\nLOC: 100 100 100 10100 Local timer interrupts"),
        meminfo: some("MemAvailable: 400000 kB\nSwapTotal: 4000000 kB\nSwapFree: 1000000 kB"),
        governor: some("powersave"),
        boost: None,
        no_turbo: some("0"),
        throttled: some("12"),
        siblings: some("1,3"),
        huge_pages: some("[always] madvise never"),
        perf_paranoid: some("4"),
        supplies: vec!["0".to_owned()],
        ..prepared()
    }
}

/// A small container on a busy host.
fn container() -> Readings {
    Readings {
        allowed: vec![3],
        stat: some("cpu0 100 0 0 900 0 0 0 0\ncpu3 500 0 0 1000 0 0 0 500"),
        vmstat: some("pswpin 100\npswpout 9"),
        cpuinfo: some("flags : fpu hypervisor"),
        governor: None,
        boost: None,
        throttled: None,
        clock_source: some("hpet"),
        siblings: None,
        huge_pages: some("always madvise [never]"),
        numa_balancing: some("1"),
        nodes: some("0-1"),
        perf_paranoid: None,
        cpu_max: some("150000 100000"),
        cpu_stat: some("nr_periods 20\nnr_throttled 5"),
        mountinfo: some("1 0 8:1 / / rw,noexec - nfs4 host:/a rw"),
        ..prepared()
    }
}

/// The findings about core 3, whose clocks and copies are as `speed` says.
fn findings(before: &Readings, after: &Readings, steady: &Steadiness, speed: &Speed) -> Vec<Finding> {
    let counted = Counted::between(before, after, 3, 2.0);
    vec![
        company::cores(after),
        company::gaps(steady),
        clock::steady(steady),
        company::load(&counted),
        company::steal(&counted),
        company::sibling(&counted),
        company::interrupts(&counted),
        company::quota(&counted, after),
        clock::governor(after),
        clock::boost(after),
        clock::throttling(before, after),
        clock::source(after, speed.clock_ns),
        clock::timers(speed.late_us),
        memory::huge_pages(after),
        memory::swap(before, after),
        memory::balancing(after),
        system::virtual_machine(after),
        system::disk(after, speed),
        system::battery(after),
    ]
}

fn told(findings: &[Finding]) -> String {
    let line = |finding: &Finding| {
        let word = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let measured = if finding.measured { ", measured" } else { "" };
        format!(
            "{} ({:?}{measured}): {}\n    costs: {}\n    mend:  {}\n",
            finding.what,
            finding.status,
            finding.found,
            word(&finding.cost),
            word(&finding.mend)
        )
    };
    findings.iter().map(line).collect()
}

const QUICK: Speed = Speed { clock_ns: 25.0, late_us: 8.0, copy: Some(2e9) };

#[test]
fn nothing_is_said_against_a_prepared_machine() {
    let machine = prepared();
    let after = Readings {
        stat: some(
            "cpu0 105 0 0 1095 0 0 0 0\ncpu1 0 0 0 1200 0 0 0 0\ncpu2 2 0 0 1198 0 0 0 0\ncpu3 200 0 0 1000 0 0 0 0",
        ),
        ..prepared()
    };
    let findings = findings(&machine, &after, &judge(&[20_000; 50_000]), &QUICK);
    let against: Vec<&Finding> = findings.iter().filter(|finding| finding.status > Status::Unknown).collect();
    assert!(against.is_empty(), "{against:?}");
    insta::assert_snapshot!("prepared", told(&findings));
}

#[test]
fn a_laptop_is_told_what_disturbs_it() {
    let two_speeds: Vec<u32> =
        (0..100_000).map(|n| if n / 25_000 % 2 == 0 { 20_000 } else { 22_000 }).collect();
    let before = Readings { throttled: some("12"), ..prepared() };
    let speed = Speed { late_us: 300.0, copy: Some(1e8), ..QUICK };
    insta::assert_snapshot!("laptop", told(&findings(&before, &laptop(), &judge(&two_speeds), &speed)));
}

#[test]
fn a_starved_container_is_told_what_prevents() {
    let held: Vec<u32> = (0..50_000).map(|n| if n % 100 == 0 { 1_020_000 } else { 20_000 }).collect();
    let speed = Speed { clock_ns: 1_200.0, ..QUICK };
    insta::assert_snapshot!("container", told(&findings(&prepared(), &container(), &judge(&held), &speed)));
}

#[test]
fn what_is_not_told_is_unknown() {
    let nothing = Readings::default();
    let quiet = judge(&[20_000; 50_000]);
    let findings = findings(&nothing, &nothing, &quiet, &Speed { copy: None, ..QUICK });
    let known: Vec<&str> =
        findings.iter().filter(|f| f.status != Status::Unknown).map(|f| f.what.as_str()).collect();
    let measured_or_absent = [
        "interruptions",
        "steady speed",
        "processor quota",
        "timers",
        "NUMA balancing",
        "work folder",
        "power",
    ];
    assert_eq!(known, measured_or_absent);
}

#[test]
fn heat_while_it_ran_prevents() {
    let count = |times: &str| Readings { throttled: some(times), ..Readings::default() };
    for (before, after, expected) in
        [("3", "4", Status::Prevents), ("3", "3", Status::Disturbs), ("0", "0", Status::Fine)]
    {
        assert_eq!(clock::throttling(&count(before), &count(after)).status, expected, "{before} to {after}");
    }
}

#[test]
fn a_folder_that_is_none_is_told_with_its_remedy() {
    let absent =
        Readings { folder: PathBuf::from("/nowhere"), folder_fault: Some("is not there"), ..prepared() };
    let finding = system::disk(&absent, &Speed { copy: None, ..QUICK });
    assert_eq!((finding.status, finding.found.as_str()), (Status::Prevents, "/nowhere is not there"));
    assert!(finding.mend.is_some_and(|mend| mend.contains("--folder")));
    let closed = system::disk(&prepared(), &Speed { copy: None, ..QUICK });
    assert_eq!(closed.found, "/home/x/.cache, ext4: nothing can be written");
    assert!(closed.mend.is_some_and(|mend| mend.contains("--folder")));
}
