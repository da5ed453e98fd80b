//! How noisy the measuring is: one engine against itself, for several slot lengths; on one core or several, in turn or at once.
//!
//! No layout is drawn; every phase has fresh copies and processes. A line a setting and core: standard deviation
//! and mean of the phase values in percentage points, seconds of processor time a pair, and the shares of
//! wall time that copying, starting, settling, measuring and ending took.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use bench_lab::arm::ArmImage;
use bench_lab::arm::session::Limits;
use bench_lab::measure::{Gate, PhaseJob, Stage, StageClock, run_phases};
use bench_lab::{Cancel, calibrate};
use clap::Parser;
use protocol::plan::{Lane, Measure, SlotPlan, Workload};
use protocol::schedule::order;
use protocol::statistics::{mean, standard_deviation};

/// Measure A/A phases of an engine.
#[derive(Parser)]
struct Arguments {
    /// A UCI engine; or several that play the arms in turn: then the mean is the gain of the first over the others.
    #[arg(required = true)]
    engines: Vec<PathBuf>,
    /// Slot lengths in microseconds.
    #[arg(long, value_delimiter = ',', default_value = "2000,5000,8000,10000")]
    slices: Vec<u64>,
    /// Nodes on each position.
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Copies that run in turn.
    #[arg(long, default_value_t = 2)]
    arms: usize,
    /// Fresh processes of every copy in a phase.
    #[arg(long, default_value_t = 4)]
    processes: usize,
    /// Phases of every setting.
    #[arg(long, default_value_t = 12)]
    phases: usize,
    /// Cores of the arms: a lane on each.
    #[arg(long, value_delimiter = ',', default_value = "0")]
    cores: Vec<usize>,
    /// Measure all lanes at once instead of one after another.
    #[arg(long)]
    at_once: bool,
    /// UCI options, `Name=value`.
    #[arg(long)]
    option: Vec<String>,
}

const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r1bqkb1r/pp2pppp/2np1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 1 6",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "8/5pk1/1p4p1/p1p1P2p/P1P2K1P/1P4P1/8/8 w - - 0 40",
];

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let cancel = Cancel::on_signals()?;
    let scratch = tempfile::tempdir()?;
    let option = |option: &String| {
        let (name, value) =
            option.split_once('=').with_context(|| format!("{option}: expected Name=value"))?;
        Ok((name.to_owned(), value.to_owned()))
    };
    let options: BTreeMap<String, String> =
        arguments.option.iter().map(option).collect::<anyhow::Result<_>>()?;
    let lane = |&core: &usize| Lane {
        name: format!("core {core}"),
        core,
        options: options.clone(),
        files: Default::default(),
        build: 0,
    };
    let lanes: Vec<Lane> = arguments.cores.iter().map(lane).collect();
    let positions = POSITIONS.map(str::to_owned).to_vec();
    let workload = Workload { positions, nodes: arguments.nodes, sha256: String::new() };
    let engines = arguments.engines.iter().cycle();
    let arms: Vec<ArmImage> = engines
        .zip(1..=arguments.arms)
        .map(|(engine, copy)| ArmImage::plain(format!("copy {copy}"), engine.clone()))
        .collect();

    println!("slice µs  lane         sd    mean  s a pair  copy %  start %  settle %  measure %  end %");
    for &slice_us in &arguments.slices {
        let measure = Measure {
            slice_us,
            processes: arguments.processes,
            threshold_percent: 0.0,
            judged: String::new(),
            lanes_at_once: arguments.at_once,
        };
        let mut found: Vec<Found> = lanes.iter().map(|_| Found::default()).collect();
        let mut clock = StageClock::begin(Stage::Starting);
        for phase in 0..arguments.phases {
            let place = format!("phase {}", phase + 1);
            let seed = |lane: usize| (phase * lanes.len() + lane) as u64;
            let slots: Vec<SlotPlan> =
                (0..lanes.len()).map(|lane| order::slot_plan(arguments.arms, seed(lane))).collect();
            for group in measure.groups(lanes.len()) {
                let job = |&lane: &usize| PhaseJob {
                    place: &place,
                    lane: &lanes[lane],
                    workload: &workload,
                    measure: &measure,
                    slots: &slots[lane],
                    arms: &arms,
                    nodes: None,
                    scratch: scratch.path(),
                    limits: Limits::default(),
                };
                let jobs: Vec<PhaseJob<'_>> = group.iter().map(job).collect();
                let measured = run_phases(&jobs, &mut clock, &Gate::new(), &cancel)?;
                for (&lane, measured) in group.iter().zip(&measured) {
                    let rates: Vec<f64> =
                        (0..arguments.arms).map(|arm| calibrate::log_rate(measured, arm)).collect();
                    found[lane].values.extend(rates[1..].iter().map(|rate| 100.0 * (rates[0] - rate)));
                    let pair = measured.iter().filter(|one| one.arm < 2);
                    found[lane].pair_ns += pair.map(|one| one.cpu_ns).sum::<u64>();
                }
            }
        }
        clock.enter(Stage::Ending);
        let total: Duration = Stage::ALL.into_iter().map(|stage| clock.spent(stage)).sum();
        let share = |stage| 100.0 * clock.spent(stage).as_secs_f64() / total.as_secs_f64();
        for (lane, found) in lanes.iter().zip(found) {
            println!(
                "{slice_us:8}  {:8}  {:6.3}  {:6.3}  {:8.2}  {:6.1}  {:7.1}  {:8.1}  {:9.1}  {:5.1}",
                lane.name,
                standard_deviation(&found.values),
                mean(&found.values),
                found.pair_ns as f64 / 1e9 / arguments.phases as f64,
                share(Stage::Copying),
                share(Stage::Starting),
                share(Stage::Settling),
                share(Stage::Measuring),
                share(Stage::Ending),
            );
        }
        println!("{slice_us:8}  {:.1} s in all", total.as_secs_f64());
    }
    Ok(())
}

/// What was measured on a lane.
#[derive(Default)]
struct Found {
    values: Vec<f64>,
    pair_ns: u64,
}
