//! Builds in words.

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
                write!(f, "command: {}", command.commands.join(" && "))?;
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
    write!(f, ", in a private copy of {}", tree.folder.display())?;
    tree.commit.iter().try_for_each(|commit| write!(f, " at commit {}", &commit[..commit.len().min(12)]))
}
