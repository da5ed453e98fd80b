//! How large the sums of the first layer get on real positions, beside the bounds that the loader proved.
//!
//! Everything is computed from the file's rows, in 32 bits, without accumulators.

use std::fmt;

use super::architecture::Section;
use super::error::Refusal;
use super::features::list::List;
use super::features::pairs::{self, MAX_PAIRS, Pair};
use super::features::view::View;
use super::games::random_positions;
use super::network::Network;
use super::progress::{Progress, Silence};
use super::proof::{self, Bounds};
use crate::position::{Color, Position};

/// Least and greatest value of all neurons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The least.
    pub least: i32,
    /// The greatest.
    pub most: i32,
}

impl Span {
    const NONE: Self = Self { least: i32::MAX, most: i32::MIN };

    fn include(&mut self, value: i32) {
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    fn of(values: impl IntoIterator<Item = i32>) -> Self {
        let mut span = Self::NONE;
        values.into_iter().for_each(|value| span.include(value));
        span
    }

    /// The larger of the two magnitudes.
    pub fn magnitude(self) -> u32 {
        self.least.unsigned_abs().max(self.most.unsigned_abs())
    }
}

/// One kind of sum.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Which rows, and whether it is the sum or what the accumulator holds of it.
    pub name: &'static str,
    /// On the positions.
    pub met: Span,
    /// On all positions.
    pub proved: Span,
}

/// What a set of positions shows.
#[derive(Clone, Debug)]
pub struct Extents {
    /// How many positions, each seen from both sides.
    pub positions: usize,
    /// Sums of rows, what is held of them, and all together.
    pub sums: Vec<Extent>,
    /// Inputs of layer 2 that are not zero, in thousandths.
    pub active: u32,
    /// Pairs of neighbouring neurons of the file of which not both are zero, in thousandths.
    pub active_pairs: u32,
}

/// Part of the first layer with its zero points.
struct Part<'a> {
    rows: &'a [i16],
    bounds: Bounds,
    zero: Vec<i32>,
    sums: Vec<i32>,
    met: Span,
    held: Span,
}

impl<'a> Part<'a> {
    fn new(rows: &'a [i16], bounds: Bounds, name: &str) -> Result<Self, Refusal> {
        let zero = bounds.zero_points(name)?;
        Ok(Self { rows, sums: vec![0; zero.len()], bounds, zero, met: Span::NONE, held: Span::NONE })
    }

    fn sum(&mut self, rows: impl Iterator<Item = u32>) {
        let width = self.sums.len();
        self.sums.fill(0);
        for row in rows {
            let row = &self.rows[row as usize * width..][..width];
            self.sums.iter_mut().zip(row).for_each(|(sum, &value)| *sum += i32::from(value));
        }
        for (&sum, zero) in self.sums.iter().zip(&self.zero) {
            self.met.include(sum);
            self.held.include(sum - zero);
        }
    }

    fn proved(&self) -> Span {
        Span::of(self.bounds.low.iter().chain(&self.bounds.high).copied())
    }

    fn held_proved(&self) -> Span {
        let bounds = [&self.bounds.low, &self.bounds.high];
        Span::of(
            bounds
                .into_iter()
                .flat_map(|bounds| bounds.iter().zip(&self.zero).map(|(bound, zero)| bound - zero)),
        )
    }
}

/// Looks at the first `count` positions of a fixed sequence of random games.
pub fn measure(network: &Network, count: usize) -> Result<Extents, Refusal> {
    let shape = network.architecture();
    let section = |section| -> &[i16] { bytemuck::cast_slice(network.section(section)) };
    let silent = Progress::new(0, &Silence);
    let rows = section(Section::Pieces);
    let mut pieces = Part::new(rows, proof::piece_bounds(shape, rows), "piece")?;
    let rows = section(Section::Threats);
    let mut threats = Part::new(rows, proof::threat_bounds(shape.width, rows, &silent), "threat")?;
    let bias = section(Section::Bias);
    let mut whole = Span::NONE;
    let (mut active, mut active_pairs) = (0, 0);
    let mut found = List::<Pair, MAX_PAIRS>::new();
    for position in random_positions().take(count) {
        found.clear();
        if shape.has_threats() {
            pairs::active(&position, &mut found);
        }
        for color in Color::ALL {
            let view = View::new(&position, color, shape);
            pieces.sum(piece_rows(&position, view));
            threats.sum(found.iter().map(|pair| pair.row(view)));
            let parts = pieces.sums.iter().zip(&threats.sums);
            let sums: Vec<i32> =
                bias.iter().zip(parts).map(|(&bias, (a, b))| i32::from(bias) + a + b).collect();
            sums.iter().for_each(|&sum| whole.include(sum));
            active += sums.iter().filter(|&&sum| sum > 0).count();
            active_pairs += sums.chunks_exact(2).filter(|pair| pair.iter().any(|&sum| sum > 0)).count();
        }
    }
    let inputs = count * shape.inputs();
    let ends = |a: &[i32], b: &[i32]| -> Vec<i32> {
        bias.iter().zip(a.iter().zip(b)).map(|(&bias, (a, b))| i32::from(bias) + a + b).collect()
    };
    let low = ends(&pieces.bounds.low, &threats.bounds.low);
    let high = ends(&pieces.bounds.high, &threats.bounds.high);
    let of = |part: &Part<'_>, names: [&'static str; 2]| {
        let held = Extent { name: names[1], met: part.held, proved: part.held_proved() };
        [Extent { name: names[0], met: part.met, proved: part.proved() }, held]
    };
    let mut sums = of(&pieces, ["pieces", "pieces, held"]).to_vec();
    if shape.has_threats() {
        sums.extend(of(&threats, ["threats", "threats, held"]));
    }
    sums.push(Extent { name: "sum with bias", met: whole, proved: Span::of(low.into_iter().chain(high)) });
    // What was looked at must be what was checked.
    network.unchanged()?;
    let thousandths = |part: usize, whole: usize| (part * 1000 / whole.max(1)) as u32;
    Ok(Extents {
        positions: count,
        sums,
        active: thousandths(active, inputs),
        active_pairs: thousandths(active_pairs, inputs / 2),
    })
}

fn piece_rows(position: &Position, view: View) -> impl Iterator<Item = u32> {
    let placed =
        position.occupied().filter_map(|square| position.piece_on(square).map(|piece| (piece, square)));
    placed.map(move |(piece, square)| view.piece_row(piece, square))
}

impl fmt::Display for Extents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "measured    {} positions of random games, from both sides", self.positions)?;
        writeln!(
            f,
            "  {:<14} {:>11} {:>11} {:>13} {:>13}",
            "", "least met", "most met", "least proved", "most proved"
        )?;
        for Extent { name, met, proved } in &self.sums {
            writeln!(
                f,
                "  {name:<14} {:>11} {:>11} {:>13} {:>13}",
                met.least, met.most, proved.least, proved.most
            )?;
        }
        let held = self.sums.iter().filter(|extent| extent.name.ends_with("held"));
        let largest = held.map(|extent| extent.met.magnitude()).max().unwrap_or(0);
        writeln!(f, "  largest magnitude held {largest}; 16 bits hold {} to {}", i16::MIN, i16::MAX)?;
        let percent = |thousandths: u32| format!("{}.{} %", thousandths / 10, thousandths % 10);
        writeln!(
            f,
            "active      {} of the inputs of layer 2, {} of their pairs",
            percent(self.active),
            percent(self.active_pairs)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::accumulator::Stack;
    use crate::nnue::kernels::{Kernels, Simd};
    use crate::nnue::testing::{random_net, small_teacher};

    #[test]
    fn what_is_held_is_what_the_accumulators_hold() {
        let network = random_net(&small_teacher(), 6);
        let extents = measure(&network, 300).unwrap();
        let mut stack = Stack::new(network.clone(), Kernels::new(Simd::best()));
        let (mut pieces, mut threats) = (Span::NONE, Span::NONE);
        for position in random_positions().take(300) {
            stack.reset(&position);
            let held = stack.accumulated();
            held.pieces.iter().flat_map(|view| view.iter()).for_each(|&value| pieces.include(value.into()));
            let held = held.threats.unwrap();
            held.iter().flat_map(|view| view.iter()).for_each(|&value| threats.include(value.into()));
        }
        let met = |name: &str| extents.sums.iter().find(|extent| extent.name == name).unwrap().met;
        assert_eq!((met("pieces, held"), met("threats, held")), (pieces, threats));
    }

    #[test]
    fn nothing_met_is_beyond_what_is_proved() {
        for network in [Network::embedded(), random_net(&small_teacher(), 7)] {
            let extents = measure(&network, 200).unwrap();
            assert_eq!(extents.sums.len(), if network.architecture().has_threats() { 5 } else { 3 });
            for Extent { name, met, proved } in &extents.sums {
                assert!(
                    proved.least <= met.least && met.least < met.most && met.most <= proved.most,
                    "{name}"
                );
                assert!(!name.ends_with("held") || proved.magnitude() <= 32_768, "{name}");
            }
            assert!(
                0 < extents.active && extents.active < extents.active_pairs && extents.active_pairs < 1000
            );
        }
    }

    #[test]
    fn more_positions_meet_no_less() {
        let network = Network::embedded();
        let (few, many) = (measure(&network, 10).unwrap(), measure(&network, 100).unwrap());
        for (few, many) in few.sums.iter().zip(&many.sums) {
            assert!(few.met.least >= many.met.least && few.met.most <= many.met.most);
            assert_eq!(few.proved, many.proved);
        }
    }
}
