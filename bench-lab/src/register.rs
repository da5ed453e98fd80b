//! The register on the disk: what became of every trial, kept for ever.
//!
//! | what | where |
//! |---|---|
//! | where it is, and where trials are, seen from it | `place` |
//! | opened under a lock, appended to | [`RegisterFile`] |
//! | trials that broke off without a word | `mend` |
//! | events made of plans, verdicts and voids | `events` |

mod events;
mod file;
mod mend;
mod place;

pub use events::{judgement, planned, void};
pub use file::{RegisterError, RegisterFile, read};
pub(crate) use mend::elimination;
pub use mend::mend;
pub use place::{beside, near, relative, seen_from};
