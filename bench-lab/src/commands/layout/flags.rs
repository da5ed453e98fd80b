//! The flags that make a build leave the capture of its link.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::Context;
use layouts::capture::{self, wrapper};

use crate::bundle::placeholders::{self, Piece};
use crate::bundle::problem::nearest;
use crate::commands::{Failure, link, print};
use crate::exit::Exit;
use crate::output;

/// What a build command may have filled in.
const PLACEHOLDERS: [&str; 5] = ["cc_flags", "ld_flags", "rust_flags", "jobs", "out"];

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

    /// Refuses placeholders that nobody fills in, and a command whose link would leave no capture.
    pub fn check(command: &[String]) -> Result<(), Failure> {
        let unknown = command.iter().find_map(|word| placeholders::unknown(word, &PLACEHOLDERS).next());
        if let Some(name) = unknown {
            let known: Vec<String> = PLACEHOLDERS.iter().map(|known| format!("`{{{known}}}`")).collect();
            let meant = nearest(name, &PLACEHOLDERS);
            return Err(Failure::Usage(format!(
                "unknown placeholder `{{{name}}}` in the build command (braces are written `{{{{name}}}}`): expected one of {}{}",
                known.join(", "),
                meant.map_or(String::new(), |meant| format!("; did you mean `{{{meant}}}`?"))
            )));
        }
        let mut names = command.iter().flat_map(|word| placeholders::names(word));
        if !names.any(|name| ["ld_flags", "rust_flags"].contains(&name)) {
            return Err(Failure::Usage(
                "the build command has neither {ld_flags} (gcc, clang) nor {rust_flags} (rustc) in it: without them its \
                 link leaves no capture"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// A command with its placeholders filled in: a word that is one becomes as many words as there are flags, one inside
    /// a word stays inside it.
    pub fn fill(&self, command: &[String], out: &Path) -> Vec<String> {
        let jobs = std::thread::available_parallelism().map_or(1, usize::from).to_string();
        let flags = |name: &str| match name {
            "cc_flags" => Some(&self.cc),
            "ld_flags" => Some(&self.ld),
            "rust_flags" => Some(&self.rust),
            _ => None,
        };
        let value = |name: &str| match name {
            "jobs" => Some(jobs.clone()),
            "out" => Some(out.display().to_string()),
            name => flags(name).map(|flags| flags.join(" ")),
        };
        let words = |word: &String| match placeholders::pieces(word).as_slice() {
            [Piece::Placeholder(name)] => {
                flags(name).cloned().unwrap_or_else(|| value(name).into_iter().collect())
            }
            _ => vec![placeholders::fill(word, value)],
        };
        command.iter().flat_map(words).collect()
    }
}

/// `bench-lab layout flags`: prints the flags for builds that the lab does not run itself.
pub fn flags(folder: &Path) -> Result<Exit, Failure> {
    output::make_folder(folder, "name another folder")?;
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

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn flags_stay_in_their_word_or_become_words() {
        let folder = tempfile::tempdir().expect("a folder");
        let flags = Flags::new(&folder.path().join("tools"), &folder.path().join("x.tar")).expect("flags");
        let fill = |text: &str| flags.fill(&words(text), Path::new("/o"));
        let filled = fill("make CXXFLAGS=-O2_{cc_flags} {ld_flags} -j{jobs} -o {out}");
        assert_eq!(filled[1], "CXXFLAGS=-O2_-ffunction-sections -fdata-sections");
        assert_eq!(filled[2], "-fuse-ld=lld");
        assert!(filled.iter().any(|word| word.starts_with("-Wl,--reproduce=")), "{filled:?}");
        assert_eq!(filled[filled.len() - 1], "/o");
        // As in the commands of a bundle.
        assert_eq!(fill("awk {{print}} ${out} {}"), ["awk", "{print}", "${out}", "{}"]);
        let spaces = Flags::new(&folder.path().join("a b"), &folder.path().join("x.tar"));
        assert!(spaces.expect_err("a space").to_string().contains("spaces"));
    }

    #[test]
    fn commands_that_would_leave_no_capture_are_refused() {
        let refused = |text: &str| Flags::check(&words(text)).expect_err(text).to_string();
        for good in ["g++ {cc_flags} ${HOME} {{x}} {ld_flags}", "rustc {rust_flags}"] {
            assert!(Flags::check(&words(good)).is_ok(), "{good}");
        }
        for none in ["make all", "make {{ld_flags}}", "make ${ld_flags}"] {
            assert!(refused(none).contains("neither {ld_flags}"), "{none}");
        }
        let told = refused("g++ {cc_flag} {ld_flags}");
        assert!(told.starts_with("unknown placeholder `{cc_flag}` in the build command"), "{told}");
        assert!(told.ends_with("`{jobs}`, `{out}`; did you mean `{cc_flags}`?"), "{told}");
    }
}
