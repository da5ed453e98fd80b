//! The drawn start-up: one draw fixes stack and mappings, another draw moves both.

use std::path::Path;
use std::process::Command;

use crate::common::built_rust;
use layouts::parts::Parts;
use layouts::startup::Startup;

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
    let zero = addresses(&program, Startup { stack_offset: 0, mapping_offset: 0 });
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
