//! The records of a synthetic trial.

use super::{BASE_RATE, LaneSpec, Noise, Spec};
use crate::calibration::points;
use crate::canonical::sha256_hex;
use crate::plan::{BASE, FULL, Plan, SlotPlan};
use crate::record::{DrawRecord, Footprint, ProcessRecord, SearchRecord, SlotSpan, Unscattered};
use rand_distr::Distribution;

/// Bytes of a mebibyte.
const MIB: u64 = 1 << 20;

/// Log rate of an arm of the trial in points above base.
pub(super) fn level(lane: &LaneSpec, arm: usize) -> f64 {
    let all: f64 = lane.gains.iter().map(|&gain| points(gain)).sum();
    match arm {
        BASE => 0.0,
        FULL => all,
        without => all - points(lane.gains[without - 2]),
    }
}

/// One phase of one lane.
pub(super) struct Phase<'a> {
    /// Lane name.
    pub lane: &'a str,
    /// Run, from 1.
    pub run: usize,
    /// Phase of the run, from 1.
    pub phase: usize,
    /// Who runs when.
    pub slots: &'a SlotPlan,
    /// Seed of its draw.
    pub draw: u64,
    /// Seed of every process's start-up, numbered from 1.
    pub startup: &'a dyn Fn(usize) -> u64,
}

/// All processes of one phase; of every arm its name and its log rate in points above base.
pub(super) fn phase_records(
    spec: &Spec,
    plan: &Plan,
    phase: &Phase,
    arms: &[(String, f64)],
    noise: &mut Noise,
) -> Vec<ProcessRecord> {
    let common = noise.common.sample(&mut noise.rng);
    let Phase { lane, run, phase, slots, draw: draw_seed, startup } = *phase;
    let mut records = Vec::new();
    for (arm, (name, level)) in arms.iter().enumerate() {
        let level = level + common + noise.phase.sample(&mut noise.rng);
        for process in 1..=spec.processes {
            let startup = startup(process);
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
                lane: lane.to_owned(),
                process,
                arm: name.clone(),
                draw: DrawRecord {
                    seed: draw_seed,
                    executable_sha256: sha256_hex(format!("{draw_seed} {name}").as_bytes()),
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
                wall_ns: cpu_ns * arms.len() as u64,
                counters: None,
                searches,
                footprint: Some(Footprint {
                    peak_bytes: 48 * MIB + startup % 64 * 4_096,
                    start_up_ns: 20_000_000 + startup % 1_000_000,
                }),
            });
        }
    }
    records
}
