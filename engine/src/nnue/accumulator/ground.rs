//! What a rebuilt accumulator starts from.

use super::frame::Frame;
use super::parts::{Part, RowLists};
use crate::memory::Memory;
use crate::nnue::network::Network;
use crate::position::Color;

/// A row sum that is at hand when a view's accumulator has to be rebuilt.
pub trait Ground {
    /// Before anything was rebuilt.
    fn new(network: &Network) -> Self;
    /// Lists the rows by which the frame's sum differs from [`sums`](Self::sums).
    fn rows(&self, network: &Network, frame: &Frame, view: Color, lists: &mut RowLists);
    /// The sum to start from.
    fn sums<'a>(&'a self, network: &'a Network, frame: &Frame, view: Color) -> &'a [i16];
    /// Takes note of a rebuilt sum.
    fn keep(&mut self, frame: &Frame, view: Color, sums: &[i16]);
    /// What it holds.
    fn memory(&self) -> Memory;
}

/// Nothing at hand: every row of the position is added to the accumulator without rows.
pub struct Nothing<P>(std::marker::PhantomData<P>);

impl<P: Part> Ground for Nothing<P> {
    fn new(_: &Network) -> Self {
        Self(std::marker::PhantomData)
    }

    #[inline]
    fn rows(&self, network: &Network, frame: &Frame, view: Color, lists: &mut RowLists) {
        P::all_rows(network, frame, view, lists);
    }

    #[inline]
    fn sums<'a>(&'a self, network: &'a Network, _: &Frame, _: Color) -> &'a [i16] {
        P::start(network)
    }

    #[inline]
    fn keep(&mut self, _: &Frame, _: Color, _: &[i16]) {}

    fn memory(&self) -> Memory {
        Memory::default()
    }
}
