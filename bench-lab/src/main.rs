//! The `bench-lab` command line.

fn main() {}
