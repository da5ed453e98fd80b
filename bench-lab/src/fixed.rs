//! What the plan fixed, looked at again before every run.

use protocol::Plan;
use protocol::plan::Machine;

use crate::bundle::Bundle;
use crate::subject::ArmSet;
use crate::{hash, lanes, machine, plan_maker};

/// Everything that differs from the plan, one line each.
pub fn differences(plan: &Plan, bundle: &Bundle, sets: &[ArmSet]) -> anyhow::Result<Vec<String>> {
    let mut differs = Differences(Vec::new());
    differs.note("the bundle file", &plan.bundle_sha256, &hash::of_file(&bundle.file)?);
    match Bundle::read(&bundle.file) {
        Ok(now) => {
            differs.note("the workload", &plan.workload.sha256, &plan_maker::workload(&now).sha256);
        }
        Err(problems) => differs.0.push(format!("the bundle is no longer good: {problems}")),
    }
    for (planned, lane) in plan.lanes.iter().zip(&bundle.lanes) {
        for (option, digest) in lanes::planned(lane)?.files {
            let what = format!("the file of option {option} on lane {}", lane.name);
            differs.note(&what, planned.files.get(&option).map_or("none", String::as_str), &digest);
        }
    }
    for subject in sets.iter().flat_map(|set| &set.subjects) {
        if !subject.is_unchanged()? {
            differs
                .0
                .push(format!("the executable or the captured link of arm {} has changed", subject.told()));
        }
    }
    differs.note("the lab itself", &plan.tool.sha256, &plan_maker::tool()?.sha256);
    differs.machine(&plan.machine, &machine::facts());
    Ok(differs.0)
}

struct Differences(Vec<String>);

impl Differences {
    fn note(&mut self, what: &str, planned: &str, found: &str) {
        if planned != found {
            self.0.push(format!("{what}: planned {planned}, found {found}"));
        }
    }

    fn machine(&mut self, planned: &Machine, found: &Machine) {
        let governor = |m: &Machine| m.governor.clone().unwrap_or_else(|| "none".to_string());
        self.note("the processor", &planned.processor, &found.processor);
        self.note("the number of cores", &planned.cores.to_string(), &found.cores.to_string());
        self.note("the kernel", &planned.kernel, &found.kernel);
        self.note("the huge-page policy", &planned.huge_pages, &found.huge_pages);
        self.note("the frequency governor", &governor(planned), &governor(found));
        self.note("the boot id", &planned.boot_id, &found.boot_id);
        self.note("hardware counters", &planned.counters.to_string(), &found.counters.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
