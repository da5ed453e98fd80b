//! `bench-lab report`: a finished trial as a page, a comment, numbers or plots.

mod files;

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use protocol::Verdict;
use reports::{Plot, Trial};

use super::rejudge::{Kept, must_follow};
use super::{Failure, chain, print};
use crate::exit::Exit;
use crate::folder::Folder;
use files::Target;

/// What `bench-lab report` is asked for.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder of the trial
    pub dir: PathBuf,
    /// What to make of it
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Html)]
    pub format: Format,
    /// Where to write it, - for standard output [default: report.html, report.md, report.json or the folder plots, in DIR]
    #[arg(long, short, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// With svg: only the plots of this kind, or of this name; may be given several times
    #[arg(long, value_name = "NAME")]
    pub plot: Vec<String>,
    /// Overwrite files that bench-lab did not make
    #[arg(long)]
    pub force: bool,
}

/// What a trial is turned into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The page: one file with everything
    Html,
    /// A comment for a pull request
    #[value(alias = "markdown")]
    Md,
    /// All numbers, for other programs
    Json,
    /// Plots, each a file of its own
    Svg,
}

/// A report's files: one, or several in a folder.
enum Made {
    One(String),
    Plots(Vec<Plot>),
}

/// Reports on a trial, if its verdict is the one that its records give.
pub fn report(asked: &Arguments) -> Result<Exit, Failure> {
    if asked.format != Format::Svg && !asked.plot.is_empty() {
        return Err(Failure::Usage("--plot chooses among plots: it goes with --format svg".to_owned()));
    }
    let folder = Folder::open(&asked.dir).map_err(anyhow::Error::from)?;
    if let Some(void) = folder.read_void().map_err(anyhow::Error::from)? {
        return Err(Failure::Void(format!("a void trial has no report: {} ({})", void.reason, void.place)));
    }
    let kept = Kept::read(&folder).map_err(anyhow::Error::from)?;
    let stored = stored(&folder)?;
    follows(&kept, &stored).map_err(|error| {
        let look = format!("`bench-lab verify {}` looks closer", asked.dir.display());
        anyhow!("{}\nno report was made; {look}", chain(&error))
    })?;
    let made = with_trial(&folder, |trial| Ok(made(asked, trial)))??;
    let target = Target { format: asked.format, dir: &asked.dir, output: asked.output.as_deref() };
    match files::write(&target, made, asked.force)? {
        files::Written::Out(text) => print(&text)?,
        files::Written::At(paths) => {
            print(&paths.iter().map(|path| format!("{}\n", path.display())).collect::<String>())?;
        }
    }
    Ok(Exit::Proven)
}

fn made(asked: &Arguments, trial: &Trial) -> Result<Made, Failure> {
    let made = match asked.format {
        Format::Html => Made::One(reports::html(trial).context(UNDRAWN)?),
        Format::Md => Made::One(reports::markdown(trial)),
        Format::Json => Made::One(reports::json::json(trial).context(UNDRAWN)?),
        Format::Svg => Made::Plots(chosen(reports::plots(trial).context(UNDRAWN)?, &asked.plot)?),
    };
    Ok(made)
}

/// The plots of these kinds and names; all when none is named.
fn chosen(plots: Vec<Plot>, names: &[String]) -> Result<Vec<Plot>, Failure> {
    let is = |plot: &Plot, name: &String| plot.kind == name || plot.name == *name;
    if let Some(unknown) = names.iter().find(|name| !plots.iter().any(|plot| is(plot, name))) {
        let mut there: Vec<&str> = plots.iter().flat_map(|plot| [plot.kind, plot.name.as_str()]).collect();
        let mut seen = std::collections::BTreeSet::new();
        there.retain(|name| seen.insert(*name));
        return Err(Failure::Usage(format!(
            "--plot {unknown}: no such plot; there are {}",
            there.join(", ")
        )));
    }
    let wanted = |plot: &Plot| names.is_empty() || names.iter().any(|name| is(plot, name));
    Ok(plots.into_iter().filter(wanted).collect())
}

/// Nobody shall see a report whose numbers and words do not belong together.
fn follows(kept: &Kept, stored: &Verdict) -> anyhow::Result<()> {
    must_follow(stored, &kept.judge()?)
}

fn stored(folder: &Folder) -> anyhow::Result<Verdict> {
    folder.read_verdict()?.context("there is no verdict yet: the trial has not ended")
}

/// Draws the page from what the folder holds, and writes it there.
pub(super) fn draw(folder: &Folder) -> anyhow::Result<PathBuf> {
    Ok(folder.write_report(&page(folder)?)?)
}

/// The page that the folder's files give.
pub(super) fn page(folder: &Folder) -> anyhow::Result<String> {
    with_trial(folder, |trial| reports::html(trial).context(UNDRAWN))
}

const UNDRAWN: &str = "the report can't be made";

/// Reads all parts of a trial from its folder.
fn with_trial<T>(folder: &Folder, use_it: impl FnOnce(&Trial) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let (plan, plan_id) = folder.read_plan()?;
    let (records, _) = folder.read_records()?;
    let verdict = stored(folder)?;
    let diagnostics = folder.read_diagnostics()?.map(|(records, _)| records);
    let timing = folder.read_timing()?.as_ref().map(reports::Timing::from);
    use_it(&Trial {
        plan: &plan,
        plan_id: &plan_id,
        records: &records,
        verdict: &verdict,
        timing: timing.as_ref(),
        diagnostics: diagnostics.as_deref(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plots() -> Vec<Plot> {
        let plot = |kind: &'static str, name: &str| Plot { kind, name: name.to_owned(), svg: String::new() };
        vec![plot("forest", "forest"), plot("runs", "runs-a-main"), plot("runs", "runs-b-main")]
    }

    fn names(asked: &[&str]) -> Result<Vec<String>, Failure> {
        let asked: Vec<String> = asked.iter().map(|name| (*name).to_owned()).collect();
        Ok(chosen(plots(), &asked)?.into_iter().map(|plot| plot.name).collect())
    }

    #[test]
    fn plots_are_chosen_by_kind_and_by_name() {
        assert_eq!(names(&[]).unwrap().len(), 3);
        assert_eq!(names(&["runs"]).unwrap(), ["runs-a-main", "runs-b-main"]);
        assert_eq!(names(&["runs-b-main", "forest"]).unwrap(), ["forest", "runs-b-main"]);
        let refused = names(&["forest", "strips"]).unwrap_err().to_string();
        assert_eq!(refused, "--plot strips: no such plot; there are forest, runs, runs-a-main, runs-b-main");
    }
}
