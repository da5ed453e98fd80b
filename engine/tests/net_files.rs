//! Net files that must be refused, each with what was expected and what was found.

#[path = "net_values/files.rs"]
mod files;

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use files::{Shape, save};
use tempo::nnue::{Loading, Network, Report};

const SHAPE: Shape = Shape { width: 64, buckets: 2, threats: 0, hidden2: 16, hidden3: 16, scale: 153 };

/// Saves `file` and returns why it is refused.
fn refusal(file: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = save(&folder, "refused.net", file);
    let message = Network::load(&path).unwrap_err().to_string();
    assert!(message.contains("refused.net"), "{message}");
    message
}

fn contains(message: &str, parts: &[&str]) {
    assert!(parts.iter().all(|&part| message.contains(part)), "{message}: expected {parts:?}");
}

fn with_number(position: usize, value: u32) -> Vec<u8> {
    let mut file = SHAPE.file(&SHAPE.random_payload(1));
    file[8 + 4 * position..][..4].copy_from_slice(&value.to_le_bytes());
    file
}

#[test]
fn a_good_file_loads() {
    let folder = tempfile::tempdir().unwrap();
    let file = SHAPE.file(&SHAPE.random_payload(1));
    let network = Network::load(&save(&folder, "good.net", &file)).unwrap();
    assert_eq!(network.file_bytes(), file.len());
    assert_eq!(network.payload_hash()[..], file[80..112]);
}

#[test]
fn missing_and_empty_files() {
    let message = Network::load(Path::new("no/such.net")).unwrap_err().to_string();
    contains(&message, &["no/such.net", "cannot read"]);
    contains(&refusal(b""), &["empty"]);
    contains(&refusal(b"TEMP"), &["magic", "expected \"TEMPONET\"", "found \"TEMP\""]);
    contains(&refusal(b"TEMPONET\x01\x00"), &["length", "expected 112", "found 10"]);
}

#[test]
fn wrong_header_fields() {
    let mut file = SHAPE.file(&SHAPE.random_payload(1));
    file[..8].copy_from_slice(b"NOTANET\0");
    contains(&refusal(&file), &["magic", "expected \"TEMPONET\"", "found \"NOTANET"]);
    contains(&refusal(&with_number(0, 2)), &["version", "expected 1", "found 2"]);
    contains(&refusal(&with_number(3, 1535)), &["piece rows", "expected 1536", "found 1535"]);
    contains(&refusal(&with_number(8, 127)), &["activation max", "expected 255", "found 127"]);
    contains(&refusal(&with_number(9, 6)), &["weight shift", "expected 14", "found 6"]);
}

#[test]
fn unsupported_shapes() {
    contains(&refusal(&with_number(1, 100)), &["width 100", "multiple of 64"]);
    contains(&refusal(&with_number(1, u32::MAX)), &["width 4294967295"]);
    contains(&refusal(&with_number(4, 1000)), &["1000 threat rows", "86808"]);
    contains(&refusal(&with_number(5, 8)), &["hidden 8 and 16", "[16, 32, 64]"]);
    contains(&refusal(&with_number(6, 128)), &["hidden 16 and 128", "[16, 32, 64]"]);
    let mut file = SHAPE.file(&SHAPE.random_payload(1));
    file[48 + 9] = 2;
    contains(&refusal(&file), &["king square 9", "bucket 2 of 2"]);
}

#[test]
fn wrong_length() {
    let mut file = SHAPE.file(&SHAPE.random_payload(1));
    let expected = format!("expected {} bytes", file.len());
    file.push(0);
    contains(&refusal(&file), &["length", &expected, &format!("found {}", file.len())]);
    file.truncate(file.len() - 2);
    contains(&refusal(&file), &["length", &expected, &format!("found {}", file.len())]);
}

#[test]
fn every_shorter_file() {
    let file = SHAPE.file(&SHAPE.random_payload(1));
    let ends = (1..=112).chain((113..file.len()).step_by(9973)).chain([file.len() - 1]);
    for end in ends {
        let expected = match end {
            ..8 => "expected \"TEMPONET\"".to_owned(),
            8..112 => "expected 112 bytes".to_owned(),
            _ => format!("expected {} bytes", file.len()),
        };
        let found = if end < 8 { "found \"" } else { &format!("found {end}") };
        contains(&refusal(&file[..end]), &[&expected, found]);
    }
}

#[test]
fn every_changed_bit_of_the_header() {
    let file = SHAPE.file(&SHAPE.random_payload(1));
    let folder = tempfile::tempdir().unwrap();
    for bit in 0..8 * 112 {
        let mut changed = file.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let loaded = Network::load(&save(&folder, "changed.net", &changed));
        // The hash is that of the payload: another output scale and another bucket that exists make another net.
        let another = match bit / 8 {
            36..40 => true,
            48..80 => changed[bit / 8] < 2,
            _ => false,
        };
        match loaded {
            Ok(network) => {
                assert!(another, "bit {bit}");
                assert_ne!(network.architecture(), good().architecture(), "bit {bit}");
            }
            Err(error) => {
                let message = error.to_string();
                assert!(!another || message.contains("overflow"), "bit {bit}: {message}");
                contains(&message, &["changed.net"]);
            }
        }
    }
}

fn good() -> Arc<Network> {
    let folder = tempfile::tempdir().unwrap();
    Network::load(&save(&folder, "good.net", &SHAPE.file(&SHAPE.random_payload(1)))).unwrap()
}

#[test]
fn changed_bits_of_the_payload() {
    let file = SHAPE.file(&SHAPE.random_payload(1));
    let last = 8 * file.len() - 1;
    let bits = [8 * 112, last - 7, last].into_iter().chain((8 * 113..last).step_by(15_013));
    for bit in bits {
        let mut changed = file.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        contains(&refusal(&changed), &["SHA-256 of the payload", "expected ", "(header), found "]);
    }
}

#[test]
fn foreign_files() {
    for start in [&b"\x7fELF\x02\x01\x01\0"[..], b"\x16\x2f\xf3\x7a", b"PK\x03\x04 and so on", &[0; 5000]] {
        contains(&refusal(start), &["expected ", "found "]);
    }
}

#[test]
#[cfg(unix)]
fn what_is_no_file_is_refused_without_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let inside = |name: &str| folder.path().join(name);
    let made = std::process::Command::new("mkfifo").arg(inside("pipe.net")).status().unwrap();
    assert!(made.success());
    std::os::unix::fs::symlink(inside("loop.net"), inside("loop.net")).unwrap();
    std::os::unix::fs::symlink(inside("pipe.net"), inside("link.net")).unwrap();
    let socket = std::os::unix::net::UnixListener::bind(inside("socket.net")).unwrap();
    std::fs::create_dir(inside("folder.net")).unwrap();
    for (path, found) in [
        (inside("pipe.net"), "expected a file, found a pipe"),
        (inside("link.net"), "expected a file, found a pipe"),
        (inside("folder.net"), "expected a file, found a directory"),
        (inside("loop.net"), "cannot read it"),
        (inside("socket.net"), "cannot read it"),
        (inside("folder.net/none.net"), "cannot read it"),
        (inside("pipe.net/below.net"), "cannot read it"),
        (inside(&"long".repeat(1000)), "cannot read it"),
        ("/dev/zero".into(), "expected a file, found a device"),
        ("/dev/null".into(), "expected a file, found a device"),
    ] {
        let message = Network::load(&path).unwrap_err().to_string();
        contains(&message, &[&format!("net {}: ", path.display()), found]);
    }
    drop(socket);
    let forbidden = save(&folder, "forbidden.net", b"TEMPONET");
    let nobody = std::os::unix::fs::PermissionsExt::from_mode(0o000);
    std::fs::set_permissions(&forbidden, nobody).unwrap();
    // To the superuser nothing is forbidden.
    if std::fs::File::open(&forbidden).is_err() {
        contains(&Network::load(&forbidden).unwrap_err().to_string(), &["forbidden.net", "cannot read it"]);
    }
}

/// A net of zeros so large that its load is reported.
const LARGE: Shape = Shape { width: 320, buckets: 1, threats: 86_808, hidden2: 16, hidden3: 16, scale: 153 };

/// Does something in the middle of a load.
struct Meanwhile<F>(Mutex<Vec<usize>>, F);

impl<F: Fn() + Sync> Report for Meanwhile<F> {
    fn every(&self) -> usize {
        25
    }

    fn tell(&self, percent: usize) {
        self.0.lock().unwrap().push(percent);
        if percent == 25 {
            (self.1)();
        }
    }
}

#[test]
fn what_becomes_of_a_file_while_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let payload = vec![0; 2 * (768 + 86_808 + 1 + 32) * 320 + 16 * 4 + 2 * 16 * 16 + 16 * 4 + 2 * 16 + 4];
    let file = LARGE.file(&payload);
    let load = |meanwhile: &(dyn Fn(&Path) + Sync)| {
        let path = save(&folder, "large.net", &file);
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        OpenOptions::new().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
        let report = Meanwhile(Mutex::default(), || meanwhile(&path));
        let loading = Loading { report: &report, ..Loading::default() };
        let loaded = Network::load_as(&path, &loading).map_err(|error| error.to_string());
        assert_eq!(*report.0.lock().unwrap(), [25, 50, 75]);
        loaded
    };
    let open = |path: &Path| OpenOptions::new().write(true).open(path).unwrap();

    load(&|_| ()).unwrap();

    let truncated = load(&|path| open(path).set_len(1 << 20).unwrap()).unwrap_err();
    let expected = format!("expected {} bytes last modified at 1000000000.000000000", file.len());
    contains(&truncated, &["large.net", "written to after it was opened", &expected, "found 1048576 bytes"]);

    let emptied = load(&|path| open(path).set_len(0).unwrap()).unwrap_err();
    contains(&emptied, &["written to after it was opened", &expected, "found 0 bytes"]);

    let written = load(&|path| open(path).write_all_at(b"x", 5_000_000).unwrap()).unwrap_err();
    contains(
        &written,
        &["written to after it was opened", &expected, &format!("found {} bytes", file.len())],
    );

    let grown = load(&|path| open(path).set_len(file.len() as u64 + 1).unwrap()).unwrap_err();
    contains(&grown, &["written to after it was opened", &format!("found {} bytes", file.len() + 1)]);

    // The old file is still there until nobody reads it any more.
    load(&|path| std::fs::remove_file(path).unwrap()).unwrap();
    load(&|path| {
        let other = save(&folder, "other.net", b"not a net");
        std::fs::rename(other, path).unwrap();
    })
    .unwrap();
}
