//! The `engine nets …` commands: make, widen and describe net files.

use std::path::{Path, PathBuf};

use crate::nnue::{Architecture, NetError, Network, hex, synth, widen};

const USAGE: &str = "usage:
  engine nets synth --arch main|main4 --seed S -o FILE   make a net that plays sensible chess
  engine nets widen IN --arch t1536 --seed S -o FILE     make a teacher that gives every position IN's value
  engine nets info FILE                                  shape, parameters, bytes, hash
  --width W after --arch: a net of the same kind with W neurons a view";

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
    /// A net could not be widened.
    #[error(transparent)]
    Widen(#[from] widen::WidenError),
}

/// Runs `engine nets` with the arguments after these words.
pub fn command(args: &[String]) -> Result<(), NetsError> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["synth", ref rest @ ..] => {
            let options = Options::parse(rest, 0)?;
            Ok(synth::synthesise(&options.architecture()?, options.seed()?, options.output()?)?)
        }
        ["widen", ref rest @ ..] => {
            let options = Options::parse(rest, 1)?;
            let (to, seed) = (options.architecture()?, options.seed()?);
            let input = Network::load(&options.inputs[0])?;
            let shape = widen::widen(&input, &to, seed, options.output()?)?;
            if shape.output_scale != to.output_scale {
                eprintln!(
                    "note: the output weights don't allow output scale {} exactly; the file keeps {}",
                    to.output_scale, shape.output_scale
                );
            }
            Ok(())
        }
        ["info", file] => {
            print!("{}", info(Path::new(file))?);
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

fn info(file: &Path) -> Result<String, NetsError> {
    let net = Network::load(file)?;
    let shape = net.architecture();
    Ok(format!(
        "name        {}\nshape       {shape}\nparameters  {}\nbytes       {}\npayload     sha256 {}\n",
        shape.name().unwrap_or("(other)"),
        shape.parameters(),
        net.file_bytes(),
        hex(net.payload_hash()),
    ))
}

/// `--arch A --seed S -o F` and `inputs` file names before, between or after them.
#[derive(Default)]
struct Options {
    architecture: Option<String>,
    width: Option<String>,
    seed: Option<String>,
    output: Option<PathBuf>,
    inputs: Vec<PathBuf>,
}

impl Options {
    fn parse(args: &[&str], inputs: usize) -> Result<Self, NetsError> {
        let mut options = Self::default();
        let mut args = args.iter();
        while let Some(&arg) = args.next() {
            let mut value = || {
                let value = args.next().map(|value| value.to_string());
                value.ok_or_else(|| NetsError::Usage(format!("{arg} needs a value")))
            };
            match arg {
                "--arch" => options.architecture = Some(value()?),
                "--width" => options.width = Some(value()?),
                "--seed" => options.seed = Some(value()?),
                "-o" => options.output = Some(value()?.into()),
                _ if arg.starts_with('-') || options.inputs.len() == inputs => {
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

    fn architecture(&self) -> Result<Architecture, NetsError> {
        let name =
            self.architecture.as_deref().ok_or_else(|| NetsError::Usage("--arch is missing".into()))?;
        let mut shape = Architecture::named(name).ok_or_else(|| {
            let known: Vec<&str> = Architecture::NAMED.iter().map(|(name, _)| *name).collect();
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
            (&["synth", "--arch", "small", "--seed", "1", "-o", "x"], "one of main4, main, t1536"),
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
        let info = info(&path).unwrap();
        for part in ["name        main4\n", "2385233\n", "4770676\n", "output scale 159\n", "sha256 "] {
            assert!(info.contains(part), "{info}");
        }
        let narrow = folder.path().join("narrow.net");
        let other = narrow.to_str().unwrap();
        run(&["synth", "--arch", "main4", "--width", "128", "--seed", "2", "-o", other]).unwrap();
        let told = super::info(&narrow).unwrap();
        assert!(told.contains("name        (other)\n") && told.contains("width 128,"), "{told}");
        let error = run(&["widen", file, "--arch", "t1536", "--seed", "1", "-o", file]).unwrap_err();
        assert!(error.to_string().contains("king buckets differ"), "{error}");
        let missing = run(&["info", "no-such.net"]).unwrap_err();
        assert!(missing.to_string().contains("no-such.net"), "{missing}");
    }
}
