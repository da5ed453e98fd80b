//! Gates: what is asked, what comes of it, and how it is told.

mod broken;
mod command;
mod comment;
mod file;
mod instructions;
mod lab;
mod outputs;
mod sizes;
mod trees;
