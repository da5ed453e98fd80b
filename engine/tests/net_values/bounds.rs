//! Both sides of every bound that the loader proves: the last net that loads, whose values are exact on every path, and
//! the first that is refused, with the place, what is allowed and what was found.

use std::sync::Arc;

use tempo::nnue::{Evaluator, Network, Simd};
use tempo::position::Position;

use crate::files::Shape;
use crate::reference::{Reference, threat_index};
use crate::save;

const SHAPE: Shape = Shape { width: 64, buckets: 2, threats: 0, hidden2: 16, hidden3: 16, scale: 153 };
const TEACHER: Shape = Shape { threats: 86_808, buckets: 1, ..SHAPE };

const POSITIONS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "q3k2q/1b4b1/2n2n2/3rr3/3RR3/2N2N2/1B4B1/Q3K2Q w - - 0 1",
    "QQQQQQQ1/QQ6/8/8/8/8/8/k1K5 b - - 0 1",
    "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
];

/// A net of zeros that gets some values. Places count 16-bit values of the payload.
#[derive(Clone)]
struct Draft {
    shape: Shape,
    payload: Vec<u8>,
}

impl Draft {
    fn new(shape: Shape) -> Self {
        let mut draft = Self { shape, payload: Vec::new() };
        draft.payload = vec![0; 2 * (draft.bias4() + 2)];
        draft
    }

    fn threats(&self) -> usize {
        self.shape.buckets * 768 * self.shape.width
    }

    fn weights2(&self) -> usize {
        self.threats() + (self.shape.threats + 1) * self.shape.width
    }

    fn bias2(&self) -> usize {
        self.weights2() + self.shape.hidden2 * 2 * self.shape.width
    }

    fn weights3(&self) -> usize {
        self.bias2() + 2 * self.shape.hidden2
    }

    fn bias3(&self) -> usize {
        self.weights3() + self.shape.hidden3 * self.shape.hidden2
    }

    fn weights4(&self) -> usize {
        self.bias3() + 2 * self.shape.hidden3
    }

    fn bias4(&self) -> usize {
        self.weights4() + self.shape.hidden3
    }

    /// All activations of the first layer are 255.
    fn open_first(self) -> Self {
        let bias = self.weights2() - self.shape.width;
        let width = self.shape.width;
        self.set(bias..bias + width, 255)
    }

    /// All activations of layer 2 and of layer 3 are 255, unless weights take something away.
    fn open_hidden(mut self) -> Self {
        for (bias, count) in [(self.bias2(), self.shape.hidden2), (self.bias3(), self.shape.hidden3)] {
            self = (0..count).fold(self, |open, k| open.set_wide(bias + 2 * k, i32::MAX));
        }
        self
    }

    fn set(mut self, places: impl IntoIterator<Item = usize>, value: i16) -> Self {
        for place in places {
            self.payload[2 * place..][..2].copy_from_slice(&value.to_le_bytes());
        }
        self
    }

    fn set_wide(mut self, place: usize, value: i32) -> Self {
        self.payload[2 * place..][..4].copy_from_slice(&value.to_le_bytes());
        self
    }

    /// Sets the weight of a piece (colour · 6 + type) on some squares, for neuron 7.
    fn piece(
        self,
        bucket: usize,
        piece: usize,
        squares: impl IntoIterator<Item = usize>,
        value: i16,
    ) -> Self {
        let width = self.shape.width;
        self.set(squares.into_iter().map(|square| (bucket * 768 + piece * 64 + square) * width + 7), value)
    }

    /// Loads it, and compares values with the reference on every path.
    fn load(&self) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        let file = self.shape.file(&self.payload);
        let network = Network::load(&save(&folder, "edge.net", &file)).map_err(|error| error.to_string())?;
        let reference = Reference::read(&file);
        for simd in Simd::ALL.into_iter().filter(|simd| simd.is_available()) {
            let mut evaluator = Evaluator::new(Arc::clone(&network), simd);
            for fen in POSITIONS {
                let position = Position::from_fen(fen).unwrap();
                evaluator.reset(&position);
                let value = i64::from(evaluator.evaluate(&position));
                assert_eq!(value, reference.value(&position), "{simd} on {fen}");
            }
        }
        Ok(())
    }
}

/// The first net loads; the second is refused with these words.
fn edge(last: &Draft, first: &Draft, place: &str, allowed: &str, found: &str) {
    last.load().unwrap();
    let message = first.load().unwrap_err();
    let wanted = format!(
        "edge.net: possible overflow in {place}: expected a sum within {allowed}, found bounds {found}"
    );
    assert!(message.ends_with(&wanted), "{message}\n{wanted}");
}

#[test]
fn the_piece_accumulator() {
    // Fifteen own queens of 2,184 and fifteen enemy ones of −2,184 leave 15 of 65,535 to the own king.
    let queens = Draft::new(SHAPE).piece(0, 4, 0..64, 2184).piece(0, 10, 0..64, -2184);
    let place = "the piece accumulator, neuron 7";
    let allowed = "65535 of its bounds";
    // Only one square of the bucket has a weight, so that the king's bounds lie that far apart.
    let king = |value| queens.clone().piece(0, 5, [0], value);
    edge(&king(15), &king(16), place, allowed, "-32760 to 32776");
    edge(&king(-15), &king(-16), place, allowed, "-32776 to 32760");
    // An enemy king must be somewhere: a weight that all its squares have moves both bounds.
    let enemy = |value| queens.clone().piece(0, 11, 0..64, 1000).piece(0, 11, [9], value);
    edge(&enemy(1015), &enemy(1016), place, allowed, "-31760 to 33776");
    edge(&enemy(985), &enemy(984), place, allowed, "-31776 to 33760");
}

#[test]
fn the_piece_accumulator_over_all_buckets() {
    // Each bucket alone is far from its bound; the zero point is one for both.
    let both =
        |low| Draft::new(SHAPE).piece(0, 4, 0..64, 2184).piece(1, 10, 0..64, -2184).piece(1, 5, [1], low);
    edge(&both(-15), &both(-16), "the piece accumulator, neuron 7", "65535 of its bounds", "-32776 to 32760");
}

#[test]
fn the_threat_accumulator() {
    // Sixteen pieces that attack in eight directions each: 128 times the weight of a row.
    let half = 86_808 / 2;
    let rows = |draft: &Draft, rows: std::ops::Range<usize>| {
        let start = draft.threats() + 7;
        rows.map(move |row| start + 64 * row)
    };
    let king = threat_index()[&(5, 27, 28, 7)];
    let draft = Draft::new(TEACHER);
    let own = draft.clone().set(rows(&draft, 0..half), 511);
    let place = "the threat accumulator, neuron 7";
    let allowed = "65535 of its bounds";
    // One row of the own king takes what is left.
    let upper = |more: i16| own.clone().set(rows(&draft, king..king + 1), 511 + more);
    edge(&upper(127), &upper(128), place, allowed, "0 to 65536");
    let both = draft.clone().set(rows(&draft, 0..half), 300).set(rows(&draft, half..2 * half), -211);
    let lower = |more: i16| both.clone().set(rows(&draft, king..king + 1), 300 + more);
    edge(&lower(127), &lower(128), place, allowed, "-27008 to 38528");
    let enemy = threat_index()[&(11, 27, 28, 7)];
    let lower = |more: i16| both.clone().set(rows(&draft, enemy..enemy + 1), -211 - more);
    edge(&lower(127), &lower(128), place, allowed, "-27136 to 38400");
}

#[test]
fn layer_2() {
    let draft = Draft::new(SHAPE).open_first();
    let (row, bias) = (draft.weights2() + 3 * 128, draft.bias2() + 2 * 3);
    let place = "layer 2, neuron 3";
    let allowed = "-2147483648 to 2147483647";
    let upper = |bias2| draft.clone().set(row..row + 128, 32_767).set_wide(bias, bias2);
    let most = i32::MAX - 128 * 32_767 * 255;
    edge(&upper(most), &upper(most + 1), place, allowed, &format!("{} to 2147483648", most + 1));
    let lower = |bias2| draft.clone().set(row..row + 128, -32_768).set_wide(bias, bias2);
    let least = i32::MIN + 128 * 32_768 * 255;
    edge(&lower(least), &lower(least - 1), place, allowed, &format!("-2147483649 to {}", least - 1));
}

#[test]
fn layer_3() {
    let draft = Draft::new(SHAPE).open_hidden();
    let (row, bias) = (draft.weights3() + 5 * 16, draft.bias3() + 2 * 5);
    let place = "layer 3, neuron 5";
    let allowed = "-2147483648 to 2147483647";
    let upper = |bias3| draft.clone().set(row..row + 16, 32_767).set_wide(bias, bias3);
    let most = i32::MAX - 16 * 32_767 * 255;
    edge(&upper(most), &upper(most + 1), place, allowed, &format!("{} to 2147483648", most + 1));
    let lower = |bias3| draft.clone().set(row..row + 16, -32_768).set_wide(bias, bias3);
    let least = i32::MIN + 16 * 32_768 * 255;
    edge(&lower(least), &lower(least - 1), place, allowed, &format!("-2147483649 to {}", least - 1));
}

/// Sixty-four weights of 16 bits over activations of 8 bits stay within a quarter of 32 bits, so no file of a supported
/// shape reaches the bound of the output sum: the largest loads. The proof holds it all the same, for shapes to come.
#[test]
fn the_output_sum() {
    let shape = Shape { hidden2: 64, hidden3: 64, ..SHAPE };
    for weight in [i16::MIN, i16::MAX] {
        let draft = Draft::new(shape).open_hidden();
        let places = draft.weights4()..draft.weights4() + 64;
        draft.set(places, weight).load().unwrap();
    }
}

#[test]
fn the_net_value() {
    // A unit of the value is 255 · 16384 = 4,177,920.
    let with = |scale, bias4| {
        let draft = Draft::new(Shape { scale, ..SHAPE }).open_hidden();
        let place = draft.bias4();
        draft.set_wide(place, bias4)
    };
    let allowed = "-2147483648 to 2147483647";
    let (place, unit) = ("the net value", 4_177_920);
    edge(&with(unit, i32::MAX), &with(unit + 1, i32::MAX), place, allowed, "2147484161 to 2147484161");
    edge(&with(unit, i32::MIN), &with(unit + 1, i32::MIN), place, allowed, "-2147484162 to -2147484162");
    // The bias of the output joins in 64 bits: sum and bias together may leave 32.
    let weights = |scale, bias4| {
        let draft = with(scale, bias4);
        let places = draft.weights4()..draft.weights4() + 16;
        draft.set(places, 32_767)
    };
    let sum = i64::from(i32::MAX) + 16 * 32_767 * 255;
    let most = ((i64::from(i32::MAX) + 1) * i64::from(unit) - 1) / sum;
    let (last, first) = (weights(most as u32, i32::MAX), weights(most as u32 + 1, i32::MAX));
    let bounds = [i64::from(i32::MAX), sum].map(|sum| sum * (most + 1) / i64::from(unit));
    assert!(bounds[1] > i64::from(i32::MAX));
    edge(&last, &first, place, allowed, &format!("{} to {}", bounds[0], bounds[1]));
}

#[test]
fn a_net_value_beyond_64_bits_before_the_division() {
    let draft = Draft::new(Shape { scale: u32::MAX, ..SHAPE });
    let places = draft.weights4()..draft.weights4() + 16;
    let bias4 = draft.bias4();
    let draft = draft.set(places, 32_767).set_wide(bias4, i32::MAX);
    let message = draft.load().unwrap_err();
    let found =
        format!("{} to {}, times output scale 4294967295", i32::MAX, i64::from(i32::MAX) + 16 * 32_767 * 255);
    assert!(message.contains("64 bits before the division") && message.ends_with(&found), "{message}");
}
