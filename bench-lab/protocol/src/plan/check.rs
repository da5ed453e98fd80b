//! Whether a plan says what a plan must say.

use std::collections::HashSet;
use std::fmt::Display;

use crate::plan::PartState;

use super::{OLDEST_PLAN_FORMAT, PLAN_FORMAT, Plan, Run, SlotPlan, TOTAL_RATE, arm_names};
use crate::losses::{Allowance, Cost, SINCE_EVALUATOR};
use crate::{PHASES, RUNS};

/// What is wrong with a plan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanFault {
    /// A field holds what the rules don't allow.
    #[error("plan, {place}: found {found}, expected {expected}")]
    Field {
        /// Which field.
        place: String,
        /// What it holds.
        found: String,
        /// What it should hold.
        expected: String,
    },
    /// `full` and another arm have the same mean slot.
    #[error("plan, lane {lane}, run {run}: full and {arm} have the same mean slot, expected one to be later")]
    Tied {
        /// Lane name.
        lane: String,
        /// The other arm.
        arm: String,
        /// Run, from 1.
        run: usize,
    },
    /// `full` is not later than another arm in exactly half of the runs.
    #[error("plan, lane {lane}: full is later than {arm} in {later} runs, expected {expected}")]
    Uneven {
        /// Lane name.
        lane: String,
        /// The other arm.
        arm: String,
        /// Runs in which `full` is later.
        later: usize,
        /// Half of the runs.
        expected: usize,
    },
    /// An arm follows another within the rows more or less often than the square allows.
    #[error(
        "plan, lane {lane}, run {run}, phase {phase}: {arm} follows {before} {found} times, expected {low} or {high}"
    )]
    CarryOver {
        /// Lane name.
        lane: String,
        /// Run, from 1.
        run: usize,
        /// Phase, from 1.
        phase: usize,
        /// The arm that goes first.
        before: String,
        /// The arm that follows.
        arm: String,
        /// How often it does.
        found: usize,
        /// How often the square alone makes it follow.
        low: usize,
        /// The same with the lead row.
        high: usize,
    },
    /// The plan has no canonical form.
    #[error("plan: no canonical JSON: {0}")]
    NotCanonical(String),
}

impl Plan {
    /// Checks that the plan is complete and consistent in itself: versions, names, shape of the
    /// schedule, workload digest, finite numbers. Whether the order of the slots is balanced is
    /// another question: [`check_balance`](crate::check_balance).
    ///
    /// # Errors
    /// The first fault, with place, found and expected.
    pub fn check(&self) -> Result<(), PlanFault> {
        let known = (OLDEST_PLAN_FORMAT..=PLAN_FORMAT).contains(&self.format);
        require("format", self.format, known, &format!("{OLDEST_PLAN_FORMAT} to {PLAN_FORMAT}"))?;
        // So far each format came with an evaluator of the same number.
        equal("tool.evaluator", self.tool.evaluator, self.format)?;
        if let Some(attempt) = self.attempt {
            require("attempt", attempt, attempt > 0, "at least 1")?;
        }
        self.check_names()?;
        self.check_measure()?;
        equal("workload.sha256", self.workload.sha256.as_str(), self.workload.digest().as_str())?;
        self.check_calibration()?;
        check_schedule("", &self.runs, self, (self.arms.len(), PHASES))?;
        self.check_losses()?;
        self.check_diagnostics()
    }

    fn check_names(&self) -> Result<(), PlanFault> {
        let components: Vec<&str> = self.components.iter().map(|c| c.name.as_str()).collect();
        let lanes: Vec<&str> = self.lanes.iter().map(|l| l.name.as_str()).collect();
        for (place, names) in [("components", &components), ("lanes", &lanes)] {
            require(place, "none", !names.is_empty(), "at least one")?;
            let mut seen = HashSet::new();
            for &name in names {
                let repeated = format!("{name} twice");
                require(place, &repeated, seen.insert(name), "different names")?;
            }
        }
        let arms: Vec<&str> = self.arms.iter().map(|a| a.name.as_str()).collect();
        equal("arms", arms.join(", "), arm_names(components).join(", "))?;
        self.check_builds()?;
        self.check_parts()
    }

    /// Every lane has its builds, every build set one for every arm, and a bench count of its own.
    fn check_builds(&self) -> Result<(), PlanFault> {
        let sets = self.builds.len();
        require("builds", sets, sets > 0, "at least 1")?;
        for set in &self.builds {
            equal(&format!("builds of {}", set.name), set.arms.len(), self.arms.len())?;
            let count = self.identity.bench_nodes.get(&set.name).map_or("none", |_| "one");
            equal(&format!("identity.bench_nodes of {}", set.name), count, "one")?;
        }
        for lane in &self.lanes {
            let place = format!("build of lane {}", lane.name);
            require(&place, lane.build, lane.build < sets, &format!("less than {sets}"))?;
        }
        Ok(())
    }

    /// Each part once; at least one of them is drawn.
    fn check_parts(&self) -> Result<(), PlanFault> {
        let mut seen = HashSet::new();
        for part in &self.layout.parts {
            let repeated = format!("{} twice", part.part);
            require("layout.parts", repeated, seen.insert(part.part.as_str()), "different parts")?;
        }
        let drawn = self.layout.parts.iter().filter(|part| part.state == PartState::Drawn).count();
        require("layout.parts drawn", drawn, drawn > 0, "at least 1")
    }

    fn check_measure(&self) -> Result<(), PlanFault> {
        let measure = &self.measure;
        let slice = (1..=10_000).contains(&measure.slice_us);
        require("measure.slice_us", measure.slice_us, slice, "1 to 10000")?;
        let processes = measure.processes;
        require("measure.processes", processes, processes > 0, "at least 1")?;
        let threshold = measure.threshold_percent;
        require(
            "measure.threshold_percent",
            threshold,
            threshold.is_finite() && threshold >= 0.0,
            "a finite number from 0 on",
        )?;
        equal("measure.judged", measure.judged.as_str(), TOTAL_RATE)?;
        self.check_cores()?;
        let positions = self.workload.positions.len();
        require("workload.positions", positions, positions > 0, "at least 1")?;
        let nodes = self.workload.nodes;
        require("workload.nodes", nodes, nodes > 0, "at least 1")
    }

    /// Lanes that are measured at once have a core each.
    fn check_cores(&self) -> Result<(), PlanFault> {
        let mut seen = HashSet::new();
        for lane in self.lanes.iter().filter(|_| self.measure.lanes_at_once) {
            let place = format!("core of lane {}", lane.name);
            require(
                &place,
                lane.core,
                seen.insert(lane.core),
                "a core of its own: all lanes are measured at once",
            )?;
        }
        Ok(())
    }

    fn check_calibration(&self) -> Result<(), PlanFault> {
        let measured: Vec<&str> = self.calibration.iter().map(|c| c.lane.as_str()).collect();
        let lanes: Vec<&str> = self.lanes.iter().map(|l| l.name.as_str()).collect();
        equal("calibration", measured.join(", "), lanes.join(", "))?;
        for c in &self.calibration {
            let place = format!("calibration of lane {}", c.lane);
            let whole = c.phases > 0 && !c.values.is_empty() && c.values.len().is_multiple_of(c.phases);
            let expected = format!("as many in every one of {} phases", c.phases);
            require(&format!("{place}, values"), c.values.len(), whole, &expected)?;
            let numbers = [c.sd, c.bias, c.phase_seconds, c.scatter_risk];
            let provable = [c.provable_80, c.provable_95].into_iter().flatten();
            for number in c.values.iter().copied().chain(numbers).chain(provable) {
                require(&place, number, number.is_finite(), "finite numbers")?;
            }
        }
        Ok(())
    }

    /// From evaluator 3 on there is a tolerance, and every declared cost means something.
    fn check_losses(&self) -> Result<(), PlanFault> {
        let expected = self.tool.evaluator >= SINCE_EVALUATOR;
        let one = |is_there: bool| if is_there { "one" } else { "none" };
        equal("tolerance", one(self.tolerance.is_some()), one(expected))?;
        let Some(tolerance) = &self.tolerance else { return Ok(()) };
        let share = |place: &str, percent: f64| {
            let good = percent.is_finite() && percent >= 0.0;
            require(&format!("tolerance.{place}"), percent, good, "a finite number from 0 on")
        };
        for (place, Allowance { percent, .. }) in [
            ("memory", tolerance.memory),
            ("executable_size", tolerance.executable_size),
            ("start_up_time", tolerance.start_up_time),
        ] {
            share(place, percent)?;
        }
        share("lane_percent", tolerance.lane_percent)?;
        for component in &self.components {
            for cost in &component.costs {
                let good = match Cost::parse(cost) {
                    None => false,
                    Some(Cost::Lane(name)) => self.lanes.iter().any(|lane| lane.name == name),
                    Some(Cost::Measured(_) | Cost::Words(_)) => true,
                };
                let place = format!("costs of {}", component.name);
                let expected = format!(
                    "one of {}, or several words for what is not measured",
                    Cost::MEASURED.join(", ")
                );
                require(&place, cost, good, &expected)?;
            }
        }
        Ok(())
    }

    fn check_diagnostics(&self) -> Result<(), PlanFault> {
        let Some(diagnostics) = &self.diagnostics else { return Ok(()) };
        let groups = diagnostics.together.len();
        require("diagnostics.together", groups, groups > 0, "at least 1")?;
        let mut seen = HashSet::new();
        for group in &diagnostics.together {
            let arm = group.arm();
            require(
                "diagnostics.together",
                format!("{arm} twice"),
                seen.insert(arm.clone()),
                "different arms",
            )?;
            let place = |name: &String| self.components.iter().position(|known| known.name == *name);
            let places: Option<Vec<usize>> = group.components.iter().map(place).collect();
            let in_order = places.is_some_and(|places| places.is_sorted_by(|a, b| a < b));
            let expected = "two components or more, in the plan's order";
            require("diagnostics.together", &arm, in_order && group.components.len() > 1, expected)?;
            equal(&format!("builds of {arm}"), group.builds.len(), self.builds.len())?;
        }
        let phases = diagnostics.phases;
        require("diagnostics.phases", phases, phases > 0, "at least 1")?;
        check_schedule("diagnostics, ", &diagnostics.runs, self, (diagnostics.arms().len(), phases))
    }
}

/// Every run, lane and phase is there, with rows that hold every arm once.
fn check_schedule(
    part: &str,
    runs: &[Run],
    plan: &Plan,
    (arms, phases_of_run): (usize, usize),
) -> Result<(), PlanFault> {
    equal(&format!("{part}runs"), runs.len(), RUNS)?;
    for (number, run) in (1..).zip(runs) {
        equal(&format!("{part}runs, entry {number}"), run.run, number)?;
        let place = format!("{part}run {number}");
        equal(&format!("{place}, lanes"), run.lanes.len(), plan.lanes.len())?;
        for (lane, phases) in plan.lanes.iter().zip(&run.lanes) {
            let place = format!("{place}, lane {}", lane.name);
            equal(&format!("{place}, phases"), phases.len(), phases_of_run)?;
            let rows = phases.first().map_or(0, |phase| phase.rows.len());
            require(&format!("{place}, rows"), rows, rows > 0, "at least 1")?;
            for (phase, slots) in (1..).zip(phases) {
                let place = format!("{place}, phase {phase}");
                equal(&format!("{place}, rows"), slots.rows.len(), rows)?;
                check_rows(&place, slots, arms)?;
            }
        }
    }
    Ok(())
}

fn check_rows(place: &str, slots: &SlotPlan, arms: usize) -> Result<(), PlanFault> {
    for (number, row) in (1..).zip(&slots.rows) {
        let mut sorted = row.clone();
        sorted.sort_unstable();
        require(
            &format!("{place}, row {number}"),
            format!("{row:?}"),
            sorted.into_iter().eq(0..arms),
            &format!("every arm from 0 to {} once", arms - 1),
        )?;
    }
    Ok(())
}

fn equal<T: PartialEq + Display>(place: &str, found: T, expected: T) -> Result<(), PlanFault> {
    let holds = found == expected;
    require(place, found, holds, &expected.to_string())
}

fn require(place: &str, found: impl Display, holds: bool, expected: &str) -> Result<(), PlanFault> {
    if holds {
        return Ok(());
    }
    Err(PlanFault::Field { place: place.to_owned(), found: found.to_string(), expected: expected.to_owned() })
}
