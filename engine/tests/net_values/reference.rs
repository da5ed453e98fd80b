//! The value of a position straight from the format's page: no tables, no increments, 64-bit sums.
//!
//! Shares nothing with the engine but the position it looks at.

use std::collections::HashMap;

use tempo::position::{Color, Position, Square};

/// Numbers of the header in file order, from the format version on.
const WIDTH: usize = 1;
const BUCKETS: usize = 2;
const THREATS: usize = 4;
const HIDDEN2: usize = 5;
const HIDDEN3: usize = 6;
const SCALE: usize = 7;

/// A net file read number by number.
pub struct Reference {
    header: Vec<usize>,
    king_map: Vec<usize>,
    pieces: Vec<i16>,
    threats: Vec<i16>,
    bias: Vec<i16>,
    layers: Vec<(Vec<i16>, Vec<i32>)>,
    threat_index: HashMap<(usize, usize, usize, usize), usize>,
}

impl Reference {
    pub fn read(file: &[u8]) -> Self {
        let header: Vec<usize> = file[8..48]
            .chunks(4)
            .map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap()) as usize)
            .collect();
        let mut rest = &file[112..];
        let mut take = |bytes: usize| {
            let (taken, left) = rest.split_at(bytes);
            rest = left;
            taken
        };
        let width = header[WIDTH];
        let pieces = shorts(take(2 * header[BUCKETS] * 768 * width));
        let threats = shorts(take(2 * header[THREATS] * width));
        let bias = shorts(take(2 * width));
        let mut layers = Vec::new();
        for (outputs, inputs) in
            [(header[HIDDEN2], 2 * width), (header[HIDDEN3], header[HIDDEN2]), (1, header[HIDDEN3])]
        {
            let weights = shorts(take(2 * outputs * inputs));
            let bias = take(4 * outputs).chunks(4).map(|b| i32::from_le_bytes(b.try_into().unwrap()));
            layers.push((weights, bias.collect()));
        }
        assert!(rest.is_empty());
        let king_map = file[48..80].iter().map(|&bucket| usize::from(bucket)).collect();
        Self { header, king_map, pieces, threats, bias, layers, threat_index: threat_index() }
    }

    pub fn value(&self, position: &Position) -> i64 {
        let side = position.side();
        let mut x = self.activations(&view_of(position, side));
        x.extend(self.activations(&view_of(position, !side)));
        for (weights, bias) in &self.layers[..2] {
            let sums = weighted(weights, bias, &x);
            x = sums.into_iter().map(|sum| (sum >> 14).clamp(0, 255)).collect();
        }
        let (weights, bias) = &self.layers[2];
        weighted(weights, bias, &x)[0] * self.header[SCALE] as i64 / (255 * 16384)
    }

    fn activations(&self, board: &[Option<usize>; 64]) -> Vec<i64> {
        let width = self.header[WIDTH];
        let king = (0..64).find(|&square| board[square] == Some(5)).unwrap();
        let bucket = self.king_map[king / 8 * 4 + king % 8];
        let mut sums: Vec<i64> = self.bias.iter().map(|&bias| i64::from(bias)).collect();
        let mut add = |rows: &[i16], row: usize| {
            for (sum, &value) in sums.iter_mut().zip(&rows[row * width..]) {
                *sum += i64::from(value);
            }
        };
        for (square, piece) in board.iter().enumerate() {
            if let Some(piece) = piece {
                add(&self.pieces, bucket * 768 + piece / 6 * 384 + piece % 6 * 64 + square);
            }
        }
        if self.header[THREATS] != 0 {
            for pair in pairs(board) {
                add(&self.threats, self.threat_index[&pair]);
            }
        }
        sums.into_iter().map(|sum| sum.clamp(0, 255)).collect()
    }
}

fn shorts(bytes: &[u8]) -> Vec<i16> {
    bytes.chunks(2).map(|bytes| i16::from_le_bytes(bytes.try_into().unwrap())).collect()
}

fn weighted(weights: &[i16], bias: &[i32], x: &[i64]) -> Vec<i64> {
    let rows = weights.chunks(x.len()).zip(bias);
    rows.map(|(row, &bias)| {
        i64::from(bias) + row.iter().zip(x).map(|(&weight, x)| i64::from(weight) * x).sum::<i64>()
    })
    .collect()
}

/// Piece numbers (own = 0…5) on the squares as `color` sees them.
pub fn view_of(position: &Position, color: Color) -> [Option<usize>; 64] {
    let mut board = [None; 64];
    for square in Square::all() {
        if let Some(piece) = position.piece_on(square) {
            let flipped = if color == Color::Black { square.index() ^ 56 } else { square.index() };
            let enemy = if piece.color() == color { 0 } else { 6 };
            board[flipped] = Some(enemy + piece.index() % 6);
        }
    }
    let king = board.iter().position(|&piece| piece == Some(5)).unwrap();
    if king % 8 >= 4 { std::array::from_fn(|square| board[square ^ 7]) } else { board }
}

/// Steps of a piece as (files, ranks) and whether it slides.
fn steps(piece: usize) -> (Vec<(i32, i32)>, bool) {
    let king: Vec<(i32, i32)> =
        (-1..=1).flat_map(|f| (-1..=1).map(move |r| (f, r))).filter(|&step| step != (0, 0)).collect();
    match piece % 6 {
        0 => {
            let up = if piece == 0 { 1 } else { -1 };
            (vec![(-1, up), (1, up)], false)
        }
        1 => {
            let all = (-2..=2_i32).flat_map(|f| (-2..=2_i32).map(move |r| (f, r)));
            (all.filter(|(f, r)| f.abs() * r.abs() == 2).collect(), false)
        }
        2 => (king.into_iter().filter(|(f, r)| f * r != 0).collect(), true),
        3 => (king.into_iter().filter(|(f, r)| f * r == 0).collect(), true),
        4 => (king, true),
        _ => (king, false),
    }
}

/// Squares along a step from `from`, all the way if the piece slides.
fn walk(from: usize, (files, ranks): (i32, i32), slides: bool) -> Vec<usize> {
    let mut squares = Vec::new();
    let (mut file, mut rank) = (from as i32 % 8 + files, from as i32 / 8 + ranks);
    while (0..8).contains(&file) && (0..8).contains(&rank) {
        squares.push((rank * 8 + file) as usize);
        if !slides {
            break;
        }
        (file, rank) = (file + files, rank + ranks);
    }
    squares
}

/// Active (attacker, from, to, target) of a view's board.
pub fn pairs(board: &[Option<usize>; 64]) -> Vec<(usize, usize, usize, usize)> {
    let mut pairs = Vec::new();
    for from in 0..64 {
        let Some(attacker) = board[from] else { continue };
        let (directions, slides) = steps(attacker);
        for direction in directions {
            let hit = walk(from, direction, slides).into_iter().find(|&to| board[to].is_some());
            if let Some(to) = hit {
                pairs.push((attacker, from, to, board[to].unwrap()));
            }
        }
    }
    pairs
}

/// Row numbers, counted in the page's nesting order.
pub fn threat_index() -> HashMap<(usize, usize, usize, usize), usize> {
    let mut index = HashMap::new();
    for attacker in 0..12 {
        let (directions, slides) = steps(attacker);
        for from in 0..64 {
            if attacker % 6 == 0 && !(8..56).contains(&from) {
                continue;
            }
            let mut reach: Vec<usize> =
                directions.iter().flat_map(|&direction| walk(from, direction, slides)).collect();
            reach.sort_unstable();
            for to in reach {
                for target in 0..12 {
                    if target % 6 != 0 || (8..56).contains(&to) {
                        index.insert((attacker, from, to, target), index.len());
                    }
                }
            }
        }
    }
    index
}
