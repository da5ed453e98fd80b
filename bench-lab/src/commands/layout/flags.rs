//! The flags that make a build leave the capture of its link.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::Context;
use layouts::capture::{self, wrapper};

use crate::commands::{Failure, link, print};
use crate::exit::Exit;

/// Flags of a build.
#[derive(Clone, Debug)]
pub struct Flags {
    /// For gcc and clang, at every compilation.
    cc: Vec<String>,
    /// For gcc and clang, at the final link.
    ld: Vec<String>,
    /// For rustc, at the final link.
    rust: Vec<String>,
}

impl Flags {
    /// Writes the linker's stand-in into `tools`; the flags leave the capture at `tar`. Both paths are absolute.
    pub fn new(tools: &Path, tar: &Path) -> Result<Flags, Failure> {
        for path in [tools, tar] {
            let text = path.to_str().unwrap_or_default();
            if text.is_empty() || text.contains(char::is_whitespace) {
                return Err(Failure::Usage(format!(
                    "{}: build commands would take a path with spaces apart; name another place",
                    path.display()
                )));
            }
        }
        let command = link::command()?;
        let words: Vec<&OsStr> = command.iter().map(OsString::as_os_str).collect();
        wrapper::install(tools, &words).map_err(anyhow::Error::from)?;
        let mut rust = capture::rustflags();
        rust.extend(capture::link_args(tar));
        Ok(Flags { cc: capture::cc_flags(), ld: capture::cc_link_args(tools, tar), rust })
    }

    /// A command with its placeholders filled in: a word that is one becomes as many words as there are flags, one inside
    /// a word stays inside it.
    pub fn fill(&self, command: &[String], out: &Path) -> Result<Vec<String>, Failure> {
        if !command.iter().any(|word| word.contains("{ld_flags}") || word.contains("{rust_flags}")) {
            return Err(Failure::Usage(
                "the build command has neither {ld_flags} (gcc, clang) nor {rust_flags} (rustc) in it: without them its \
                 link leaves no capture"
                    .to_owned(),
            ));
        }
        let jobs = std::thread::available_parallelism().map_or(1, usize::from).to_string();
        let out = out.display().to_string();
        let many = [("{cc_flags}", &self.cc), ("{ld_flags}", &self.ld), ("{rust_flags}", &self.rust)];
        let filled = command.iter().flat_map(|word| {
            if let Some((_, flags)) = many.iter().find(|(name, _)| name == word) {
                return (*flags).clone();
            }
            let word =
                many.iter().fold(word.clone(), |word, (name, flags)| word.replace(name, &flags.join(" ")));
            vec![word.replace("{jobs}", &jobs).replace("{out}", &out)]
        });
        Ok(filled.collect())
    }
}

/// `bench-lab layout flags`: prints the flags for builds that the lab does not run itself.
pub fn flags(folder: &Path) -> Result<Exit, Failure> {
    super::output::make_folder(folder)?;
    let folder: PathBuf =
        folder.canonicalize().with_context(|| format!("cannot find {}", folder.display()))?;
    let tar = folder.join("link.tar");
    let flags = Flags::new(&folder.join("tools"), &tar)?;
    print(&format!(
        "gcc and clang, when compiling:     {}\n\
         gcc and clang, at the final link:  {}\n\
         rustc, at the final link:          {}\n\n\
         A build with these flags leaves the capture of its last link at {}.\n",
        flags.cc.join(" "),
        flags.ld.join(" "),
        flags.rust.join(" "),
        tar.display()
    ))?;
    Ok(Exit::Proven)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_stay_in_their_word_or_become_words() {
        let folder = tempfile::tempdir().expect("a folder");
        let flags = Flags::new(&folder.path().join("tools"), &folder.path().join("x.tar")).expect("flags");
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let filled =
            flags.fill(&words("make CXXFLAGS=-O2_{cc_flags} {ld_flags} -j{jobs} -o {out}"), Path::new("/o"));
        let filled = filled.expect("filled");
        assert_eq!(filled[1], "CXXFLAGS=-O2_-ffunction-sections -fdata-sections");
        assert_eq!(filled[2], "-fuse-ld=lld");
        assert!(filled.iter().any(|word| word.starts_with("-Wl,--reproduce=")), "{filled:?}");
        assert_eq!(filled[filled.len() - 1], "/o");
        assert!(flags.fill(&words("make all"), Path::new("/o")).is_err(), "no flag reaches the link");
        let spaces = Flags::new(&folder.path().join("a b"), &folder.path().join("x.tar"));
        assert!(spaces.expect_err("a space").to_string().contains("spaces"));
    }
}
