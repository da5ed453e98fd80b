//! The integer network: files, features, lazy accumulators, kernels.
//!
//! ```text
//! Position ─ features ─ accumulators (pieces, threats; both views) ─ activations ─ head ─ value
//! ```
//!
//! That is the way of the engine's own nets; [`halfkp`] is that of the first published shape. An evaluator of either kind
//! stands behind one trait.
//!
//! Every way to a value gives the same number, bit for bit: scalar or vector kernels, step by step
//! or rebuilt, whatever components are on.

mod accumulator;
mod aligned;
mod architecture;
mod base;
mod beside;
mod cache;
mod checks;
mod error;
mod evaluator;
pub mod extent;
mod features;
#[cfg(any(test, feature = "verify-eval"))]
mod formula;
mod games;
pub mod halfkp;
mod head;
mod header;
mod kernels;
mod loading;
pub(crate) mod measure;
mod narrow;
mod native;
mod net;
mod network;
mod noise;
mod order;
mod progress;
mod proof;
mod source;
pub mod synth;
#[cfg(test)]
mod testing;
mod verify;
pub mod widen;
mod writer;

pub use architecture::Architecture;
pub use checks::Checks;
pub use error::{NetError, Refusal, ShapeError};
pub use evaluator::Evaluator;
pub use header::hex;
pub use kernels::Simd;
pub use loading::{HashCheck, Loading};
pub use net::Net;
pub use network::{EMBEDDED, Network};
pub use progress::{Report, Silence, Terminal};
pub use writer::WriteError;

use crate::position::{PieceType, Position};

/// Largest magnitude of a scaled value: well below any mate score.
const VALUE_LIMIT: i32 = 30_000;

/// The net's value scaled by the material of both sides.
pub fn scaled(net: i32, position: &Position) -> i32 {
    const WORTH: [(PieceType, i64); 5] = [
        (PieceType::Pawn, 110),
        (PieceType::Knight, 320),
        (PieceType::Bishop, 330),
        (PieceType::Rook, 500),
        (PieceType::Queen, 900),
    ];
    let material: i64 =
        WORTH.iter().map(|&(kind, worth)| worth * i64::from(position.kind_bb(kind).count())).sum();
    let net = i64::from(net);
    let value = net + net * 80 * (material - 3370) / 1_000_000;
    value.clamp(i64::from(-VALUE_LIMIT), i64::from(VALUE_LIMIT)) as i32
}
