//! `bench-lab gate`: has this commit lost something? For CI.

mod engines;
mod written;

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::arguments::{at_least, jobs};
use super::{Failure, link, print};
use crate::Cancel;
use crate::builds::{Shop, Yard};
use crate::bundle::Bundle;
use crate::exit::Exit;
use crate::gate::ask::{self, Asked};
use crate::gate::outputs::{json, table};
use crate::gate::{Answer, Baseline, GateFile, Question, Report, file, report};
use crate::locks::{self, Holder};
use crate::measure::cores;
use crate::progress::Progress;

use engines::{Named, Workshop};

/// The commit of the files as they are.
const HEAD: &str = "HEAD";

/// Arguments of `gate`.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    /// What to ask [default: all that the gate file asks]
    #[arg(value_enum, value_name = "QUESTION")]
    questions: Vec<Question>,
    /// The gate file
    #[arg(long, value_name = "FILE", default_value = file::NAME)]
    file: PathBuf,
    /// The engine to ask about: an executable; with a bundle in the gate file also a commit, branch or tag, or `.` [default: the gate file's executable, else, or if --base names a commit, `.`]
    #[arg(long, value_name = "EXE|REV")]
    head: Option<String>,
    /// What to compare with: an executable, or a commit, branch or tag [default: what is recorded, as always for the tree and for benchmarks that count themselves]
    #[arg(long, value_name = "EXE|REV")]
    base: Option<String>,
    /// The commit whose message may tell the node count [default: that of --head, else HEAD]
    #[arg(long, value_name = "REV")]
    commit: Option<String>,
    /// The folder of recorded counts [default: the gate file's, else results/baseline beside it]
    #[arg(long, value_name = "DIR")]
    baseline: Option<PathBuf>,
    /// Record the counts of this engine instead of judging them
    #[arg(long, conflicts_with_all = ["base", "strict"])]
    update_baseline: bool,
    /// Fail with 6 where a hard limit cannot be judged
    #[arg(long)]
    strict: bool,
    /// Processor core to measure on, from 0 [default: the last one]
    #[arg(long, value_name = "N", value_parser = at_least::<usize>(0))]
    core: Option<usize>,
    /// Jobs that builds may run at once
    #[arg(long, value_name = "N", value_parser = jobs())]
    jobs: Option<usize>,
    /// Also write gate.json, comment.md, junit.xml, values.csv and badge.svg into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Asks, judges and tells.
pub fn gate(arguments: &Arguments) -> Result<Exit, Failure> {
    let file = GateFile::read(&arguments.file)?;
    let file = match &arguments.baseline {
        Some(folder) => GateFile { baseline: folder.clone(), ..file },
        None => file,
    };
    let questions = questions(arguments, &file)?;
    let recorded: Vec<Option<Baseline>> = match arguments.update_baseline {
        // A bad file is what may have to be replaced.
        true => vec![None; questions.len()],
        false => questions
            .iter()
            .map(|&question| Baseline::read(&file.baseline, question))
            .collect::<Result<_, _>>()?,
    };
    let cancel = Cancel::on_signals().context("cannot listen to signals")?;
    let progress = Progress::new();
    let answered = answered(arguments, &file, &questions, &recorded, &progress, &cancel);
    progress.finish();
    let (asked, answers) = answered?;
    match arguments.update_baseline {
        true => written::baselines(&file, &answers),
        false => told(arguments, asked, answers),
    }
}

/// What is asked: all of it must be in the file.
fn questions(arguments: &Arguments, file: &GateFile) -> Result<Vec<Question>, Failure> {
    let asked = file.questions();
    if let Some(other) = arguments.questions.iter().find(|question| !asked.contains(question)) {
        let known: Vec<&str> = asked.iter().map(|question| question.name()).collect();
        return Err(Failure::Usage(format!(
            "{} does not ask `{other}`: it asks {}; a table `[{other}]` asks it",
            arguments.file.display(),
            known.join(", ")
        )));
    }
    let is_wanted = |question: &Question| {
        let is_named = arguments.questions.is_empty() || arguments.questions.contains(question);
        is_named && (question.is_recorded() || !arguments.update_baseline)
    };
    Ok(asked.into_iter().filter(is_wanted).collect())
}

/// All answers, with what they are about.
fn answered(
    arguments: &Arguments,
    file: &GateFile,
    questions: &[Question],
    recorded: &[Option<Baseline>],
    progress: &Progress,
    cancel: &Cancel,
) -> Result<(report::Asked, Vec<Answer>), Failure> {
    let core = core(arguments)?;
    // It may ask for more than this machine has, which matters only if something is built.
    let may_build = arguments.base.is_some() || arguments.head.is_some() || file.engine.executable.is_none();
    let bundle = file.engine.bundle.as_ref().filter(|_| may_build);
    let bundle = bundle.map(|bundle| Bundle::read_build(bundle, core)).transpose()?;
    let workshop = Workshop { file, bundle: bundle.as_ref() };
    let base = arguments.base.as_ref().map(|name| workshop.named(name)).transpose()?;
    let head = workshop.head(arguments.head.as_deref(), base.as_ref())?;
    let holder = Holder::this(&format!("gate of {}", head.name));
    // Only who measures time needs a core for itself.
    let _core = match base {
        Some(_) => Some(locks::cores([core], &holder).map_err(anyhow::Error::from)?),
        None => None,
    };
    let yard = match &bundle {
        Some(bundle) if head.is_built() || base.as_ref().is_some_and(Named::is_built) => Yard::of(bundle)?,
        _ => Yard::free("gate")?,
    };
    let linker = link::command()?;
    let shop = Shop { yard: &yard, jobs: arguments.jobs, linker: &linker, progress, cancel };
    let opened = workshop.open(&head, base.as_ref(), &shop)?;
    let mut answers = Vec::with_capacity(questions.len());
    for (&question, recorded) in questions.iter().zip(recorded) {
        let asked = Asked {
            file,
            head: &opened.head,
            base: opened.base.as_ref(),
            repository: workshop.repository(&head),
            commit: arguments.commit.as_deref().or(head.commit()).unwrap_or(HEAD),
            recorded: recorded.as_ref(),
            core,
            scratch: yard.scratch(),
            progress,
            cancel,
        };
        answers.extend(ask::ask(question, &asked)?);
    }
    let asked = report::Asked {
        file: arguments.file.display().to_string(),
        head: head.name,
        base: base.map(|base| base.name),
        strict: arguments.strict,
        questions: questions.to_vec(),
    };
    Ok((asked, answers))
}

/// The core of everything that is timed.
fn core(arguments: &Arguments) -> Result<usize, Failure> {
    let core = arguments.core.or_else(|| cores::usable().pop()).unwrap_or(0);
    if !cores::room(core).map_err(anyhow::Error::from)?.arms {
        let message = format!("core {core} is not among those that this process may use");
        return Err(Failure::Usage(format!("{message}: name another one with --core")));
    }
    Ok(core)
}

fn told(arguments: &Arguments, asked: report::Asked, answers: Vec<Answer>) -> Result<Exit, Failure> {
    let (report, outcome) = Report::of(asked, answers);
    if let Some(folder) = &arguments.out {
        written::folder(folder, &report)?;
    }
    print(&match arguments.json {
        true => json::json(&report)?,
        false => table::table(&report),
    })?;
    written::github(&report, arguments.json)?;
    Ok(outcome.exit)
}
