//! The structure filled from a trial.

use protocol::losses::LossKind as Kind;
use protocol::plan::PartState;
use protocol::{PHASES, RUNS, verdict};

use super::{
    Arm, Calibration, Component, Conditions, Counters, Coverage, Hashes, Lane, LaneSetUp, Level, Loss,
    LossKind, Machine, Reason, Report, SCHEMA, WholeBundle,
};
use crate::arms::{Totals, totals};
use crate::coverage::{self, Count, coverage};
use crate::trial::{ReportError, Subject, Trial};
use crate::{diagnostics, losses, outlook, qualified, summary, words};

impl Report {
    /// Everything that the report tells of a trial.
    ///
    /// # Errors
    /// When the parts are not of one trial.
    pub fn of(trial: &Trial) -> Result<Report, ReportError> {
        trial.check()?;
        let (plan, verdict) = (trial.plan, trial.verdict);
        let subjects = trial.subjects();
        let lanes = |subject: &Subject| subject.lanes.iter().map(|one| lane(one, subject.bar)).collect();
        let components = plan.components.iter().zip(&subjects).map(|(facts, subject)| Component {
            name: facts.name.clone(),
            switch: facts.switch.clone(),
            costs: facts.costs.clone(),
            proven: subject.passed,
            lanes: lanes(subject),
        });
        Ok(Report {
            schema: SCHEMA.to_owned(),
            bundle: plan.bundle.clone(),
            proven: verdict.proven,
            limited: verdict.limited,
            locked: verdict.is_locked(),
            headline: summary::headline(trial),
            not_proven: subjects.iter().flat_map(summary::unproven).collect(),
            locks: losses::locks(plan, verdict).into_iter().map(|line| format!("{line}.")).collect(),
            notes: qualified::limited(plan, verdict).into_iter().chain(plan.notes.iter().cloned()).collect(),
            outlook: outlook::lines(trial),
            diagnostics: diagnostics::lines(trial),
            attempt: plan.attempt,
            components: components.collect(),
            whole_bundle: WholeBundle {
                threshold_percent: verdict.bundle.threshold_percent,
                proven: verdict.bundle.passed,
                lanes: subjects.last().map(lanes).unwrap_or_default(),
            },
            losses: verdict.losses.iter().map(loss).collect(),
            calibration: plan.calibration.iter().map(calibration).collect(),
            arms: totals(trial).into_iter().map(arm).collect(),
            coverage: coverage(trial).into_iter().map(covered).collect(),
            trial: conditions(trial),
            hashes: hashes(trial),
            machine: machine(trial),
        })
    }
}

fn lane(comparison: &verdict::Comparison, bar: f64) -> Lane {
    let (low, high) = comparison.interval;
    Lane {
        lane: comparison.lane.clone(),
        against: comparison.against.clone(),
        proven: comparison.passed,
        gain_points: comparison.median,
        interval_points: [low, high],
        speedup_percent: words::speedup(comparison.median),
        speedup_interval_percent: [low, high].map(words::speedup),
        bar_points: bar,
        runs_above_bar: comparison.positive,
        largest_deviation_points: comparison.largest_deviation,
        runs: comparison.runs.clone(),
        phases: comparison.phases.clone(),
        full_ran_later: comparison.later_runs.clone(),
        reasons: comparison.reasons.iter().map(reason).collect(),
    }
}

fn reason(reason: &verdict::Reason) -> Reason {
    match reason {
        verdict::Reason::NotPositive { positive } => Reason::NotPositive { runs_above_bar: *positive },
        verdict::Reason::TooScattered { run, phase, deviation } => {
            Reason::TooScattered { run: *run, phase: *phase, deviation_points: *deviation }
        }
        verdict::Reason::Unscattered { moved, symbols } => {
            Reason::Unscattered { objects: *moved, names: symbols.clone() }
        }
    }
}

fn loss(loss: &verdict::Loss) -> Loss {
    Loss {
        kind: match loss.kind {
            Kind::Memory => LossKind::MemoryBytes,
            Kind::ExecutableSize => LossKind::ExecutableBytes,
            Kind::StartUpTime => LossKind::StartUpNanoseconds,
            Kind::LaneSpeed => LossKind::LaneSpeedPoints,
        },
        against: loss.against.clone(),
        lane: loss.lane.clone(),
        full: loss.full,
        other: loss.other,
        allowed: loss.allowed,
        beyond_tolerance: loss.beyond,
        declared_by: loss.declared_by.clone(),
        locks: loss.locks,
    }
}

fn calibration(lane: &protocol::plan::Calibration) -> Calibration {
    Calibration {
        lane: lane.lane.clone(),
        phases: lane.phases,
        sd_points: lane.sd,
        bias_points: lane.bias,
        provable_80_percent: lane.provable_80,
        provable_95_percent: lane.provable_95,
        scatter_risk: lane.scatter_risk,
    }
}

fn arm(arm: Totals) -> Arm {
    Arm {
        arm: arm.arm.to_owned(),
        lane: arm.lane.to_owned(),
        processes: arm.processes,
        nodes: arm.nodes.into_iter().collect(),
        cpu_seconds: arm.cpu_seconds,
        nodes_per_second: arm.nodes_per_second,
        counters: arm.counters.map(|counters| Counters {
            instructions_per_node: counters.instructions,
            cycles_per_node: counters.cycles,
            instructions_per_cycle: counters.instructions_per_cycle(),
        }),
    }
}

fn covered(arm: coverage::Coverage) -> Coverage {
    let share = |(part, all): Count| if all == 0 { 0.0 } else { part as f64 / all as f64 };
    Coverage {
        arm: arm.arm.to_owned(),
        executables: arm.executables,
        functions: arm.functions.0.1,
        functions_moved: [share(arm.functions.0), share(arm.functions.1)],
        data_objects: arm.data.0.1,
        data_moved: [share(arm.data.0), share(arm.data.1)],
        line_phases: arm.quarters.map(|quarters| quarters.map(|quarter| quarter.mean)),
    }
}

fn conditions(trial: &Trial) -> Conditions {
    let plan = trial.plan;
    let state = |state: PartState| match state {
        PartState::Drawn => "drawn",
        PartState::Fixed => "fixed",
        PartState::NotScattered => "not-scattered",
    };
    let parts = plan.layout.parts.iter().map(|part| (part.part.clone(), state(part.state).to_owned()));
    let lanes = plan.lanes.iter().map(|lane| LaneSetUp {
        lane: lane.name.clone(),
        core: lane.core,
        options: lane.options.clone(),
        builds: plan.builds.get(lane.build).map_or(String::new(), |set| set.name.clone()),
    });
    let levels = plan.identity.levels.iter();
    Conditions {
        planned: plan.created.clone(),
        runs: RUNS,
        phases: PHASES,
        processes: plan.measure.processes,
        slot_microseconds: plan.measure.slice_us,
        positions: plan.workload.positions.len(),
        nodes: plan.workload.nodes,
        layout_scheme: plan.layout.scheme.clone(),
        layout_seed: plan.layout.seed.to_string(),
        layout_parts: parts.collect(),
        lanes: lanes.collect(),
        bench_nodes: plan.identity.bench_nodes.clone(),
        same_tree: levels.map(|level| Level { positions: level.positions, nodes: level.nodes }).collect(),
    }
}

fn hashes(trial: &Trial) -> Hashes {
    let plan = trial.plan;
    let executables = plan.builds.iter().map(|set| {
        let arms = plan.arms.iter().zip(&set.arms);
        let arms = arms.map(|(arm, build)| (arm.name.clone(), build.executable_sha256.clone()));
        (set.name.clone(), arms.collect())
    });
    Hashes {
        plan: trial.plan_id.to_owned(),
        records: trial.verdict.records_sha256.clone(),
        bundle: plan.bundle_sha256.clone(),
        workload: plan.workload.sha256.clone(),
        lab: plan.tool.sha256.clone(),
        lab_version: plan.tool.version.clone(),
        evaluator: trial.verdict.evaluator,
        same_tree: plan.identity.digests.clone(),
        executables: executables.collect(),
    }
}

fn machine(trial: &Trial) -> Machine {
    let machine = &trial.plan.machine;
    Machine {
        processor: machine.processor.clone(),
        cores: machine.cores,
        kernel: machine.kernel.clone(),
        huge_pages: machine.huge_pages.clone(),
        governor: machine.governor.clone(),
        boot: machine.boot_id.clone(),
        counters: machine.counters,
    }
}
