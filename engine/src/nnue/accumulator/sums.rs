//! The accumulators of one part along the path.

use super::frame::Frame;
use super::ground::Ground;
use super::parts::{Part, RowLists};
use crate::memory::Memory;
use crate::nnue::aligned::Aligned;
use crate::nnue::kernels::{Kernels, Rows};
use crate::nnue::network::Network;
use crate::position::Color;
use crate::prefetch::{self, prefetch};

/// How the current position's accumulator of a view comes about.
#[derive(Clone, Copy)]
enum Origin {
    /// From what the part's ground has at hand.
    Rebuild,
    /// From the accumulator of this earlier ply.
    Ply(usize),
}

/// Prepared work: for which ply, from where; its last step's rows lie in the lists beside it.
#[derive(Clone, Copy)]
struct Plan {
    ply: usize,
    origin: Origin,
}

/// Accumulators of both views on every ply.
pub struct Sums<P: Part> {
    width: usize,
    /// [ply][view][width].
    values: Vec<[Aligned<i16>; 2]>,
    computed: Vec<[bool; 2]>,
    plans: [Option<Plan>; 2],
    lists: Box<[RowLists; 2]>,
    step: Box<RowLists>,
    ground: P::Ground,
}

impl<P: Part> Sums<P> {
    pub fn new(plies: usize, network: &Network) -> Self {
        let width = network.architecture().width;
        Self {
            width,
            values: (0..plies).map(|_| Self::empty(width)).collect(),
            computed: vec![[false; 2]; plies],
            plans: [None; 2],
            lists: Box::default(),
            step: Box::default(),
            ground: P::Ground::new(network),
        }
    }

    /// What it holds.
    pub fn memory(&self) -> Memory {
        let values: Memory = self.values.iter().flatten().map(Aligned::memory).sum();
        Memory::of_list(&self.values)
            + values
            + Memory::of_list(&self.computed)
            + Memory::of_box(&*self.lists)
            + Memory::of_box(&*self.step)
            + self.ground.memory()
    }

    fn empty(width: usize) -> [Aligned<i16>; 2] {
        [Aligned::zeros(width), Aligned::zeros(width)]
    }

    /// Makes room for one more ply.
    pub fn grow(&mut self) {
        self.values.push(Self::empty(self.width));
        self.computed.push([false; 2]);
    }

    /// A new position has come to this ply.
    #[inline]
    pub fn forget(&mut self, ply: usize) {
        self.computed[ply] = [false; 2];
        self.plans = [None; 2];
    }

    /// The up-to-date accumulator.
    #[inline]
    pub fn values(&self, ply: usize, view: Color) -> &[i16] {
        &self.values[ply][view.index()]
    }

    /// Makes White's accumulator on this ply wrong.
    #[cfg(test)]
    pub fn corrupt(&mut self, ply: usize) {
        self.values[ply][0].fill(0);
    }

    /// Lists the rows that the last frame's accumulator will need, and fetches them.
    pub fn prepare(&mut self, network: &Network, frames: &mut [Frame], view: Color) {
        let (ply, v) = (frames.len() - 1, view.index());
        if self.computed[ply][v] || self.plans[v].is_some_and(|plan| plan.ply == ply) {
            return;
        }
        let origin = self.origin(frames, view);
        let lists = &mut self.lists[v];
        match origin {
            Origin::Rebuild => self.ground.rows(network, &frames[ply], view, lists),
            Origin::Ply(_) => step_rows::<P>(network, frames, ply, view, lists),
        }
        let (wide, narrow) = lists.rows(P::tables(network));
        fetch(wide, self.width);
        fetch(narrow, self.width);
        self.plans[v] = Some(Plan { ply, origin });
    }

    /// Brings the last frame's accumulator up to date.
    pub fn refresh(&mut self, network: &Network, kernels: Kernels, frames: &mut [Frame], view: Color) {
        self.prepare(network, frames, view);
        let (ply, v) = (frames.len() - 1, view.index());
        let Some(plan) = self.plans[v].take().filter(|_| !self.computed[ply][v]) else { return };
        let tables = P::tables(network);
        match plan.origin {
            Origin::Rebuild => {
                let (wide, narrow) = self.lists[v].rows(tables);
                let (frame, sums) = (&frames[ply], &mut self.values[ply][v]);
                kernels.update(self.ground.sums(network, frame, view), sums, wide, narrow);
                self.ground.keep(frame, view, sums);
            }
            Origin::Ply(origin) => {
                for between in origin + 1..ply {
                    step_rows::<P>(network, frames, between, view, &mut self.step);
                    apply(&mut self.values, kernels, between, v, self.step.rows(tables));
                    self.computed[between][v] = true;
                }
                apply(&mut self.values, kernels, ply, v, self.lists[v].rows(tables));
            }
        }
        self.computed[ply][v] = true;
    }

    /// The nearest computed ply from which all rows mean the same, if it is near enough.
    fn origin(&self, frames: &[Frame], view: Color) -> Origin {
        let (last, v) = (frames.len() - 1, view.index());
        let longest = P::longest_chain(&frames[last].position);
        for ply in (last.saturating_sub(longest)..last).rev() {
            if !P::same_rows(frames[ply].views[v], frames[last].views[v]) {
                return Origin::Rebuild;
            }
            if self.computed[ply][v] {
                return Origin::Ply(ply);
            }
        }
        Origin::Rebuild
    }
}

fn step_rows<P: Part>(
    network: &Network,
    frames: &mut [Frame],
    ply: usize,
    view: Color,
    lists: &mut RowLists,
) {
    let (before, frame) = frames.split_at_mut(ply);
    P::changed_rows(network, &before[ply - 1].position, &mut frame[0], view, lists);
}

/// Makes the accumulator of `ply` from the one before.
#[inline]
fn apply(
    values: &mut [[Aligned<i16>; 2]],
    kernels: Kernels,
    ply: usize,
    view: usize,
    (wide, narrow): (Rows<'_, i16>, Rows<'_, i8>),
) {
    let (before, here) = values.split_at_mut(ply);
    kernels.update(&before[ply - 1][view], &mut here[0][view], wide, narrow);
}

/// Rows of a list that are fetched ahead, and lines of each: the processor itself fetches the rest of
/// a row once its start has been read, and whole rows would push each other out of the nearest cache.
const FETCHED_ROWS: usize = 32;
const FETCHED_LINES: usize = 4;

/// Fetches the rows ahead of their use (component `prefetch-rows`).
#[inline]
pub fn fetch<T>(rows: Rows<'_, T>, width: usize) {
    if !prefetch::ROWS {
        return;
    }
    for list in [rows.added, rows.removed] {
        for &row in list.iter().take(FETCHED_ROWS) {
            let row = &rows.table[row as usize * width..][..width];
            for line in row.chunks(64 / size_of::<T>()).take(FETCHED_LINES) {
                prefetch(line.as_ptr());
            }
        }
    }
}
