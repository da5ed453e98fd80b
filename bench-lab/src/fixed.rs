//! What the plan fixed, looked at again before every run.

use std::fmt::Display;
use std::io;
use std::path::Path;

use protocol::plan::{ArmBuild, BASE, FULL, Lane, Machine, Tool};
use protocol::{EVALUATOR, Plan};

use crate::builds::in_set;
use crate::bundle::{Bundle, positions, problem};
use crate::folder::Folder;
use crate::subject::ArmSet;
use crate::{hash, lanes, machine, plan_maker};

/// Everything that a plan fixes and that can be looked at.
#[derive(Clone, Copy)]
pub struct Fixed<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its id.
    pub plan_id: &'a str,
    /// The folder that it was written to.
    pub folder: &'a Folder,
    /// The bundle it was made from.
    pub bundle: &'a Bundle,
    /// The arms of every build set.
    pub sets: &'a [ArmSet],
    /// The lanes as arms are driven on them, in the plan's order.
    pub lanes: &'a [Lane],
}

impl Fixed<'_> {
    /// Everything that differs from the plan, one line each, with what was planned and what was found. What
    /// can't be read differs.
    pub fn differences(&self) -> Vec<String> {
        let mut differs = Differences(Vec::new());
        differs.file("plan.json", self.plan_id, &self.folder.plan_path());
        self.bundle(&mut differs);
        self.nets(&mut differs);
        self.arms(&mut differs);
        match plan_maker::tool(self.sets) {
            Ok(tool) => differs.tool(&self.plan.tool, &tool),
            Err(error) => differs.note("the lab itself", &self.plan.tool.sha256, format!("{error:#}")),
        }
        differs.machine(&self.plan.machine, &machine::facts());
        differs.0
    }

    fn bundle(&self, differs: &mut Differences) {
        differs.file("the bundle file", &self.plan.bundle_sha256, &self.bundle.file);
        let planned = &self.plan.workload.sha256;
        let found = match workload(self.bundle) {
            Ok(found) => found,
            Err(problem) => problem,
        };
        let what = format!("the workload, {}", self.bundle.workload.file.display());
        differs.note(&what, planned, found);
    }

    fn nets(&self, differs: &mut Differences) {
        for ((planned, driven), lane) in self.plan.lanes.iter().zip(self.lanes).zip(&self.bundle.lanes) {
            for (option, file) in &lane.files {
                let what = format!("the file of option {option} on lane {}, {}", lane.name, file.display());
                differs.file(&what, planned.files.get(option).map_or("none", String::as_str), file);
                // What arms read is what it named when the trial began.
                let named = driven.options.get(option).map_or("", String::as_str);
                let names = lanes::resolved(file).unwrap_or_else(|error| format!("{error:#}"));
                differs.note(&what, named, names);
            }
        }
    }

    fn arms(&self, differs: &mut Differences) {
        for (number, (planned, set)) in self.plan.builds.iter().zip(self.sets).enumerate() {
            differs.arms(&planned.arms.iter().collect::<Vec<_>>(), set);
            let (Some(joint), Some(diagnostics)) = (&set.joint, &self.plan.diagnostics) else { continue };
            let together = diagnostics.together.iter().filter_map(|group| group.builds.get(number));
            let planned: Vec<&ArmBuild> =
                [&planned.arms[BASE], &planned.arms[FULL]].into_iter().chain(together).collect();
            differs.arms(&planned, joint);
        }
    }
}

/// The hash of the workload as its file is now.
fn workload(bundle: &Bundle) -> Result<String, String> {
    let source = problem::Source::read(&bundle.workload.file).map_err(|problem| problem.to_string())?;
    let told = |problems: Vec<problem::Problem>| problem::BadBundle(problems).to_string();
    let positions = positions::read(&source).map_err(told)?;
    let mut now = bundle.clone();
    now.workload.positions = positions;
    Ok(plan_maker::workload(&now).sha256)
}

/// A hash, or why there is none.
fn found(hash: io::Result<String>, path: &Path) -> String {
    hash.unwrap_or_else(|error| format!("nothing: cannot read {}: {error}", path.display()))
}

struct Differences(Vec<String>);

impl Differences {
    /// Once, though `base` and `full` are in the diagnostics too.
    fn note(&mut self, what: &str, planned: impl Display, found: impl Display) {
        let (planned, found) = (planned.to_string(), found.to_string());
        let line = format!("{what}: planned {planned}, found {found}");
        if planned != found && !self.0.contains(&line) {
            self.0.push(line);
        }
    }

    fn file(&mut self, what: &str, planned: &str, path: &Path) {
        self.note(what, planned, found(hash::of_file(path), path));
    }

    /// The arms of a set: their executables and what they are linked from.
    fn arms(&mut self, planned: &[&ArmBuild], set: &ArmSet) {
        // Arms that share an executable differ together or not at all; each file is read once.
        let executables = set.subjects.iter().map(|subject| subject.executable());
        let found: Vec<String> = executables.map(|path| self::found(hash::of_file(path), path)).collect();
        for (planned, arm) in planned.iter().zip(&set.arms) {
            let name = in_set(&set.name, &arm.name);
            let linked = &set.subjects[arm.subject].planned;
            let what = format!("the executable of arm {name}");
            self.note(&what, &planned.executable_sha256, &found[arm.subject]);
            let what = format!("what arm {name} was linked from");
            self.note(&what, &planned.inputs_sha256, &linked.inputs_sha256);
        }
        for subject in &set.subjects {
            if let Some((folder, opened)) = subject.link() {
                let what = format!("the captured link of arm {}", subject.told());
                self.note(&what, opened, self::found(hash::of_folder(folder), folder));
            }
        }
    }

    fn tool(&mut self, planned: &Tool, now: &Tool) {
        self.note("the lab itself", &planned.sha256, &now.sha256);
        self.note("the lab's version", &planned.version, &now.version);
        self.note("the evaluator", planned.evaluator, EVALUATOR);
        // Plans before the linker was noted leave it open.
        if let Some(linker) = &planned.linker {
            let found = now.linker.as_ref().map_or("none", |linker| &linker.sha256);
            self.note(&format!("the linker, {}", linker.version), &linker.sha256, found);
        }
    }

    fn machine(&mut self, planned: &Machine, found: &Machine) {
        let governor = |m: &Machine| m.governor.clone().unwrap_or_else(|| "none".to_string());
        self.note("the processor", &planned.processor, &found.processor);
        self.note("the number of cores", planned.cores, found.cores);
        self.note("the kernel", &planned.kernel, &found.kernel);
        self.note("the huge-page policy", &planned.huge_pages, &found.huge_pages);
        self.note("the frequency governor", governor(planned), governor(found));
        self.note("the boot id", &planned.boot_id, &found.boot_id);
        self.note("hardware counters", planned.counters, found.counters);
    }
}

#[cfg(test)]
mod tests {
    use protocol::plan::Linker;

    use super::*;

    #[test]
    fn the_tool_counts_with_its_linker() {
        let linker = |sha256: &str| Some(Linker { version: "LLD 22".into(), sha256: sha256.into() });
        let planned =
            Tool { version: "1".into(), sha256: "aa".into(), evaluator: EVALUATOR, linker: linker("cc") };
        type Change = fn(&mut Tool);
        let changes: [(Change, &str); 3] = [
            (|t| t.sha256 = "bb".into(), "the lab itself: planned aa, found bb"),
            (|t| t.version = "2".into(), "the lab's version: planned 1, found 2"),
            (|t| t.linker = None, "the linker, LLD 22: planned cc, found none"),
        ];
        for (change, expected) in changes {
            let mut found = planned.clone();
            change(&mut found);
            let mut differs = Differences(Vec::new());
            differs.tool(&planned, &found);
            assert_eq!(differs.0, [expected]);
        }
        let mut differs = Differences(Vec::new());
        differs.tool(&Tool { linker: None, ..planned.clone() }, &planned);
        differs.tool(&planned, &planned.clone());
        assert!(differs.0.is_empty(), "{:?}", differs.0);
        differs.tool(&Tool { evaluator: 1, ..planned.clone() }, &planned);
        assert_eq!(differs.0, [format!("the evaluator: planned 1, found {EVALUATOR}")]);
    }

    #[test]
    fn every_fact_of_the_machine_counts() {
        let planned = Machine {
            processor: "a".into(),
            cores: 2,
            kernel: "6.1".into(),
            huge_pages: "madvise".into(),
            governor: None,
            boot_id: "x".into(),
            counters: false,
        };
        let changes: [fn(&mut Machine); 7] = [
            |m| m.processor = "b".into(),
            |m| m.cores = 4,
            |m| m.kernel = "6.2".into(),
            |m| m.huge_pages = "always".into(),
            |m| m.governor = Some("powersave".into()),
            |m| m.boot_id = "y".into(),
            |m| m.counters = true,
        ];
        let mut lines = Vec::new();
        for change in changes {
            let mut found = planned.clone();
            change(&mut found);
            let mut differs = Differences(Vec::new());
            differs.machine(&planned, &found);
            assert_eq!(differs.0.len(), 1);
            lines.extend(differs.0);
        }
        assert_eq!(lines[3], "the huge-page policy: planned madvise, found always");
        assert_eq!(lines[4], "the frequency governor: planned none, found powersave");
        let mut differs = Differences(Vec::new());
        differs.machine(&planned, &planned.clone());
        assert!(differs.0.is_empty());
    }
}
