//! Trials that were never run: for every kind of finding and every kind of subject one.

use protocol::plan::{ArmBuild, LayoutPart, PartState, TablesOption};
use protocol::record::{Counters, Unscattered};
use protocol::synthetic::{self, Spec};
use protocol::{Plan, ProcessRecord, Verdict, judge, plan_id};
use reports::{DrawTiming, Rest, Timing, Trial};

/// Everything a [`Trial`] borrows.
pub struct Sample {
    pub plan: Plan,
    pub plan_id: String,
    pub records: Vec<ProcessRecord>,
    pub verdict: Verdict,
    pub timing: Option<Timing>,
    pub diagnostics: Option<Vec<ProcessRecord>>,
}

impl Sample {
    /// Judges a synthetic trial after `change` has had its way with plan and records.
    pub fn new(spec: &Spec, change: impl FnOnce(&mut Plan, &mut [ProcessRecord])) -> Self {
        let (mut plan, mut records) = synthetic::trial(spec).expect("the spec makes a trial");
        change(&mut plan, &mut records);
        let plan_id = plan_id(&plan).expect("the plan is canonical");
        let verdict = judge(&plan, &records, &"5".repeat(64)).expect("the records are complete");
        Self { plan, plan_id, records, verdict, timing: None, diagnostics: None }
    }

    /// Two components that pass, one that gains nothing, one with a single phase far away.
    pub fn mixed() -> Self {
        let spec =
            Spec::new(&[("threats-i8", 2.4), ("eval-cache", 1.1), ("acc512", 0.02), ("prefetch", 1.3)], 7);
        Self::new(&spec, |plan, records| {
            plan.bundle = "teacher-small".to_owned();
            plan.layout.scheme = "shared-slots/1".to_owned();
            plan.components[1].costs = vec!["512 KiB of memory for each thread".to_owned()];
            slow_down(records, "without:prefetch", (5, 3), 1.035);
        })
    }

    /// Everything proven, on two lanes, with hardware counters, and with its time kept.
    pub fn proven() -> Self {
        let spec = Spec::new(&[("prefetch", 1.2), ("eval-cache", 2.0)], 11).with_lane("avx512", &[1.6, 1.4]);
        let draws =
            DrawTiming { count: 192, relinks: 768, mean_seconds: 0.2026, mean_relink_seconds: 0.0537 };
        let spent = [("starting processes", 30.0), ("the slots themselves", 570.0)];
        let spent = spent.map(|(what, seconds)| (what.to_owned(), seconds)).to_vec();
        let pauses = vec![Rest {
            after_run: 3,
            from: "2026-01-02T03:04:05Z".to_owned(),
            to: "2026-01-02T05:10:05Z".to_owned(),
            seconds: Some(7_560.0),
        }];
        let timing = Some(Timing { trial_seconds: 600.0, spent, draws, pauses });
        let sample = Self::new(&spec, |plan, records| {
            plan.machine.counters = true;
            for record in records {
                let cycles = record.cpu_ns * 3;
                record.counters = Some(Counters { cycles, instructions: cycles * 2 });
                let early = record.phase % 4;
                record.draw.line_phases = Some([146 - early, 140 + early, 150, 147]);
            }
        });
        Self { timing, ..sample }
    }

    /// Prebuilt executables, switched by options: a limited verdict with two notes.
    pub fn limited() -> Self {
        let spec = Spec::new(&[("prefetch", 1.9), ("eval-cache", 1.4)], 23);
        Self::new(&spec, |plan, records| {
            plan.bundle = "somebodys-engine".to_owned();
            plan.layout.scheme = "shared-slots/3".to_owned();
            plan.layout.parts = parts(PartState::NotScattered);
            plan.notes = vec![
                "Arm builds were guided by a profile: which profile a build got is itself a draw, and was made once."
                    .to_owned(),
            ];
            for component in &mut plan.components {
                component.switch = format!("option {} (on true, off false)", component.name);
            }
            for arm in &mut plan.arms {
                for name in ["prefetch", "eval-cache"] {
                    let on =
                        arm.name == "full" || (arm.name != "base" && arm.name != format!("without:{name}"));
                    arm.options.insert(name.to_owned(), on.to_string());
                }
            }
            let set = &mut plan.builds[0];
            let one = ArmBuild { command: "prebuilt: bin/engine".to_owned(), ..set.arms[0].clone() };
            set.arms.fill(one.clone());
            for record in records {
                record.draw.executable_sha256.clone_from(&one.executable_sha256);
                record.draw.moved_functions = (0, 0);
                record.draw.moved_data = (0, 0);
                record.draw.shared.clear();
                record.draw.heap_offset = 0;
            }
        })
    }

    /// Two lanes with builds of their own, and a component that moves data that no draw scatters.
    pub fn two_builds() -> Self {
        let spec =
            Spec::new(&[("prefetch", 1.4), ("big-table", 2.2)], 31).with_lane("clang-avx512", &[1.8, 2.4]);
        Self::new(&spec, |plan, records| {
            plan.bundle = "foreign-cpp".to_owned();
            plan.layout.scheme = "shared-slots/3".to_owned();
            plan.layout.parts = parts(PartState::Drawn);
            plan.layout.parts.push(LayoutPart { part: "tables".to_owned(), state: PartState::Drawn });
            plan.layout.parts.push(LayoutPart { part: "colour".to_owned(), state: PartState::NotScattered });
            plan.layout
                .parts
                .iter_mut()
                .filter(|part| part.part == "stack")
                .for_each(|part| part.state = PartState::Fixed);
            plan.notes = vec![
                "Identical-code folding was asked for (--icf=all) and left out: folded functions cannot be placed.".to_owned(),
            ];
            let mut other = plan.builds[0].clone();
            plan.builds[0].name = "gcc".to_owned();
            other.name = "clang-avx512".to_owned();
            for (set, compiler) in [
                (&mut plan.builds[0], "g++ -O3 -march=x86-64-v3"),
                (&mut other, "clang++ -O3 -march=x86-64-v4 -flto=thin"),
            ] {
                for (arm, build) in plan.arms.iter().zip(&mut set.arms) {
                    let define = if arm.name == "full" { "" } else { " -DNO_PREFETCH" };
                    build.command = format!("make CXX='{compiler}'{define} build ARCH=x86-64 -j2");
                    build.executable_sha256.replace_range(..1, &compiler[..1].replace('g', "a"));
                    build.executable_bytes += if arm.name == "full" { 4_096 } else { 0 };
                }
            }
            plan.builds.push(other);
            plan.lanes[1].build = 1;
            plan.identity.bench_nodes =
                [("gcc".to_owned(), 4_031_122), ("clang-avx512".to_owned(), 4_031_122)].into();
            plan.layout.tables = Some(TablesOption { option: "Table Layout".to_owned(), values: 1_000 });
            for record in records {
                record.draw.tables = Some((record.draw.mapping_offset / 4_096) as u32);
                record.draw.stack_offset = 0;
                if record.arm != "full" {
                    record.draw.shared.insert(".tbss".to_owned(), (7 - record.phase % 2, 7));
                }
                if record.arm == "without:big-table" {
                    let names = (0..15).map(|n| format!("COMMON:table_{n:02}")).collect();
                    record.draw.unscattered = Unscattered::new(names);
                }
            }
        })
    }

    /// Everything faster, but a component takes memory that it did not declare, start-up time that it did, and one is
    /// slower on the other lane.
    pub fn locked() -> Self {
        let spec = Spec { noise: 0.1, ..Spec::new(&[("prefetch", 1.9), ("eval-cache", 2.4)], 23) }
            .with_lane("avx512", &[4.2, -1.2]);
        Self::new(&spec, |plan, records| {
            plan.components[1].costs = vec!["start-up time".to_owned(), "processors without BMI2".to_owned()];
            for record in records {
                let footprint = record.footprint.as_mut().expect("measured");
                if record.arm == "full" || record.arm == "without:prefetch" {
                    footprint.peak_bytes += 6 << 20;
                    footprint.start_up_ns += 9_000_000;
                }
            }
        })
    }

    /// A bundle that is faster by two components that do the same work, and a third below what the trial resolves;
    /// removed together, the two show it.
    pub fn overlapping() -> Self {
        let spec =
            Spec { noise: 0.4, ..Spec::new(&[("cache-a", 0.0), ("cache-b", -0.9), ("small", 0.02)], 2) };
        let (mut plan, mut records) = synthetic::trial(&spec).expect("the spec makes a trial");
        let groups: [(&[&str], f64); 2] = [(&["cache-a", "cache-b"], 4.0), (&["cache-b", "small"], -0.88)];
        let diagnostics = synthetic::diagnostics(&spec, &mut plan, &groups, 3).expect("sound groups");
        for record in records.iter_mut().filter(|record| record.arm == "base") {
            for search in &mut record.searches {
                search.cpu_ns += search.cpu_ns / 25;
            }
            record.cpu_ns = record.searches.iter().map(|search| search.cpu_ns).sum();
        }
        let plan_id = plan_id(&plan).expect("the plan is canonical");
        let verdict = judge(&plan, &records, &"5".repeat(64)).expect("the records are complete");
        Self { plan, plan_id, records, verdict, timing: None, diagnostics: Some(diagnostics) }
    }

    /// The borrowed form that reports take.
    pub fn trial(&self) -> Trial<'_> {
        Trial {
            plan: &self.plan,
            plan_id: &self.plan_id,
            records: &self.records,
            verdict: &self.verdict,
            timing: self.timing.as_ref(),
            diagnostics: self.diagnostics.as_deref(),
        }
    }
}

/// Stretches the processor time of one arm in one phase.
fn slow_down(records: &mut [ProcessRecord], arm: &str, place: (usize, usize), factor: f64) {
    for record in records.iter_mut().filter(|record| record.arm == arm && (record.run, record.phase) == place)
    {
        for search in &mut record.searches {
            search.cpu_ns = (search.cpu_ns as f64 * factor) as u64;
        }
        record.cpu_ns = record.searches.iter().map(|search| search.cpu_ns).sum();
    }
}

/// All parts, those of the executable in this state.
fn parts(executable: PartState) -> Vec<LayoutPart> {
    let inside = ["order", "padding", "phase", "segments", "heap"].map(|part| (part, executable));
    let start = ["stack", "mapping", "copy"].map(|part| (part, PartState::Drawn));
    let part = |(part, state): (&str, PartState)| LayoutPart { part: part.to_owned(), state };
    inside.into_iter().chain(start).map(part).collect()
}
