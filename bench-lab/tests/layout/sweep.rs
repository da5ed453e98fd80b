//! Sweeps: what they measure and write, and how they end when something is wrong.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use protocol::sweep::{Sweep, evaluate};
use serde_json::Value;

use super::common::{all_keys, assert_clean, lab, own, refused, source, told};

#[test]
fn a_sweep_tells_layout_from_noise() {
    let own = own();
    let folder = own.path();
    let words = ["sweep", "counter.tar", "--positions", "work.epd", "--nodes", "2000", "--core", "0"];
    let small =
        ["--option", "Hash=2", "--draws", "3", "--rounds", "2", "--seed", "5", "--gain", "0.5", "-o", "out"];
    let text = told(&words.into_iter().chain(small).collect::<Vec<_>>(), folder);
    for needed in [
        "as linked",
        "layout 3",
        "Between layouts: sd",
        "differ by 0.5 % or more by layout alone",
        "master seed 5",
    ] {
        assert!(text.contains(needed), "{needed}: {text}");
    }
    assert_clean(&folder.join("out"));

    let bytes = fs::read(folder.join("out/sweep.json")).expect("sweep.json");
    let sweep: Sweep = serde_json::from_slice(&bytes).expect("a sweep");
    assert_eq!(protocol::canonical::to_bytes(&sweep).expect("JSON"), bytes, "canonical");
    assert_eq!((sweep.layouts.len(), sweep.measurements.len()), (4, 2 * 4));
    assert!(!sweep.layout.is_limited());
    let again = evaluate(&sweep.measurements, sweep.layouts.len(), Some(0.5)).expect("a result");
    assert_eq!(again, sweep.spread, "the result follows from what was measured");
    let executables: BTreeSet<&str> = sweep.layouts.iter().map(|l| l.executable_sha256.as_str()).collect();
    assert_eq!(executables.len(), 4, "every layout is another executable");
    assert!(sweep.measurements.iter().all(|one| one.nodes == sweep.measurements[0].nodes && one.cpu_ns > 0));
    let page = fs::read_to_string(folder.join("out/sweep.html")).expect("sweep.html");
    assert_eq!(page, reports::sweep::html(&sweep).expect("a page"));
    insta::assert_snapshot!("sweep_keys", all_keys(&String::from_utf8(bytes).expect("UTF-8")));

    // A layout of the sweep is made again by its seed.
    let seed = sweep.layouts[2].seed.expect("a seed").to_string();
    told(&["draw", "counter.tar", "--seed", &seed, "-o", "again"], folder);
    let file: Value =
        serde_json::from_slice(&fs::read(folder.join("again.layout.json")).expect("a file")).expect("JSON");
    assert_eq!(file["executable_sha256"], Value::from(sweep.layouts[2].executable_sha256.clone()));
    assert_eq!(file["startup"]["stack_offset"], Value::from(sweep.layouts[2].stack_offset));

    // Nothing is overwritten.
    let taken = refused(&words.into_iter().chain(small).collect::<Vec<_>>(), folder, 2);
    assert!(taken.contains("is there already"), "{taken}");
}

#[test]
fn of_an_executable_only_starts_are_drawn() {
    let own = own();
    let folder = own.path();
    told(&["draw", "counter.tar", "--seed", "1", "-o", "counter"], folder);
    let words = ["sweep", "counter", "--positions", "work.epd", "--nodes", "500", "--core", "0"];
    let small = ["--draws", "2", "--rounds", "2", "-o", "out"];
    let text = told(&words.into_iter().chain(small).collect::<Vec<_>>(), folder);
    assert!(text.starts_with("Start-up layouts only"), "{text}");
    let sweep: Sweep = serde_json::from_slice(&fs::read(folder.join("out/sweep.json")).expect("sweep.json"))
        .expect("a sweep");
    assert!(sweep.layout.is_limited());
    let starts: BTreeSet<(u64, u64)> =
        sweep.layouts.iter().map(|l| (l.stack_offset, l.mapping_offset)).collect();
    assert_eq!(starts.len(), 3);
}

#[test]
fn sweeps_that_fail_leave_nothing() {
    let own = own();
    let folder = own.path();
    let engine = source("layout/engine.cpp");
    told(
        &[
            "capture",
            "-o",
            "wandering.tar",
            "--",
            "g++",
            "-O2",
            "-DWANDERING",
            "{cc_flags}",
            &engine,
            "{ld_flags}",
            "-o",
            "{out}",
        ],
        folder,
    );
    let sweep = |subject: &str, more: &[&str], code: i32| {
        let words =
            ["sweep", subject, "--positions", "work.epd", "--nodes", "500", "--draws", "2", "--rounds", "2"];
        let error = {
            let output = lab(&words.iter().chain(more).copied().collect::<Vec<_>>(), folder);
            assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8_lossy(&output.stderr).into_owned()
        };
        assert!(!folder.join("sweeps").exists() && !folder.join("out").exists(), "litter");
        assert_clean(folder);
        error
    };
    let differ = sweep("wandering.tar", &["--core", "0"], 4);
    assert!(
        differ.contains("node counts differ") && differ.contains("depends on where things lie"),
        "{differ}"
    );
    assert!(sweep("counter.tar", &[], 2).contains("--core is missing"));
    assert!(sweep("counter.tar", &["--core", "4000"], 2).contains("core 4000"));
    assert!(sweep("counter.tar", &["--core", "0", "--option", "Colour=1", "-o", "out"], 2).contains("Hash"));
    assert!(sweep("counter.tar", &["--core", "0", "--option", "EvalFile=none.net"], 1).contains("none.net"));
    assert!(sweep("missing.tar", &["--core", "0"], 1).contains("missing.tar"));
    sweep("counter.tar", &["--core", "0", "--gain", "-100"], 2);
}

#[test]
fn an_interrupted_sweep_leaves_nothing() {
    let own = own();
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-lab"));
    command.args([
        "layout",
        "sweep",
        "counter.tar",
        "--positions",
        "work.epd",
        "--nodes",
        "500",
        "--core",
        "0",
    ]);
    command.args(["--draws", "4", "--rounds", "1000", "-o", "out"]).current_dir(own.path());
    command.env("BENCH_LAB_LOCKS", own.path());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the lab");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("round 1 of 1000")), "it measures");
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGINT).expect("sent");
    let rest: Vec<String> = lines.collect();
    assert_eq!(child.wait().expect("an end").code(), Some(5), "{rest:?}");
    assert!(rest.iter().any(|line| line.contains("interrupted: nothing was kept")), "{rest:?}");
    assert!(!own.path().join("out").exists());
}
