//! The question for instructions: does the same work execute more of them than was recorded?
//!
//! Counted by callgrind, one of valgrind's tools, in two ways: benchmarks that count themselves through gungraun, and
//! work that the gate gives any engine. Instructions only: cycles out of a simulated cache hold for one layout.
//! What the base can be given too is compared with it, all else with what was recorded.

pub mod callgrind;
pub mod facts;
pub mod functions;
pub mod gungraun;
pub mod workload;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::anyhow;
use protocol::plan::Lane;

use super::answer::{Answer, Detail, Side, Value};
use super::ask::{Asked, Engine, broken};
use super::baseline::{Baseline, Count, Entry};
use super::file::{Instructions, LimitSet};
use super::question::Question;
use super::row::{Measured, Place, Row, Unit};
use crate::commands::Failure;
use callgrind::{Cost, Counts};
use facts::Facts;
use functions::{Changed, How};
use workload::{Broken, Counting, Workload};

/// One benchmark's counts.
struct Counted {
    /// All instructions of every count of it: one where the same executable cannot give another.
    totals: Vec<u64>,
    /// Of the count that found the fewest.
    functions: BTreeMap<String, Cost>,
}

impl Counted {
    fn once(counts: &Counts) -> Counted {
        Counted { totals: vec![counts.total], functions: functions::merged(counts) }
    }

    fn least(&self) -> u64 {
        self.totals.iter().copied().min().unwrap_or(0)
    }

    /// As it is recorded.
    fn entry(&self) -> Entry {
        let value = self.least();
        Entry {
            parts: functions::recorded(&self.functions, value),
            ..Entry::plain(Count::Instructions, value)
        }
    }

    /// The largest difference between two counts of it, percent.
    fn spread(&self) -> f64 {
        let most = self.totals.iter().copied().max().unwrap_or(0);
        Measured::exact(self.least(), most).map_or(0.0, |measured| measured.change)
    }
}

/// All that was counted.
#[derive(Default)]
struct All {
    benchmarks: BTreeMap<String, Counted>,
    /// What the base counts, where there is one.
    base: BTreeMap<String, Counted>,
    /// Of what broke off: why.
    void: BTreeMap<String, String>,
    facts: Facts,
}

impl All {
    fn add_fact(&mut self, name: String, fact: String) {
        let known = self.facts.entry(name).or_default();
        if known.is_empty() {
            *known = fact;
        } else if *known != fact {
            known.push_str(" | ");
            known.push_str(&fact);
        }
    }

    fn add_facts(&mut self, facts: Facts) {
        facts.into_iter().for_each(|(name, fact)| self.add_fact(name, fact));
    }

    /// What would be recorded.
    fn baseline(&self) -> Baseline {
        Baseline { facts: self.facts.clone(), ..recordable(&self.benchmarks) }
    }

    /// What it is compared with: the base, and what was recorded of all that the base does not count.
    ///
    /// Both sides were counted here: what differs besides the source is the commit's doing.
    fn rows(&self, recorded: Option<&Baseline>, limits: &LimitSet) -> Vec<Row> {
        let now = self.baseline();
        if self.base.is_empty() {
            return Baseline::compare(&now, recorded, |name| limits.of(name));
        }
        let is_of_base = |name: &str| self.base.contains_key(name);
        let (bare, base) = (now.without_facts(), recordable(&self.base));
        let mut rows =
            Baseline::compare(&bare, Some(&base), |name| limits.of(name).filter(|_| is_of_base(name)));
        let of_others = |name: &str| limits.of(name).filter(|_| !is_of_base(name));
        rows.extend(Baseline::compare(&now, recorded, of_others));
        rows
    }

    /// What the functions of a benchmark executed before.
    fn before(&self, name: &str, recorded: Option<&Baseline>) -> Option<Entry> {
        match self.base.get(name) {
            Some(counted) => Some(counted.entry()),
            None => recorded?.benchmarks.get(name).cloned(),
        }
    }
}

fn place(benchmark: &str) -> Place {
    Place::new(Question::Instructions, benchmark, Unit::Instructions)
}

fn recordable(benchmarks: &BTreeMap<String, Counted>) -> Baseline {
    let mut baseline = Baseline::new(Question::Instructions);
    let entries = benchmarks.iter().map(|(name, counted)| (name.clone(), counted.entry()));
    baseline.benchmarks = entries.collect();
    baseline
}

/// Counts everything and compares it with what was recorded.
pub fn ask(asked: &Asked<'_>, instructions: &Instructions) -> Result<Answer, Failure> {
    let valgrind = workload::valgrind().ok_or_else(|| {
        Failure::Other(anyhow!(
            "the question `instructions` needs valgrind, which is not in PATH: install it (Debian: apt-get install valgrind)"
        ))
    })?;
    let mut all = All { facts: facts::of_machine(), ..All::default() };
    if let Some(command) = &instructions.command {
        of_gungraun(asked, command, &mut all)?;
    }
    of_workloads(asked, &valgrind, &instructions.workloads, &mut all)?;
    Ok(answer(&all, asked.recorded, &instructions.limits, instructions.functions))
}

/// Benchmarks that count themselves.
fn of_gungraun(asked: &Asked<'_>, command: &str, all: &mut All) -> Result<(), Failure> {
    asked.progress.step("counting the instructions of benchmarks");
    let home = asked.scratch.join("gungraun");
    gungraun::run(command, asked.file.folder(), &home, asked.progress, asked.cancel)?;
    let counted = gungraun::read(&home).map_err(|error| Failure::Other(error.into()))?;
    for executable in &counted.executables {
        all.add_facts(facts::of_executable(executable)?);
    }
    if let Some(simd) = counted.simd {
        all.add_fact("kernels".to_owned(), simd);
    }
    for (name, counts) in &counted.benchmarks {
        all.add_facts(facts::of_creator(&counts.creator));
        all.benchmarks.insert(name.clone(), Counted::once(counts));
    }
    Ok(())
}

/// Work that the gate gives the engine, each twice: threads and whatever else an engine draws upon may make counts differ.
fn of_workloads(
    asked: &Asked<'_>,
    valgrind: &Path,
    workloads: &BTreeMap<String, Workload>,
    all: &mut All,
) -> Result<(), Failure> {
    if workloads.is_empty() {
        return Ok(());
    }
    let lane = asked.lane()?;
    all.add_facts(facts::of_executable(&asked.head.executable)?);
    for (name, workload) in workloads {
        if all.benchmarks.contains_key(name) {
            return Err(Failure::Usage(format!(
                "`{name}` is a workload and a benchmark: give the workload another name"
            )));
        }
        all.add_fact(format!("workload {name}"), workload.told());
        for (engine, is_base) in asked.base.map(|base| (base, true)).into_iter().chain([(asked.head, false)])
        {
            asked.progress.step(&format!("counting the instructions of {name}, twice, of {}", engine.name));
            let counting = counting(asked, valgrind, engine, &lane);
            match counted_twice(&counting, workload) {
                Ok((counted, creator)) => {
                    all.add_facts(facts::of_creator(&creator));
                    let side = if is_base { &mut all.base } else { &mut all.benchmarks };
                    side.insert(name.clone(), counted);
                }
                Err(Broken::Fault(fault)) => drop(all.void.insert(name.clone(), broken(fault)?)),
                Err(other) => drop(all.void.insert(name.clone(), format!("arm {}: {other}", engine.name))),
            }
        }
    }
    Ok(())
}

fn counting<'a>(asked: &Asked<'a>, valgrind: &'a Path, engine: &'a Engine, lane: &'a Lane) -> Counting<'a> {
    Counting {
        name: &engine.name,
        executable: &engine.executable,
        valgrind,
        lane,
        patience: asked.file.engine.patience,
        scratch: asked.scratch,
        cancel: asked.cancel,
    }
}

/// An engine's work, and the name of what counted it.
fn counted_twice(counting: &Counting<'_>, workload: &Workload) -> Result<(Counted, String), Broken> {
    let (first, second) = (counting.count(workload)?, counting.count(workload)?);
    let totals = vec![first.total, second.total];
    let least = if second.total < first.total { second } else { first };
    Ok((Counted { totals, ..Counted::once(&least) }, least.creator))
}

/// Holds what was counted against what was recorded.
fn answer(all: &All, recorded: Option<&Baseline>, limits: &LimitSet, most_functions: usize) -> Answer {
    let mut rows: Vec<Row> = all
        .rows(recorded, limits)
        .into_iter()
        .filter(|row| !all.void.contains_key(&row.benchmark))
        .map(|row| with_spread(row, all, limits))
        .collect();
    for (name, why) in &all.void {
        if let Some(limits) = limits.of(name) {
            rows.push(Row::void(place(name), &limits, why));
        }
    }
    // Of benchmarks with limits of their own nothing goes by in silence.
    for (name, limits) in &limits.own {
        if rows.iter().all(|row| row.benchmark != *name) {
            rows.push(Row::cannot_say(place(name), limits, "it was not counted"));
        }
    }
    rows.sort_by(|a, b| a.benchmark.cmp(&b.benchmark));
    Answer {
        details: details(all, recorded, &rows, most_functions),
        values: values(all),
        // Half a baseline would be the next one's loss.
        baseline: all.void.is_empty().then(|| all.baseline()),
        rows,
    }
}

/// What is not counted alike twice has a noise floor.
fn with_spread(row: Row, all: &All, limits: &LimitSet) -> Row {
    let Some(counted) = all.benchmarks.get(&row.benchmark) else { return row };
    let spread = all.base.get(&row.benchmark).map_or(0.0, Counted::spread).max(counted.spread());
    let (Some(base), Some(change), Some(limits)) = (row.base, row.change, limits.of(&row.benchmark)) else {
        return row;
    };
    if spread == 0.0 {
        return if counted.totals.len() > 1 { row.noted("counted twice alike") } else { row };
    }
    let head = counted.least() as f64;
    // The recorded count is one of as noisy a kind.
    let measured = Measured::noisy(base, head, change, [change - spread, change + spread], Some(spread));
    Row::judged(place(&row.benchmark), measured, &limits).noted(format!("counted twice: {spread:.4} % apart"))
}

fn values(all: &All) -> Vec<Value> {
    let sides = [(Side::Base, &all.base), (Side::Head, &all.benchmarks)];
    let of_side = |(side, benchmarks): (Side, &BTreeMap<String, Counted>)| {
        let of = |(name, counted): (&String, &Counted)| {
            let place = place(name);
            let value = |(number, &total): (usize, &u64)| Value::new(&place, side, number, total as f64);
            (1..).zip(&counted.totals).map(value).collect::<Vec<_>>()
        };
        benchmarks.iter().flat_map(of).collect::<Vec<_>>()
    };
    sides.into_iter().flat_map(of_side).collect()
}

/// The functions behind every benchmark that was compared and differs, the worst benchmark first.
fn details(all: &All, recorded: Option<&Baseline>, rows: &[Row], most: usize) -> Vec<Detail> {
    let mut differing: Vec<(&Row, f64)> =
        rows.iter().filter_map(|row| Some((row, row.change.filter(|change| *change != 0.0)?))).collect();
    differing.sort_by(|a, b| b.1.total_cmp(&a.1));
    let detail = |(row, change): (&Row, f64)| {
        let (before, now) = (all.before(&row.benchmark, recorded)?, all.benchmarks.get(&row.benchmark)?);
        let changed = functions::changed(&before.parts, &now.entry().parts);
        let shown = shown(&changed, most, change > 0.0);
        (!shown.is_empty()).then(|| table(row, change, before.value, &shown, &now.functions))
    };
    differing.into_iter().filter_map(detail).collect()
}

/// Those that grew most, or those that shrank most where the whole shrank.
fn shown(changed: &[Changed], most: usize, grew: bool) -> Vec<&Changed> {
    match grew {
        true => changed.iter().filter(|one| one.growth() > 0).take(most).collect(),
        false => changed.iter().rev().filter(|one| one.growth() < 0).take(most).collect(),
    }
}

fn table(
    row: &Row,
    change: f64,
    whole: u64,
    shown: &[&Changed],
    functions: &BTreeMap<String, Cost>,
) -> Detail {
    let what = if change > 0.0 { "grew" } else { "shrank" };
    let columns = ["function", "", "before", "now", "difference", "of all", "with what it calls"];
    let line = |one: &&Changed| {
        let how = match one.how {
            How::Changed => "",
            How::New => "new",
            How::Gone => "gone",
        };
        let inclusive = functions.get(&one.name).filter(|_| one.name != functions::OTHERS);
        vec![
            one.name.clone(),
            how.to_owned(),
            one.before.to_string(),
            one.now.to_string(),
            format!("{:+}", one.growth()),
            format!("{:+.3} %", 100.0 * one.growth() as f64 / whole.max(1) as f64),
            inclusive.map_or(String::new(), |cost| cost.inclusive.to_string()),
        ]
    };
    Detail {
        title: format!("instructions of {}: {change:+.3} %, functions that {what}", row.benchmark),
        columns: columns.map(str::to_owned).to_vec(),
        rows: shown.iter().map(line).collect(),
    }
}

#[cfg(test)]
mod tests;
