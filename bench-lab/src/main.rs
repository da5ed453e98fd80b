//! The `bench-lab` command line.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use bench_lab::commands::arguments::{at_least, jobs, signed};
use bench_lab::commands::run::Request;
use bench_lab::commands::{
    aa, check, compare, doctor, gate, layout, link, pause, register, report, resume, run, simulate, verdict,
    verify,
};
use bench_lab::memory;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

const EXIT_CODES: &str = "\
Exit codes:
  0  proven              3  not proven
  1  an error            4  the arms search different trees
  2  wrong usage or a    5  void: the trial broke off
     bad bundle          6  not resolved: too much noise
                         7  paused: go on with resume

Start with:
  bench-lab check bundles/quickstart.toml
  bench-lab run bundles/quickstart.toml";

const DOCTOR_HELP: &str = "\
Exit codes:
  0  trials can be made here, if something disturbs them or not
  6  something would keep trials from resolving anything

Examples:
  bench-lab doctor
  bench-lab doctor --core 3 --seconds 10
  bench-lab doctor --json";

const AA_HELP: &str = "\
Exit codes:
  0  a trial can prove something on every lane
  6  on some lane the noise is too large: the 2.0-point rule would fire too often

Examples:
  bench-lab aa bundles/quickstart.toml
  bench-lab aa my-engine.toml --json";

const REPORT_HELP: &str = "\
Examples:
  bench-lab report results/quickstart
  bench-lab report results/quickstart --format md --output -
  bench-lab report results/quickstart --format json -o quickstart.json
  bench-lab report results/quickstart --format svg
  bench-lab report trials/monday --format svg --plot forest -o gains.svg";

const COMPARE_HELP: &str = "\
Exit codes:
  0  B is faster: the 93 % interval lies above zero
  3  B is slower: it lies below zero
  6  not resolved: it holds zero, or the noise is too large for --resolution
  4  the trees differ

Examples:
  bench-lab compare --bundle engine.toml main my-branch
  bench-lab compare --bundle engine.toml v1 . --resolution 0.1 --commit-message
  bench-lab compare --bundle bundles/quickstart.toml without:prefetch full
  bench-lab compare old.tar new.tar --option Hash=16
  bench-lab compare ./stockfish-old ./stockfish-new --core 3
  bench-lab compare --values nps.txt";

const GATE_HELP: &str = "\
Exit codes:
  0  held, or nothing worse than a warning
  3  lost: a whole interval lies beyond a hard limit
  4  the tree is another one
  5  void: an engine broke off
  6  --strict, and a hard limit cannot be judged

Examples:
  bench-lab gate
  bench-lab gate tree size --head target/release/engine
  bench-lab gate size --base ./engine-of-main --strict
  bench-lab gate --base origin/main --out gate
  bench-lab gate --update-baseline

The gate file and every output are explained in docs/gates.md.";

/// Proves that a chess engine's speed-ups are speed-ups, each of them.
///
/// A bundle names components that leave the search tree unchanged. The lab builds the engine with
/// all of them, with none, and with all but one for every component, and measures these arms
/// against each other in 8 runs of 12 freshly drawn memory layouts.
#[derive(Parser)]
#[command(name = "bench-lab", version, after_help = EXIT_CODES, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a whole trial: build, prove the same tree, calibrate, plan, measure, judge, report
    ///
    /// Everything that matters is fixed in plan.json before the first measurement; nothing is
    /// computed before the last. Ctrl-C on a terminal pauses after the run under way; once more voids
    /// the trial cleanly.
    #[command(after_help = "\
Examples:
  bench-lab run bundles/quickstart.toml
  bench-lab run bundles/quickstart.toml --out trials/monday
  bench-lab run my-engine.toml --seed 42 --jobs 4
  bench-lab run my-engine.toml --register attempts.jsonl

Every plan, run, void and verdict is noted in a register that only grows: results/register.jsonl in the \
nearest folder above the bundle with a .git, else in the bundle's own folder.")]
    Run {
        /// The bundle to judge
        bundle: PathBuf,
        /// Folder of the trial, new or empty [default: trials/<bundle>-<UTC time>]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Master seed of layouts and order [default: the bundle's, else random]
        #[arg(long, value_name = "N", value_parser = at_least::<u64>(0))]
        seed: Option<u64>,
        /// Jobs that the builds may run at once [default: cargo's]
        #[arg(long, value_name = "N", value_parser = jobs())]
        jobs: Option<usize>,
        /// The register of all attempts [default: results/register.jsonl of the bundle's repository]
        #[arg(long, value_name = "FILE")]
        register: Option<PathBuf>,
        /// Begin the trial even if the calibration says that noise alone is bound to break it
        #[arg(long)]
        anyway: bool,
    },
    /// Ask the lab at work on a trial to pause after the run that is under way
    #[command(after_help = "Example:\n  bench-lab pause trials/monday")]
    Pause {
        /// Folder of the trial
        dir: PathBuf,
    },
    /// Let a paused trial go on: on the same boot, and if nothing of its plan has changed
    #[command(after_help = "Example:\n  bench-lab resume trials/monday")]
    Resume {
        /// Folder of the trial
        dir: PathBuf,
    },
    /// Measure what a bundle's workload and this machine allow: noise, bias, layout, provable gains, needed time
    ///
    /// Copies of the finished bundle play all arms, first under draws that they share, as in a trial, then each under a draw of its
    /// own: the difference is layout.
    #[command(after_help = AA_HELP)]
    Aa(aa::Arguments),
    /// Look what on this machine disturbs measurements: what it costs, and the command that mends it
    ///
    /// Watches a core for some seconds and reads what the system tells. Changes nothing.
    #[command(after_help = DOCTOR_HELP)]
    Doctor(doctor::Arguments),
    /// Check a bundle and show its arms, slots and rough duration, without running anything
    #[command(after_help = "Example:\n  bench-lab check bundles/quickstart.toml")]
    Check {
        /// The bundle to check
        bundle: PathBuf,
        /// The register of all attempts [default: results/register.jsonl of the bundle's repository]
        #[arg(long, value_name = "FILE")]
        register: Option<PathBuf>,
    },
    /// List every trial in the register: attempts, verdicts, voids, and what left which bundle
    ///
    /// A trial whose lab ended without a word (killed, power cut) is told and becomes void.
    #[command(after_help = "\
Examples:
  bench-lab register
  bench-lab register results/register.jsonl --json")]
    Register {
        /// The register [default: results/register.jsonl of the repository around the current folder]
        file: Option<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Compare two builds in a few minutes: a speed-up with intervals. Not a verdict
    ///
    /// A and B run in pairs, in the same slots and under the same freshly drawn layouts, after the same tree is proven. A short
    /// calibration fixes the number of phases from the wanted resolution; it stops exactly there.
    #[command(after_help = COMPARE_HELP)]
    Compare(Box<compare::Arguments>),
    /// Ask for CI whether a commit has lost something: its tree, its instructions, its speed, its size
    ///
    /// gate.toml says what is asked, with soft limits, which warn, and hard ones, which fail. Counts are held against recorded
    /// ones or those of --base; memory and start-up are measured on both sides, in turn, in the same run. Speed is read from
    /// what criterion has measured.
    #[command(after_help = GATE_HELP)]
    Gate(Box<gate::Arguments>),
    /// Judge a finished trial again from its raw records and compare with the stored verdict
    #[command(after_help = "Example:\n  bench-lab verdict results/quickstart")]
    Verdict {
        /// Folder of the trial
        dir: PathBuf,
    },
    /// Believe nothing of a finished trial: compute everything again, and name the first thing that does not fit
    ///
    /// Plan hash and order, every record, every phase and run value, the verdict, and the register's chain with its lines of
    /// this trial. Ends with 0 when everything fits, with 1 when something does not, with 5 when the trial is void.
    #[command(after_help = "\
Examples:
  bench-lab verify results/quickstart
  bench-lab verify trials/monday --register results/register.jsonl")]
    Verify {
        /// Folder of the trial
        dir: PathBuf,
        /// The register [default: results/register.jsonl of the repository around the folder]
        #[arg(long, value_name = "FILE")]
        register: Option<PathBuf>,
    },
    /// Report on a finished trial: a page, a comment for a pull request, JSON, or single plots
    ///
    /// The verdict is computed again first: a report whose words do not follow from its records is never made.
    #[command(after_help = REPORT_HELP)]
    Report(report::Arguments),
    /// Show how often the rules are wrong, and what they prove, on phase values of which the truth is known
    ///
    /// The rules of real trials judge synthetic ones: with normal noise and with what breaks its assumptions. Prints the
    /// rate of false proofs and the power for every gain; the models and figures are explained in docs/truth.md.
    #[command(after_help = "\
Examples:
  bench-lab simulate
  bench-lab simulate --sd 0.5 --components 2 --lanes 2
  bench-lab simulate --noise bias --bias 0.1 --effects 0.1,0.2 --components 1
  bench-lab simulate --plot power.svg
  bench-lab simulate --trials 10000 --json")]
    Simulate(simulate::Request),
    /// Layouts of any executable: capture its link, draw, look, and measure what layout alone does
    Layout {
        #[command(subcommand)]
        command: Box<layout::Command>,
    },
}

/// What the user asked for; help, version and what is wrong end the program.
fn parsed() -> Arguments {
    let matches = signed(Arguments::command()).get_matches();
    Arguments::from_arg_matches(&matches)
        .unwrap_or_else(|error| error.format(&mut Arguments::command()).exit())
}

fn main() -> ExitCode {
    memory::give_back_freed();
    if let Some(code) = link::asked(&std::env::args_os().collect::<Vec<_>>()) {
        return code;
    }
    let result = match parsed().command {
        Command::Run { bundle, out, seed, jobs, register, anyway } => {
            run::run(&Request { bundle, out, seed, jobs, register, anyway })
        }
        Command::Aa(arguments) => aa::aa(&arguments),
        Command::Doctor(arguments) => doctor::doctor(&arguments),
        Command::Check { bundle, register } => check::check(&bundle, register),
        Command::Pause { dir } => pause::pause(&dir),
        Command::Resume { dir } => resume::resume(&dir),
        Command::Register { file, json } => register::register(file, json),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Gate(arguments) => gate::gate(&arguments),
        Command::Verdict { dir } => verdict::verdict(&dir),
        Command::Verify { dir, register } => verify::verify(&dir, register),
        Command::Report(arguments) => report::report(&arguments),
        Command::Simulate(request) => simulate::simulation(&request),
        Command::Layout { command } => layout::run(*command),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            // When nobody listens any more the exit code still tells.
            let _ = writeln!(std::io::stderr(), "error: {failure}");
            failure.exit().into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Width of the narrowest terminal that help is written for; clap wraps longer lines.
    const WIDTH: usize = 80;

    /// The path of every command with the command.
    fn commands() -> Vec<(Vec<String>, clap::Command)> {
        fn below(path: &[String], command: &clap::Command, all: &mut Vec<(Vec<String>, clap::Command)>) {
            let path = [path, &[command.get_name().to_owned()]].concat();
            command.get_subcommands().for_each(|sub| below(&path, sub, all));
            all.push((path, command.clone()));
        }
        let mut all = Vec::new();
        below(&[], &signed(Arguments::command()), &mut all);
        all
    }

    #[test]
    fn examples_can_be_pasted_and_paragraphs_wrap_by_themselves() {
        let helps: Vec<(Vec<String>, String)> = commands()
            .into_iter()
            .filter_map(|(path, command)| Some((path, command.get_after_help()?.to_string())))
            .collect();
        assert!(helps.len() > 10, "{helps:?}");
        for (path, help) in helps {
            let lines: Vec<&str> = help.lines().collect();
            let examples = lines.iter().skip_while(|line| !line.contains("bench-lab"));
            for line in examples.filter(|line| line.starts_with("  ")) {
                assert!(line.chars().count() <= WIDTH, "{path:?}: {line}");
            }
            for pair in lines.windows(2) {
                let is_text = |line: &str| line.starts_with(|c: char| !c.is_whitespace());
                assert!(!(is_text(pair[0]) && is_text(pair[1])), "{path:?}: broken by hand: {pair:?}");
                let goes_on = pair[1].starts_with("    ") && pair[0].contains("bench-lab");
                assert!(!goes_on || pair[0].ends_with(" \\"), "{path:?}: two commands: {pair:?}");
            }
        }
    }

    #[test]
    fn numbers_that_are_none_are_told_what_is_expected() {
        let mut numbers = 0;
        for (path, command) in commands() {
            for argument in command.get_arguments() {
                let name =
                    argument.get_value_names().unwrap_or_default().first().map_or("", |name| name.as_str());
                let (Some(long), true) = (
                    argument.get_long(),
                    ["N", "PERCENT", "POINTS", "SECONDS", "SHARE", "PHASES", "R"].contains(&name),
                ) else {
                    continue;
                };
                numbers += 1;
                for bad in ["abc", "-1000x", "-1"] {
                    let option = [format!("--{long}={bad}")];
                    let words: Vec<&String> = path.iter().chain(&option).collect();
                    told(&words, bad);
                }
                let (option, value) = (format!("--{long}"), "-1".to_owned());
                let words: Vec<&String> = path.iter().chain([&option, &value]).collect();
                let told = told(&words, "-1");
                assert!(!told.contains("unexpected argument"), "{words:?}: {told}");
            }
        }
        assert!(numbers > 25, "{numbers} numbers");
    }

    /// What is said to these words; of a number, what is expected.
    fn told(words: &[&String], value: &str) -> String {
        let error = match signed(Arguments::command()).try_get_matches_from(words) {
            Ok(_) => return String::new(),
            Err(error) => error.to_string(),
        };
        let is_told = error.contains("expected a number") || error.contains("expected a whole number");
        assert!(is_told || value == "-1" && !error.contains("invalid value"), "{words:?}: {error}");
        error
    }
}
