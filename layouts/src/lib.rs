//! Memory layouts: capture a link once, draw where everything lies, relink without the compiler, read back what moved.
//!
//! ```no_run
//! use std::path::Path;
//! use layouts::{capture::Capture, draw::Draw, parts::Parts, relink::relink, startup::Startup};
//!
//! // The final link was run with `capture::link_args("full.tar")` (C, C++: `capture::cc_link_args`), and the same for the
//! // other arm.
//! let full = Capture::open(Path::new("full.tar"), Path::new("full"))?;
//! let base = Capture::open(Path::new("base.tar"), Path::new("base"))?;
//! let draw = Draw::new(42, &Parts::all(), &[&full, &base]);
//! let a = relink(&full, &draw, Path::new("full.42"))?;
//! let b = relink(&base, &draw, Path::new("base.42"))?;
//! println!("{:?}, {:?}", a.moved(full.natural()), a.shared(&b));
//!
//! let mut command = std::process::Command::new("./full.42");
//! Startup::draw(42, &Parts::all()).apply(&mut command)?;
//! command.status().expect("starts");
//! # Ok::<(), layouts::Error>(())
//! ```
//!
//! A *unit* is the smallest piece that the linker can place: one section of an object file, which holds one function or
//! one static object when the compiler was told so, or one entry of a pool of small constants. A draw gives every unit that any arm has one *slot*, at one address
//! for all arms; an arm that lacks the unit, or has a smaller one, fills the slot with padding of our own.

pub mod capture;
pub mod draw;
mod error;
pub mod image;
pub mod linker;
mod pads;
pub mod parts;
pub mod relink;
pub mod startup;
pub mod survey;
pub mod tether;
pub mod unit;

pub use error::{Error, nameless};

/// Name and version of the way layouts are drawn; a change that gives the same seed another layout changes it.
pub const SCHEME: &str = "shared-slots/3";
