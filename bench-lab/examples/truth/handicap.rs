//! What `Lab Handicap` is worth, without the lab: instructions counted by valgrind, time by whole processes.
//!
//! Both are taken at a handicap of 100 % of the nominal work of a node, where the noise of a whole process matters
//! little; smaller handicaps do proportionally less of the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use protocol::statistics::median;
use serde::{Deserialize, Serialize};

use super::measured::{option, positions};

/// A handicap of 100 %, in the option's unit.
const WHOLE: u32 = 10_000;

/// What `handicap` measures.
#[derive(clap::Args)]
pub struct Arguments {
    /// An engine with the feature `lab-handicap`
    engine: PathBuf,
    /// File of positions
    #[arg(long)]
    positions: PathBuf,
    /// Nodes on each when timed
    #[arg(long)]
    nodes: u64,
    /// Nodes on each when counted: valgrind is 50 times slower
    #[arg(long)]
    counted_nodes: u64,
    /// UCI options, `Name=value`; name a SIMD path that valgrind knows
    #[arg(long, value_parser = option)]
    option: Vec<(String, String)>,
    /// Pairs of timed processes
    #[arg(long)]
    pairs: usize,
    /// The file of the results
    #[arg(long)]
    out: PathBuf,
}

/// What was found.
#[derive(Debug, Serialize, Deserialize)]
pub struct Calibration {
    /// Nodes on each position when counted.
    pub counted_nodes: u64,
    /// Instructions of the searches at no handicap and at 100 %.
    pub instructions: (u64, u64),
    /// Instructions of a node at no handicap.
    pub instructions_a_node: f64,
    /// What 100 % adds to the instructions, as a share of them.
    pub instruction_share: f64,
    /// Nodes on each position when timed.
    pub nodes: u64,
    /// Seconds of processor time of every pair of processes: at no handicap and at 100 %, both without their start.
    pub seconds: Vec<(f64, f64)>,
    /// What 100 % adds to the time, as a share of it: the median of the pairs.
    pub time_share: f64,
}

/// What a handicap in hundredths of a percent is worth in points of log rate, if the whole adds this share.
pub fn points(share: f64, hundredths: u32) -> f64 {
    100.0 * (share * f64::from(hundredths) / f64::from(WHOLE)).ln_1p()
}

/// Counts, times and writes.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let positions = positions(&arguments.positions)?;
    let work = |handicap: u32, nodes: u64| -> Vec<String> {
        let options =
            arguments.option.iter().map(|(name, value)| format!("setoption name {name} value {value}"));
        let searches =
            positions.iter().flat_map(|fen| [format!("position fen {fen}"), format!("go nodes {nodes}")]);
        options.chain([format!("setoption name Lab Handicap value {handicap}")]).chain(searches).collect()
    };
    // One node on each position: what is not search.
    let count = |handicap: u32| -> anyhow::Result<u64> {
        let start = instructions(&arguments.engine, &work(handicap, 1))?;
        Ok(instructions(&arguments.engine, &work(handicap, arguments.counted_nodes))? - start)
    };
    let (plain, handicapped) = (count(0)?, count(WHOLE)?);
    let seconds = (1..=arguments.pairs).map(|pair| {
        let time = |handicap: u32| -> anyhow::Result<f64> {
            let start = seconds(&arguments.engine, &work(handicap, 1))?;
            Ok(seconds(&arguments.engine, &work(handicap, arguments.nodes))? - start)
        };
        // The order changes from pair to pair.
        let (plain, handicapped) = match pair % 2 {
            0 => (time(0)?, time(WHOLE)?),
            _ => {
                let handicapped = time(WHOLE)?;
                (time(0)?, handicapped)
            }
        };
        eprintln!("pair {pair} of {}", arguments.pairs);
        Ok((plain, handicapped))
    });
    let seconds: Vec<(f64, f64)> = seconds.collect::<anyhow::Result<_>>()?;
    let shares: Vec<f64> = seconds.iter().map(|(plain, handicapped)| handicapped / plain - 1.0).collect();
    let counted = (arguments.counted_nodes - 1) * positions.len() as u64;
    let calibration = Calibration {
        counted_nodes: arguments.counted_nodes,
        instructions: (plain, handicapped),
        instructions_a_node: plain as f64 / counted as f64,
        instruction_share: handicapped as f64 / plain as f64 - 1.0,
        nodes: arguments.nodes,
        seconds,
        time_share: median(&shares),
    };
    let mut json = serde_json::to_string_pretty(&calibration)?;
    json.push('\n');
    fs::write(&arguments.out, json).with_context(|| arguments.out.display().to_string())
}

/// Instructions of a whole process, as callgrind counts them.
fn instructions(engine: &Path, work: &[String]) -> anyhow::Result<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(engine)
        .args(work)
        .output()
        .context("cannot start valgrind; install it: apt-get install valgrind")?;
    let told = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "valgrind ended with {}: {told}", output.status);
    let line =
        told.lines().find_map(|line| line.split_once("Collected :")).context("valgrind told no count")?;
    Ok(line.1.trim().parse()?)
}

/// Processor time of a whole process.
fn seconds(engine: &Path, work: &[String]) -> anyhow::Result<f64> {
    let spent = || -> anyhow::Result<f64> {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
        Ok((usage.user_time() + usage.system_time()).num_microseconds() as f64 / 1e6)
    };
    let before = spent()?;
    let status =
        Command::new(engine).args(work).stdout(Stdio::null()).status().context("cannot start the engine")?;
    ensure!(status.success(), "the engine ended with {status}");
    Ok(spent()? - before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handicap_is_worth_its_share_of_the_whole() {
        assert!((points(0.8, WHOLE) - 100.0 * 1.8f64.ln()).abs() < 1e-9);
        assert!((points(0.8, 100) - 100.0 * 1.008f64.ln()).abs() < 1e-9);
        assert_eq!(points(0.8, 0), 0.0);
    }
}
