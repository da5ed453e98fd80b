//! The component `neuron-order`: where the neurons of the first layer lie in memory.
//!
//! The sum of layer 2 is the same whatever order its inputs come in. Neurons that are active together are
//! put side by side, and those that rarely are behind them, so that more pairs of inputs are zero as a
//! whole. Which ones these are is measured when the net is loaded, on positions that are the same
//! everywhere. The file stays as it is: columns of its rows and weights move when they are copied.
//!
//! Without the component every neuron stays at its place.

use super::architecture::Architecture;
use super::features::list::List;
use super::features::pairs::{self, MAX_PAIRS, Pair};
use super::features::view::View;
use super::noise::Noise;
use crate::position::{Color, Position};

/// The component `neuron-order`.
const MEASURED: bool = cfg!(feature = "neuron-order");

/// Positions that are looked at, from both sides.
const SAMPLES: usize = 256;
/// A bit for every view of them in which a neuron is active.
type Activity = [u64; 2 * SAMPLES / 64];

/// Openings, middlegames and endgames that the positions come from by random moves.
const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pp1n1ppp/2p1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 0 6",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP1Q1PP/R4RK1 w - - 0 12",
    "2rq1rk1/pb2bppp/1p2pn2/8/3P4/P1NB1N2/1P3PPP/R1BQR1K1 b - - 0 15",
    "3r2k1/pp3pp1/2p1b2p/4P3/2P2P2/1P4P1/P3B2P/3R2K1 w - - 0 25",
    "8/5pk1/4p1p1/1R5p/r6P/4P1P1/5PK1/8 w - - 0 40",
    "8/3k1p2/4p1p1/2p1P1P1/p1P2P2/P2K4/8/8 b - - 0 45",
];
/// Plies between two positions that are looked at, and positions of one game.
const STRIDE: usize = 2;
const PER_GAME: usize = 16;

/// The first layer as it lies in the file.
pub struct FirstLayer<'a> {
    /// Piece rows.
    pub pieces: &'a [i16],
    /// Threat rows; none without.
    pub threats: &'a [i16],
    /// One for each neuron.
    pub bias: &'a [i16],
}

/// The neuron of every place; as in the file unless there is a list.
pub struct Order(Option<Vec<u16>>);

impl Order {
    /// The order for a net.
    pub fn of(architecture: &Architecture, layer: &FirstLayer<'_>) -> Self {
        Self(MEASURED.then(|| arrange(&measure(architecture, layer, &samples(0)))))
    }

    /// The last neuron first.
    #[cfg(test)]
    pub fn reversed(width: usize) -> Self {
        Self(Some((0..width as u16).rev().collect()))
    }

    /// Copies a row of neurons, each converted value to its place.
    #[inline]
    pub fn copy<T: Copy, U>(&self, row: &[T], to: &mut [U], convert: impl Fn(T) -> U) {
        match &self.0 {
            Some(order) => {
                for (to, &neuron) in to.iter_mut().zip(order) {
                    *to = convert(row[usize::from(neuron)]);
                }
            }
            None => to.iter_mut().zip(row).for_each(|(to, &value)| *to = convert(value)),
        }
    }

    /// Copies rows of `width` neurons.
    pub fn copy_rows<T: Copy>(&self, width: usize, rows: &[T], to: &mut [T]) {
        for (row, to) in rows.chunks_exact(width).zip(to.chunks_exact_mut(width)) {
            self.copy(row, to, |value| value);
        }
    }

    /// A copy of rows of `width` neurons, each neuron at its place.
    pub fn arranged<T: Copy>(&self, width: usize, rows: &[T]) -> Vec<T> {
        let mut arranged = rows.to_vec();
        self.copy_rows(width, rows, &mut arranged);
        arranged
    }
}

/// Positions of random games; other seeds give others.
fn samples(seed: u64) -> Vec<Position> {
    let mut noise = Noise::new(seed);
    let mut samples = Vec::with_capacity(SAMPLES);
    for fen in STARTS.iter().cycle() {
        let Ok(mut position) = Position::from_fen(fen) else { continue };
        for ply in 1..=STRIDE * PER_GAME {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.make(moves[noise.below(moves.len() as u32) as usize]);
            if ply % STRIDE == 0 {
                samples.push(position);
            }
            if samples.len() == SAMPLES {
                return samples;
            }
        }
    }
    samples
}

/// In which views each neuron is active.
fn measure(architecture: &Architecture, layer: &FirstLayer<'_>, samples: &[Position]) -> Vec<Activity> {
    let width = architecture.width;
    let mut activities = vec![[0; 2 * SAMPLES / 64]; width];
    let mut sums = vec![0_i32; width];
    let mut pairs = List::<Pair, MAX_PAIRS>::new();
    for (number, position) in samples.iter().enumerate() {
        pairs.clear();
        if architecture.has_threats() {
            pairs::active(position, &mut pairs);
        }
        for color in Color::ALL {
            let view = View::new(position, color, architecture);
            sums.iter_mut().zip(layer.bias).for_each(|(sum, &bias)| *sum = bias.into());
            for square in position.occupied() {
                if let Some(piece) = position.piece_on(square) {
                    add(&mut sums, layer.pieces, view.piece_row(piece, square));
                }
            }
            for pair in pairs.iter() {
                add(&mut sums, layer.threats, pair.row(view));
            }
            let (word, bit) = ((2 * number + color.index()) / 64, (2 * number + color.index()) % 64);
            for (activity, &sum) in activities.iter_mut().zip(&sums) {
                activity[word] |= u64::from(sum > 0) << bit;
            }
        }
    }
    activities
}

/// Adds a row of a table.
fn add(sums: &mut [i32], table: &[i16], row: u32) {
    let row = &table[row as usize * sums.len()..][..sums.len()];
    sums.iter_mut().zip(row).for_each(|(sum, &value)| *sum += i32::from(value));
}

/// The most active neuron, beside it the one that is active together with it most often; then the most
/// active of the others, and so on.
fn arrange(activities: &[Activity]) -> Vec<u16> {
    let counts: Vec<u32> = activities.iter().map(count).collect();
    let mut left: Vec<u16> = (0..activities.len() as u16).collect();
    left.sort_by_key(|&neuron| std::cmp::Reverse(counts[usize::from(neuron)]));
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let first = left.remove(0);
        order.push(first);
        let mut most = 0;
        let mut partner = 0;
        for (at, &other) in left.iter().enumerate() {
            // Nor can those behind it, which are still less active, be active together with the first more often.
            if counts[usize::from(other)] <= most {
                break;
            }
            let together = together(&activities[usize::from(first)], &activities[usize::from(other)]);
            if together > most {
                (most, partner) = (together, at);
            }
        }
        if partner < left.len() {
            order.push(left.remove(partner));
        }
    }
    order
}

fn count(activity: &Activity) -> u32 {
    activity.iter().map(|word| word.count_ones()).sum()
}

fn together(a: &Activity, b: &Activity) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::architecture::Section;
    use crate::nnue::network::Network;
    use proptest::prelude::*;

    /// Two neighbouring neurons of one view: what layer 2 takes or leaves.
    fn active_pairs(activities: &[Activity], order: &[u16]) -> u32 {
        let of = |neuron: u16| &activities[usize::from(neuron)];
        let pairs = order.chunks_exact(2).map(|pair| {
            let (a, b) = (of(pair[0]), of(pair[1]));
            count(a) + count(b) - together(a, b)
        });
        pairs.sum()
    }

    fn sorted(order: &[u16]) -> Vec<u16> {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        sorted
    }

    proptest! {
        #[test]
        fn every_neuron_has_one_place(activities in prop::collection::vec(any::<Activity>(), 0..100)) {
            let order = arrange(&activities);
            prop_assert_eq!(sorted(&order), (0..activities.len() as u16).collect::<Vec<_>>());
        }

        #[test]
        fn products_with_weights_stay(
            neurons in prop::collection::vec((any::<Activity>(), any::<i16>(), any::<[i16; 3]>()), 1..100),
        ) {
            let activities: Vec<Activity> = neurons.iter().map(|neuron| neuron.0).collect();
            let values: Vec<i16> = neurons.iter().map(|neuron| neuron.1).collect();
            let weights: Vec<i16> =
                (0..3).flat_map(|output| neurons.iter().map(move |neuron| neuron.2[output])).collect();
            let products = |values: &[i16], weights: &[i16]| -> Vec<i64> {
                let product =
                    |row: &[i16]| row.iter().zip(values).map(|(&a, &b)| i64::from(a) * i64::from(b)).sum::<i64>();
                weights.chunks_exact(values.len()).map(product).collect()
            };
            let order = Order(Some(arrange(&activities)));
            let width = values.len();
            let arranged = products(&order.arranged(width, &values), &order.arranged(width, &weights));
            prop_assert_eq!(arranged, products(&values, &weights));
        }
    }

    #[test]
    fn without_a_list_nothing_moves() {
        let rows = [5, 1, 4, 2, 8, 3];
        assert_eq!(Order(None).arranged(3, &rows), rows);
        assert_eq!(Order(Some(vec![2, 0, 1])).arranged(3, &rows), [4, 5, 1, 3, 2, 8]);
        let mut narrow = [0_i8; 3];
        Order(None).copy(&[1, -2, 3], &mut narrow, |value: i16| value as i8);
        assert_eq!(narrow, [1, -2, 3]);
    }

    #[test]
    fn what_is_active_together_is_put_together() {
        // Neuron n and its partner 63 − n are active in the same eight views, and nobody else.
        let activities: Vec<Activity> = (0..64_u64)
            .map(|neuron| {
                let number = neuron.min(63 - neuron);
                let mut activity = [0; 8];
                activity[number as usize % 8] = 0xff << (number / 8 * 8);
                activity
            })
            .collect();
        let order = arrange(&activities);
        let pairs: Vec<Vec<u16>> = order.chunks_exact(2).map(sorted).collect();
        assert_eq!(pairs, (0..32).map(|neuron| vec![neuron, 63 - neuron]).collect::<Vec<_>>());
    }

    #[test]
    fn silent_neurons_come_last() {
        let mut activities = vec![Activity::default(); 64];
        activities[40][3] = 9;
        activities[7][3] = 6;
        let order = arrange(&activities);
        assert_eq!(order[..2], [7, 40]);
    }

    #[test]
    fn samples_are_the_same_everywhere_and_differ() {
        assert!(STARTS.iter().all(|fen| Position::from_fen(fen).is_ok()));
        let positions = samples(0);
        assert_eq!(positions.len(), SAMPLES);
        assert!(positions == samples(0) && positions != samples(1));
        let mut keys: Vec<u64> = positions.iter().map(Position::placement_key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert!(keys.len() > SAMPLES * 9 / 10, "{} different positions", keys.len());
        let pieces: Vec<u32> = positions.iter().map(|position| position.occupied().count()).collect();
        assert!(
            pieces.iter().any(|&count| count > 28) && pieces.iter().any(|&count| count < 12),
            "{pieces:?}"
        );
    }

    #[test]
    fn the_order_of_a_net_leaves_fewer_pairs_on_other_positions() {
        let network = Network::embedded();
        let section = |section| -> &[i16] { bytemuck::cast_slice(network.section(section)) };
        let layer = FirstLayer {
            pieces: section(Section::Pieces),
            threats: section(Section::Threats),
            bias: section(Section::Bias),
        };
        let order = arrange(&measure(network.architecture(), &layer, &samples(0)));
        let others = measure(network.architecture(), &layer, &samples(1));
        let identity: Vec<u16> = (0..network.architecture().width as u16).collect();
        let (with, without) = (active_pairs(&others, &order), active_pairs(&others, &identity));
        assert!(with * 100 < without * 90, "{with} pairs, {without} as in the file");
    }
}
