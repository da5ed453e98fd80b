//! Builds in words, on one line or several.

use std::fmt;

use super::{Build, Tree};

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Build::Cargo(cargo) => {
                write!(f, "cargo: package {}, profile {}", cargo.package.name, cargo.profile)?;
                if !cargo.features.is_empty() {
                    write!(f, ", features {}", cargo.features.join(","))?;
                }
                if let Some(cpu) = &cargo.target_cpu {
                    write!(f, ", target-cpu {cpu}")?;
                }
                variables(f, &cargo.env)?;
                cargo.tree.iter().try_for_each(|tree| copy(f, tree))
            }
            Build::Command(command) => {
                let commands: Vec<String> = command.commands.iter().map(|text| joined(text)).collect();
                write!(f, "command: {}", commands.join(" && "))?;
                if !command.vars.is_empty() {
                    let vars = command.vars.iter().map(|(name, value)| format!("{{{name}}} = {value:?}"));
                    write!(f, " with {}", vars.collect::<Vec<_>>().join(", "))?;
                }
                variables(f, &command.env)?;
                copy(f, &command.tree)
            }
            Build::Prebuilt(prebuilt) => {
                write!(f, "prebuilt: base {}, full {}", prebuilt.base.display(), prebuilt.full.display())?;
                let mut without = prebuilt.without.iter();
                without.try_for_each(|(name, path)| write!(f, ", without {name} {}", path.display()))
            }
        }
    }
}

fn variables(f: &mut fmt::Formatter<'_>, env: &std::collections::BTreeMap<String, String>) -> fmt::Result {
    env.iter().try_for_each(|(name, value)| write!(f, ", {name}={value:?}"))
}

fn copy(f: &mut fmt::Formatter<'_>, tree: &Tree) -> fmt::Result {
    write!(f, "\nin a private copy of {}", tree.folder.display())?;
    tree.commit.iter().try_for_each(|commit| write!(f, " at commit {}", &commit[..commit.len().min(12)]))
}

/// A command without blank lines, and with the lines joined that end in `\`.
fn joined(command: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in command.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match lines.last_mut() {
            Some(last) if last.ends_with('\\') => {
                last.pop();
                *last = format!("{} {line}", last.trim_end());
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_as_the_shell_reads_them() {
        for (command, told) in [
            ("make", "make"),
            ("make -j2 \\\n    CXX=g++ \\\n  all\n", "make -j2 CXX=g++ all"),
            ("\n./configure\n\n  make all  \n", "./configure\nmake all"),
            ("make \\\n", "make \\"),
            ("", ""),
        ] {
            assert_eq!(joined(command), told, "{command:?}");
        }
    }
}
