//! Net files that must be refused, each with what was expected and what was found.

#[path = "net_values/files.rs"]
mod files;

use std::path::Path;

use files::{Shape, save};
use tempo::nnue::Network;

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
fn one_changed_bit() {
    let mut file = SHAPE.file(&SHAPE.random_payload(1));
    let last = file.len() - 1;
    file[last] ^= 1;
    contains(&refusal(&file), &["SHA-256", "expected", "found"]);
}

/// Payload of zeros with 16-bit values set at places counted in 16-bit values.
fn payload(values: impl IntoIterator<Item = (usize, i16)>) -> Vec<u8> {
    let mut payload = vec![0; SHAPE.random_payload(1).len()];
    for (at, value) in values {
        payload[2 * at..][..2].copy_from_slice(&value.to_le_bytes());
    }
    payload
}

fn loads(payload: &[u8]) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let path = save(&folder, "edge.net", &SHAPE.file(payload));
    Network::load(&path).map(drop).map_err(|error| error.to_string())
}

#[test]
fn the_accumulator_bound_is_exact() {
    // Fifteen own queens of 2,184 and fifteen enemy ones of −2,184 leave 15 of 65,535 to the own king.
    let rows = |king: i16| {
        let at = |piece: usize, square: usize| (piece * 64 + square) * 64 + 7;
        let queens = (0..64).flat_map(move |square| [(at(4, square), 2184), (at(10, square), -2184)]);
        // One king square of bucket 0, so that the king's bounds lie `king` apart.
        queens.chain([(at(5, 0), king)])
    };
    loads(&payload(rows(15))).unwrap();
    let message = loads(&payload(rows(16))).unwrap_err();
    contains(&message, &["piece accumulator, neuron 7", "65535", "-32760 to 32776"]);
}

#[test]
fn the_layer_bounds_are_exact() {
    let start = 2 * 768 * 64 + 64;
    let bias = start + 16 * 128;
    // 128 weights of 32,767 reach 1,069,514,880; the bias adds up to 32 bits.
    let with_bias = |bias2: i32| {
        let mut payload = payload((start..start + 128).map(|at| (at, 32_767)));
        payload[2 * bias..][..4].copy_from_slice(&bias2.to_le_bytes());
        payload
    };
    let edge = i32::MAX - 128 * 32_767 * 255;
    loads(&with_bias(edge)).unwrap();
    contains(&loads(&with_bias(edge + 1)).unwrap_err(), &["layer 2, neuron 0", "2147483648"]);
}
