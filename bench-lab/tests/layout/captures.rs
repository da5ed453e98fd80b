//! Captures that fail, flags for other builds, and disks without room.

use std::fs;
use std::process::{Command, Stdio};

use super::common::{assert_clean, captures, lab, own, refused, source, told};

#[test]
fn captures_that_fail_leave_nothing() {
    let own = own();
    let folder = own.path();
    let capture = |command: &[&str], code: i32| {
        let words: Vec<&str> = ["capture", "-o", "x.tar", "--"].iter().chain(command).copied().collect();
        let output = lab(&words, folder);
        assert_eq!(output.status.code(), Some(code), "{command:?}");
        assert!(!folder.join("x.tar").exists());
        assert_clean(folder);
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(capture(&["make"], 2).contains("{ld_flags}"));
    assert!(
        capture(&[], 2)
            .contains("nothing to capture: give a build command after `--`, `--bundle` or `--tar`")
    );
    let misspelt = capture(&["g++", "{cc_flag}", "{ld_flags}"], 2);
    assert!(misspelt.contains("unknown placeholder `{cc_flag}`"), "{misspelt}");
    assert!(misspelt.contains("did you mean `{cc_flags}`?"), "{misspelt}");
    assert!(capture(&["no-such-compiler", "{ld_flags}"], 1).contains("cannot start no-such-compiler"));
    assert!(capture(&["g++", "nothing.cpp", "{ld_flags}"], 1).contains("ended with"));
    assert!(capture(&["true", "{ld_flags}"], 1).contains("linked no executable"));
    // Without function sections.
    let text =
        "int one(void) { return 1; }\nint two(void) { return one(); }\nint main(void) { return two(); }\n";
    fs::write(folder.join("lumped.c"), text).expect("written");
    let lumped = capture(&["gcc", "-O0", "lumped.c", "{ld_flags}", "-o", "{out}"], 1);
    assert!(lumped.contains("-ffunction-sections"), "{lumped}");
    assert!(lumped.ends_with(" (does `{cc_flags}` reach every compilation?)\n"), "{lumped}");

    let neither = "work.epd is neither an executable (ELF) nor a capture (`bench-lab layout capture`)";
    let sweep = ["sweep", "work.epd", "--positions", "work.epd", "--nodes", "9", "--core", "0"];
    for arguments in [&["capture", "--tar", "work.epd"][..], &["draw", "work.epd", "--seed", "1"], &sweep] {
        assert_eq!(refused(arguments, folder, 2), format!("error: {neither}\n"));
    }
    let own = env!("CARGO_BIN_EXE_bench-lab");
    assert!(refused(&["draw", own, "--seed", "1"], folder, 2).contains("which cannot be relinked"));
    assert!(refused(&["capture", "--tar", "missing.tar"], folder, 1).contains("missing.tar"));
    let cut = fs::read(captures().join("counter.tar")).expect("a capture");
    fs::write(folder.join("cut.tar"), &cut[..cut.len() / 2]).expect("written");
    let half = refused(&["capture", "--tar", "cut.tar", "-o", "kept.tar"], folder, 1);
    assert!(half.starts_with("error: cut.tar is no usable capture") && !half.contains("::"), "{half}");
    assert!(!folder.join("kept.tar").exists());
    let text = told(&["capture", "--tar", "counter.tar", "-o", "kept.tar"], folder);
    assert!(text.starts_with("kept.tar"), "{text}");
    assert!(fs::read(folder.join("kept.tar")).expect("kept") == cut);
    assert_clean(folder);

    let twice = refused(&["draw", "plain.tar", "./plain.tar", "--seed", "1"], folder, 2);
    assert!(twice.contains("different names"), "{twice}");
    let colour = refused(&["draw", "plain.tar", "--seed", "1", "--without", "colour"], folder, 2);
    assert!(colour.contains("mapping, copy"), "{colour}");
    let tables = refused(&["draw", "plain.tar", "--seed", "1", "--without", "tables"], folder, 2);
    assert!(tables.contains("leaves the engine's own tables alone"), "{tables}");
    refused(&["draw", "plain.tar", "--seed", "1", "-o", "/proc/nowhere/x"], folder, 1);
    assert_clean(folder);
}

#[test]
fn disks_without_room_are_told_and_nothing_is_left() {
    let own = own();
    let folder = own.path();
    let refused = |arguments: &[&str], code: i32| {
        // No file may grow beyond 32 KiB (64 KiB, to some shells); a full disk sends no signal.
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$@\"", "sh"]);
        command.arg(env!("CARGO_BIN_EXE_bench-lab")).arg("layout").args(arguments).current_dir(folder);
        let output = command.stdin(Stdio::null()).output().expect("a shell");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
        assert_clean(folder);
        errors
    };
    assert!(refused(&["draw", "counter.tar", "--seed", "1"], 1).contains("has room"));
    assert!(!folder.join("counter-1").exists());
    assert!(
        refused(&["capture", "--tar", "counter.tar", "-o", "x.tar"], 1).contains("cannot copy counter.tar")
    );
    assert!(!folder.join("x.tar").exists());
    let sweep =
        ["sweep", "counter.tar", "--positions", "work.epd", "--nodes", "9", "--core", "0", "-o", "out"];
    assert!(refused(&sweep, 1).contains("has room"));
    assert!(!folder.join("out").exists());
}

#[test]
fn flags_are_printed_for_other_builds() {
    let own = own();
    let folder = own.path();
    let text = told(&["flags", "kept"], folder);
    assert!(text.contains("-ffunction-sections") && text.contains("-fuse-ld=lld"), "{text}");
    let flags = text.lines().find_map(|line| line.split_once("final link:  ")).expect("flags").1;
    let engine = source("layout/engine.cpp");
    let mut build = Command::new("g++");
    build.args(["-ffunction-sections", "-fdata-sections", &engine, "-o", "engine"]).args(flags.split(' '));
    assert!(build.current_dir(folder).status().expect("a compiler").success());
    told(&["capture", "--tar", "kept/link.tar"], folder);
    // There is no -o here.
    let nowhere = refused(&["flags", "/proc/nowhere"], folder, 1);
    assert!(nowhere.starts_with("error: cannot create /proc/nowhere: name another folder: "), "{nowhere}");
}

#[test]
fn a_file_that_is_only_read_needs_no_room() {
    let own = own();
    let absent = refused(&["show", "/nowhere/engine"], own.path(), 1);
    assert!(absent.starts_with("error: cannot read /nowhere/engine: "), "{absent}");
    assert!(absent.ends_with("; check the name and that you may read it\n"), "{absent}");
}
