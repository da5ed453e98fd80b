//! The register: what became of every plan, in a chain of lines that only grows.
//!
//! Each line is one [`Entry`] as canonical JSON. It holds its own SHA-256, so that a changed line is found at once, and the SHA-256
//! of the line before, so that a line that was changed, taken out, put in or moved by somebody who mends
//! hashes is found at the line after. What no chain can show is that its end was cut off; verdicts and records
//! show that, and whoever keeps the hash of a line.
//!
//! | step | where |
//! |---|---|
//! | what can be registered | [`Event`] |
//! | one line | [`Entry`] |
//! | the whole, read and continued | [`Register`] |
//! | the first thing that does not fit | [`RegisterFault`] |
//! | what became of a trial | [`Registered`], [`State`] |
//! | components that may not come back | [`Ban`] |

mod bans;
mod chain;
mod entry;
mod event;
mod fault;
mod registered;

pub use bans::Ban;
pub use chain::{Register, whole_lines};
pub use entry::{Entry, FIRST};
pub use event::{
    Component, Diagnosed, Elimination, Event, Judgement, Lab, Pause, Planned, Resume, Start, TornLine, Void,
};
pub use fault::RegisterFault;
pub use registered::{Registered, State};
