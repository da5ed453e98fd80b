//! `bench-lab doctor`: what on this machine disturbs, what it costs, and what mends it.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use super::arguments::{at_least, number};
use super::{Failure, print};
use crate::builds::Yard;
use crate::columns::columns;
use crate::doctor::{self, DOCTOR_FORMAT, Finding, Report, Status};
use crate::exit::Exit;
use crate::measure::cores;
use crate::output::json;
use crate::progress::Progress;
use crate::{Cancel, machine, plan_maker};

/// Arguments of `doctor`.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    /// The core that trials would measure on [default: the last one that this process may use]
    #[arg(long, value_name = "N", value_parser = at_least::<usize>(0))]
    core: Option<usize>,
    /// How long to watch the core
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = number::<u64>(1, 600))]
    seconds: u64,
    /// Folder that the lab would work in [default: where builds without a target folder are kept]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Print JSON, with the keys that docs/daily.md explains
    #[arg(long)]
    json: bool,
}

/// Looks, measures for some seconds, and tells.
pub fn doctor(arguments: &Arguments) -> Result<Exit, Failure> {
    let cancel = Cancel::on_signals().context("cannot listen to signals")?;
    let usable = cores::usable();
    let core = arguments.core.or(usable.last().copied()).unwrap_or(0);
    if !usable.contains(&core) {
        let listed: Vec<String> = usable.iter().map(usize::to_string).collect();
        let message =
            format!("core {core} is not among those that this process may use: {}", listed.join(", "));
        return Err(Failure::Usage(message));
    }
    let progress = Progress::new();
    progress.step(&format!("watching core {core} for {} s", arguments.seconds));
    let created = plan_maker::now();
    let window = Duration::from_secs(arguments.seconds);
    let found = match &arguments.folder {
        Some(folder) => doctor::examine(core, window, folder, &cancel),
        None => {
            let yard = Yard::free("doctor")?;
            doctor::examine(core, window, yard.root(), &cancel)
        }
    };
    progress.finish();
    let findings = match found {
        Err(_) if cancel.is_cancelled() => return Err(Failure::Void("interrupted".to_owned())),
        found => found.map_err(anyhow::Error::from)?,
    };
    let report = Report {
        format: DOCTOR_FORMAT,
        created,
        core,
        seconds: window.as_secs_f64(),
        status: worst(&findings),
        findings,
        machine: machine::facts(),
    };
    print(&if arguments.json { json(&report)? } else { table(&report) })?;
    Ok(if report.status == Status::Prevents { Exit::NotResolved } else { Exit::Proven })
}

/// The worst of all; what the system does not tell is no reason to worry.
fn worst(findings: &[Finding]) -> Status {
    let known = findings.iter().map(|finding| finding.status).filter(|&status| status != Status::Unknown);
    known.max().unwrap_or(Status::Fine)
}

fn table(report: &Report) -> String {
    let mark = |status: Status| match status {
        Status::Fine => "✓",
        Status::Unknown => "?",
        Status::Disturbs => "!",
        Status::Prevents => "✗",
    };
    let row = |finding: &Finding| {
        vec![mark(finding.status).to_owned(), finding.what.clone(), finding.found.clone()]
    };
    let rows: Vec<Vec<String>> = report.findings.iter().map(row).collect();
    let mut text = format!(
        "{}, kernel {}; core {} for {} s\n\n{}",
        report.machine.processor,
        report.machine.kernel,
        report.core,
        report.seconds,
        columns(&rows, 3)
    );
    for finding in &report.findings {
        let Some(cost) = &finding.cost else { continue };
        text.push_str(&format!("\n{} {}: {}\n", mark(finding.status), finding.what, finding.found));
        text.push_str(&format!("    costs: {cost}{}\n", if finding.measured { " (measured)" } else { "" }));
        if let Some(mend) = &finding.mend {
            text.push_str(&format!("    mend:  {mend}\n"));
        }
    }
    text.push_str(match report.status {
        Status::Fine | Status::Unknown => "\nNothing disturbs.\n",
        Status::Disturbs => "\nTrials can be made here; what is marked makes them longer or their answers coarser. `bench-lab aa BUNDLE` says how far.\n",
        Status::Prevents => "\nTRIALS WILL HARDLY RESOLVE ANYTHING here: mend first what is marked with ✗.\n",
    });
    text
}
