//! A planned trial, from its next run on: to a verdict, to a pause, or void.

use std::path::PathBuf;

use anyhow::Context;
use protocol::register::{Diagnosed, Event, Judgement, Pause, Start};
use protocol::{Plan, ProcessRecord, Verdict};
use reports::Trial as Finished;

use super::{Failure, chain, eliminated, print};
use crate::diagnostics::Diagnosis;
use crate::exit::Exit;
use crate::folder::{Break, Folder, Paused, Timing, Void};
use crate::plan_maker;
use crate::planned::Planned;
use crate::progress::duration;
use crate::register::{self, RegisterError, RegisterFile};
use crate::trial::{Broken, Ended, Trial};

/// Measures what is left of a trial. `before` is what its earlier part took and the pause that followed.
pub(super) fn follow(
    trial: &Trial<'_>,
    register: &mut RegisterFile,
    before: Option<(Timing, Break)>,
) -> Result<Exit, Failure> {
    let Planned { folder, plan_id, .. } = trial.planned;
    let whole = |timing: Timing| match before {
        Some((earlier, pause)) => earlier.and(pause, timing),
        None => timing,
    };
    let mut begin = |run| {
        let start = Start { plan_id: plan_id.to_owned(), run };
        register.append(Event::Start(start)).map_err(anyhow::Error::from)
    };
    match trial.run(&mut begin) {
        Err(broken) => Err(void(folder, Some(register), plan_id, broken)),
        Ok(Ended::Finished(timing)) => finish(trial, register, &whole(timing)),
        Ok(Ended::Paused { after_run, kept, timing }) => {
            let place = format!("after run {after_run}");
            let paused = paused(trial, register, after_run, kept, whole(timing));
            let paused =
                paused.map_err(|reason| void(folder, Some(register), plan_id, Broken { reason, place }))?;
            trial.planned.progress.finish();
            print(&told(&paused, folder))?;
            Ok(Exit::Paused)
        }
    }
}

/// Notes that the trial is paused; when the last file is written, it is.
fn paused(
    trial: &Trial<'_>,
    register: &mut RegisterFile,
    after_run: usize,
    kept: PathBuf,
    timing: Timing,
) -> anyhow::Result<Paused> {
    let Planned { plan, plan_id, bundle, folder, .. } = trial.planned;
    let (_, records_sha256) = folder.read_records()?;
    let bundle = bundle.file.canonicalize().context("cannot find the bundle file")?;
    let path = register.path().canonicalize().context("cannot find the register")?;
    let plan_id = plan_id.to_owned();
    register.append(Event::Pause(Pause { plan_id: plan_id.clone(), after_run }))?;
    let paused = Paused {
        plan_id,
        after_run,
        time: plan_maker::now(),
        boot_id: plan.machine.boot_id.clone(),
        bundle,
        register: path,
        kept,
        records_sha256,
        timing,
    };
    folder.write_paused(&paused)?;
    Ok(paused)
}

fn told(paused: &Paused, folder: &Folder) -> String {
    format!(
        "paused after run {} of {}, {} measured so far\n\
         go on, before the machine is started anew, with: bench-lab resume {}\n\
         what that needs waits in {}\n",
        paused.after_run,
        protocol::RUNS,
        duration(paused.timing.trial_seconds),
        folder.path().display(),
        paused.kept.display(),
    )
}

/// Judges, measures the diagnostics, and reports.
fn finish(trial: &Trial<'_>, register: &mut RegisterFile, timing: &Timing) -> Result<Exit, Failure> {
    let Planned { plan_id, bundle, folder, progress, .. } = trial.planned;
    let (plan, records, verdict, judged) = judge(folder, register, timing).map_err(|reason| {
        void(folder, Some(register), plan_id, Broken { reason, place: "after run 8".into() })
    })?;
    // From here on the verdict stands.
    folder.write_verdict(&verdict).map_err(anyhow::Error::from)?;
    let left = eliminated::after(register, bundle, &judged).unwrap_or_else(|error| {
        progress.say(&format!(
            "warning: the register does not say yet that {} left the bundle ({error}): the next lab that uses it adds that",
            judged.unproven.join(", ")
        ));
        None
    });
    let diagnostics = match &plan.diagnostics {
        Some(fixed) => {
            let planned = Planned { plan: &plan, ..trial.planned };
            diagnosed(&Diagnosis { planned, fixed }, register)?
        }
        None => None,
    };

    progress.finish();
    let finished = Finished {
        plan: &plan,
        plan_id,
        records: &records,
        verdict: &verdict,
        timing: None,
        diagnostics: diagnostics.as_deref(),
    };
    print(&reports::table(&finished))?;
    print(&format!("\n{}\n", timing.line()))?;
    let page = super::report::draw(folder)?;
    print(&format!("report: {}\n", page.display()))?;
    if let Some(told) = left {
        print(&format!("{told}\n"))?;
    }
    Ok(super::judged(&verdict))
}

/// Measures the diagnostics and has the register vouch for their records. The verdict is there and stays, whatever
/// becomes of them.
fn diagnosed(
    diagnosis: &Diagnosis<'_>,
    register: &mut RegisterFile,
) -> anyhow::Result<Option<Vec<ProcessRecord>>> {
    let Planned { plan_id, folder, progress, .. } = diagnosis.planned;
    if let Err(error) = diagnosis.run() {
        progress.say(&format!(
            "warning: the diagnostics broke off, the verdict stands without them: {}",
            chain(&error)
        ));
    }
    let Some((records, records_sha256)) = folder.read_diagnostics()? else { return Ok(None) };
    let noted = Event::Diagnostics(Diagnosed { plan_id: plan_id.to_owned(), records_sha256 });
    if let Err(error) = register.append(noted) {
        progress.say(&format!("warning: nobody vouches for the diagnostics: {error}"));
    }
    Ok(Some(records))
}

/// Judges what lies on the disk, and registers the verdict before it is written anywhere else: a lab that ends in
/// between leaves nothing that could be judged otherwise.
fn judge(
    folder: &Folder,
    register: &mut RegisterFile,
    timing: &Timing,
) -> anyhow::Result<(Plan, Vec<ProcessRecord>, Verdict, Judgement)> {
    // Who asked for a pause in the last run has asked for nothing.
    folder.forget_pause()?;
    folder.write_timing(timing)?;
    let (plan, plan_id) = folder.read_plan()?;
    let (records, digest) = folder.read_records()?;
    let verdict = protocol::judge(&plan, &records, &digest)?;
    let judged = register::judgement(&plan_id, &verdict, &verdict.text()?);
    register.append(Event::Verdict(judged.clone()))?;
    Ok((plan, records, verdict, judged))
}

/// Writes why the trial is void, in its folder and in its register, if that is known. The one is told even if the other
/// can't be.
pub(super) fn void(
    folder: &Folder,
    register: Option<&mut RegisterFile>,
    plan_id: &str,
    broken: Broken,
) -> Failure {
    let void = Void {
        plan_id: plan_id.to_string(),
        reason: chain(&broken.reason),
        place: broken.place,
        time: plan_maker::now(),
    };
    let mut told = format!("void, {}: {}", void.place, void.reason);
    if let Err(error) = folder.write_void(&void) {
        told.push_str(&format!("\nand this could not be recorded: {error}"));
    }
    let registered = register.map_or(Ok(()), |register| register.append(Event::Void(register::void(&void))));
    match registered {
        Ok(()) => {}
        Err(error @ RegisterError::Io { .. }) => {
            // Once is enough: what refuses the line may be what broke the trial off.
            let known = told.contains(&error.to_string());
            let why = if known { String::new() } else { format!(" ({error})") };
            told.push_str(&format!(
                "\nthe register has no line of that yet{why}: the next lab that uses it adds one"
            ));
        }
        Err(error) => told.push_str(&format!("\nand this could not be registered: {error}")),
    }
    Failure::Void(format!("{told}\nnothing was computed; a new trial needs a new plan"))
}
