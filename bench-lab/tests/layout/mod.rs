//! One room for each of what the commands do.

mod captures;
mod common;
mod executables;
mod sweep;
