//! Changes of a source tree by diffs.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::BuildError;
use crate::bundle::problem::{Problem, Source};
use crate::bundle::{Arm, Bundle, Switch};

/// A diff that is to be applied for an arm.
pub struct Change<'a> {
    arm: &'a str,
    component: &'a str,
    switch: &'a Switch,
    diff: &'a [u8],
    reversed: bool,
}

/// The changes that make an arm's source: what the tree has too much is taken back first, the last first.
pub fn changes<'a>(bundle: &'a Bundle, arm: &'a Arm) -> Vec<Change<'a>> {
    let (mut back, mut forth) = (Vec::new(), Vec::new());
    for (component, is_on) in bundle.states(arm) {
        let Some((diff, in_tree)) = component.switch.diff() else { continue };
        let (arm, name, switch) = (arm.name.as_str(), component.name.as_str(), &component.switch);
        match (is_on, in_tree) {
            (true, false) => forth.push(Change { arm, component: name, switch, diff, reversed: false }),
            (false, true) => back.push(Change { arm, component: name, switch, diff, reversed: true }),
            _ => {}
        }
    }
    back.reverse();
    back.into_iter().chain(forth).collect()
}

/// Applies a change to the tree.
pub fn apply(tree: &Path, change: &Change<'_>) -> Result<(), BuildError> {
    match git_apply(tree, change.diff, change.reversed, false)? {
        Ok(()) => Ok(()),
        Err(said) => {
            let other_way = git_apply(tree, change.diff, !change.reversed, true)?.is_ok();
            Err(BuildError::Patch(Box::new(complaint(change, &said, other_way))))
        }
    }
}

/// Runs `git apply`; the inner result is what git says of the diff.
fn git_apply(tree: &Path, diff: &[u8], reversed: bool, dry: bool) -> Result<Result<(), String>, BuildError> {
    let mut command = Command::new("git");
    command.current_dir(tree).args(["apply", "-p1", "--whitespace=nowarn"]);
    command.args(reversed.then_some("-R")).args(dry.then_some("--check"));
    // The tree is no repository, whatever lies around it.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    command.env("GIT_CEILING_DIRECTORIES", tree.parent().unwrap_or(tree)).env("LC_ALL", "C");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let started = command.spawn().and_then(|mut child| {
        if let Some(mut input) = child.stdin.take() {
            // When git does not want it all, it says why.
            let _ = input.write_all(diff);
        }
        child.wait_with_output()
    });
    let output = started.map_err(BuildError::io("apply patches with", Path::new("git")))?;
    match output.status.success() {
        true => Ok(Ok(())),
        false => Ok(Err(String::from_utf8_lossy(&output.stderr).trim().to_string())),
    }
}

/// Names arm, file and hunk, and whether the diff would apply the other way round.
fn complaint(change: &Change<'_>, said: &str, other_way: bool) -> Problem {
    let what = format!(
        "the {} of component {} {} in arm {}",
        if matches!(change.switch, Switch::Git { .. }) { "commit" } else { "patch" },
        change.component,
        if change.reversed { "cannot be taken back" } else { "does not apply" },
        change.arm
    );
    let text = String::from_utf8_lossy(change.diff).into_owned();
    let failed = said.lines().find_map(|line| line.strip_prefix("error: patch failed: "));
    let failed = failed.and_then(|place| place.rsplit_once(':'));
    let hunk = failed.and_then(|(file, line)| hunk(&text, file, line.parse().ok()?));
    let problem = match (change.switch, hunk) {
        (Switch::Patch(patch), Some(at)) => {
            Source { path: patch.file.clone(), text: text.clone() }.at(at, what)
        }
        (Switch::Patch(patch), None) => Problem::whole(&patch.file, what),
        (switch, _) => Problem::whole(Path::new(&switch.to_string()), what),
    };
    let problem = problem.found(match failed {
        Some((file, line)) => format!("other lines in {file} around line {line}"),
        None => said.lines().next().unwrap_or("no message from git").to_string(),
    });
    problem.expected(match (other_way, change.reversed) {
        (true, false) => "a patch that the tree lacks; it would apply in reverse: for one that it has already, `in_tree = true`",
        (true, true) => "a patch that the tree has; it would apply forwards: for one that it lacks, leave out `in_tree`",
        (false, _) => "a patch for this tree, with paths below it (`a/src/x.cpp`), that goes with the other components",
    })
}

/// Where the header of the hunk stands that begins at this line of the file, on either side.
fn hunk(diff: &str, file: &str, line: usize) -> Option<std::ops::Range<usize>> {
    let (mut at, mut is_there) = (0, false);
    for text in diff.split_inclusive('\n') {
        let trimmed = text.trim_end();
        let name = trimmed.strip_prefix("--- ").or_else(|| trimmed.strip_prefix("+++ "));
        if let Some(name) = name {
            let path = name.split('\t').next().unwrap_or(name);
            let is_file = path.split_once('/').is_some_and(|(_, rest)| rest == file);
            is_there = is_file || (is_there && trimmed.starts_with("+++ "));
        }
        let begins = |sign: char| {
            let numbers = trimmed.strip_prefix("@@ ")?.split(' ').find(|word| word.starts_with(sign))?;
            numbers[1..].split(',').next()?.parse::<usize>().ok()
        };
        if is_there && (begins('-') == Some(line) || begins('+') == Some(line)) {
            return Some(at..at + trimmed.len());
        }
        at += text.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::hunk;

    #[test]
    fn hunks_are_found_by_file_and_line() {
        let diff = "--- a/x.c\t2020\n+++ b/x.c\n@@ -1,2 +1,2 @@\n-a\n+b\n@@ -9 +9,2 @@ f\n c\n+d\n\
                    --- a/sub/y.c\n+++ b/sub/y.c\n@@ -9 +8 @@\n-c\n+d\n";
        let text = |file, line| hunk(diff, file, line).map(|place| &diff[place]);
        assert_eq!(text("x.c", 9), Some("@@ -9 +9,2 @@ f"));
        assert_eq!(text("sub/y.c", 9), Some("@@ -9 +8 @@"));
        assert_eq!(text("sub/y.c", 8), Some("@@ -9 +8 @@"));
        assert_eq!(text("x.c", 5), None);
        assert_eq!(text("z.c", 1), None);
    }
}
