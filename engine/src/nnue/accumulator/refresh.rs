//! The component `refresh-cache`: piece sums that were rebuilt before, one for every king bucket, half of
//! the board and view ("finny table"). The next rebuild applies only what has changed on the board since.

use super::frame::Frame;
use super::ground::Ground;
use super::parts::RowLists;
use crate::memory::Memory;
use crate::nnue::aligned::Aligned;
use crate::nnue::features::view::View;
use crate::nnue::network::Network;
use crate::position::{Bitboard, Color, Piece, PieceType};

/// A sum and the pieces that it is of.
struct Slot {
    sums: Aligned<i16>,
    /// [color][type]
    pieces: [[Bitboard; 6]; 2],
}

/// The slots by [`View::number`].
pub struct RefreshCache(Vec<Slot>);

impl Ground for RefreshCache {
    fn new(network: &Network) -> Self {
        let empty =
            || Slot { sums: Aligned::copy_of(network.piece_start()), pieces: [[Bitboard::EMPTY; 6]; 2] };
        Self((0..View::count(network.architecture())).map(|_| empty()).collect())
    }

    #[inline]
    fn rows(&self, _: &Network, frame: &Frame, view: Color, lists: &mut RowLists) {
        let view = frame.views[view.index()];
        let then = &self.0[view.number()].pieces;
        lists.clear();
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let piece = Piece::new(color, kind);
                let (then, now) = (then[color.index()][kind.index()], frame.position.pieces(color, kind));
                (then & !now).for_each(|square| lists.remove(view.piece_row(piece, square)));
                (now & !then).for_each(|square| lists.add(view.piece_row(piece, square)));
            }
        }
    }

    #[inline]
    fn sums<'a>(&'a self, _: &'a Network, frame: &Frame, view: Color) -> &'a [i16] {
        &self.0[frame.views[view.index()].number()].sums
    }

    #[inline]
    fn keep(&mut self, frame: &Frame, view: Color, sums: &[i16]) {
        let slot = &mut self.0[frame.views[view.index()].number()];
        slot.sums.copy_from_slice(sums);
        slot.pieces = Color::ALL.map(|color| PieceType::ALL.map(|kind| frame.position.pieces(color, kind)));
    }

    fn memory(&self) -> Memory {
        Memory::of_list(&self.0) + self.0.iter().map(|slot| slot.sums.memory()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::ground::Nothing;
    use super::super::parts::{Part, Pieces};
    use super::*;
    use crate::nnue::kernels::{Kernels, Simd};
    use crate::nnue::testing::{STARTS, random_game};
    use crate::position::Position;

    fn build(ground: &mut impl Ground, network: &Network, frame: &Frame, view: Color) -> Vec<i16> {
        let mut lists = Box::<RowLists>::default();
        ground.rows(network, frame, view, &mut lists);
        let mut sums = vec![0; network.architecture().width];
        let (wide, narrow) = lists.rows(Pieces::tables(network));
        let from = ground.sums(network, frame, view);
        Kernels::new(Simd::Scalar).update(from, &mut sums, wide, narrow);
        ground.keep(frame, view, &sums);
        sums
    }

    #[test]
    fn a_kept_sum_leads_to_the_same_as_nothing() {
        let network = Network::embedded();
        let mut cache = RefreshCache::new(&network);
        let mut nothing = Nothing::<Pieces>::new(&network);
        for (seed, fen) in STARTS.iter().enumerate() {
            let start = Position::from_fen(fen).unwrap();
            for (_, position) in random_game(&start, seed as u64, 100) {
                let frame = Frame::new(&position, network.architecture());
                for view in Color::ALL {
                    let wanted = build(&mut nothing, &network, &frame, view);
                    assert!(build(&mut cache, &network, &frame, view) == wanted, "{}", position.to_fen());
                }
            }
        }
        let used = cache.0.iter().filter(|slot| slot.pieces != [[Bitboard::EMPTY; 6]; 2]).count();
        assert!(used > cache.0.len() / 2, "{used} of {} slots used", cache.0.len());
    }

    #[test]
    fn only_differences_are_listed() {
        let network = Network::embedded();
        let mut cache = RefreshCache::new(&network);
        let frame = |fen| Frame::new(&Position::from_fen(fen).unwrap(), network.architecture());
        let first = frame("4k3/8/8/8/8/8/PPPP4/4K2R w K - 0 1");
        build(&mut cache, &network, &first, Color::White);
        let mut lists = RowLists::default();
        cache.rows(&network, &frame("4k3/8/8/8/8/3P4/PPP5/4K3 w - - 0 1"), Color::White, &mut lists);
        let (rows, _) = lists.rows(Pieces::tables(&network));
        assert_eq!((rows.added.len(), rows.removed.len()), (1, 2));
    }
}
