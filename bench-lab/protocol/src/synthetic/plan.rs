//! The plan of a synthetic trial.

use std::collections::BTreeMap;

use rand_distr::Distribution;

use super::{BASE_RATE, CALIBRATION_PHASES, Noise, Spec, SyntheticError};
use crate::calibration::{Sample, calibrate};
use crate::canonical::sha256_hex;
use crate::losses::Tolerance;
use crate::plan::{
    Arm, ArmBuild, BuildSet, Component, Identity, IdentityLevel, Lane, Layout, LayoutPart, Machine, Measure,
    PLAN_FORMAT, PartState, Plan, TOTAL_RATE, Tool, Workload, arm_names,
};
use crate::{EVALUATOR, schedule};

pub(super) fn plan(spec: &Spec, noise: &mut Noise) -> Result<Plan, SyntheticError> {
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
        attempt: None,
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
        arms: names.iter().map(|name| Arm { name: name.clone(), options: BTreeMap::new() }).collect(),
        builds: vec![BuildSet {
            name: "default".to_owned(),
            arms: names
                .iter()
                .map(|name| ArmBuild {
                    command: format!("none: {name} is synthetic"),
                    inputs_sha256: digest(&format!("inputs of {name}")),
                    executable_sha256: digest(&format!("executable of {name}")),
                    executable_bytes: 12_000_000,
                })
                .collect(),
        }],
        lanes: spec
            .lanes
            .iter()
            .map(|lane| Lane {
                name: lane.name.clone(),
                core: 1,
                options: BTreeMap::from([("Hash".to_owned(), "16".to_owned())]),
                files: BTreeMap::new(),
                build: 0,
            })
            .collect(),
        identity: Identity {
            levels: vec![IdentityLevel { positions: spec.positions, nodes: spec.nodes }],
            bench_nodes: BTreeMap::from([("default".to_owned(), spec.nodes * spec.positions as u64)]),
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
            lanes_at_once: false,
        },
        layout: Layout {
            scheme: "synthetic/1".to_owned(),
            seed: spec.seed,
            parts: ["order", "stack", "mapping"]
                .map(|part| LayoutPart { part: part.to_owned(), state: PartState::Drawn })
                .to_vec(),
            tables: None,
        },
        notes: Vec::new(),
        tolerance: Some(Tolerance::default()),
        diagnostics: None,
        tool: Tool {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            sha256: digest("tool"),
            evaluator: EVALUATOR,
            linker: None,
        },
        machine: machine(),
    })
}

/// The machine that nothing was measured on.
pub(crate) fn machine() -> Machine {
    Machine {
        processor: "none (synthetic)".to_owned(),
        cores: 2,
        kernel: "none".to_owned(),
        huge_pages: "none".to_owned(),
        governor: None,
        boot_id: "none".to_owned(),
        counters: false,
    }
}
