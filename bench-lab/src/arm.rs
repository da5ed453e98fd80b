//! Arms as processes: start, talk UCI, stop, continue, read clocks, and never leave one behind.

pub mod clock;
pub mod copy;
pub mod counters;
pub mod image;
pub mod limits;
pub mod options;
pub mod process;
pub mod session;
pub mod uci;

pub(crate) mod kin;
mod launch;
mod lines;
mod memory;

pub use image::ArmImage;
pub use process::ArmProcess;
