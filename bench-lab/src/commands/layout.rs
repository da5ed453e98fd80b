//! `bench-lab layout`: layouts usable alone, without a trial.

mod columns;
mod compare;
mod draw;
mod file;
mod output;
mod show;
mod view;

use std::path::PathBuf;

use clap::Subcommand;
use layouts::parts::Part;

use super::Failure;
use crate::exit::Exit;

/// What can be done with layouts.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Relink captures under one shared draw, each executable with a file that says what lies where
    ///
    /// Same seed, same bytes. What several captures have in common lies at the same address in all of them.
    #[command(after_help = "\
Examples:
  bench-lab layout draw engine.tar --seed 42
  bench-lab layout draw base.tar full.tar --seed 42 -o drawn/
  bench-lab layout draw engine.tar --seed 42 --without segments --without heap -o engine-42")]
    Draw {
        /// Captures, made by `bench-lab layout capture`
        #[arg(required = true, value_name = "CAPTURE")]
        captures: Vec<PathBuf>,
        /// Seed of the draw
        #[arg(long, value_name = "N")]
        seed: u64,
        /// Where to: a folder, or for one capture a file [default: <capture>-<seed> here]
        #[arg(short, long, value_name = "DIR|FILE")]
        out: Option<PathBuf>,
        /// Leave a part as it is: order, padding, phase, segments, heap, stack, mapping or copy
        #[arg(long, value_name = "PART")]
        without: Vec<Part>,
    },
    /// Show what sits where in an executable, or what moved between two
    ///
    /// Reads executables that `draw` made and any other that has not been stripped.
    #[command(after_help = "\
Examples:
  bench-lab layout show engine-42
  bench-lab layout show engine-42 engine-43
  bench-lab layout show ./stockfish --units search
  bench-lab layout show base-42 full-42 --json")]
    Show {
        /// The executable
        executable: PathBuf,
        /// Another one to compare it with
        other: Option<PathBuf>,
        /// As JSON, with the keys that docs/layouts.md explains
        #[arg(long)]
        json: bool,
        /// List units with their addresses: all, or those whose name holds PATTERN
        #[arg(long, value_name = "PATTERN", num_args = 0..=1, default_missing_value = "")]
        units: Option<String>,
    },
}

/// Does it.
pub fn run(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Draw { captures, seed, out, without } => {
            draw::draw(&draw::Request { captures, seed, out, without })
        }
        Command::Show { executable, other, json, units } => {
            show::show(&show::Request { executable, other, json, units })
        }
    }
}
