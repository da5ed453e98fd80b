//! Does sharing a core every few milliseconds shrink or inflate a gain?
//!
//! Two executables are measured by the lab's own phases under slots of several lengths. Length 0 stands for *alone*:
//! slots longer than any search, so that whole searches follow each other. All settings take turns, so that the moods
//! of the machine meet them alike.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use bench_lab::arm::ArmImage;
use bench_lab::arm::session::Limits;
use bench_lab::measure::{PhaseJob, run_phase};
use bench_lab::{Cancel, calibrate};
use clap::Args;
use protocol::plan::{Lane, Measure, SlotPlan, Workload};
use protocol::schedule::order;

use super::measured::{option, positions};

/// Longer than any search.
const ALONE_US: u64 = 600_000_000;

/// What `slices` measures.
#[derive(Args)]
pub struct Arguments {
    /// The executable with the component
    #[arg(long)]
    full: PathBuf,
    /// The executable without it
    #[arg(long)]
    without: PathBuf,
    /// File of positions
    #[arg(long)]
    positions: PathBuf,
    /// Nodes on each
    #[arg(long)]
    nodes: u64,
    /// UCI options, `Name=value`
    #[arg(long, value_parser = option)]
    option: Vec<(String, String)>,
    /// Slot lengths in microseconds; 0 stands for alone
    #[arg(long, value_delimiter = ',', default_value = "2000,10000,50000,0")]
    slices: Vec<u64>,
    /// Phases of every setting
    #[arg(long)]
    phases: usize,
    /// Fresh processes of each executable in a phase
    #[arg(long, default_value_t = 1)]
    processes: usize,
    /// Core of the engines
    #[arg(long, default_value_t = 1)]
    core: usize,
    /// The file of the results
    #[arg(long)]
    out: PathBuf,
}

/// As in a trial; alone, strictly in turn: a slot of an arm that waits would be the filler's, and last as long.
fn slots(slice: u64, phase: usize) -> SlotPlan {
    match slice {
        0 => SlotPlan { rows: vec![if phase.is_multiple_of(2) { vec![0, 1] } else { vec![1, 0] }] },
        _ => order::slot_plan(2, phase as u64),
    }
}

/// Measures and writes a line for every phase.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let cancel = Cancel::on_signals()?;
    let scratch = tempfile::tempdir()?;
    let lane = Lane {
        name: "slices".to_owned(),
        core: arguments.core,
        options: arguments.option.iter().cloned().collect(),
        files: Default::default(),
        build: 0,
    };
    let workload = Workload::new(positions(&arguments.positions)?, arguments.nodes);
    let arms = [ArmImage::plain("full", &arguments.full), ArmImage::plain("without", &arguments.without)];
    let mut csv = "slice_us,phase,full_nodes,full_cpu_ns,without_nodes,without_cpu_ns,points\n".to_owned();
    for phase in 1..=arguments.phases {
        for &slice in &arguments.slices {
            let measure = Measure {
                slice_us: if slice == 0 { ALONE_US } else { slice },
                processes: arguments.processes,
                threshold_percent: 0.0,
                judged: String::new(),
                lanes_at_once: false,
            };
            let job = PhaseJob {
                place: &format!("phase {phase}, slots of {slice} µs"),
                lane: &lane,
                workload: &workload,
                measure: &measure,
                slots: &slots(slice, phase),
                arms: &arms,
                nodes: None,
                scratch: scratch.path(),
                limits: Limits::default(),
            };
            let measured = run_phase(&job, &cancel)?;
            let sums = |arm: usize| {
                let of_arm = measured.iter().filter(|one| one.arm == arm);
                of_arm.fold((0, 0), |(nodes, cpu), one| (nodes + one.nodes, cpu + one.cpu_ns))
            };
            let (full, without) = (sums(0), sums(1));
            let points = 100.0 * (calibrate::log_rate(&measured, 0) - calibrate::log_rate(&measured, 1));
            writeln!(csv, "{slice},{phase},{},{},{},{},{points:.4}", full.0, full.1, without.0, without.1)?;
        }
        eprintln!("phase {phase} of {}", arguments.phases);
    }
    fs::write(&arguments.out, csv).with_context(|| arguments.out.display().to_string())
}
