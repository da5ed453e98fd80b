//! Starting an arm: what may go wrong before the first search.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crate::support::{Scratch, arm, fake_engine, lane, limits, positions};
use bench_lab::arm::session::{self, Limits};
use bench_lab::arm::{ArmImage, ArmProcess};
use bench_lab::{Cancel, Fault};
use layouts::image::Image;
use layouts::parts::Parts;
use layouts::startup::{Placement, Startup};

/// Hand-shake of a fake engine under `script`.
fn shake(script: &str, limits: Limits) -> Result<(), Fault> {
    let scratch = Scratch::new();
    let result = (|| {
        let mut process = ArmProcess::spawn(&arm("subject", script), &[], None, scratch.path(), "test")?;
        session::handshake(&mut process, &lane(), &limits, &Cancel::new())?;
        session::wait_idle([&mut process].into_iter(), &limits, &Cancel::new())?;
        session::quit(vec![process], &limits)
    })();
    scratch.assert_clean();
    result
}

fn short() -> Limits {
    Limits { start: Duration::from_millis(300), ..limits() }
}

#[test]
fn good_engines_pass() {
    for script in ["", "garbage", "slow=200"] {
        shake(script, limits()).unwrap();
    }
}

#[test]
fn silence_ends_in_bounded_time() {
    for (script, wanted) in [("never-uciok", "uciok"), ("never-ready", "readyok")] {
        let fault = shake(script, short()).unwrap_err();
        match fault {
            Fault::Hang { ref arm, ref expected, .. } => {
                assert_eq!((arm.as_str(), expected.as_str()), ("subject", wanted));
                assert_eq!(
                    fault.to_string().ends_with("; is it a UCI engine?"),
                    wanted == "uciok",
                    "{fault}"
                );
            }
            other => panic!("{script}: {other}"),
        }
    }
}

#[test]
fn work_that_never_ends_is_seen() {
    let fault = shake("busy", short()).unwrap_err();
    assert!(matches!(&fault, Fault::Busy { arm, .. } if arm == "subject"), "{fault}");
}

/// What is told when a lane sets an option so.
fn refused_option(name: &str, value: &str) -> String {
    let scratch = Scratch::new();
    let mut lane = lane();
    lane.options.insert(name.to_owned(), value.to_owned());
    let mut process = ArmProcess::spawn(&arm("subject", ""), &[], None, scratch.path(), "test").unwrap();
    let fault = session::handshake(&mut process, &lane, &limits(), &Cancel::new()).unwrap_err();
    assert!(fault.is_bundles_doing() && fault.is_arms_doing());
    fault.to_string()
}

#[test]
fn options_are_held_against_what_the_engine_says() {
    let told = [
        ("Hsah", "16"),
        ("EvalFile", "x"),
        ("Hash", "2048"),
        ("Hash", "much"),
        ("SIMD", "sse9"),
        ("Odd", "yes"),
        ("Clear Hash", "true"),
    ]
    .map(|(name, value)| refused_option(name, value));
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn the_layout_of_a_start_is_set_before_all_other_options() {
    let scratch = Scratch::new();
    let engine = arm("subject", "echo");
    let startup = engine.startup.clone();
    let prepared = ArmImage::prepared("subject", engine.executable, move |command| {
        startup(command)?;
        Ok([("Save A".to_owned(), "7".to_owned())].into())
    })
    .with_options([("Hash".to_owned(), "2".to_owned())].into());
    let mut process = ArmProcess::spawn(&prepared, &[], None, scratch.path(), "test").unwrap();
    session::handshake(&mut process, &lane(), &limits(), &Cancel::new()).unwrap();
    let [layout, lane, arm] = ["Save A value 7", "Hash value 1", "Hash value 2"];
    assert_eq!(process.error_lines(), [layout, lane, arm].map(|option| format!("setoption name {option}")));
    drop(process);
    scratch.assert_clean();
}

#[test]
fn an_executable_that_is_none_is_named() {
    let scratch = Scratch::new();
    let spawn = |image| ArmProcess::spawn(&image, &[], None, scratch.path(), "test").unwrap_err().to_string();
    let missing = bench_lab::arm::ArmImage::plain("subject", "/nowhere/engine");
    assert!(spawn(missing).contains("subject: cannot copy /nowhere/engine"));
    let text_file = scratch.path().join("notes.txt");
    std::fs::write(&text_file, "no program").unwrap();
    let text = spawn(bench_lab::arm::ArmImage::plain("subject", &text_file));
    assert!(text.contains("subject: cannot start") && text.contains("notes.txt"), "{text}");
    std::fs::remove_file(text_file).unwrap();
    scratch.assert_clean();
}

#[test]
fn death_is_told_with_status_and_last_words() {
    let scratch = Scratch::new();
    for (script, parts) in [
        ("die=1", ["subject", "exit status 3", "told to die", "in search 1 (test)"]),
        ("abort=1", ["subject", "signal SIGABRT", "", "in search 1 (test)"]),
    ] {
        let mut process =
            ArmProcess::spawn(&arm("subject", script), &[], None, scratch.path(), "test").unwrap();
        session::handshake(&mut process, &lane(), &limits(), &Cancel::new()).unwrap();
        process.set_step("in search 1");
        let position = &positions(1)[0];
        let fault =
            session::search(&mut process, position, 100, &limits(), &Cancel::new(), |_| ()).unwrap_err();
        assert!(matches!(fault, Fault::Died { .. }));
        assert!(fault.is_arms_doing());
        let text = fault.to_string();
        for part in parts {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("UCI engine"), "it was one: {text}");
    }
    scratch.assert_clean();
}

#[test]
fn a_program_that_is_no_engine_is_taken_for_none() {
    let scratch = Scratch::new();
    let mut process =
        ArmProcess::spawn(&ArmImage::plain("subject", "/bin/true"), &[], None, scratch.path(), "test")
            .unwrap();
    let fault = session::handshake(&mut process, &lane(), &limits(), &Cancel::new()).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "arm subject died at `uci` (test): exit status 0 before it said `uciok`; is it a UCI engine?"
    );
}

#[test]
fn endless_chatter_is_cut_off() {
    let scratch = Scratch::new();
    let mut process =
        ArmProcess::spawn(&arm("subject", "chatter"), &[], None, scratch.path(), "test").unwrap();
    session::handshake(&mut process, &lane(), &limits(), &Cancel::new()).unwrap();
    let position = &positions(1)[0];
    let fault = session::search(&mut process, position, 100, &limits(), &Cancel::new(), |_| ()).unwrap_err();
    assert!(matches!(&fault, Fault::Chatter { last, .. } if last == "still thinking"), "{fault}");
}

#[test]
fn a_process_that_lies_elsewhere_than_drawn_is_refused() {
    let scratch = Scratch::new();
    let of = |executable: &Path| Some(Placement::of(&Image::read(executable, &[]).unwrap()));
    let start = |placement| {
        let image = ArmImage::prepared("subject", fake_engine(), |command| {
            Startup::draw(1, &Parts::all()).apply(command).map_err(std::io::Error::other)?;
            Ok(BTreeMap::new())
        });
        let image = image.with_placement(placement);
        let mut process = ArmProcess::spawn(&image, &[], None, scratch.path(), "test")?;
        session::handshake(&mut process, &lane(), &limits(), &Cancel::new())
    };
    start(of(&fake_engine())).unwrap();
    // Another executable's segments are not there.
    let fault = start(of(&std::env::current_exe().unwrap())).unwrap_err();
    assert!(matches!(&fault, Fault::Misplaced { .. }) && !fault.is_arms_doing(), "{fault}");
    let text = fault.to_string();
    assert!(
        text.starts_with("arm subject: ") && text.contains("does not start at the drawn addresses"),
        "{text}"
    );
    scratch.assert_clean();
}

#[test]
fn every_process_has_a_copy_of_its_own() {
    let scratch = Scratch::new();
    let image = arm("subject", "");
    let start = || ArmProcess::spawn(&image, &[], None, scratch.path(), "test").unwrap();
    let processes = [start(), start()];
    let paths = processes
        .each_ref()
        .map(|process| std::fs::read_link(format!("/proc/{}/exe", process.pid())).unwrap());
    assert_ne!(paths[0], paths[1]);
    assert_eq!(paths[0].as_os_str().len(), paths[1].as_os_str().len());
    for path in &paths {
        assert!(path.starts_with(scratch.path()));
        assert_eq!(std::fs::read(path).unwrap(), std::fs::read(fake_engine()).unwrap());
    }
    drop(processes);
    scratch.assert_clean();
}

#[test]
fn a_process_does_not_outlive_who_started_it() {
    let scratch = Scratch::new();
    let image = arm("subject", "");
    let pid = std::thread::scope(|scope| {
        let starter = scope.spawn(|| {
            let mut process = ArmProcess::spawn(&image, &[], None, scratch.path(), "test").unwrap();
            // Stopped, and nobody will drop it: as after a sudden end of the lab.
            process.stop().unwrap();
            let pid = process.pid();
            std::mem::forget(process);
            pid
        });
        starter.join().unwrap()
    });
    let ended = nix::sys::wait::waitpid(pid, None).unwrap();
    assert!(
        matches!(ended, nix::sys::wait::WaitStatus::Signaled(_, nix::sys::signal::Signal::SIGKILL, _)),
        "{ended:?}"
    );
}
