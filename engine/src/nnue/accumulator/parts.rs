//! The piece part and the threat part: which rows they are made of.

use super::frame::Frame;
use super::ground::{Ground, Nothing};
use crate::nnue::features::delta::{Change, MAX_CHANGED, MAX_PAIR_CHANGES, piece_changes};
use crate::nnue::features::list::List;
use crate::nnue::features::pairs::{self, MAX_PAIRS};
use crate::nnue::features::view::View;
use crate::nnue::kernels::Rows;
use crate::nnue::narrow::Place;
use crate::nnue::network::Network;
use crate::position::{Color, Position};

/// The longest list is a threat rebuild's.
const CAPACITY: usize = MAX_PAIRS;
const _: () = assert!(CAPACITY >= MAX_PAIR_CHANGES && CAPACITY >= 2 * MAX_CHANGED && CAPACITY >= 64);

/// Rows to add and remove, those of the 16-bit table and those of the 8-bit copy apart.
#[derive(Default)]
pub struct RowLists {
    wide_added: List<u32, CAPACITY>,
    wide_removed: List<u32, CAPACITY>,
    narrow_added: List<u32, CAPACITY>,
    narrow_removed: List<u32, CAPACITY>,
}

impl RowLists {
    pub fn clear(&mut self) {
        self.wide_added.clear();
        self.wide_removed.clear();
        self.narrow_added.clear();
        self.narrow_removed.clear();
    }

    /// Lists a row of the 16-bit table to add.
    #[inline]
    pub fn add(&mut self, row: u32) {
        self.wide_added.push(row);
    }

    /// Lists a row of the 16-bit table to remove.
    #[inline]
    pub fn remove(&mut self, row: u32) {
        self.wide_removed.push(row);
    }

    /// The lists with their tables.
    #[inline]
    pub fn rows<'a>(&'a self, (wide, narrow): (&'a [i16], &'a [i8])) -> (Rows<'a, i16>, Rows<'a, i8>) {
        (
            Rows { table: wide, added: &self.wide_added, removed: &self.wide_removed },
            Rows { table: narrow, added: &self.narrow_added, removed: &self.narrow_removed },
        )
    }
}

/// A part of the row sum.
pub trait Part: Sized {
    /// What a rebuild starts from.
    type Ground: Ground;
    /// Whether both views give a feature the same row.
    fn same_rows(a: View, b: View) -> bool;
    /// The longest chain of moves that is cheaper to follow than to rebuild.
    fn longest_chain(position: &Position) -> usize;
    /// The accumulator without rows.
    fn start(network: &Network) -> &[i16];
    /// The 16-bit and the 8-bit table.
    fn tables(network: &Network) -> (&[i16], &[i8]);
    /// Lists every row of the position.
    fn all_rows(network: &Network, frame: &Frame, view: Color, lists: &mut RowLists);
    /// Lists what the last move changed.
    fn changed_rows(
        network: &Network,
        before: &Position,
        frame: &mut Frame,
        view: Color,
        lists: &mut RowLists,
    );
}

/// Piece features.
pub struct Pieces;

/// The component `refresh-cache`: a rebuild starts from the last sum built for the same view.
#[cfg(feature = "refresh-cache")]
type PieceGround = super::refresh::RefreshCache;
/// Without it, from nothing.
#[cfg(not(feature = "refresh-cache"))]
type PieceGround = Nothing<Pieces>;

impl Part for Pieces {
    type Ground = PieceGround;

    #[inline]
    fn same_rows(a: View, b: View) -> bool {
        a == b
    }

    /// A step costs two or three rows and a copy.
    #[inline]
    fn longest_chain(position: &Position) -> usize {
        position.occupied().count() as usize / 4 + 1
    }

    #[inline]
    fn start(network: &Network) -> &[i16] {
        network.piece_start()
    }

    #[inline]
    fn tables(network: &Network) -> (&[i16], &[i8]) {
        (network.piece_rows(), &[])
    }

    fn all_rows(_: &Network, frame: &Frame, view: Color, lists: &mut RowLists) {
        lists.clear();
        let view = frame.views[view.index()];
        for square in frame.position.occupied() {
            if let Some(piece) = frame.position.piece_on(square) {
                lists.add(view.piece_row(piece, square));
            }
        }
    }

    #[inline]
    fn changed_rows(_: &Network, before: &Position, frame: &mut Frame, view: Color, lists: &mut RowLists) {
        lists.clear();
        let view = frame.views[view.index()];
        piece_changes((before, &frame.position), frame.changed, |change, piece, square| match change {
            Change::Removed => lists.remove(view.piece_row(piece, square)),
            Change::Added => lists.add(view.piece_row(piece, square)),
        });
    }
}

/// Threat pairs.
pub struct Threats;

impl Part for Threats {
    type Ground = Nothing<Self>;

    #[inline]
    fn same_rows(a: View, b: View) -> bool {
        a.same_mirror(b)
    }

    /// A step costs about ten rows, a rebuild about one and a half a piece.
    #[inline]
    fn longest_chain(position: &Position) -> usize {
        position.occupied().count() as usize / 8 + 1
    }

    #[inline]
    fn start(network: &Network) -> &[i16] {
        network.threat_start()
    }

    #[inline]
    fn tables(network: &Network) -> (&[i16], &[i8]) {
        (network.threat_tables().wide(), network.threat_tables().narrow())
    }

    fn all_rows(network: &Network, frame: &Frame, view: Color, lists: &mut RowLists) {
        lists.clear();
        let mut active = List::new();
        pairs::active(&frame.position, &mut active);
        let rows = active.iter().map(|pair| pair.row(frame.views[view.index()]));
        split(network, rows, &mut lists.wide_added, &mut lists.narrow_added);
    }

    #[inline]
    fn changed_rows(
        network: &Network,
        before: &Position,
        frame: &mut Frame,
        view: Color,
        lists: &mut RowLists,
    ) {
        lists.clear();
        let view = frame.views[view.index()];
        let delta = frame.pairs(before);
        let removed = delta.removed.iter().map(|pair| pair.row(view));
        split(network, removed, &mut lists.wide_removed, &mut lists.narrow_removed);
        let added = delta.added.iter().map(|pair| pair.row(view));
        split(network, added, &mut lists.wide_added, &mut lists.narrow_added);
    }
}

/// Sends each row to the list of the table that it is read from, if it needs to be read.
#[inline]
fn split(
    network: &Network,
    rows: impl Iterator<Item = u32>,
    wide: &mut List<u32, CAPACITY>,
    narrow: &mut List<u32, CAPACITY>,
) {
    for row in rows {
        match network.threat_tables().place(row) {
            Place::Narrow(row) => narrow.push(row),
            Place::Wide(row) => wide.push(row),
            Place::Nowhere => {}
        }
    }
}
