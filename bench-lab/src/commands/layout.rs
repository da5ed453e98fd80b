//! `bench-lab layout`: layouts usable alone, without a trial.

pub(super) mod arm;
mod capture;
mod columns;
mod compare;
mod draw;
mod file;
mod flags;
pub(super) mod output;
mod show;
mod sweep;
mod view;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use layouts::parts::Part;

use super::Failure;
use crate::exit::Exit;
pub(super) use columns::columns;
pub(super) use output::json;

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
  bench-lab layout capture --bundle bundles/quickstart.toml --arm full -o full.tar
  bench-lab layout capture -o stockfish.tar -- make -j{jobs} build EXTRACXXFLAGS='{cc_flags}' EXTRALDFLAGS='{ld_flags}'
  bench-lab layout capture -o engine.tar -- g++ -O3 {cc_flags} src/main.cpp {ld_flags} -o {out}
  bench-lab layout capture -o engine.tar -- cargo rustc --profile lab --bin engine -- {rust_flags}
  bench-lab layout capture --tar reproduce.tar")]
    Capture {
        /// Build an arm of a bundle
        #[arg(long, value_name = "FILE", conflicts_with_all = ["tar", "command"])]
        bundle: Option<PathBuf>,
        /// Which arm: base, full or without:<component>
        #[arg(long, value_name = "NAME", default_value = "full", requires = "bundle")]
        arm: String,
        /// The lane whose build it is [default: the first]
        #[arg(long, value_name = "NAME", requires = "bundle")]
        lane: Option<String>,
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
    /// Measure one executable in many layouts: how much of your last gain was layout?
    ///
    /// Tells the spread of speed between layouts from the noise of a single measurement, and how likely two builds of
    /// the same speed differ by a given gain by layout alone. Writes sweep.json and sweep.html.
    #[command(after_help = "\
Examples:
  bench-lab layout sweep --bundle bundles/quickstart.toml --gain 0.8
  bench-lab layout sweep engine.tar --positions work.epd --nodes 50000 --core 1 --option Hash=16
  bench-lab layout sweep engine.tar --bundle my.toml --draws 40 --without order --without padding
  bench-lab layout sweep ./stockfish --positions work.epd --nodes 50000 --core 1")]
    Sweep(SweepArguments),
}

/// Arguments of `layout sweep`.
#[derive(Clone, Debug, Args)]
pub struct SweepArguments {
    /// A capture; or an executable, of which only the start-up layout can be drawn
    #[arg(value_name = "CAPTURE|EXECUTABLE")]
    subject: Option<PathBuf>,
    /// Take workload, options and core from a bundle; without a capture, build one of its arms
    #[arg(long, value_name = "FILE")]
    bundle: Option<PathBuf>,
    /// The arm to build: base, full or without:<component>; its options count in any case
    #[arg(long, value_name = "NAME", default_value = "full", requires = "bundle")]
    arm: String,
    /// The lane of the bundle [default: the first]
    #[arg(long, value_name = "NAME", requires = "bundle")]
    lane: Option<String>,
    /// A file of positions, one FEN a line
    #[arg(long, value_name = "FILE", requires = "nodes")]
    positions: Option<PathBuf>,
    /// Nodes searched on each position
    #[arg(long, value_name = "N", requires = "positions", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Processor core to measure on, from 0; the lab itself uses another one
    #[arg(long, value_name = "N")]
    core: Option<usize>,
    /// A UCI option; one whose name ends in File is a path
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    /// How many layouts
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number(2, 1000))]
    draws: u64,
    /// How often each is measured
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number(2, 1000))]
    rounds: u64,
    /// How many are measured side by side; the fewer, the less they wear each other's caches
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number(1, 16))]
    together: u64,
    /// The gain that you measured last, in percent
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, value_parser = percent)]
    gain: Option<f64>,
    /// Leave a part as it is: order, padding, phase, segments, heap, stack, mapping, tables or copy
    #[arg(long, value_name = "PART")]
    without: Vec<Part>,
    /// Master seed [default: the bundle's, else random]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Folder of the results [default: sweeps/<name>-<UTC time>]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// A whole number in a range.
pub(super) fn number(least: u64, most: u64) -> clap::builder::RangedU64ValueParser {
    clap::builder::RangedU64ValueParser::new().range(least..=most)
}

/// `Hash=16`; the value may be empty.
pub(super) fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE, such as Hash=16".to_owned()),
    }
}

/// A gain that two builds can have.
fn percent(text: &str) -> Result<f64, String> {
    let gain =
        text.trim().trim_end_matches('%').trim_end().parse::<f64>().map_err(|error| error.to_string())?;
    let possible = gain.is_finite() && gain > -100.0;
    possible.then_some(gain).ok_or_else(|| "expected a gain in percent, above -100".to_owned())
}

/// Does it.
pub fn run(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Capture { bundle, arm, lane, tar, out, command } => {
            let source = match (bundle, tar) {
                (Some(file), _) => capture::Source::Bundle { file, arm, lane },
                (None, Some(file)) => capture::Source::Tar(file),
                (None, None) => capture::Source::Command(command),
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
        Command::Sweep(arguments) => sweep::sweep(&arguments.into()),
    }
}

impl From<SweepArguments> for sweep::Request {
    fn from(arguments: SweepArguments) -> sweep::Request {
        // The parsers keep these below 1000.
        let small = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        sweep::Request {
            subject: arguments.subject,
            bundle: arguments.bundle,
            arm: arguments.arm,
            lane: arguments.lane,
            positions: arguments.positions,
            nodes: arguments.nodes,
            core: arguments.core,
            options: arguments.options,
            draws: small(arguments.draws),
            rounds: small(arguments.rounds),
            together: small(arguments.together),
            gain: arguments.gain,
            without: arguments.without,
            seed: arguments.seed,
            out: arguments.out,
        }
    }
}
