//! `bench-lab report` on the finished trial in the repository: every format, and what is never overwritten.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use reports::json::Report;

/// The committed trial, copied so that no test can change it.
struct Place {
    _guard: tempfile::TempDir,
    folder: PathBuf,
}

impl Place {
    fn new() -> Place {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/quickstart");
        let guard = tempfile::tempdir().expect("a folder");
        for name in ["plan.json", "records.jsonl", "verdict.json", "timing.json"] {
            fs::copy(from.join(name), guard.path().join(name)).expect(name);
        }
        Place { folder: guard.path().to_path_buf(), _guard: guard }
    }

    fn report(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench-lab"));
        command.arg("report").arg(&self.folder).args(arguments).current_dir(&self.folder);
        command.output().expect("the lab")
    }

    /// As [`Place::report`], where files get no larger than so many KiB.
    fn report_without_room(&self, kib: u32, arguments: &[&str]) -> Output {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("trap '' XFSZ; ulimit -f {}; exec \"$@\"", 2 * kib), "sh"]);
        command.arg(env!("CARGO_BIN_EXE_bench-lab")).arg("report").arg(&self.folder).args(arguments);
        command.current_dir(&self.folder).output().expect("the lab")
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).expect("the folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

fn out(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn refused(output: &Output, code: i32) -> String {
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    told
}

#[test]
fn every_format_has_its_place_and_is_named() {
    let place = Place::new();
    for (format, name) in [("html", "report.html"), ("md", "report.md"), ("json", "report.json")] {
        let told = out(&place.report(&["--format", format]));
        assert_eq!(told, format!("{}\n", place.folder.join(name).display()));
        assert!(place.folder.join(name).is_file());
        // What the lab made itself may be made again.
        out(&place.report(&["--format", format]));
    }
    let told = out(&place.report(&["--format", "svg"]));
    assert!(told.lines().count() > 10 && told.lines().all(|path| Path::new(path).is_file()), "{told}");
    assert!(place.folder.join("plots/forest.svg").is_file());
}

#[test]
fn standard_output_has_the_same_bytes() {
    let place = Place::new();
    for (format, name) in [("html", "report.html"), ("md", "report.md"), ("json", "report.json")] {
        let shown = out(&place.report(&["--format", format, "--output", "-"]));
        assert!(!place.folder.join(name).exists());
        out(&place.report(&["--format", format]));
        assert!(shown == fs::read_to_string(place.folder.join(name)).expect("a file"), "{format}");
    }
    let plot = out(&place.report(&["--format", "svg", "--plot", "noise", "-o", "-"]));
    assert!(plot.starts_with("<svg ") && plot.ends_with("</svg>\n"));
    let told = refused(&place.report(&["--format", "svg", "-o", "-"]), 2);
    assert!(told.contains("choose one with --plot"), "{told}");
}

#[test]
fn json_tells_what_the_verdict_says() {
    let place = Place::new();
    let report: Report =
        serde_json::from_str(&out(&place.report(&["--format", "json", "-o", "-"]))).expect("JSON");
    let verdict: protocol::Verdict =
        serde_json::from_slice(&fs::read(place.folder.join("verdict.json")).expect("a verdict"))
            .expect("JSON");
    assert_eq!((report.proven, report.hashes.plan), (verdict.proven, verdict.plan_id));
    assert_eq!(report.whole_bundle.lanes[0].runs, verdict.bundle.lanes[0].runs);
}

#[test]
fn what_is_not_the_labs_stays() {
    let place = Place::new();
    fs::write(place.folder.join("report.md"), "my own notes\n").expect("writable");
    let told = refused(&place.report(&["--format", "md"]), 2);
    assert!(told.contains("report.md is there already and is no report of bench-lab's"), "{told}");
    assert_eq!(fs::read_to_string(place.folder.join("report.md")).expect("there"), "my own notes\n");
    out(&place.report(&["--format", "md", "--force"]));
    let told = refused(&place.report(&["--format", "json", "-o", "plan.json"]), 2);
    assert!(told.contains("plan.json is there already"), "{told}");
}

#[test]
fn a_full_disk_leaves_nothing_behind() {
    let place = Place::new();
    let before = place.names();
    for arguments in [&["--format", "html"][..], &["--format", "json"], &["--format", "svg"]] {
        let told = refused(&place.report_without_room(8, arguments), 1);
        assert!(told.starts_with("error: cannot write "), "{told}");
        assert!(
            told.trim_end().ends_with("make room there, or name a folder on another disk with --output"),
            "{told}"
        );
        assert_eq!(place.names(), before, "{told}");
    }
}

#[test]
fn plots_go_with_their_format_only() {
    let told = refused(&Place::new().report(&["--plot", "forest"]), 2);
    assert!(told.contains("--format svg"), "{told}");
}
