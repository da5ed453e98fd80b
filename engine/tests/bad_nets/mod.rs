//! Bad nets through the protocol: one message each, and the engine goes on with the net it had.

#[path = "../net_values/files.rs"]
mod files;

use std::fs::{self, OpenOptions};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, SystemTime};

use files::{Shape, save};
use tempfile::TempDir;

use crate::controller::{Controller, ENGINE, nodes};

const SHAPE: Shape = Shape { width: 64, buckets: 2, threats: 0, hidden2: 16, hidden3: 16, scale: 153 };
/// Large enough for its load to be reported.
const LARGE: Shape = Shape { width: 320, buckets: 1, threats: 86_808, ..SHAPE };
const MIDDLEGAME: &str = "position fen r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";

/// A large net of zeros, whatever is in its hash.
fn large() -> Vec<u8> {
    LARGE.file(&vec![0; 2 * (768 + 86_808 + 1 + 32) * 320 + 16 * 4 + 2 * 16 * 16 + 16 * 4 + 2 * 16 + 4])
}

/// Files that are refused, with their own words.
fn bad(folder: &TempDir) -> Vec<(PathBuf, &'static str)> {
    let good = SHAPE.file(&SHAPE.random_payload(1));
    let changed = |at: usize, value: u8| {
        let mut file = good.clone();
        file[at] = value;
        file
    };
    let flipped = |at: usize| changed(at, good[at] ^ 0x10);
    let mut overflowing = SHAPE.random_payload(1);
    // The first neuron of layer 2: its bias, and weights as far as they go.
    let weights = 2 * (2 * 768 + 1) * 64;
    overflowing[weights..weights + 256].copy_from_slice(&[0xff, 0x7f].repeat(128));
    overflowing[weights + 2 * 16 * 128..][..4].copy_from_slice(&i32::MAX.to_le_bytes());
    let trailing = [&good[..], b"\n"].concat();
    let files: [(&str, &[u8], &str); 21] = [
        ("empty", b"", "expected a net, found an empty file"),
        ("short", &good[..7], "expected \"TEMPONET\", found \"TEMPONE\""),
        ("header", &good[..100], "expected 112 bytes, found 100"),
        ("truncated", &good[..good.len() - 1], "wrong length: expected "),
        ("trailing", &trailing, "wrong length: expected "),
        ("text", b"# A net, or so they say\n", "wrong magic: expected \"TEMPONET\", found \"# A net,"),
        ("magic", &changed(7, b'X'), "wrong magic: expected \"TEMPONET\", found \"TEMPONEX\""),
        ("version", &changed(8, 2), "wrong format version: expected 1, found 2"),
        ("width", &changed(12, 65), "width must be a multiple of 64"),
        ("buckets", &changed(16, 3), "wrong piece rows in the header: expected 2304, found 1536"),
        ("rows", &changed(20, 1), "wrong piece rows in the header: expected 1536, found 1537"),
        ("threats", &changed(24, 1), "threat rows must be 0 or 86808"),
        ("hidden2", &changed(28, 17), "hidden 2 must be one of [16, 32, 64]"),
        ("hidden3", &changed(32, 48), "hidden 3 must be one of [16, 32, 64]"),
        ("scale", &changed(39, 0xff), "possible overflow in the net value: expected "),
        ("activation", &changed(40, 127), "wrong activation max in the header: expected 255, found 127"),
        ("shift", &changed(44, 6), "wrong weight shift in the header: expected 14, found 6"),
        ("map", &changed(50, 2), "bucket 2 of 2"),
        ("hash", &flipped(90), "wrong SHA-256 of the payload: expected "),
        ("payload", &flipped(40_000), "wrong SHA-256 of the payload: expected "),
        ("overflow", &SHAPE.file(&overflowing), "possible overflow in layer 2, neuron 0: expected "),
    ];
    let mut bad: Vec<(PathBuf, &str)> = files
        .into_iter()
        .map(|(name, file, words)| (save(folder, &format!("{name}.net"), file), words))
        .collect();
    bad.push((save(folder, "last byte.net", &flipped(good.len() - 1)), "wrong SHA-256 of the payload"));
    let pipe = folder.path().join("pipe.net");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    bad.push((pipe, "expected a file, found a pipe"));
    bad.push((folder.path().to_owned(), "expected a file, found a directory"));
    bad.push(("/dev/zero".into(), "expected a file, found a device"));
    bad.push((folder.path().join("none.net"), "cannot read it"));
    bad
}

/// The engine's answers to what does not change it: the value, and a search from nothing.
fn state(engine: &mut Controller) -> (String, Vec<String>) {
    engine.send("isready");
    assert_eq!(engine.line(), "readyok");
    engine.send("ucinewgame");
    engine.send(MIDDLEGAME);
    engine.send("eval");
    let value = engine.line();
    assert!(value.starts_with("eval net "), "{value}");
    engine.send("go nodes 100");
    let lines = engine.search();
    assert_eq!(nodes(&lines), 100);
    (value, lines[lines.len() - 1..].to_vec())
}

fn take(engine: &mut Controller, path: &Path) {
    engine.send(&format!("setoption name EvalFile value {}", path.display()));
}

/// The one line that refuses a net.
fn refusal(engine: &mut Controller, path: &Path, words: &str) {
    take(engine, path);
    let line = engine.line();
    let start = format!("info string EvalFile: net {}: ", path.display());
    let kept = "; keeping the net in use";
    assert!(line.starts_with(&start) && line.contains(words) && line.ends_with(kept), "{line}");
}

#[test]
fn every_bad_net_leaves_the_one_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let bad = bad(&folder);
    let good = save(&folder, "good.net", &SHAPE.file(&SHAPE.random_payload(1)));
    let mut engine = Controller::start();
    let embedded = state(&mut engine);
    for (path, words) in &bad {
        refusal(&mut engine, path, words);
        assert_eq!(state(&mut engine), embedded, "{}", path.display());
    }
    take(&mut engine, &good);
    let other = state(&mut engine);
    assert_ne!(other.0, embedded.0);
    for (path, words) in &bad {
        refusal(&mut engine, path, words);
        assert_eq!(state(&mut engine), other, "{}", path.display());
    }
    engine.send("setoption name EvalFile value <embedded>");
    assert_eq!(state(&mut engine), embedded);
}

#[test]
fn a_bad_net_before_anything_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = Controller::start();
    let (path, words) = &bad(&folder)[1];
    refusal(&mut engine, path, words);
    assert_eq!(state(&mut engine), state(&mut Controller::start()));
}

#[test]
fn a_file_that_changes_after_its_load_is_told_once_and_has_no_effect() {
    let folder = tempfile::tempdir().unwrap();
    for shape in [SHAPE, Shape { threats: 86_808, ..SHAPE }] {
        let path = save(&folder, "net.net", &shape.file(&shape.random_payload(3)));
        let mut engine = Controller::start();
        take(&mut engine, &path);
        let before = state(&mut engine);
        OpenOptions::new().write(true).open(&path).unwrap().set_len(5000).unwrap();
        engine.send("eval");
        let line = engine.line();
        for part in [
            &format!("info string EvalFile: net {}: it was written to after it was opened", path.display()),
            "expected ",
            "found 5000 bytes",
            "keeping the net in use",
        ] {
            assert!(line.contains(part), "{line}");
        }
        assert_eq!(engine.line(), before.0);
        assert_eq!(state(&mut engine), before);
        // Whatever would read it again is refused.
        for command in ["setoption name Table Layout value 7", "setoption name Check Net"] {
            engine.send(command);
            let line = engine.line();
            assert!(line.contains("wrong length") && line.contains("keeping the net in use"), "{line}");
            assert_eq!(state(&mut engine), before);
        }
        fs::remove_file(&path).unwrap();
        assert_eq!(state(&mut engine), before);
        engine.send("setoption name Check Net");
        assert!(engine.line().contains("cannot read it"));
        assert_eq!(state(&mut engine), before);
    }
}

#[test]
fn a_file_that_is_replaced_is_another_net() {
    let folder = tempfile::tempdir().unwrap();
    let path = save(&folder, "net.net", &SHAPE.file(&SHAPE.random_payload(3)));
    let mut engine = Controller::start();
    take(&mut engine, &path);
    let before = state(&mut engine);
    engine.send("setoption name Check Net");
    let line = engine.line();
    assert!(line.starts_with(&format!("info string net {}: SHA-256 ", path.display())), "{line}");
    let other = save(&folder, "other.net", &SHAPE.file(&SHAPE.random_payload(4)));
    fs::rename(other, &path).unwrap();
    // The old file lives on as long as it is in use.
    assert_eq!(state(&mut engine), before);
    for command in ["setoption name Check Net", "setoption name Table Layout value 7"] {
        engine.send(command);
        let line = engine.line();
        for part in
            ["it is another net now: expected that in use, SHA-256 ", "; set EvalFile again", "keeping"]
        {
            assert!(line.contains(part), "{line}");
        }
        assert_eq!(state(&mut engine), before);
    }
    take(&mut engine, &path);
    assert_ne!(state(&mut engine).0, before.0);
    engine.send("setoption name Check Net");
    assert!(engine.line().contains("found, as expected"));
}

#[test]
fn a_halfkp_file_is_watched_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, seed: &str| {
        let path = folder.path().join(name);
        let mut made = Command::new(ENGINE);
        made.args(["nets", "synth", "--arch", "halfkp", "--seed", seed, "-o"]).arg(&path);
        assert!(made.status().unwrap().success());
        path
    };
    let (path, other) = (file("net.nnue", "1"), file("other.nnue", "2"));
    let mut engine = Controller::start();
    let embedded = state(&mut engine);
    take(&mut engine, &path);
    let before = state(&mut engine);
    assert_ne!(before.0, embedded.0);
    engine.send("setoption name Check Net");
    assert!(engine.line().ends_with("found, as expected"));
    fs::rename(other, &path).unwrap();
    for command in ["setoption name Check Net", "setoption name Table Layout value 7"] {
        engine.send(command);
        let line = engine.line();
        assert!(line.contains("it is another net now: expected that in use, SHA-256 "), "{line}");
        assert_eq!(state(&mut engine), before);
    }
    take(&mut engine, &path);
    let second = state(&mut engine);
    assert_ne!(second.0, before.0);
    OpenOptions::new().write(true).open(&path).unwrap().set_len(5000).unwrap();
    engine.send("eval");
    let line = engine.line();
    assert!(
        line.contains("it was written to after it was opened") && line.contains("found 5000 bytes"),
        "{line}"
    );
    assert_eq!(engine.line(), second.0);
    refusal(&mut engine, &path, "wrong length: expected ");
    assert_eq!(state(&mut engine), second);
}

#[test]
fn the_embedded_net_can_be_checked() {
    let mut engine = Controller::start();
    engine.send("setoption name Check Net");
    let line = engine.line();
    assert!(
        line.starts_with("info string net <embedded>: SHA-256 ") && line.ends_with(" found, as expected")
    );
}

#[test]
fn a_large_net_is_reported_in_quarters() {
    let folder = tempfile::tempdir().unwrap();
    let path = save(&folder, "large.net", &large());
    let mut engine = Controller::start();
    for (command, what) in [
        (format!("setoption name EvalFile value {}", path.display()), "loading"),
        ("setoption name Check Net".into(), "checking"),
    ] {
        engine.send(&command);
        for percent in [25, 50, 75] {
            assert_eq!(engine.line(), format!("info string net {}: {what}, {percent} %", path.display()));
        }
    }
    assert!(engine.line().contains("found, as expected"));
}

/// The engine with at most so many kilobytes of addresses.
fn limited(kilobytes: u64) -> Controller {
    let script = format!("ulimit -v {kilobytes}; exec \"$0\"");
    Controller::start_by(Command::new("sh").args(["-c", &script, ENGINE]).env("XDG_CACHE_HOME", "/dev/null"))
}

/// Kilobytes of addresses that the engine has when it is ready.
fn addresses() -> u64 {
    let mut engine = Controller::start();
    engine.send("isready");
    engine.until("readyok");
    let status = fs::read_to_string(format!("/proc/{}/status", engine.id())).unwrap();
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:")).unwrap();
    size.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn too_little_memory_for_a_net() {
    let folder = tempfile::tempdir().unwrap();
    let path = save(&folder, "large.net", &large());
    let ready = addresses();
    let (mut refused, mut loaded) = (0, 0);
    // From enough for the embedded net to enough for the file, its tables, and threads.
    for more in (16..800).step_by(8) {
        let mut engine = limited(ready + more * 1024);
        let before = state(&mut engine);
        take(&mut engine, &path);
        engine.send("eval");
        let lines = engine.until("eval net ");
        match lines.iter().find(|line| line.starts_with("info string EvalFile: ")) {
            Some(line) => {
                refused += 1;
                for part in
                    ["large.net: not enough memory: expected ", " bytes for it, found ", "keeping the net"]
                {
                    assert!(line.contains(part), "{more} MB: {line}");
                }
                assert_eq!(state(&mut engine), before, "{more} MB");
            }
            None => {
                loaded += 1;
                assert_eq!(state(&mut engine).0, "eval net 0 scaled 0", "{more} MB");
            }
        }
        if loaded == 3 {
            break;
        }
    }
    assert!(refused >= 3 && loaded == 3, "{refused} refused, {loaded} loaded");
}

#[test]
fn too_little_memory_for_anything() {
    let mut told = 0;
    // With a half of the least not even a process comes about.
    for kilobytes in (24 << 10..addresses()).step_by(4 << 10) {
        let mut engine = limited(kilobytes);
        engine.send("isready");
        assert_eq!(engine.line(), "readyok", "{kilobytes} KB");
        engine.send("d");
        told += engine.until("Key: ").iter().filter(|line| line.contains("memory")).count();
    }
    assert!(told > 0);
}

/// Runs `engine nets info`, with checks remembered in `caches`.
fn info(caches: &Path, arguments: &[&str]) -> (String, String) {
    let output = Command::new(ENGINE)
        .args(["nets", "info"])
        .args(arguments)
        .env("XDG_CACHE_HOME", caches)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn a_hash_is_computed_once_for_a_state_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = save(&folder, "net.net", &SHAPE.file(&SHAPE.random_payload(5)));
    let file = path.to_str().unwrap();
    let caches = folder.path().join("caches");
    let checked = |arguments: &[&str]| {
        let (out, complaint) = info(&caches, arguments);
        assert_eq!(complaint, "");
        out.lines().find_map(|line| line.strip_prefix("checked     ")).unwrap().to_owned()
    };
    // Of a file that was written a moment ago nothing is remembered: its times can't tell the next change.
    assert_eq!(checked(&[file]), "now");
    let age = |path: &Path| {
        let changed = Duration::from_secs(fs::metadata(path).unwrap().ctime() as u64);
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH + changed).unwrap_or_default()
    };
    while age(&path) < Duration::from_secs(5) {
        thread::sleep(Duration::from_millis(100));
    }
    let before = "earlier; the file's state is the same";
    assert_eq!([checked(&[file]), checked(&[file]), checked(&[file])], ["now", before, before]);
    assert_eq!([checked(&[file, "--check"]), checked(&[file])], ["now", before]);

    // Another program of the same user relies on it too, and Check Net does not.
    let mut engine = Controller::start_by(Command::new(ENGINE).env("XDG_CACHE_HOME", &caches));
    take(&mut engine, &path);
    engine.send("setoption name Check Net");
    assert!(engine.line().ends_with("found, as expected"));

    // The same size and time of modification, but another byte.
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    let writer = OpenOptions::new().write(true).open(&path).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&writer, b"\x55\xaa\x55", 30_000).unwrap();
    writer.set_modified(modified).unwrap();
    let (_, complaint) = info(&caches, &[file]);
    assert!(complaint.contains("wrong SHA-256 of the payload"), "{complaint}");
}
