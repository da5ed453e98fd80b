//! Layouts on real programs: built by the compilers that are there, captured, drawn, relinked, run and read back.

mod archives;
mod c_program;
mod common;
mod contents;
mod engine;
mod faults;
mod heap;
mod links;
mod parts;
mod proof;
mod rust_program;
mod startup;
mod survey;
mod toolchains;
mod unscattered;
