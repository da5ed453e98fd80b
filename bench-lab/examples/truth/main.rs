//! The lab's own truth, by experiment: what `scripts/truth_*.sh` measure with, and the page that they fill.
//!
//! | command | what it does |
//! |---|---|
//! | `slices` | one component under slots of several lengths, and alone |
//! | `handicap` | what the planted slow-down of the engine is worth, without the lab |
//! | `summary` | writes `README.md` from the raw results |

mod handicap;
mod measured;
mod slices;
mod summary;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Experiments about the lab itself.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure two executables against each other under slots of several lengths
    Slices(slices::Arguments),
    /// Count and time what `Lab Handicap` adds to a workload
    Handicap(handicap::Arguments),
    /// Write README.md of a folder of results from its raw files
    Summary {
        /// The folder: results/truth
        folder: PathBuf,
    },
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Slices(arguments) => slices::run(&arguments),
        Command::Handicap(arguments) => handicap::run(&arguments),
        Command::Summary { folder } => summary::write(&folder),
    }
}
