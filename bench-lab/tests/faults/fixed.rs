//! What a plan fixes is looked at again: every difference is one line with what was planned and what was found.

use std::fs::{self, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use bench_lab::hash;

use super::planned::Planned;

impl Planned {
    /// What differs after `change`, which `back` takes back.
    fn all_after(&self, change: impl FnOnce(), back: impl FnOnce()) -> Vec<String> {
        change();
        let found = self.differences(&self.plan);
        back();
        assert_eq!(self.differences(&self.plan), [""; 0]);
        found
    }

    /// The one thing that differs after `change`.
    fn after(&self, change: impl FnOnce(), back: impl FnOnce()) -> String {
        let found = self.all_after(change, back);
        assert_eq!(found.len(), 1, "{found:?}");
        found.into_iter().next().expect("one")
    }

    /// What differs after a file was added to, and how each line must end.
    fn after_adding_to(&self, path: &Path, text: &str) -> (Vec<String>, String) {
        let (content, planned) = hash::read(path).expect("a file");
        let mode = fs::metadata(path).expect("a file").permissions();
        let mut found = String::new();
        let lines = self.all_after(
            || {
                fs::set_permissions(path, Permissions::from_mode(0o755)).expect("permissions");
                let mut file = OpenOptions::new().append(true).open(path).expect("a file");
                file.write_all(text.as_bytes()).expect("written");
                found = hash::of_file(path).expect("a file");
            },
            || {
                fs::write(path, content).expect("written");
                fs::set_permissions(path, mode).expect("permissions");
            },
        );
        (lines, format!(": planned {planned}, found {found}"))
    }
}

#[test]
fn every_file_counts() {
    let planned = Planned::new();
    assert_eq!(planned.differences(&planned.plan), [""; 0]);
    let executable = planned.sets[0].subjects[0].executable().to_path_buf();
    let net = planned.ill.path("net");
    let option = format!("the file of option EvalFile on lane main, {}", net.display());
    let arms = ["base", "full", "without:cure"].map(|arm| format!("the executable of arm {arm}"));
    for (path, what) in [
        (planned.ill.out().join("plan.json"), &["plan.json".to_owned()][..]),
        (planned.ill.path("bundle.toml"), &["the bundle file".to_owned()]),
        (net, &[option]),
        (executable, &arms),
    ] {
        let (lines, both) = planned.after_adding_to(&path, "# more\n");
        assert_eq!(lines, what.iter().map(|what| format!("{what}{both}")).collect::<Vec<_>>());
    }
}

#[test]
fn the_workload_counts_by_its_positions() {
    let planned = Planned::new();
    let path = planned.ill.path("work.epd");
    let text = fs::read_to_string(&path).expect("positions");
    let back = || fs::write(&path, &text).expect("positions");
    let told = |text: &str| planned.after(|| fs::write(&path, text).expect("positions"), back);
    let begin = format!("the workload, {}: planned {}, found ", path.display(), planned.plan.workload.sha256);
    let line = told(&text.replace("8/8/8/4k3", "8/8/8/3k4"));
    assert!(line.starts_with(&begin) && line.len() == begin.len() + 64, "{line}");
    let line = told("no position\n");
    assert!(line.starts_with(&begin) && line.contains("work.epd:1:1: not a position"), "{line}");
    let line = planned.after(|| fs::remove_file(&path).expect("removed"), back);
    assert!(line.starts_with(&begin) && line.contains("cannot be read"), "{line}");
    // A remark is no position.
    fs::write(&path, format!("# remark\n{text}")).expect("positions");
    assert_eq!(planned.differences(&planned.plan), [""; 0]);
}

#[test]
fn a_link_to_an_equal_net_is_another_file() {
    let planned = Planned::new();
    let path = |name: &str| planned.ill.path(name);
    let name = |other: &str| {
        fs::remove_file(path("net")).expect("removed");
        symlink(other, path("net")).expect("a link");
    };
    fs::copy(path("one.net"), path("two.net")).expect("a copy");
    let line = planned.after(|| name("two.net"), || name("one.net"));
    let real = |name: &str| path(name).canonicalize().expect("a file").display().to_string();
    assert!(line.ends_with(&format!(": planned {}, found {}", real("one.net"), real("two.net"))), "{line}");
}

#[test]
fn what_is_gone_is_told() {
    let planned = Planned::new();
    let net = planned.ill.path("one.net");
    fs::remove_file(&net).expect("removed");
    let lines = planned.differences(&planned.plan);
    assert_eq!(lines.len(), 2, "content and name: {lines:?}");
    assert!(
        lines[0].contains(", found nothing: cannot read ") && lines[0].ends_with("(os error 2)"),
        "{lines:?}"
    );
}

#[test]
fn policy_kernel_governor_and_boot_count() {
    let planned = Planned::new();
    let now = planned.plan.machine.clone();
    let mut plan = planned.plan.clone();
    plan.machine.huge_pages = "other".into();
    plan.machine.kernel = "2.4.0".into();
    plan.machine.governor = Some("ondemand, once".into());
    plan.machine.boot_id = "another boot".into();
    plan.tool.sha256 = "another lab".into();
    let lines = planned.differences(&plan);
    let governor = now.governor.as_deref().unwrap_or("none");
    assert_eq!(
        lines,
        [
            format!("the lab itself: planned another lab, found {}", planned.plan.tool.sha256),
            format!("the kernel: planned 2.4.0, found {}", now.kernel),
            format!("the huge-page policy: planned other, found {}", now.huge_pages),
            format!("the frequency governor: planned ondemand, once, found {governor}"),
            format!("the boot id: planned another boot, found {}", now.boot_id),
        ]
    );
}

#[test]
fn arms_are_held_against_the_plan_itself() {
    let planned = Planned::new();
    let mut plan = planned.plan.clone();
    plan.builds[0].arms[1].executable_sha256 = "planned".into();
    plan.builds[0].arms[2].inputs_sha256 = "planned".into();
    let is = &planned.plan.builds[0].arms[1];
    assert_eq!(
        planned.differences(&plan),
        [
            format!("the executable of arm full: planned planned, found {}", is.executable_sha256),
            format!("what arm without:cure was linked from: planned planned, found {}", is.inputs_sha256),
        ]
    );
}
