//! A synthetic net of this shape that plays sensible chess.
//!
//! | neurons of a view | activation |
//! |---|---|
//! | 32 steps | `clamp(u + 2032 − 127 j)`, u in units of 2 cp: half of Σ end(own) − Σ end(enemy), and what the own king's square is worth while enemy pieces are on the board |
//! | all others | seeded noise, about a third of them active, worth a few centipawns together |
//!
//! The first hidden layer sees the steps of both views and weighs them into E, in centipawns; 16 of its neurons show one
//! window of E each, narrow ones around equality and wide ones outside, the others noise. The second copies the windows,
//! the widest twice, and the output adds them up.

use std::io::{BufWriter, Write};
use std::path::Path;

use bytemuck::Zeroable;

use super::file::{FIRST_LAYER, LATER_LAYERS, SHAPE, VERSION};
use super::{ACTIVATION_MAX, HIDDEN, INPUTS, ROWS_PER_KING, Row, WIDTH};
use crate::nnue::noise::Noise;
use crate::nnue::synth::evaluation::{FULL_PHASE, PHASE, TEMPO, end, middle_minus_end};
use crate::nnue::writer::{WriteError, write_file};

/// The text that the nets of this shape were published with.
const DESCRIPTION: &str = "Features=HalfKP(Friend)[41024->256x2],Network=AffineTransform[1<-32](ClippedReLU[32]\
    (AffineTransform[32<-32](ClippedReLU[32](AffineTransform[32<-512](InputSlice[512(0:512)])))))";

const STEPS: usize = 32;
const STEP: i32 = ACTIVATION_MAX as i32;
/// One of a hidden weight.
const ONE: i32 = 64;

/// Windows of E as (start, width, copies in the second hidden layer); widths are 127 times a power of two.
const WINDOWS: [(i32, i32, usize); 16] = [
    (-4064, 1016, 2),
    (-3048, 1016, 2),
    (-2032, 1016, 2),
    (-1016, 508, 1),
    (-508, 127, 1),
    (-381, 127, 1),
    (-254, 127, 1),
    (-127, 127, 1),
    (0, 127, 1),
    (127, 127, 1),
    (254, 127, 1),
    (381, 127, 1),
    (508, 508, 1),
    (1016, 1016, 2),
    (2032, 1016, 2),
    (3048, 1016, 2),
];

/// Writes the net of `seed`.
pub fn synthesise(seed: u64, path: &Path) -> Result<(), WriteError> {
    write_file(path, |file| {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        let mut noise = Noise::new(seed);
        for word in [VERSION, SHAPE, DESCRIPTION.len() as u32] {
            out.write_all(&word.to_le_bytes())?;
        }
        out.write_all(DESCRIPTION.as_bytes())?;
        let places = noise.permutation(WIDTH);
        first_layer(&places, &mut noise, &mut out)?;
        out.write_all(&LATER_LAYERS.to_le_bytes())?;
        later_layers(&places, &mut noise, &mut out)?;
        out.flush()
    })
}

/// Bias and rows; `places` says which neuron plays which part.
fn first_layer(places: &[usize], noise: &mut Noise, out: &mut impl Write) -> std::io::Result<()> {
    let (steps, others) = places.split_at(STEPS);
    let mut bias = Row::zeroed();
    for (number, &neuron) in steps.iter().enumerate() {
        bias.0[neuron] = ((STEPS as i32 / 2 - number as i32) * STEP) as i16;
    }
    others.iter().for_each(|&neuron| bias.0[neuron] = noise.bell(25) - 20);
    out.write_all(&FIRST_LAYER.to_le_bytes())?;
    out.write_all(bytemuck::bytes_of(&bias))?;
    // The same for all king squares up to a small difference.
    let mut shared = vec![Row::zeroed(); ROWS_PER_KING];
    shared.iter_mut().for_each(|row| noise.fill(&mut row.0, 8));
    for king in 0..64 {
        for (number, shared) in shared.iter().enumerate() {
            let mut row = Row(shared.0.map(|value| value + noise.bell(2)));
            let worth =
                number.checked_sub(1).map_or(0, |feature| step_weight(king, feature / 64, feature % 64));
            steps.iter().for_each(|&neuron| row.0[neuron] = worth as i16);
            out.write_all(bytemuck::bytes_of(&row))?;
        }
    }
    Ok(())
}

/// What a piece adds to u. Squares are those of the view, which is turned round for Black: so is the enemy's own view.
fn step_weight(king: usize, piece: usize, square: usize) -> i32 {
    let kind = piece / 2;
    if piece.is_multiple_of(2) {
        return end(kind, square) / 2;
    }
    let danger = middle_minus_end(5, king) * PHASE[kind] * 2 / FULL_PHASE;
    danger - end(kind, square ^ 63) / 2
}

fn later_layers(places: &[usize], noise: &mut Noise, out: &mut impl Write) -> std::io::Result<()> {
    let first = first_hidden(places, noise);
    let (second, output) = second_hidden(noise);
    for (bias, weights) in [first, second, output] {
        bias.iter().try_for_each(|bias| out.write_all(&bias.to_le_bytes()))?;
        out.write_all(bytemuck::cast_slice(&weights))?;
    }
    Ok(())
}

/// A layer's bias and weights, as they lie in the file.
type Arrays = (Vec<i32>, Vec<i8>);

fn first_hidden(places: &[usize], noise: &mut Noise) -> Arrays {
    let (steps, others) = places.split_at(STEPS);
    let mut bias = Vec::with_capacity(HIDDEN);
    let mut weights = vec![0_i8; HIDDEN * INPUTS];
    let (windows, noisy) = weights.split_at_mut(WINDOWS.len() * INPUTS);
    let sway: Vec<i8> = others.iter().map(|_| noise.bell(1) as i8).collect();
    for ((start, width, _), row) in WINDOWS.into_iter().zip(windows.chunks_exact_mut(INPUTS)) {
        let unit = ONE * STEP / width;
        for &neuron in steps {
            (row[neuron], row[WIDTH + neuron]) = (unit as i8, -unit as i8);
        }
        // Where a unit of the window is a centipawn; the other view's sway counts against it.
        if unit == ONE {
            for (&neuron, &sway) in others.iter().zip(&sway) {
                (row[neuron], row[WIDTH + neuron]) = (sway, -sway);
            }
        }
        bias.push((TEMPO - start) * unit + ONE / 2);
    }
    for row in noisy.chunks_exact_mut(INPUTS) {
        for &neuron in others {
            (row[neuron], row[WIDTH + neuron]) = (noise.bell(4) as i8, noise.bell(4) as i8);
        }
        bias.push(i32::from(noise.bell(2000)));
    }
    (bias, weights)
}

/// The second hidden layer and the output.
fn second_hidden(noise: &mut Noise) -> (Arrays, Arrays) {
    let mut weights = Vec::with_capacity(HIDDEN * HIDDEN);
    let (mut output, mut output_bias) = (Vec::with_capacity(HIDDEN), 0);
    for (window, (start, width, copies)) in WINDOWS.into_iter().enumerate() {
        // The output is divided by 16, so that this gives one for a centipawn.
        let weight = 16 * width / STEP / copies as i32;
        for _ in 0..copies {
            let mut row = [0; HIDDEN];
            row[window] = ONE as i8;
            weights.extend(row);
            output.push(weight as i8);
            if start < 0 {
                output_bias -= STEP * weight;
            }
        }
    }
    let copies = output.len();
    let mut bias = vec![0; copies];
    for number in copies..HIDDEN {
        let mut row = [0; HIDDEN];
        row[WINDOWS.len()..].iter_mut().for_each(|weight| *weight = noise.bell(12) as i8);
        weights.extend(row);
        bias.push(i32::from(noise.bell(1500)));
        // In turn, so that they do not favour one side.
        output.push(if number % 2 == 0 { 1 } else { -1 });
    }
    ((bias, weights), (vec![output_bias], output))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::testing::{check_better, check_seeds, check_values, random_game, value};
    use crate::nnue::{Evaluator, Net, Simd};
    use crate::position::Position;

    fn evaluator(seed: u64) -> Evaluator {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("synthetic.nnue");
        synthesise(seed, &path).unwrap();
        Evaluator::new(Net::load(&path).unwrap(), Simd::best())
    }

    #[test]
    fn being_ahead_has_the_expected_sign_and_size() {
        let mut evaluator = evaluator(1);
        let wanted = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", -50, 70),
            ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 850, 1100),
            ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", -1080, -830),
            ("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", 400, 620),
            ("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 200, 430),
            ("4k3/1ppppppp/8/8/8/8/1PPPPPPP/QQ2K3 w - - 0 1", 1750, 2100),
            ("4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1", -2100, -1700),
            ("qqqqkqqq/8/8/8/8/8/8/4K3 w - - 0 1", -4300, -3900),
        ];
        check_values(&mut evaluator, &wanted);
    }

    #[test]
    fn pieces_and_kings_know_their_squares() {
        let mut evaluator = evaluator(1);
        let wanted = [
            (
                "4k3/pppppppp/8/8/4N3/8/PPPPPPPP/4K3 w - - 0 1",
                "4k3/pppppppp/8/8/8/8/PPPPPPPP/N3K3 w - - 0 1",
                20,
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1RK1 w kq - 0 1",
                "rnbqkbnr/pppppppp/8/8/4K3/8/PPPPPPPP/RNBQ1R2 w kq - 0 1",
                50,
            ),
        ];
        check_better(&mut evaluator, &wanted);
    }

    #[test]
    fn values_differ_between_most_positions() {
        let mut evaluator = evaluator(2);
        let game = random_game(&Position::start(), 5, 200);
        let values: std::collections::HashSet<i32> =
            game.iter().map(|(_, position)| value(&mut evaluator, &position.to_fen())).collect();
        assert!(values.len() > game.len() / 2, "{} of {}", values.len(), game.len());
    }

    #[test]
    fn one_seed_makes_one_file_in_the_published_form() {
        let folder = tempfile::tempdir().unwrap();
        check_seeds(folder.path(), |seed, path| synthesise(seed, path).unwrap());
        let first = folder.path().join("a");
        assert_eq!((std::fs::metadata(&first).unwrap().len(), DESCRIPTION.len()), (21_022_697, 177));
        let Net::HalfKp(net) = Net::load(&first).unwrap() else { panic!("another kind") };
        assert_eq!(net.description(), DESCRIPTION);
    }
}
