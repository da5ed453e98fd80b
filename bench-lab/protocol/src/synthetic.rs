//! Trials that were never run: plans and records with known effects, for tests and for showing
//! how often the rules are right.

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use rand_distr::{Distribution, Normal};

use crate::calibration::{CalibrationError, Sample, calibrate, points};
use crate::canonical::sha256_hex;
use crate::plan::{
    Arm, BASE, Component, FULL, Identity, IdentityLevel, Lane, Layout, Machine, Measure, PLAN_FORMAT, Plan,
    SlotPlan, TOTAL_RATE, Tool, Workload, arm_names,
};
use crate::record::{DrawRecord, ProcessRecord, SearchRecord, SlotSpan};
use crate::schedule::{self, ScheduleError};
use crate::{EVALUATOR, seed};

/// Nodes per second of `base` before anything disturbs it.
const BASE_RATE: f64 = 400_000.0;
/// Standard deviation of what a phase's layout and the machine's mood do to all arms alike, points.
const COMMON_SD: f64 = 3.0;
/// A/A phases in the plan's calibration.
const CALIBRATION_PHASES: usize = 12;

/// What a synthetic trial is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Names of the components.
    pub components: Vec<String>,
    /// The lanes.
    pub lanes: Vec<LaneSpec>,
    /// Processes of every arm in a phase.
    pub processes: usize,
    /// Positions of the workload.
    pub positions: usize,
    /// Nodes on each position.
    pub nodes: u64,
    /// Standard deviation of a phase value that comes from the phase as a whole, points.
    pub noise: f64,
    /// Standard deviation of the log rate of a single search, points.
    pub jitter: f64,
    /// Gain in percent that the bundle must exceed.
    pub threshold_percent: f64,
    /// Master seed: of the schedule, the draws and the noise.
    pub seed: u64,
}

/// One lane of a synthetic trial.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneSpec {
    /// Name.
    pub name: String,
    /// True gain of every component here, percent; effects multiply.
    pub gains: Vec<f64>,
}

impl Spec {
    /// One lane named `main` with these components and their gains in percent, two processes,
    /// six positions of 2,000 nodes, noise of 0.3 points, jitter of 0.2 and a threshold of 1.5 %.
    pub fn new(components: &[(&str, f64)], seed: u64) -> Self {
        Spec {
            components: components.iter().map(|(name, _)| (*name).to_owned()).collect(),
            lanes: vec![LaneSpec {
                name: "main".to_owned(),
                gains: components.iter().map(|&(_, gain)| gain).collect(),
            }],
            processes: 2,
            positions: 6,
            nodes: 2_000,
            noise: 0.3,
            jitter: 0.2,
            threshold_percent: 1.5,
            seed,
        }
    }

    /// The same with one more lane.
    pub fn with_lane(mut self, name: &str, gains: &[f64]) -> Self {
        self.lanes.push(LaneSpec { name: name.to_owned(), gains: gains.to_vec() });
        self
    }
}

/// Why no trial can be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SyntheticError {
    /// A lane with more or fewer gains than there are components.
    #[error("lane {lane}: {found} gains, expected {expected}, one for every component")]
    Gains {
        /// Lane name.
        lane: String,
        /// Gains given.
        found: usize,
        /// Components.
        expected: usize,
    },
    /// A spread or a gain that makes no distribution.
    #[error("{what} {found}, expected {expected}")]
    Number {
        /// Which number.
        what: &'static str,
        /// Its value.
        found: f64,
        /// What would do.
        expected: &'static str,
    },
    /// The schedule could not be drawn.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The calibration could not be made.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
}

/// Makes the plan and all records of a trial. The same spec gives the same trial.
///
/// # Errors
/// When a lane's gains don't match the components, or a number makes no sense.
pub fn trial(spec: &Spec) -> Result<(Plan, Vec<ProcessRecord>), SyntheticError> {
    let mut noise = Noise::new(spec)?;
    for lane in &spec.lanes {
        if lane.gains.len() != spec.components.len() {
            return Err(SyntheticError::Gains {
                lane: lane.name.clone(),
                found: lane.gains.len(),
                expected: spec.components.len(),
            });
        }
        for &gain in &lane.gains {
            number("gain", gain, gain.is_finite() && gain > -100.0, "above -100 %")?;
        }
    }
    let plan = plan(spec, &mut noise)?;
    let mut records = Vec::new();
    for run in &plan.runs {
        for phase in 1..=crate::PHASES {
            for (lane, slots) in spec.lanes.iter().zip(&run.lanes) {
                let slots = &slots[phase - 1];
                let place = (run.run, phase);
                records.extend(phase_records(spec, &plan, lane, place, slots, &mut noise));
            }
        }
    }
    Ok((plan, records))
}

fn number(what: &'static str, found: f64, holds: bool, expected: &'static str) -> Result<(), SyntheticError> {
    let error = SyntheticError::Number { what, found, expected };
    holds.then_some(()).ok_or(error)
}

/// The random parts, in points.
struct Noise {
    rng: ChaCha20Rng,
    common: Normal<f64>,
    phase: Normal<f64>,
    search: Normal<f64>,
}

impl Noise {
    fn new(spec: &Spec) -> Result<Self, SyntheticError> {
        let normal = |what, sd: f64| {
            number(what, sd, sd.is_finite() && sd >= 0.0, "a finite number from 0 on")?;
            let error = SyntheticError::Number { what, found: sd, expected: "a standard deviation" };
            Normal::new(0.0, sd).map_err(|_| error)
        };
        Ok(Noise {
            rng: ChaCha20Rng::seed_from_u64(spec.seed),
            common: normal("common spread", COMMON_SD)?,
            // A phase value is a difference of two arms.
            phase: normal("noise", spec.noise / std::f64::consts::SQRT_2)?,
            search: normal("jitter", spec.jitter)?,
        })
    }
}

/// Log rate of an arm in points above base.
fn level(lane: &LaneSpec, arm: usize) -> f64 {
    let all: f64 = lane.gains.iter().map(|&gain| points(gain)).sum();
    match arm {
        BASE => 0.0,
        FULL => all,
        without => all - points(lane.gains[without - 2]),
    }
}

/// All processes of one phase on one lane.
fn phase_records(
    spec: &Spec,
    plan: &Plan,
    lane: &LaneSpec,
    (run, phase): (usize, usize),
    slots: &SlotPlan,
    noise: &mut Noise,
) -> Vec<ProcessRecord> {
    let common = noise.common.sample(&mut noise.rng);
    let draw_seed = seed::draw(spec.seed, &lane.name, run, phase);
    let mut records = Vec::new();
    for (arm, facts) in plan.arms.iter().enumerate() {
        let level = level(lane, arm) + common + noise.phase.sample(&mut noise.rng);
        for process in 1..=spec.processes {
            let startup = seed::startup(spec.seed, &lane.name, run, phase, process);
            let searches: Vec<SearchRecord> = (0..spec.positions)
                .map(|_| {
                    let points = level + noise.search.sample(&mut noise.rng);
                    let seconds = spec.nodes as f64 / BASE_RATE / (points / 100.0).exp();
                    SearchRecord { nodes: spec.nodes, cpu_ns: ((seconds * 1e9).round() as u64).max(1) }
                })
                .collect();
            let cpu_ns: u64 = searches.iter().map(|search| search.cpu_ns).sum();
            let count = cpu_ns.div_ceil(plan.measure.slice_us * 1_000).max(1);
            records.push(ProcessRecord {
                run,
                phase,
                lane: lane.name.clone(),
                process,
                arm: facts.name.clone(),
                draw: DrawRecord {
                    seed: draw_seed,
                    executable_sha256: sha256_hex(format!("{draw_seed} {}", facts.name).as_bytes()),
                    moved_functions: (580, 583),
                    moved_data: (420, 424),
                    shared: (1_004, 1_004),
                    stack_offset: startup % 4_096 * 16,
                    mapping_offset: startup / 4_096 % 256 * 4_096,
                },
                slots: SlotSpan {
                    first: slots.nth_slot(arm, 0).unwrap_or_default(),
                    last: slots.nth_slot(arm, count - 1).unwrap_or_default(),
                    count,
                },
                nodes: spec.nodes * spec.positions as u64,
                cpu_ns,
                wall_ns: cpu_ns * plan.arms.len() as u64,
                counters: None,
                searches,
            });
        }
    }
    records
}

fn plan(spec: &Spec, noise: &mut Noise) -> Result<Plan, SyntheticError> {
    let digest = |text: &str| sha256_hex(format!("synthetic {text}").as_bytes());
    let names = arm_names(spec.components.iter().map(String::as_str));
    let lanes: Vec<&str> = spec.lanes.iter().map(|lane| lane.name.as_str()).collect();
    let workload = Workload::new(
        (0..spec.positions).map(|i| format!("synthetic position {}", i + 1)).collect(),
        spec.nodes,
    );
    let phase_seconds =
        (spec.positions * spec.processes * names.len()) as f64 * spec.nodes as f64 / BASE_RATE;
    let calibration = lanes.iter().map(|lane| {
        let samples: Vec<Sample> = (0..CALIBRATION_PHASES)
            .map(|phase| Sample {
                value: noise.phase.sample(&mut noise.rng) - noise.phase.sample(&mut noise.rng),
                swapped: phase % 2 == 1,
            })
            .collect();
        calibrate(lane, &samples, phase_seconds)
    });
    Ok(Plan {
        format: PLAN_FORMAT,
        bundle: "synthetic".to_owned(),
        bundle_sha256: digest("bundle"),
        created: "2026-01-01T00:00:00Z".to_owned(),
        components: spec
            .components
            .iter()
            .map(|name| Component {
                name: name.clone(),
                switch: format!("feature {name}"),
                costs: Vec::new(),
            })
            .collect(),
        calibration: calibration.collect::<Result<_, _>>()?,
        runs: schedule::draw(names.len(), &lanes, spec.seed)?,
        arms: names
            .into_iter()
            .map(|name| Arm {
                build: format!("none: {name} is synthetic"),
                inputs_sha256: digest(&format!("inputs of {name}")),
                executable_sha256: digest(&format!("executable of {name}")),
                executable_bytes: 12_000_000,
                name,
            })
            .collect(),
        lanes: spec
            .lanes
            .iter()
            .map(|lane| Lane {
                name: lane.name.clone(),
                core: 1,
                options: BTreeMap::from([("Hash".to_owned(), "16".to_owned())]),
                files: BTreeMap::new(),
            })
            .collect(),
        identity: Identity {
            levels: vec![IdentityLevel { positions: spec.positions, nodes: spec.nodes }],
            bench_nodes: spec.nodes * spec.positions as u64,
            digests: lanes
                .iter()
                .map(|lane| ((*lane).to_owned(), digest(&format!("lines of {lane}"))))
                .collect(),
        },
        workload,
        measure: Measure {
            slice_us: 5_000,
            processes: spec.processes,
            threshold_percent: spec.threshold_percent,
            judged: TOTAL_RATE.to_owned(),
        },
        layout: Layout { scheme: "synthetic/1".to_owned(), seed: spec.seed },
        tool: Tool {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sha256: digest("tool"),
            evaluator: EVALUATOR,
        },
        machine: Machine {
            processor: "none (synthetic)".to_owned(),
            cores: 2,
            kernel: "none".to_owned(),
            huge_pages: "none".to_owned(),
            governor: None,
            boot_id: "none".to_owned(),
            counters: false,
        },
    })
}
