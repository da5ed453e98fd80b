//! Row sums of the positions on the search's path, made when a value is wanted.
//!
//! A sum comes about in one step: from that of the nearest earlier position with the own king on the same square, by
//! all that differs between the two, or from the bias. What lies between them is never computed.

use std::sync::Arc;

use super::Row;
use super::features::{Rows, View};
use super::kernels::Kernels;
use super::net::{HalfKpNet, Parts};
use crate::memory::Memory;
use crate::position::{Color, Position};

/// Plies reserved at the start; a longer path would allocate once more.
const RESERVED: usize = 256;
/// How many plies to look back: beyond, about as much differs as there are pieces.
const LOOK_BACK: usize = 10;

#[derive(Clone)]
struct Frame {
    position: Position,
    /// White's and Black's.
    sums: [Row; 2],
    computed: [bool; 2],
}

/// The path from the root to the current position.
pub struct Stack {
    net: Arc<HalfKpNet>,
    kernels: Kernels,
    frames: Vec<Frame>,
    /// Index of the current frame; those above are kept for reuse.
    top: usize,
}

impl Stack {
    pub fn new(net: Arc<HalfKpNet>, kernels: Kernels) -> Self {
        let frame = Frame { position: Position::start(), sums: [*net.parts().bias; 2], computed: [false; 2] };
        Self { net, kernels, frames: vec![frame; RESERVED], top: 0 }
    }

    /// What it holds, the net apart.
    pub fn memory(&self) -> Memory {
        Memory::of_list(&self.frames)
    }

    /// Starts a path at `root`.
    pub fn reset(&mut self, root: &Position) {
        self.top = 0;
        self.enter(root);
    }

    /// Appends the position after a move or a null move.
    pub fn push(&mut self, after: &Position) {
        self.top += 1;
        if self.top == self.frames.len() {
            self.frames.push(self.frames[0].clone());
        }
        self.enter(after);
    }

    /// Goes back one position.
    pub fn pop(&mut self) {
        self.top = self.top.saturating_sub(1);
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.frames[self.top].position
    }

    fn enter(&mut self, position: &Position) {
        let frame = &mut self.frames[self.top];
        frame.position = *position;
        frame.computed = [false; 2];
    }

    /// The current position's sums, the side to move's first.
    pub fn sums(&mut self) -> [&Row; 2] {
        Color::ALL.into_iter().for_each(|own| self.refresh(own));
        let Frame { position, sums, .. } = &self.frames[self.top];
        [position.side(), !position.side()].map(|own| &sums[own.index()])
    }

    fn refresh(&mut self, own: Color) {
        let (earlier, rest) = self.frames.split_at_mut(self.top);
        let Frame { position, sums, computed } = &mut rest[0];
        let v = own.index();
        if computed[v] {
            return;
        }
        let Parts { bias, rows: table, .. } = self.net.parts();
        let view = View::new(position, own);
        let same_rows = |frame: &&Frame| frame.computed[v] && frame.position.king(own) == position.king(own);
        let (source, rows) = match earlier.iter().rev().take(LOOK_BACK).find(same_rows) {
            Some(origin) => (&origin.sums[v], Rows::between(&origin.position, position, view)),
            None => (&**bias, Rows::all(position, view)),
        };
        self.kernels.update(source, &mut sums[v], table, &rows.added, &rows.removed);
        computed[v] = true;
    }

    /// Spoils what is known of the current position, to show that it is found.
    #[cfg(test)]
    pub fn corrupt(&mut self) {
        self.sums();
        self.frames[self.top].sums[0].0.fill(0);
    }
}
