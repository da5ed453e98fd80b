//! Widened nets give every position the value of their input.

use std::sync::Arc;

use super::*;
use crate::nnue::testing::{STARTS, random_game, random_net};
use crate::nnue::{Evaluator, Simd, synth};
use crate::position::Position;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// The teacher's shape, but narrow.
fn narrow_teacher() -> Architecture {
    Architecture { width: 192, ..Architecture::T1536 }
}

fn synthetic() -> Arc<Network> {
    let folder = folder();
    let path = folder.path().join("in.net");
    let shape = Architecture { width: 128, ..Architecture::MAIN };
    synth::synthesise(&shape, 3, &path).unwrap();
    Network::load(&path).unwrap()
}

fn assert_same_values(a: &Arc<Network>, b: &Arc<Network>) {
    let (mut a, mut b) =
        (Evaluator::new(Arc::clone(a), Simd::best()), Evaluator::new(Arc::clone(b), Simd::best()));
    for (seed, fen) in STARTS.iter().enumerate() {
        for (_, position) in random_game(&Position::from_fen(fen).unwrap(), seed as u64, 100) {
            a.reset(&position);
            b.reset(&position);
            assert_eq!(a.evaluate(&position), b.evaluate(&position), "{}", position.to_fen());
        }
    }
}

#[test]
fn values_are_preserved_under_the_teachers_scale() {
    let (folder, input) = (folder(), synthetic());
    let path = folder.path().join("out.net");
    let shape = widen(&input, &narrow_teacher(), 5, &path).unwrap();
    assert_eq!(shape.output_scale, 138);
    let output = Network::load(&path).unwrap();
    assert_eq!(output.architecture(), &shape);
    assert_same_values(&input, &output);
}

#[test]
fn an_input_that_does_not_divide_keeps_its_scale() {
    let folder = folder();
    let input = random_net(&Architecture { width: 64, ..Architecture::MAIN }, 4);
    let path = folder.path().join("out.net");
    let shape = widen(&input, &narrow_teacher(), 5, &path).unwrap();
    assert_eq!(shape.output_scale, 153);
    assert_same_values(&input, &Network::load(&path).unwrap());
}

#[test]
fn threat_rows_look_like_a_teachers() {
    let (folder, input) = (folder(), synthetic());
    let path = folder.path().join("out.net");
    widen(&input, &narrow_teacher(), 5, &path).unwrap();
    let net = Network::load(&path).unwrap();
    let rows: &[i16] = bytemuck::cast_slice(net.section(Section::Threats));
    let rows: Vec<&[i16]> = rows.chunks_exact(192).collect();
    let zero = rows.iter().filter(|row| row.iter().all(|&value| value == 0)).count();
    assert_eq!(zero, THREAT_ROWS * 14 / 100);
    let large = rows.iter().filter(|row| row.iter().any(|&value| !(-127..=127).contains(&value))).count();
    let share = large as f64 / (THREAT_ROWS - zero) as f64;
    assert!((0.008..0.012).contains(&share), "{share}");
    assert!(rows.iter().all(|row| row[..128].iter().all(|&value| value == 0)));
    // Nothing goes out from the new columns.
    let weights: &[i16] = bytemuck::cast_slice(net.section(Section::Weights2));
    assert!(weights.chunks_exact(192).all(|view| view[128..].iter().all(|&weight| weight == 0)));
}

#[test]
fn one_seed_makes_one_file() {
    let (folder, input) = (folder(), synthetic());
    let file = |name: &str, seed| {
        let path = folder.path().join(name);
        widen(&input, &narrow_teacher(), seed, &path).unwrap();
        std::fs::read(path).unwrap()
    };
    let first = file("a", 7);
    assert!(first == file("b", 7));
    assert!(first != file("c", 8));
}

#[test]
fn misfits_are_refused_with_both_shapes() {
    let input = synthetic();
    let refused = |to: &Architecture| {
        let error = widen(&input, to, 1, Path::new("never-written")).unwrap_err().to_string();
        assert!(
            error.contains(&input.architecture().to_string()) && error.contains(&to.to_string()),
            "{error}"
        );
    };
    refused(&Architecture { width: 64, ..Architecture::T1536 });
    refused(&Architecture { width: 128, ..Architecture::T1536 });
    refused(&Architecture { king_buckets: 4, ..Architecture::T1536 });
    assert!(!Path::new("never-written").exists());
}

#[test]
fn a_failed_write_leaves_nothing() {
    let folder = folder();
    let missing = folder.path().join("no-such-folder").join("out.net");
    let error = widen(&synthetic(), &narrow_teacher(), 1, &missing).unwrap_err().to_string();
    assert!(error.contains(&missing.display().to_string()), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
