//! The `engine` executable.

fn main() {}
