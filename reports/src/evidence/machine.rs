//! Same tree, plan, tool and machine: what fixes the trial.

use super::{Cell, Part, Table};
use crate::qualified;
use crate::trial::Trial;
use crate::words::{count, grouped};

pub fn part(trial: &Trial) -> Part {
    Part {
        anchor: "fixed",
        title: "Same tree, plan and machine",
        intro: format!(
            "Before the plan was made, every arm searched the same tree ({}), and told the same lines in {}. The plan was then fixed under its id; everything in it was checked again in every run.",
            bench(trial),
            levels(trial),
        ),
        plots: Vec::new(),
        tables: vec![machine(trial), plan(trial), seeds(trial)],
        list: Vec::new(),
    }
}

/// The bench count, or those of the build sets.
fn bench(trial: &Trial) -> String {
    match trial.plan.builds.as_slice() {
        [set] => qualified::bench(trial.plan, &set.name),
        _ => qualified::bench_counts(trial.plan).join("; "),
    }
}

fn levels(trial: &Trial) -> String {
    let levels = trial.plan.identity.levels.iter();
    let said: Vec<String> = levels
        .map(|level| format!("{} at {} nodes", count(level.positions, "position"), grouped(level.nodes)))
        .collect();
    if said.is_empty() { "no further positions".to_owned() } else { said.join(" and ") }
}

fn pairs(caption: &str, rows: Vec<(String, Cell)>) -> Table {
    Table::new(
        caption,
        &["Fact", "Value"],
        rows.into_iter().map(|(name, value)| vec![Cell::text(name), value]).collect(),
    )
}

fn machine(trial: &Trial) -> Table {
    let machine = &trial.plan.machine;
    let fact = |name: &str, value: &str| (name.to_owned(), Cell::text(value));
    pairs(
        "Machine",
        vec![
            fact("Processor", &machine.processor),
            fact("Logical cores", &machine.cores.to_string()),
            fact("Kernel", &machine.kernel),
            fact("Huge pages", &machine.huge_pages),
            fact("Frequency governor", machine.governor.as_deref().unwrap_or("not told by the kernel")),
            fact(
                "Hardware counters",
                if machine.counters { "offered" } else { "not offered by this machine" },
            ),
            ("Boot".to_owned(), Cell::code(&machine.boot_id)),
        ],
    )
}

fn plan(trial: &Trial) -> Table {
    let plan = trial.plan;
    let code = |name: &str, value: &str| (name.to_owned(), Cell::code(value));
    let mut rows = vec![
        code("Plan id", trial.plan_id),
        code("Records", &trial.verdict.records_sha256),
        code("Bundle file", &plan.bundle_sha256),
        code("Workload", &plan.workload.sha256),
        code("Lab's executable", &plan.tool.sha256),
        ("Lab's version".to_owned(), Cell::text(&plan.tool.version)),
        ("Evaluator".to_owned(), Cell::text(format!("version {}", trial.verdict.evaluator))),
    ];
    rows.extend(plan.attempt.map(|attempt| {
        ("Attempts at this bundle, with this one".to_owned(), Cell::text(grouped(attempt as u64)))
    }));
    for (lane, digest) in &plan.identity.digests {
        rows.push(code(&format!("Same-tree lines, lane {lane}"), digest));
    }
    for lane in &plan.lanes {
        for (option, digest) in &lane.files {
            rows.push(code(&format!("{option}, lane {}", lane.name), digest));
        }
    }
    pairs("Plan and hashes (SHA-256)", rows)
}

fn seeds(trial: &Trial) -> Table {
    let plan = trial.plan;
    let text = |name: &str, value: String| (name.to_owned(), Cell::text(value));
    let code = |name: &str, value: &str| (name.to_owned(), Cell::code(value));
    let mut rows =
        vec![code("Layout scheme", &plan.layout.scheme), code("Master seed", &plan.layout.seed.to_string())];
    rows.extend(plan.layout.tables.as_ref().map(|tables| {
        let highest = grouped(u64::from(tables.values).saturating_sub(1));
        text(
            "Option that draws the engine's own tables",
            format!("{}, from 0 to {highest}, at every start", tables.option),
        )
    }));
    rows.extend([
        text("Slot", format!("{} µs at most", grouped(plan.measure.slice_us))),
        text("Fresh processes of an arm in a phase", plan.measure.processes.to_string()),
        code("Judged quantity", &plan.measure.judged),
    ]);
    pairs("Draws and slots", rows)
}
