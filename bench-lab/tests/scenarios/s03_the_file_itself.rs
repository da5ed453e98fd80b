//! The slow executable becomes fast when its file is copied: A/A on one file shows a lasting offset; fresh copies scatter it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use bench_lab::Cancel;
use bench_lab::arm::ArmImage;
use bench_lab::measure::{PhaseJob, run_phase};
use protocol::plan::{Measure, SlotPlan, Workload};

use crate::support::{Scratch, fake_engine, lane, limits, positions};

/// Processes of each arm.
const PROCESSES: usize = 12;

/// Two files of the very same engine: one that happens to be fast, one that happens to be slow.
fn twins(folder: &Path) -> [PathBuf; 2] {
    let mut found = [None, None];
    for number in 0.. {
        let file = folder.join(format!("engine-{number}"));
        fs::copy(fake_engine(), &file).expect("a copy");
        let copy = fs::metadata(&file).expect("a copy");
        // As the fake engine decides it.
        let luck = (copy.ino() ^ copy.mtime_nsec().cast_unsigned()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slow = luck >> 63 == 1;
        found[usize::from(slow)].get_or_insert(file);
        if let [Some(fast), Some(slow)] = &found {
            return [fast.clone(), slow.clone()];
        }
    }
    unreachable!("there are inodes of both kinds")
}

/// How many of each file's processes were slow.
fn slow_processes(files: &[PathBuf; 2], copies: bool) -> [usize; 2] {
    let scratch = Scratch::new();
    let arm = |file: &PathBuf| {
        let image = ArmImage::prepared("full", file, |command| {
            command.env("FAKE_ENGINE", "work=30,copy=120");
            Ok(BTreeMap::new())
        });
        image.with_copies(copies)
    };
    let job = PhaseJob {
        place: "run 1, phase 1",
        lane: &lane(),
        workload: &Workload { positions: positions(2), nodes: 20_000, sha256: String::new() },
        measure: &Measure {
            slice_us: 2_000,
            processes: PROCESSES,
            threshold_percent: 1.5,
            judged: "total-rate".to_owned(),
            lanes_at_once: false,
        },
        slots: &SlotPlan { rows: vec![vec![0, 1], vec![1, 0]] },
        arms: &[arm(&files[0]), arm(&files[1])],
        nodes: None,
        scratch: scratch.path(),
        limits: limits(),
    };
    let measured = run_phase(&job, &Cancel::new()).expect("a phase");
    scratch.assert_clean();
    // Slow ones take five times as long: no noise confuses the two.
    let quickest = measured.iter().map(|one| one.cpu_ns).min().expect("processes");
    let slow = |arm| measured.iter().filter(|one| one.arm == arm && one.cpu_ns > 5 * quickest / 2).count();
    [slow(0), slow(1)]
}

#[test]
fn a_file_keeps_its_luck_and_fresh_copies_scatter_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let twins = twins(folder.path());
    assert!(
        fs::read(&twins[0]).expect("a file") == fs::read(&twins[1]).expect("a file"),
        "one and the same engine"
    );
    assert_eq!(slow_processes(&twins, false), [0, PROCESSES], "measured as they lie, the offset lasts");
    let [fast, slow] = slow_processes(&twins, true);
    assert!(
        fast < PROCESSES && slow < PROCESSES,
        "{fast} and {slow} of {PROCESSES}: some copies of either are fast"
    );
    assert!(fast + slow > 0, "and some are slow");
}
