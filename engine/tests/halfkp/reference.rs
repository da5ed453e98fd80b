//! A slow reading of the format's page: everything in 64 bits but the first layer's sums.

use tempo::position::{Color, Position, Square};

use crate::files::File;

/// The net's value.
pub fn value(file: &File, position: &Position) -> i64 {
    let side = position.side();
    let mut x: Vec<i64> = Vec::new();
    for color in [side, !side] {
        let mut sums = file.bias.clone();
        for row in rows(position, color) {
            for (sum, &weight) in sums.iter_mut().zip(&file.rows[row * 256..]) {
                *sum = sum.wrapping_add(weight);
            }
        }
        x.extend(sums.iter().map(|&sum| i64::from(sum).clamp(0, 127)));
    }
    for (bias, weights) in &file.hidden {
        let outputs = bias.iter().zip(weights.chunks(x.len()));
        x = outputs.map(|(&bias, row)| (weighted(row, bias, &x) >> 6).clamp(0, 127)).collect();
    }
    weighted(&file.output, file.output_bias, &x) / 16
}

fn weighted(weights: &[i8], bias: i32, x: &[i64]) -> i64 {
    i64::from(bias) + weights.iter().zip(x).map(|(&weight, x)| i64::from(weight) * x).sum::<i64>()
}

/// Numbers of the rows of one colour's view.
pub fn rows(position: &Position, color: Color) -> Vec<usize> {
    let seen = |square: Square| if color == Color::White { square.index() } else { 63 - square.index() };
    let king = Square::all().find(|&square| {
        position
            .piece_on(square)
            .is_some_and(|piece| piece.letter() == if color == Color::White { 'K' } else { 'k' })
    });
    let king = seen(king.unwrap());
    let mut rows = Vec::new();
    for square in Square::all() {
        let Some(piece) = position.piece_on(square) else { continue };
        let letter = piece.letter().to_ascii_uppercase();
        let Some(kind) = "PNBRQ".find(letter) else { continue };
        let enemy = usize::from(piece.color() != color);
        rows.push(641 * king + 1 + 128 * kind + 64 * enemy + seen(square));
    }
    rows
}
