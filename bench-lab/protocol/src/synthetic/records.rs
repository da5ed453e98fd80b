//! The records of a synthetic trial.

use super::{BASE_RATE, LaneSpec, Noise, Spec};
use crate::calibration::points;
use crate::canonical::sha256_hex;
use crate::plan::{BASE, FULL, PhaseOf, Series};
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

/// All processes of a series, phase by phase; `levels` gives the log rates of its arms on a lane, in points above base.
pub(super) fn of_series(
    spec: &Spec,
    series: &Series<'_>,
    levels: impl Fn(&LaneSpec) -> Vec<f64>,
    noise: &mut Noise,
) -> Vec<ProcessRecord> {
    let mut records = Vec::new();
    for PhaseOf { run, phase, lanes } in series.in_order() {
        for lane in lanes {
            let levels = levels(&spec.lanes[lane]);
            records.extend(of_phase(spec, series, (lane, run, phase), &levels, noise));
        }
    }
    records
}

/// All processes of one phase on one lane.
fn of_phase(
    spec: &Spec,
    series: &Series<'_>,
    (lane, run, phase): (usize, usize, usize),
    levels: &[f64],
    noise: &mut Noise,
) -> Vec<ProcessRecord> {
    let common = noise.common.sample(&mut noise.rng);
    let (slots, draw_seed) = (series.slots(lane, run, phase), series.draw(lane, run, phase));
    let slot_ns = series.plan.measure.slice_us * 1_000;
    let mut records = Vec::new();
    for (arm, (name, level)) in series.arms.iter().zip(levels).enumerate() {
        let level = level + common + noise.phase.sample(&mut noise.rng);
        for process in 1..=spec.processes {
            let startup = series.startup(lane, run, phase, process);
            let searches: Vec<SearchRecord> = (0..spec.positions)
                .map(|_| {
                    let points = level + noise.search.sample(&mut noise.rng);
                    let seconds = spec.nodes as f64 / BASE_RATE / (points / 100.0).exp();
                    SearchRecord { nodes: spec.nodes, cpu_ns: ((seconds * 1e9).round() as u64).max(1) }
                })
                .collect();
            let cpu_ns: u64 = searches.iter().map(|search| search.cpu_ns).sum();
            let count = cpu_ns.div_ceil(slot_ns).max(1);
            records.push(ProcessRecord {
                run,
                phase,
                lane: spec.lanes[lane].name.clone(),
                process,
                arm: name.clone(),
                draw: DrawRecord {
                    seed: draw_seed,
                    executable_sha256: sha256_hex(format!("{draw_seed} {name}").as_bytes()),
                    moved_functions: (580, 583),
                    moved_data: (420, 424),
                    line_phases: None,
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
                wall_ns: cpu_ns * series.arms.len() as u64,
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
