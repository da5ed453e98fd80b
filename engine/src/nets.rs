//! The `engine nets …` commands: make, widen and describe net files.

mod info;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::nnue::{
    Architecture, Checks, Loading, Net, NetError, Network, Terminal, WriteError, halfkp, synth, widen,
};
use crate::search::TableError;
use info::{Request, describe};

const USAGE: &str = "usage:
  engine nets synth --arch main|main4|halfkp --seed S -o FILE   make a net that plays sensible chess
  engine nets widen IN --arch t1536 --seed S -o FILE            make a teacher that gives every position IN's value
  engine nets info FILE                                         shape, parameters, bytes, hash, memory
    --check                                                     hash the file anew, whatever is remembered of it
    --measure [--positions N]                                   the largest sums met in N positions of random games
                                                                (10000), beside the bounds that are proved
  --width W after --arch: a net of the same kind with W neurons a view";

/// Positions that `--measure` looks at unless told otherwise, and at most.
const POSITIONS: usize = 10_000;
const MOST_POSITIONS: usize = 10_000_000;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum NetsError {
    /// The arguments make no command.
    #[error("{0}\n{USAGE}")]
    Usage(String),
    /// The input is refused.
    #[error(transparent)]
    Net(#[from] NetError),
    /// A net could not be made.
    #[error(transparent)]
    Synth(#[from] synth::SynthError),
    /// A HalfKP net could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// There is no room to search with a net.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A net could not be widened.
    #[error(transparent)]
    Widen(#[from] widen::WidenError),
}

/// Runs `engine nets` with the arguments after these words.
pub fn command(args: &[String]) -> Result<(), NetsError> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["synth", ref rest @ ..] => {
            let options = Options::parse(rest, 0, MAKING)?;
            if options.architecture.as_deref() == Some(halfkp::NAME) {
                if options.width.is_some() {
                    return Err(NetsError::Usage("--width: a halfkp net has 256 neurons a view".into()));
                }
                return Ok(halfkp::synth::synthesise(options.seed()?, options.output()?)?);
            }
            let shape = options.architecture(&[halfkp::NAME])?;
            Ok(synth::synthesise(&shape, options.seed()?, options.output()?)?)
        }
        ["widen", ref rest @ ..] => {
            let options = Options::parse(rest, 1, MAKING)?;
            let (to, seed) = (options.architecture(&[])?, options.seed()?);
            let input = native(&options.inputs[0], load(&options.inputs[0], false)?, "widen")?;
            let shape = widen::widen(&input, &to, seed, options.output()?)?;
            if shape.output_scale != to.output_scale {
                eprintln!(
                    "note: the output weights don't allow output scale {} exactly; the file keeps {}",
                    to.output_scale, shape.output_scale
                );
            }
            Ok(())
        }
        ["info", ref rest @ ..] => {
            let options = Options::parse(rest, 1, DESCRIBING)?;
            print!("{}", describe(&options.request()?)?);
            Ok(())
        }
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        [] => Err(NetsError::Usage("which command?".into())),
        _ => Err(NetsError::Usage(format!("unknown command: nets {}", args.join(" ")))),
    }
}

/// Loads a net as a session would, and tells on a terminal how far that has come.
fn load(file: &Path, anew: bool) -> Result<Net, NetError> {
    let report = Terminal::new("loading the net");
    Net::load_as(file, &Loading { checks: Checks::of_user(), anew, report: &report })
}

/// The net, for what is only done with the engine's own format.
fn native(file: &Path, net: Net, what: &str) -> Result<Arc<Network>, NetsError> {
    match net {
        Net::Native(network) => Ok(network),
        Net::HalfKp(_) => Err(NetsError::Usage(format!(
            "{what}: net {}: expected one of the engine's own format, found a HalfKP net",
            file.display()
        ))),
    }
}

/// What makes a net.
const MAKING: &[&str] = &["--arch", "--width", "--seed", "-o"];
/// What describes one.
const DESCRIBING: &[&str] = &["--check", "--measure", "--positions"];

/// The options of all commands, and `inputs` file names before, between or after them.
#[derive(Default)]
struct Options {
    architecture: Option<String>,
    width: Option<String>,
    seed: Option<String>,
    check: bool,
    measure: bool,
    positions: Option<String>,
    output: Option<PathBuf>,
    inputs: Vec<PathBuf>,
}

impl Options {
    fn parse(args: &[&str], inputs: usize, known: &[&str]) -> Result<Self, NetsError> {
        let mut options = Self::default();
        let mut args = args.iter();
        while let Some(&arg) = args.next() {
            let mut value = || {
                let value = args.next().map(|value| value.to_string());
                value.ok_or_else(|| NetsError::Usage(format!("{arg} needs a value")))
            };
            match arg {
                _ if arg.starts_with('-') && !known.contains(&arg) => {
                    return Err(NetsError::Usage(format!("unexpected argument {arg}")));
                }
                "--arch" => options.architecture = Some(value()?),
                "--width" => options.width = Some(value()?),
                "--seed" => options.seed = Some(value()?),
                "--check" => options.check = true,
                "--measure" => options.measure = true,
                "--positions" => options.positions = Some(value()?),
                "-o" => options.output = Some(value()?.into()),
                _ if options.inputs.len() == inputs => {
                    return Err(NetsError::Usage(format!("unexpected argument {arg}")));
                }
                _ => options.inputs.push(arg.into()),
            }
        }
        if options.inputs.len() < inputs {
            return Err(NetsError::Usage("the input net is missing".into()));
        }
        Ok(options)
    }

    /// The wanted shape of the engine's own format; `others` are named as well if it is unknown.
    fn architecture(&self, others: &[&str]) -> Result<Architecture, NetsError> {
        let name =
            self.architecture.as_deref().ok_or_else(|| NetsError::Usage("--arch is missing".into()))?;
        let mut shape = Architecture::named(name).ok_or_else(|| {
            let own = Architecture::NAMED.iter().map(|(name, _)| *name);
            let known: Vec<&str> = own.chain(others.iter().copied()).collect();
            NetsError::Usage(format!("unknown architecture {name}: expected one of {}", known.join(", ")))
        })?;
        if let Some(width) = &self.width {
            shape.width = width
                .parse()
                .map_err(|_| NetsError::Usage(format!("--width {width}: expected a number of neurons")))?;
            shape.check().map_err(|error| NetsError::Usage(error.to_string()))?;
        }
        Ok(shape)
    }

    fn seed(&self) -> Result<u64, NetsError> {
        let seed = self.seed.as_deref().ok_or_else(|| NetsError::Usage("--seed is missing".into()))?;
        seed.parse().map_err(|_| NetsError::Usage(format!("--seed {seed}: expected a number below 2^64")))
    }

    /// What `info` is asked for.
    fn request(&self) -> Result<Request<'_>, NetsError> {
        Ok(Request { file: &self.inputs[0], check: self.check, positions: self.positions()? })
    }

    /// How many positions are to be measured, if any.
    fn positions(&self) -> Result<Option<usize>, NetsError> {
        let Some(found) = &self.positions else { return Ok(self.measure.then_some(POSITIONS)) };
        if !self.measure {
            return Err(NetsError::Usage("--positions is for --measure".into()));
        }
        let count = found.parse().ok().filter(|count| (1..=MOST_POSITIONS).contains(count));
        count.map(Some).ok_or_else(|| {
            NetsError::Usage(format!("--positions {found}: expected a number from 1 to {MOST_POSITIONS}"))
        })
    }

    fn output(&self) -> Result<&Path, NetsError> {
        self.output.as_deref().ok_or_else(|| NetsError::Usage("-o FILE is missing".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(args: &[&str]) -> Result<(), NetsError> {
        command(&args.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn wrong_usage_is_explained() {
        for (args, part) in [
            (&[][..], "which command?"),
            (&["make"], "unknown command: nets make"),
            (&["synth", "--seed", "1", "-o", "x"], "--arch is missing"),
            (&["synth", "--arch", "small", "--seed", "1", "-o", "x"], "one of main4, main, t1536, halfkp"),
            (&["synth", "--arch", "halfkp", "-o", "x"], "--seed is missing"),
            (&["synth", "--arch", "halfkp", "--seed", "1"], "-o FILE is missing"),
            (
                &["synth", "--arch", "halfkp", "--width", "64", "--seed", "1", "-o", "x"],
                "--width: a halfkp net has 256",
            ),
            (
                &["synth", "--arch", "main", "--width", "wide", "--seed", "1", "-o", "x"],
                "--width wide: expected",
            ),
            (&["synth", "--arch", "main", "--width", "100", "--seed", "1", "-o", "x"], "multiple of 64"),
            (&["synth", "--arch", "main", "-o", "x"], "--seed is missing"),
            (&["synth", "--arch", "main", "--seed", "-1", "-o", "x"], "--seed -1"),
            (&["synth", "--arch", "main", "--seed", "1"], "-o FILE is missing"),
            (&["synth", "--arch", "main", "--seed", "1", "-o"], "-o needs a value"),
            (&["synth", "x", "--arch", "main", "--seed", "1", "-o", "y"], "unexpected argument x"),
            (&["widen", "--arch", "t1536", "--seed", "1", "-o", "y"], "the input net is missing"),
            (
                &["synth", "--arch", "main", "--check", "--seed", "1", "-o", "y"],
                "unexpected argument --check",
            ),
            (&["info"], "the input net is missing"),
            (&["info", "x", "y"], "unexpected argument y"),
            (&["info", "x", "--seed", "1"], "unexpected argument --seed"),
            (&["info", "x", "--positions", "5"], "--positions is for --measure"),
            (&["info", "x", "--measure", "--positions"], "--positions needs a value"),
            (
                &["info", "x", "--measure", "--positions", "0"],
                "--positions 0: expected a number from 1 to 10000000",
            ),
            (&["info", "x", "--measure", "--positions", "-1"], "--positions -1: expected"),
        ] {
            match run(args) {
                Err(error @ NetsError::Usage(_)) => {
                    let message = error.to_string();
                    assert!(message.contains(part) && message.contains("usage:"), "{message}");
                }
                other => panic!("{args:?}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_made_net_is_described() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.net");
        let file = path.to_str().unwrap();
        run(&["synth", "--arch", "main4", "--seed", "2", "-o", file]).unwrap();
        let described = |args: &[&str]| {
            let options = Options::parse(args, 1, DESCRIBING).unwrap();
            describe(&options.request().unwrap()).unwrap()
        };
        let info = described(&[file, "--check"]);
        for part in [
            "name        main4\n",
            "2385233\n",
            "4770676\n",
            "output scale 159\n",
            "sha256 ",
            "checked     now\n",
            "memory      ",
        ] {
            assert!(info.contains(part), "{info}");
        }
        let measured = described(&["--measure", file, "--positions", "20"]);
        for part in [
            "measured    20 positions",
            "pieces, held",
            "sum with bias",
            "largest magnitude held",
            "active  ",
        ] {
            assert!(measured.contains(part), "{measured}");
        }
        let narrow = folder.path().join("narrow.net");
        let other = narrow.to_str().unwrap();
        run(&["synth", "--arch", "main4", "--width", "128", "--seed", "2", "-o", other]).unwrap();
        let told = described(&[other]);
        assert!(told.contains("name        (other)\n") && told.contains("width 128,"), "{told}");
        let error = run(&["widen", file, "--arch", "t1536", "--seed", "1", "-o", file]).unwrap_err();
        assert!(error.to_string().contains("king buckets differ"), "{error}");
        run(&["synth", "--arch", "halfkp", "--seed", "2", "-o", file]).unwrap();
        let info = described(&[file]);
        for part in [
            "name        halfkp\n",
            "10519905\n",
            "21022697\n",
            "sha256 ",
            "Features=HalfKP(Friend)[41024->256x2]",
            "memory      ",
        ] {
            assert!(info.contains(part), "{info}");
        }
        for (args, parts) in [
            (&["info", file, "--measure"][..], ["--measure: net ", "found a HalfKP net"]),
            (
                &["widen", file, "--arch", "t1536", "--seed", "1", "-o", other],
                ["widen: net ", "found a HalfKP net"],
            ),
            (
                &["widen", file, "--arch", "halfkp", "--seed", "1", "-o", other],
                ["unknown architecture halfkp", "one of main4, main, t1536\n"],
            ),
        ] {
            let error = run(args).unwrap_err().to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{error}: expected {parts:?}");
        }
        let missing = run(&["info", "no-such.net"]).unwrap_err();
        assert!(missing.to_string().contains("no-such.net"), "{missing}");
    }
}
