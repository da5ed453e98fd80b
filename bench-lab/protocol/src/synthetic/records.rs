//! The records of a synthetic trial.

use super::{BASE_RATE, LaneSpec, Noise, Spec};
use crate::calibration::points;
use crate::canonical::sha256_hex;
use crate::plan::{BASE, FULL, Plan, SlotPlan};
use crate::record::{DrawRecord, ProcessRecord, SearchRecord, SlotSpan, Unscattered};
use crate::seed;
use rand_distr::Distribution;

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
pub(super) fn phase_records(
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
                    shared: [(".text", 580), (".rodata", 424)]
                        .map(|(section, units)| (section.to_owned(), (units, units)))
                        .into(),
                    unscattered: Unscattered::default(),
                    tables: None,
                    heap_offset: draw_seed % 512 * 4_096,
                    stack_offset: startup % 512 * 16,
                    mapping_offset: startup / 512 % 512 * 4_096,
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
