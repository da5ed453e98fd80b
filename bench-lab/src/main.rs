//! The `bench-lab` command line.

use std::process::ExitCode;

use bench_lab::exit::Exit;

fn main() -> ExitCode {
    Exit::Usage.into()
}
