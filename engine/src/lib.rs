//! Tempo, a UCI chess engine with an integer network, built as the reference subject of the lab.

pub mod components;
pub mod huge;
#[doc(hidden)]
pub mod measure;
pub mod memory;
pub mod nets;
pub mod nnue;
pub mod position;
pub mod prefetch;
pub mod search;
pub mod uci;
