//! Arms of somebody else's engine: built by commands, or there already; trials and comparisons of them.

mod cargo;
mod command;
mod compare;
pub mod cpp;
mod foreign;
mod gates;
mod paused;
mod prebuilt;
