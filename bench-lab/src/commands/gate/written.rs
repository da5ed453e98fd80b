//! What a gate leaves in files, and what it tells the CI server that it runs on.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::commands::{Failure, print, warn};
use crate::exit::Exit;
use crate::gate::outputs::{annotations, badge, json, junit, markdown, values};
use crate::gate::{Answer, Baseline, GateFile, Report, State};
use crate::output::{self, Files};

/// Set by the runner of GitHub Actions.
const ACTIONS: &str = "GITHUB_ACTIONS";
/// The file of a step's summary.
const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Writes every form of the report, all of them together.
pub fn folder(folder: &Path, report: &Report) -> Result<(), Failure> {
    output::make_folder(folder, "name another folder with --out")?;
    let mut files = Files::new();
    for (name, text) in [
        ("gate.json", json::json(report)?),
        ("comment.md", markdown::comment(report)),
        ("junit.xml", junit::junit(report)?),
        ("values.csv", values::csv(report)?),
        ("badge.svg", badge::badge(report.state)),
    ] {
        files.add(&folder.join(name), text.as_bytes())?;
    }
    Ok(files.finish()?)
}

/// Annotations and summary, on a runner of GitHub Actions.
pub fn github(report: &Report, is_json: bool) -> Result<(), Failure> {
    if std::env::var_os(ACTIONS).is_some_and(|value| value == "true") {
        let lines = annotations::annotations(report);
        // The runner reads both streams; JSON has one for itself.
        match is_json {
            true => lines.lines().for_each(warn),
            false => print(&lines)?,
        }
    }
    let Some(path) = std::env::var_os(SUMMARY).filter(|path| !path.is_empty()).map(PathBuf::from) else {
        return Ok(());
    };
    let text = markdown::summary(report) + "\n";
    let written = OpenOptions::new().create(true).append(true).open(&path);
    let written = written.and_then(|mut file| file.write_all(text.as_bytes()));
    written.with_context(|| format!("cannot write the step's summary {}", path.display()))?;
    Ok(())
}

/// Records what the questions counted.
pub fn baselines(file: &GateFile, answers: &[Answer]) -> Result<Exit, Failure> {
    let void = answers.iter().flat_map(|answer| &answer.rows).find(|row| row.state == State::Void);
    if let Some(row) = void {
        return Err(Failure::Void(format!(
            "nothing was recorded: {} of {} broke off: {}",
            row.question, row.benchmark, row.note
        )));
    }
    for baseline in answers.iter().filter_map(|answer| answer.baseline.as_ref()) {
        // One that cannot be read is replaced all the same.
        let old = Baseline::read(&file.baseline, baseline.question).ok().flatten();
        let path = baseline.write(&file.baseline)?;
        let changes = baseline.changes(old.as_ref());
        let told: String = changes.iter().map(|change| format!("  {change}\n")).collect();
        let how = if changes.is_empty() { ": as before" } else { "" };
        print(&format!("{}{how}\n{told}", path.display()))?;
    }
    Ok(Exit::Proven)
}
