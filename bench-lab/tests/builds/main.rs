//! Arms of somebody else's engine: built by commands, or there already.

mod command;
mod cpp;
mod prebuilt;
