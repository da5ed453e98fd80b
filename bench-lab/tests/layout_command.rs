//! The layout commands, one after another on little engines: capture, draw, show, sweep; and what goes wrong.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use protocol::sweep::{Sweep, evaluate};
use serde_json::Value;

const POSITIONS: &str =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\n";

fn lab(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-lab"));
    command.arg("layout").args(arguments).current_dir(folder).stdin(Stdio::null());
    command.output().expect("the lab")
}

/// What a command prints that must succeed.
fn told(arguments: &[&str], folder: &Path) -> String {
    let output = lab(arguments, folder);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The one message of a command that must fail with this code.
fn refused(arguments: &[&str], folder: &Path, code: i32) -> String {
    let output = lab(arguments, folder);
    let errors = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
    assert_eq!(errors.matches("error: ").count(), 1, "{errors}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    errors
}

fn source(name: &str) -> String {
    format!("{}/tests/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A folder with captures of the little engines, made once by the command line: `plain.tar` and `quick.tar` (Rust),
/// `counter.tar` (C++).
fn captures() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("layout-captures");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("work.epd"), POSITIONS).expect("positions");
        for (name, feature) in [("plain", "none"), ("quick", "quick")] {
            let (tar, feature) = (format!("{name}.tar"), format!("feature=\"{feature}\""));
            let rust = ["rustc", "--edition=2024", "-O", "-Clto=fat", "-Ccodegen-units=1", "-Cpanic=abort"];
            let engine = source("mini/engine.rs");
            let rest = [&engine, "--cap-lints=allow", "--cfg", &feature, "{rust_flags}", "-o", "{out}"];
            let words: Vec<&str> =
                ["capture", "-o", &tar, "--"].into_iter().chain(rust).chain(rest).collect();
            let text = told(&words, &folder);
            assert!(text.starts_with(&tar) && text.contains(".text"), "{text}");
        }
        let engine = source("layout/engine.cpp");
        let cpp = ["g++", "-O2", "{cc_flags}", &engine, "{ld_flags}", "-o", "{out}"];
        let text =
            told(&["capture", "-o", "counter.tar", "--"].into_iter().chain(cpp).collect::<Vec<_>>(), &folder);
        assert!(
            text.contains("the link of `executable`") && text.contains("not placed one by one"),
            "{text}"
        );
        assert_clean(&folder);
        folder
    })
}

/// No temporary file is left.
fn assert_clean(folder: &Path) {
    let left = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with('.')).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A folder of a test's own, with links to the captures.
fn own() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["plain.tar", "quick.tar", "counter.tar", "work.epd"] {
        std::os::unix::fs::symlink(captures().join(name), folder.path().join(name)).expect("a link");
    }
    folder
}

/// The paths of all keys, lists by their elements.
fn keys(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| keys(value, &format!("{path}.{key}"), found))
        }
        Value::Array(list) => list.iter().for_each(|value| keys(value, &format!("{path}[]"), found)),
        leaf => {
            let kind = match leaf {
                Value::Null => "null",
                Value::Bool(_) => "bool",
                Value::Number(_) => "number",
                _ => "string",
            };
            found.insert(format!("{} {kind}", path.trim_start_matches('.')));
        }
    }
}

/// All keys but those whose values depend on compiler and machine.
fn all_keys(json: &str) -> String {
    let mut found = BTreeSet::new();
    keys(&serde_json::from_str(json).expect("JSON"), "", &mut found);
    let varies = |key: &String| {
        key.starts_with("machine.")
            || key.contains(".counters")
            || key.contains("notes[]")
            || key.contains("largest[].pool")
    };
    found.retain(|key| !varies(key));
    found.into_iter().collect::<Vec<_>>().join("\n")
}

#[test]
fn same_seed_same_bytes_and_arms_share_their_units() {
    let own = own();
    let folder = own.path();
    let text = told(&["draw", "plain.tar", "quick.tar", "--seed", "7", "-o", "one"], folder);
    let all = text.lines().find(|line| line.trim_start().starts_with("all ")).expect("a sum");
    assert!(all.contains("(100.0 %)"), "{text}");
    told(&["draw", "plain.tar", "quick.tar", "--seed", "7", "-o", "two/"], folder);
    told(&["draw", "plain.tar", "quick.tar", "--seed", "8", "-o", "one"], folder);
    let read = |name: &str| fs::read(folder.join(name)).expect(name);
    for name in ["plain-7", "quick-7", "plain-7.layout.json", "quick-7.layout.json"] {
        assert!(read(&format!("one/{name}")) == read(&format!("two/{name}")), "{name}");
    }
    assert!(read("one/plain-7") != read("one/plain-8"));
    // Another draw of one capture alone gives the same order, but a file of the user's choice.
    told(&["draw", "plain.tar", "--seed", "7", "-o", "alone", "--without", "heap"], folder);
    let file: Value = serde_json::from_slice(&read("alone.layout.json")).expect("JSON");
    assert_eq!((&file["heap_offset"], &file["parts"]["heap"]), (&Value::from(0), &Value::from(false)));
    ["one", "two", ""].iter().for_each(|sub| assert_clean(&folder.join(sub)));

    let moved = told(&["show", "one/plain-7", "one/plain-8", "--json"], folder);
    let moved: Value = serde_json::from_str(&moved).expect("JSON");
    let all = &moved["comparison"]["all"];
    let (common, elsewhere) = (all["common"].as_u64(), all["moved"].as_u64());
    assert!(elsewhere.expect("a count") * 100 >= common.expect("a count") * 95, "{all}");
    let shared = told(&["show", "one/plain-7", "one/quick-7", "--json"], folder);
    let shared: Value = serde_json::from_str(&shared).expect("JSON");
    let all = &shared["comparison"]["all"];
    assert_eq!(all["same"], all["common"], "{all}");
    assert_eq!(shared["comparison"]["by"], "layout-file");
}

#[test]
fn keys_of_the_files_stay() {
    let own = own();
    told(&["draw", "counter.tar", "--seed", "3"], own.path());
    let file = fs::read_to_string(own.path().join("counter-3.layout.json")).expect("a layout file");
    insta::assert_snapshot!("layout_file_keys", all_keys(&file));
    insta::assert_snapshot!("show_keys", all_keys(&told(&["show", "counter-3", "--json"], own.path())));
    told(&["draw", "counter.tar", "--seed", "4"], own.path());
    let pair = told(&["show", "counter-3", "counter-4", "--json", "--units", "main"], own.path());
    let pair: Value = serde_json::from_str(&pair).expect("JSON");
    insta::assert_snapshot!("comparison_keys", all_keys(&pair["comparison"].to_string()));
}

#[test]
fn drawn_and_plain_executables_are_shown() {
    let own = own();
    let folder = own.path();
    told(&["draw", "counter.tar", "--seed", "3"], folder);
    let text = told(&["show", "counter-3"], folder);
    for needed in ["drawn with seed 3", "by its layout file", "byte 0 to 15", "the largest units", ".text"] {
        assert!(text.contains(needed), "{needed}: {text}");
    }
    let listed = told(&["show", "counter-3", "--units", "MAIN"], folder);
    assert!(listed.contains("main") && listed.contains("0x"), "{listed}");

    // Built by other means and never captured.
    let engine = source("layout/engine.cpp");
    let built = Command::new("g++").args(["-O2", &engine, "-o", "plain"]).current_dir(folder).status();
    assert!(built.expect("a compiler").success());
    let text = told(&["show", "plain"], folder);
    assert!(text.contains("by its symbol table") && text.contains("of no named unit"), "{text}");
    let text = told(&["show", "plain", "counter-3", "--units", "main"], folder);
    assert!(!text.contains("layout file") && text.contains("moved by"), "{text}");

    let text = told(&["show", "counter-3", "--json"], folder);
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let phases = value["executable"]["line_phases"].as_array().expect("counts");
    let sum: u64 = phases.iter().filter_map(Value::as_u64).sum();
    assert_eq!(Some(sum), value["executable"]["functions"].as_u64());
}

#[test]
fn what_cannot_be_shown_is_told_with_its_remedy() {
    let own = own();
    let folder = own.path();
    told(&["draw", "counter.tar", "--seed", "3"], folder);
    let stripped =
        Command::new("strip").args(["-s", "-o", "stripped", "counter-3"]).current_dir(folder).status();
    assert!(stripped.expect("strip").success());
    assert!(refused(&["show", "stripped"], folder, 1).contains("link it without -s"));
    let mut bytes = fs::read(folder.join("counter-3")).expect("an executable");
    bytes[18] = 183;
    fs::write(folder.join("foreign"), &bytes).expect("written");
    assert!(refused(&["show", "foreign"], folder, 1).contains("ARM"));
    assert!(refused(&["show", "work.epd"], folder, 1).contains("no 64-bit ELF file"));
    assert!(refused(&["show", "missing"], folder, 1).contains("missing"));
    // A layout file beside another executable.
    told(&["draw", "counter.tar", "--seed", "4", "-o", "counter-4"], folder);
    fs::copy(folder.join("counter-4"), folder.join("counter-3")).expect("copied");
    assert!(refused(&["show", "counter-3"], folder, 1).contains("describes another executable"));
}

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
    assert!(capture(&["no-such-compiler", "{ld_flags}"], 1).contains("cannot start no-such-compiler"));
    assert!(capture(&["g++", "nothing.cpp", "{ld_flags}"], 1).contains("ended with"));
    assert!(capture(&["true", "{ld_flags}"], 1).contains("linked no executable"));
    // Without function sections.
    let text =
        "int one(void) { return 1; }\nint two(void) { return one(); }\nint main(void) { return two(); }\n";
    fs::write(folder.join("lumped.c"), text).expect("written");
    let lumped = capture(&["gcc", "-O0", "lumped.c", "{ld_flags}", "-o", "{out}"], 1);
    assert!(lumped.contains("-ffunction-sections"), "{lumped}");

    assert!(refused(&["capture", "--tar", "work.epd"], folder, 1).contains("no usable capture"));
    assert!(refused(&["capture", "--tar", "missing.tar"], folder, 1).contains("missing.tar"));
    let cut = fs::read(captures().join("counter.tar")).expect("a capture");
    fs::write(folder.join("cut.tar"), &cut[..cut.len() / 2]).expect("written");
    refused(&["capture", "--tar", "cut.tar", "-o", "kept.tar"], folder, 1);
    assert!(!folder.join("kept.tar").exists());
    let text = told(&["capture", "--tar", "counter.tar", "-o", "kept.tar"], folder);
    assert!(text.starts_with("kept.tar"), "{text}");
    assert!(fs::read(folder.join("kept.tar")).expect("kept") == cut);
    assert_clean(folder);

    assert!(refused(&["draw", "work.epd", "--seed", "1"], folder, 1).contains("no usable capture"));
    let twice = refused(&["draw", "plain.tar", "./plain.tar", "--seed", "1"], folder, 2);
    assert!(twice.contains("different names"), "{twice}");
    refused(&["draw", "plain.tar", "--seed", "1", "--without", "colour"], folder, 2);
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
fn a_sweep_tells_layout_from_noise() {
    let own = own();
    let folder = own.path();
    let words = ["sweep", "counter.tar", "--positions", "work.epd", "--nodes", "2000", "--core", "0"];
    let small =
        ["--option", "Hash=2", "--draws", "3", "--rounds", "2", "--seed", "5", "--gain", "0.5", "-o", "out"];
    let text = told(&words.into_iter().chain(small).collect::<Vec<_>>(), folder);
    for needed in ["as linked", "layout 3", "Between layouts: sd", "differ by 0.5 % or more", "master seed 5"]
    {
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
    assert!(sweep("counter.tar", &["--core", "0", "--option", "Colour=1", "-o", "out"], 1).contains("Hash"));
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
}
