//! Nets of the shape HalfKP 256x2-32-32: values, refused files, and the program's commands with them.

mod files;
mod reference;
#[path = "../starts/mod.rs"]
mod starts;
#[path = "../targeted/mod.rs"]
mod targeted;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use files::File;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use starts::STARTS;
use targeted::Kind;
use tempfile::TempDir;
use tempo::nnue::{Evaluator, Net, Simd};
use tempo::position::{Color, Position};

impl File {
    /// Sets one weight of the first layer.
    fn set(&mut self, row: usize, neuron: usize, value: i16) {
        self.rows[row * 256 + neuron] = value;
    }
}

/// Writes a file that lives as long as the folder.
fn save(folder: &TempDir, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join("test.nnue");
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The values of `fens` on every path.
fn values(file: &File, fens: &[&str]) -> Vec<i32> {
    let folder = tempfile::tempdir().unwrap();
    let net = Net::load(&save(&folder, &file.bytes())).unwrap();
    let simds = Simd::ALL.into_iter().filter(|simd| simd.is_available());
    let all: Vec<Vec<i32>> = simds
        .map(|simd| {
            let mut evaluator = Evaluator::new(net.clone(), simd);
            let value = |fen: &&str| {
                let position = Position::from_fen(fen).unwrap();
                evaluator.reset(&position);
                evaluator.evaluate(&position)
            };
            fens.iter().map(value).collect()
        })
        .collect();
    assert!(all.iter().all(|values| *values == all[0]), "{all:?}");
    all[0].clone()
}

#[test]
fn the_output_is_divided_toward_zero() {
    let mut file = File::zeros();
    for (bias, wanted) in [(1000, 62), (-1000, -62), (15, 0), (-15, 0), (-16, -1)] {
        file.output_bias = bias;
        assert_eq!(values(&file, &STARTS[..1]), [wanted], "{bias}");
    }
}

#[test]
fn a_value_by_hand() {
    let white = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let black = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    let mut file = File::zeros();
    // White: king e1 = 4, own pawn on e2 = 12. Black, turned round: king 63 − 60, enemy pawn on 63 − 12.
    file.set(641 * 4 + 1 + 12, 0, 10);
    file.set(641 * 3 + 65 + 51, 1, 20);
    // Outputs 0 and 1 see neuron 0 of the side to move and neuron 1 of the other.
    file.hidden[0].1[0] = 64;
    file.hidden[0].1[512 + 256 + 1] = 32;
    file.hidden[1].1[0] = 64;
    file.hidden[1].1[32 + 1] = 127;
    file.output[0] = 16;
    file.output[1] = -32;
    // 64 · 10 >> 6 = 10 and 32 · 20 >> 6 = 10, then 10 and 127 · 10 >> 6 = 19: (160 − 608) / 16.
    // With Black to move neither of the two is where it is looked for.
    assert_eq!(values(&file, &[white, black]), [-28, 0]);
    // Halves of the hidden sums are lost downwards, and sums below zero are zero.
    file.hidden[0].0[0] = 63;
    file.hidden[0].0[1] = -641;
    assert_eq!(values(&file, &[white]), [10]);
    file.hidden[0].0[0] = 64;
    assert_eq!(values(&file, &[white]), [11]);
    // Activations end at 127.
    file.set(641 * 4 + 1 + 12, 0, 128);
    assert_eq!(values(&file, &[white]), [127]);
}

#[test]
fn sums_of_the_first_layer_wrap() {
    let fen = "4k3/8/8/8/8/8/4PP2/4K3 w - - 0 1";
    let mut file = File::zeros();
    file.set(641 * 4 + 1 + 12, 5, 30_000);
    file.set(641 * 4 + 1 + 13, 5, 30_000);
    file.hidden[0].1[5] = 64;
    file.hidden[1].1[0] = 64;
    file.output[0] = 16;
    assert_eq!(values(&file, &[fen, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]), [0, 127]);
    // 60,000 + 5,636 = 65,636 is 100 in 16 bits.
    file.bias[5] = 5_636;
    assert_eq!(values(&file, &[fen]), [100]);
}

#[test]
fn random_games_have_the_values_of_the_reference() {
    let folder = tempfile::tempdir().unwrap();
    let (mut compared, mut met) = (0, HashSet::new());
    for seed in 0..2 {
        let file = File::random(seed);
        let net = Net::load(&save(&folder, &file.bytes())).unwrap();
        let simds = Simd::ALL.into_iter().filter(|simd| simd.is_available());
        let mut evaluators: Vec<Evaluator> = simds.map(|simd| Evaluator::new(net.clone(), simd)).collect();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for fen in STARTS.iter().cycle().take(2 * STARTS.len()) {
            let mut position = Position::from_fen(fen).unwrap();
            evaluators.iter_mut().for_each(|evaluator| evaluator.reset(&position));
            for ply in 0..100 {
                if ply == 0 || random.next_u32() % 3 != 0 {
                    compared += 1;
                    let wanted = reference::value(&file, &position);
                    met.insert(wanted);
                    for evaluator in &mut evaluators {
                        let found = i64::from(evaluator.evaluate(&position));
                        assert_eq!(found, wanted, "{} on {}", evaluator.simd(), position.to_fen());
                    }
                }
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let played = moves[random.next_u32() as usize % moves.len()];
                position = position.make(played);
                evaluators.iter_mut().for_each(|evaluator| evaluator.push(&position, played));
            }
        }
    }
    // A net that always shows the same value would prove nothing.
    assert!(compared > 1000 && met.len() > compared / 4, "{} values of {compared} positions", met.len());
}

#[test]
fn targeted_lines_have_the_values_of_the_reference() {
    let folder = tempfile::tempdir().unwrap();
    let file = File::random(2);
    let net = Net::load(&save(&folder, &file.bytes())).unwrap();
    for simd in Simd::ALL.into_iter().filter(|simd| simd.is_available()) {
        let mut evaluator = Evaluator::new(net.clone(), simd);
        for (Kind { name, lines }, looks_in_between) in
            targeted::kinds().iter().flat_map(|kind| [(kind, true), (kind, false)])
        {
            for line in lines {
                // No value of an earlier line is remembered.
                evaluator.clear();
                evaluator.reset(&line.start);
                for (index, position) in line.positions().iter().enumerate() {
                    if index > 0 {
                        evaluator.push(position, line.moves[index - 1]);
                    }
                    if looks_in_between || index == line.moves.len() {
                        let (found, wanted) =
                            (i64::from(evaluator.evaluate(position)), reference::value(&file, position));
                        assert_eq!(found, wanted, "{simd}, {name}: {}", position.to_fen());
                    }
                }
            }
        }
    }
}

#[test]
fn rows_of_the_start_position() {
    let start = Position::start();
    for (color, king) in [(Color::White, 4), (Color::Black, 3)] {
        let rows = reference::rows(&start, color);
        assert_eq!((rows.len(), rows.iter().min()), (30, Some(&(641 * king + 1 + 8))));
        // The enemy queen on d8 or, turned round, on e8.
        assert!(rows.contains(&(641 * king + 577 + if color == Color::White { 59 } else { 60 })));
    }
}

/// Why a file of these bytes is refused.
fn refusal(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let message = Net::load(&save(&folder, bytes)).unwrap_err().to_string();
    assert!(message.contains("test.nnue"), "{message}");
    message
}

fn contains(message: &str, parts: &[&str]) {
    assert!(parts.iter().all(|&part| message.contains(part)), "{message}: expected {parts:?}");
}

#[test]
fn wrong_words_are_refused() {
    for (at, field) in
        ["version word", "of the shape", "of the first layer", "of the later layers"].iter().enumerate()
    {
        let mut file = File::zeros();
        let good = file.words[at];
        file.words[at] ^= 0x36;
        let (expected, found) = (format!("expected {good:#010X}"), format!("found {:#010X}", good ^ 0x36));
        contains(&refusal(&file.bytes()), &[field, &expected, &found]);
    }
}

#[test]
fn wrong_lengths_are_refused() {
    let good = File::zeros().bytes();
    let expected = format!("expected {} bytes", good.len());
    for (bytes, found) in [
        ([&good[..], &[0]].concat(), good.len() + 1),
        (good[..good.len() - 1].to_vec(), good.len() - 1),
        (good[..1000].to_vec(), 1000),
        (good[..12].to_vec(), 12),
    ] {
        contains(&refusal(&bytes), &["length", &expected, &format!("found {found}")]);
    }
    contains(&refusal(&good[..11]), &["length", "expected 21022520 bytes", "found 11"]);
    contains(&refusal(&good[..3]), &["magic", "expected \"TEMPONET\""]);
    // A description that nobody would read.
    for described in [1 + (1 << 16), u32::MAX] {
        let file = File { described: Some(described), ..File::zeros() };
        let found = format!("found {described}");
        contains(
            &refusal(&file.bytes()),
            &["length of the description", "expected at most 65536 bytes", &found],
        );
    }
    let file = File { described: Some(1 << 16), ..File::zeros() };
    contains(&refusal(&file.bytes()), &["wrong length: expected 21088056 bytes"]);
}

#[test]
fn sums_that_could_overflow_are_refused_up_to_the_last_value() {
    let loads = |file: &File| {
        let folder = tempfile::tempdir().unwrap();
        Net::load(&save(&folder, &file.bytes())).map(drop).map_err(|error| error.to_string())
    };
    let mut file = File::zeros();
    file.hidden[0].1[512..1024].fill(-128);
    file.hidden[0].0[1] = i32::MIN + 512 * 127 * 128;
    file.hidden[1].1[32 * 31..].fill(127);
    file.hidden[1].0[31] = i32::MAX - 32 * 127 * 127;
    file.output[3] = -1;
    file.output_bias = i32::MIN + 127;
    loads(&file).unwrap();
    file.hidden[0].0[1] -= 1;
    contains(&loads(&file).unwrap_err(), &["hidden layer 1, neuron 1:", "-2147483649"]);
    file.hidden[0].0[1] += 1;
    file.hidden[1].0[31] += 1;
    contains(&loads(&file).unwrap_err(), &["hidden layer 2, neuron 31:", "2147483648"]);
    file.hidden[1].0[31] -= 1;
    file.output_bias -= 1;
    contains(&loads(&file).unwrap_err(), &["the output layer:", "-2147483649"]);
}

#[test]
fn any_description_will_do() {
    let file = File { description: vec![0xFF, b'\n', b'x'], output_bias: 160, ..File::zeros() };
    assert_eq!(values(&file, &STARTS[..1]), [10]);
    let file = File { description: Vec::new(), ..file };
    assert_eq!(values(&file, &STARTS[..1]), [10]);
}

fn engine(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_engine")).args(arguments).output().unwrap()
}

/// The output of a run that must succeed.
fn lines(arguments: &[&str]) -> Vec<String> {
    let output = engine(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn the_program_makes_shows_and_searches_with_such_a_net() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.nnue");
    let file = path.to_str().unwrap();
    assert!(lines(&["nets", "synth", "--arch", "halfkp", "--seed", "3", "-o", file]).is_empty());
    let info = lines(&["nets", "info", file]);
    for line in
        ["name        halfkp", "bytes       21022697", "shape       width 256, 41024 rows, hidden 32 and 32"]
    {
        assert!(info.iter().any(|found| found == line), "{line}: {info:#?}");
    }
    let option = format!("setoption name EvalFile value {file}");
    let net_value = |path: &Path| {
        let start = Position::start();
        let mut evaluator = Evaluator::new(Net::load(path).unwrap(), Simd::Scalar);
        evaluator.reset(&start);
        evaluator.evaluate(&start)
    };
    let net = net_value(&path);
    let scaled = tempo::nnue::scaled(net, &Position::start());
    let search = |simd: &str| {
        let simd = format!("setoption name SIMD value {simd}");
        let found = lines(&[
            &option,
            &simd,
            "eval",
            "bench nodes 500",
            "setoption name Table Layout value 7",
            "eval",
        ]);
        let eval = format!("eval net {net} scaled {scaled}");
        assert!(found.first() == Some(&eval) && found.last() == Some(&eval), "{found:#?}");
        let counts = found.iter().filter(|line| line.contains(" nodes  ")).cloned();
        counts.collect::<Vec<String>>()
    };
    let wanted = search("scalar");
    assert_eq!(wanted.len(), 50);
    for simd in Simd::ALL.into_iter().filter(|simd| simd.is_available()) {
        assert_eq!(search(&simd.to_string()), wanted, "{simd}");
    }
    // Another net than the embedded one is searched.
    let embedded: Vec<String> =
        lines(&["bench nodes 500"]).into_iter().filter(|line| line.contains(" nodes  ")).collect();
    assert_ne!(embedded, wanted);
}

#[test]
fn a_refused_file_leaves_the_net_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let file = save(&folder, &File { words: [0x7AF3_2F20, 0, 0, 0], ..File::zeros() }.bytes());
    let output = engine(&[&format!("setoption name EvalFile value {}", file.display()), "eval"]);
    let message = String::from_utf8(output.stderr).unwrap();
    contains(&message, &["test.nnue", "expected 0x7AF32F16", "found 0x7AF32F20", "keeping the net in use"]);
    assert_eq!(output.status.code(), Some(1));
}
