//! The drawn start-up: one draw fixes stack and mappings, another draw moves both.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{built_rust, capture_c};
use layouts::draw::Draw;
use layouts::parts::Parts;
use layouts::relink::relink;
use layouts::startup::{Placement, Startup};
use nix::libc;

/// Stack, mapping and heap address that the program prints.
fn addresses(program: &Path, startup: Startup) -> Vec<u64> {
    let mut command = Command::new(program);
    startup.apply(&mut command).expect("applies");
    let output = command.output().expect("starts");
    let text = String::from_utf8(output.stdout).expect("text");
    text.split_whitespace().map(|word| u64::from_str_radix(&word[2..], 16).expect("address")).collect()
}

#[test]
fn one_draw_fixes_every_address_and_offsets_are_as_drawn() {
    let (_, program) = built_rust("addresses.rs", &[]);
    let zero = addresses(&program, Startup { stack_offset: 0, mapping_offset: 0, tables: 0 });
    for seed in [1, 2, 3] {
        let startup = Startup::draw(seed, &Parts::all());
        let drawn = addresses(&program, startup);
        assert_eq!(drawn, addresses(&program, startup), "seed {seed}");
        assert_eq!(zero[0] - drawn[0], startup.stack_offset, "stack, seed {seed}");
        assert_eq!(zero[1] - drawn[1], startup.mapping_offset, "mapping, seed {seed}");
    }
    assert_ne!(
        addresses(&program, Startup::draw(1, &Parts::all())),
        addresses(&program, Startup::draw(2, &Parts::all()))
    );
}

#[test]
fn the_length_of_the_path_and_the_environment_do_not_matter() {
    let dir = tempfile::tempdir().expect("folder");
    let (_, program) = built_rust("addresses.rs", &[]);
    let copy = dir.path().join("a-copy-with-a-much-longer-name-than-the-first");
    std::fs::copy(&program, &copy).expect("copy");
    let startup = Startup::draw(5, &Parts::all());
    assert_eq!(addresses(&program, startup), addresses(&copy, startup));
}

#[test]
fn draws_cover_their_ranges_in_their_steps() {
    let draws: Vec<_> = (0..2000).map(|seed| Startup::draw(seed, &Parts::all())).collect();
    assert!(draws.iter().all(|draw| draw.stack_offset % 16 == 0 && draw.stack_offset < 8192));
    assert!(draws.iter().all(|draw| draw.mapping_offset % 4096 == 0 && draw.mapping_offset < 2 << 20));
    for quarter in 0..4 {
        assert!(draws.iter().any(|draw| draw.stack_offset / 2048 == quarter));
        assert!(draws.iter().any(|draw| draw.mapping_offset / (512 << 10) == quarter));
    }
}

#[test]
fn too_long_a_command_line_is_named() {
    let mut command = Command::new("/bin/true");
    command.arg("x".repeat(60_000));
    let error = Startup::draw(1, &Parts::all()).apply(&mut command).expect_err("does not fit");
    assert!(error.to_string().contains("fewer"), "{error}");
}

/// Starts the test of this name, which is ignored otherwise, in a process of its own behind `before`.
fn under(before: &str, test: &str, prepare: impl Fn(&mut Command)) {
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("{before} exec \"$@\""))
        .arg("sh")
        .arg(std::env::current_exe().expect("itself"));
    command.args(["--exact", "--ignored", "--nocapture", test]);
    prepare(&mut command);
    let output = command.output().expect("starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
fn a_low_hard_limit_of_the_stack() {
    under("ulimit -Hs 100000;", "startup::says_how_to_raise_the_stack", |_| {});
}

#[test]
#[ignore = "wants a low limit, which another test sets"]
fn says_how_to_raise_the_stack() {
    let error = Startup::draw(1, &Parts::all()).apply(&mut Command::new("/bin/true")).expect_err("too low");
    let text = error.to_string();
    assert!(text.contains("102400000 bytes") && text.contains("ulimit -Hs unlimited"), "{text}");
}

#[test]
fn a_system_that_forbids_to_switch_randomisation_off() {
    under("", "startup::says_how_to_allow_it", |command| {
        // SAFETY: runs between fork and exec; two system calls, no allocation, no lock.
        unsafe { command.pre_exec(forbid_personality) };
    });
}

#[test]
#[ignore = "wants a system call forbidden, which another test does"]
fn says_how_to_allow_it() {
    let error = Startup::draw(1, &Parts::all()).apply(&mut Command::new("/bin/true")).expect_err("forbidden");
    let text = error.to_string();
    assert!(text.contains("EPERM") && text.contains("seccomp=unconfined"), "{text}");
}

/// As a container does: the call `personality` is refused, all others go on.
fn forbid_personality() -> std::io::Result<()> {
    let step = |code: u32, jt, jf, k| libc::sock_filter { code: code as u16, jt, jf, k };
    let mut steps = [
        // The number of the call; is it the one? Refuse or allow.
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        step(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 0, 1, libc::SYS_personality as u32),
        step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
        step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog { len: steps.len() as u16, filter: steps.as_mut_ptr() };
    // SAFETY: the program lives until the calls return; the kernel copies it.
    let set = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) == 0
    };
    if set { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

#[test]
fn a_running_process_is_checked_against_its_image() {
    let dir = tempfile::tempdir().expect("folder");
    for flags in [["-no-pie", "-fno-pie"], ["-pie", "-fPIE"]] {
        let (capture, _) = capture_c("waits.c", &dir.path().join(flags[0]), &flags);
        let draw = |seed| Draw::new(seed, &Parts::all(), &[&capture]);
        let image = relink(&capture, &draw(1), &dir.path().join("drawn")).expect("relinks");
        let other = relink(&capture, &draw(2), &dir.path().join("other")).expect("relinks");
        let mut command = Command::new(image.path());
        command.stdin(Stdio::piped());
        Startup::draw(3, &Parts::all()).apply(&mut command).expect("applies");
        let mut child = command.spawn().expect("starts");
        let check = |id, image| Placement::of(image).check(id);
        let (good, bad) = (check(child.id(), &image), check(child.id(), &other));
        // The program waits for the end of its input.
        drop(child.stdin.take());
        assert!(child.wait().expect("ends").success());
        good.expect("lies where drawn");
        let text = bad.expect_err("another draw").to_string();
        assert!(text.contains("does not start at the drawn addresses: the part of the file"), "{text}");
        let text = check(child.id(), &image).expect_err("ended").to_string();
        assert!(text.contains("addresses: it has ended"), "{text}");
    }
}
