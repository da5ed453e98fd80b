//! `bench-lab layout`: layouts usable alone, without a trial.

pub(super) mod arm;
mod capture;
mod compare;
mod draw;
mod file;
mod flags;
mod show;
pub mod sweep;
mod view;

use std::path::PathBuf;

use clap::Subcommand;
use layouts::parts::Part;

use super::Failure;
use super::arguments::{ArmOfBundle, at_least, drawn_part};
use crate::exit::Exit;

/// What can be done with layouts.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Keep the final link of a program in one file, so that it can be repeated without the compiler
    ///
    /// In a build command, {cc_flags} stands for flags of gcc and clang at every compilation, {ld_flags} for those at
    /// the final link, {rust_flags} for those of rustc at the final link, {jobs} for a number of jobs and {out} for a
    /// place to put the executable.
    #[command(after_help = "\
Examples:
  bench-lab layout capture --bundle bundles/quickstart.toml -o full.tar
  bench-lab layout capture -o stockfish.tar -- make -j{jobs} build \\
    EXTRACXXFLAGS='{cc_flags}' EXTRALDFLAGS='{ld_flags}'
  bench-lab layout capture -o engine.tar -- \\
    g++ -O3 {cc_flags} src/main.cpp {ld_flags} -o {out}
  bench-lab layout capture -o engine.tar -- \\
    cargo rustc --profile lab --bin engine -- {rust_flags}
  bench-lab layout capture --tar reproduce.tar")]
    Capture {
        /// Build an arm of a bundle
        #[arg(long, value_name = "FILE", conflicts_with_all = ["tar", "command"])]
        bundle: Option<PathBuf>,
        /// The arm, and the lane whose build it is
        #[command(flatten)]
        of: ArmOfBundle,
        /// Check an archive that LLD's --reproduce wrote, and keep it with -o
        #[arg(long, value_name = "FILE", conflicts_with = "command")]
        tar: Option<PathBuf>,
        /// The capture file
        #[arg(short, long, value_name = "FILE", required_unless_present = "tar")]
        out: Option<PathBuf>,
        /// A build command, run in this folder
        #[arg(last = true, value_name = "COMMAND")]
        command: Vec<String>,
    },
    /// Print the compiler's and linker's flags for builds that run elsewhere (an IDE, CMake)
    #[command(after_help = "Example:\n  bench-lab layout flags capture/")]
    Flags {
        /// Folder for the linker's stand-in and for the capture
        folder: PathBuf,
    },
    /// Relink captures under one shared draw, each executable with a file that says what lies where
    ///
    /// Same seed, same bytes. What several captures have in common lies at the same address in all of them.
    #[command(after_help = "\
Examples:
  bench-lab layout draw engine.tar --seed 42
  bench-lab layout draw base.tar full.tar --seed 42 -o drawn/
  bench-lab layout draw engine.tar --seed 42 -o engine-42 \\
    --without segments --without heap")]
    Draw {
        /// Captures, made by `bench-lab layout capture`
        #[arg(required = true, value_name = "CAPTURE")]
        captures: Vec<PathBuf>,
        /// Seed of the draw
        #[arg(long, value_name = "N", value_parser = at_least::<u64>(0))]
        seed: u64,
        /// Where to: a folder, or for one capture a file [default: <capture>-<seed> here]
        #[arg(short, long, value_name = "DIR|FILE")]
        out: Option<PathBuf>,
        /// Leave a part as it is: order, padding, phase, segments, heap, stack, mapping or copy
        #[arg(long, value_name = "PART", value_parser = drawn_part)]
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
    /// Measure one executable in many layouts: how much of your last gain was layout?
    ///
    /// Tells the spread of speed between layouts from the noise of a single measurement, and how likely two builds of
    /// the same speed differ by a given gain by layout alone. Writes sweep.json and sweep.html.
    #[command(after_help = "\
Examples:
  bench-lab layout sweep --bundle bundles/quickstart.toml --gain 0.8
  bench-lab layout sweep engine.tar --option Hash=16 \\
    --positions work.epd --nodes 50000 --core 1
  bench-lab layout sweep engine.tar --bundle my.toml --draws 40 \\
    --without order --without padding
  bench-lab layout sweep ./stockfish --positions work.epd --nodes 50000 --core 1")]
    Sweep(sweep::Arguments),
}

/// Does it.
pub fn run(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Capture { bundle, of, tar, out, command } => {
            let source = match (bundle, tar) {
                (Some(file), _) => capture::Source::Bundle { file, of },
                (None, Some(file)) => capture::Source::Tar(file),
                (None, None) => capture::Source::command(command)?,
            };
            capture::capture(&capture::Request { source, out })
        }
        Command::Flags { folder } => flags::flags(&folder),
        Command::Draw { captures, seed, out, without } => {
            draw::draw(&draw::Request { captures, seed, out, without })
        }
        Command::Show { executable, other, json, units } => {
            show::show(&show::Request { executable, other, json, units })
        }
        Command::Sweep(arguments) => sweep::sweep(&arguments),
    }
}
