//! Row sums of the positions on the search's path.
//!
//! Pieces and threats have accumulators of their own, because they are rebuilt for different
//! reasons: pieces when the king changes bucket or half of the board, threats for the half only. A
//! king step between buckets then costs 32 piece rows instead of these and some 60 threat rows, and
//! nets without threats carry nothing. The price is one more addition when activations are made.

pub(super) mod frame;
pub(super) mod ground;
pub(super) mod parts;
#[cfg(any(test, feature = "refresh-cache"))]
mod refresh;
pub(super) mod sums;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::kernels::{Accumulated, Kernels};
use super::network::Network;
use crate::memory::Memory;
use crate::position::{Bitboard, Color, Move, Position};
use frame::Frame;
use parts::{Pieces, Threats};
use sums::Sums;

/// Plies reserved at the start; a longer path would allocate once more.
const RESERVED: usize = 256;

/// The component `lazy-acc`: accumulators are computed when a value is wanted, so that positions that
/// never need one cost nothing. Without it, they follow every move.
const LAZY: bool = cfg!(feature = "lazy-acc");

/// The path from the root to the current position.
pub(super) struct Stack {
    network: Arc<Network>,
    kernels: Kernels,
    frames: Vec<Frame>,
    /// Index of the current frame; those above are kept for reuse.
    top: usize,
    pieces: Sums<Pieces>,
    threats: Sums<Threats>,
}

impl Stack {
    pub fn new(network: Arc<Network>, kernels: Kernels) -> Self {
        let frames = vec![Frame::new(&Position::start(), network.architecture()); RESERVED];
        let plies = if network.architecture().has_threats() { RESERVED } else { 0 };
        Self {
            kernels,
            frames,
            top: 0,
            pieces: Sums::new(RESERVED, &network),
            threats: Sums::new(plies, &network),
            network,
        }
    }

    /// What it holds, the net apart.
    pub fn memory(&self) -> Memory {
        Memory::of_list(&self.frames) + self.pieces.memory() + self.threats.memory()
    }

    /// Starts a path at `root`.
    pub fn reset(&mut self, root: &Position) {
        self.top = 0;
        self.enter(root, Bitboard::EMPTY);
    }

    /// Appends the position after a move.
    pub fn push(&mut self, after: &Position, played: Move) {
        let changed = frame::changed_squares(played);
        debug_assert_eq!(changed, frame::differences(&self.frames[self.top].position, after));
        self.advance(after, changed);
    }

    /// Appends the position after a null move.
    pub fn push_null(&mut self, after: &Position) {
        self.advance(after, Bitboard::EMPTY);
    }

    /// Goes back one position.
    pub fn pop(&mut self) {
        self.top = self.top.saturating_sub(1);
    }

    /// The current position.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.frames[self.top].position
    }

    fn advance(&mut self, after: &Position, changed: Bitboard) {
        self.top += 1;
        if self.top == self.frames.len() {
            self.frames.push(Frame::new(after, self.network.architecture()));
            self.pieces.grow();
            if self.network.architecture().has_threats() {
                self.threats.grow();
            }
        }
        self.enter(after, changed);
    }

    fn enter(&mut self, position: &Position, changed: Bitboard) {
        self.frames[self.top].enter(position, changed, self.network.architecture());
        self.pieces.forget(self.top);
        if self.network.architecture().has_threats() {
            self.threats.forget(self.top);
        }
        if !LAZY {
            self.update();
        }
    }

    /// Lists the rows that the current position needs, for both views before any is applied, and fetches
    /// them. Not earlier: a third of all positions are never evaluated.
    fn prepare(&mut self) {
        let frames = &mut self.frames[..=self.top];
        for view in Color::ALL {
            self.pieces.prepare(&self.network, frames, view);
            if self.network.architecture().has_threats() {
                self.threats.prepare(&self.network, frames, view);
            }
        }
    }

    /// Brings the current position's accumulators up to date.
    fn update(&mut self) {
        self.prepare();
        let frames = &mut self.frames[..=self.top];
        for view in Color::ALL {
            self.pieces.refresh(&self.network, self.kernels, frames, view);
            if self.network.architecture().has_threats() {
                self.threats.refresh(&self.network, self.kernels, frames, view);
            }
        }
    }

    /// Spoils what is known of the current position, to show that it is found.
    #[cfg(test)]
    pub fn corrupt(&mut self) {
        self.update();
        self.pieces.corrupt(self.top);
    }

    /// The current position's accumulators, up to date, the side to move's first.
    pub fn accumulated(&mut self) -> Accumulated<'_> {
        self.update();
        let side = self.frames[self.top].position.side();
        let views = [side, !side];
        let has_threats = self.network.architecture().has_threats();
        Accumulated {
            pieces: views.map(|view| self.pieces.values(self.top, view)),
            threats: has_threats.then(|| views.map(|view| self.threats.values(self.top, view))),
            base: self.network.base(),
        }
    }
}
