//! Arms of somebody else's engine: built by commands, or there already.

mod cargo;
mod command;
mod cpp;
mod foreign;
mod prebuilt;
