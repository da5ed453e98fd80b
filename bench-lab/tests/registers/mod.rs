//! The register on the disk, what is refused by it, and trials verified against it.

mod diagnosed;
mod eliminated;
mod file;
mod listing;
mod mended;
mod place;
mod rejudged;
mod verified;
