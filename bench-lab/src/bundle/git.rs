//! What git knows of a source tree: commits and the changes between them.

use std::path::Path;
use std::process::{Command, Stdio};

/// Id of the commit that `reference` names; the complaint of git otherwise, which may be empty.
pub fn commit(tree: &Path, reference: &str) -> Result<String, String> {
    if reference.starts_with('-') {
        return Err("a reference cannot begin with `-`".to_string());
    }
    let name = format!("{reference}^{{commit}}");
    text(run(tree, &["rev-parse", "--verify", "--quiet", &name])?)
}

/// Id of the last commit that two have in common.
pub fn merge_base(tree: &Path, one: &str, other: &str) -> Result<String, String> {
    text(run(tree, &["merge-base", one, other]).map_err(|said| match said.is_empty() {
        true => "no commit in common".to_string(),
        false => said,
    })?)
}

/// A commit with what was said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The commit's id.
    pub commit: String,
    /// How many commits it follows: more than one, where branches were merged.
    pub parents: usize,
    /// The whole message.
    pub text: String,
}

/// The messages of a commit and of those before it, the newest first, at most `most`.
pub fn messages(tree: &Path, reference: &str, most: usize) -> Result<Vec<Message>, String> {
    let id = commit(tree, reference)?;
    let format =
        ["log", "-z", "--no-show-signature", "--format=%H%n%P%n%B", "--max-count", &most.to_string()];
    let listed = text(run(tree, &[&format[..], &[&id, "--"]].concat())?)?;
    let message = |one: &str| {
        let (commit, rest) = one.split_once('\n')?;
        let (parents, text) = rest.split_once('\n')?;
        let parents = parents.split_whitespace().count();
        Some(Message { commit: commit.to_string(), parents, text: text.trim().to_string() })
    };
    Ok(listed.split('\0').filter_map(message).collect())
}

/// The changes between two commits below the tree, as a diff.
pub fn diff(tree: &Path, old: &str, new: &str) -> Result<Vec<u8>, String> {
    let fixed = ["diff", "--binary", "--full-index", "--no-color", "--no-ext-diff", "--no-renames"];
    // Whatever prefixes the user likes.
    let paths = ["--relative", "--src-prefix=a/", "--dst-prefix=b/"];
    run(tree, &[&fixed[..], &paths, &[old, new, "--", "."]].concat())
}

/// Writes the files of a commit, as far as they lie below the tree, into an empty folder.
pub fn export(tree: &Path, commit: &str, out: &Path) -> Result<(), String> {
    let files = text(run(tree, &["rev-parse", "--verify", &format!("{commit}:./")])?)?;
    let repository = text(run(tree, &["rev-parse", "--absolute-git-dir"])?)?;
    let index = tempfile::tempdir().map_err(|error| format!("no room for an index: {error}"))?;
    for arguments in [&["read-tree", files.as_str()][..], &["checkout-index", "--all", "--force"]] {
        let mut command = Command::new("git");
        command.current_dir(out).args(arguments).env("GIT_DIR", &repository).env("GIT_WORK_TREE", out);
        command.env("GIT_INDEX_FILE", index.path().join("index"));
        finished(command)?;
    }
    Ok(())
}

/// Branches and tags, for a message.
pub fn references(tree: &Path) -> Vec<String> {
    let listed = run(tree, &["for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags"]);
    let listed = listed.ok().and_then(|listed| text(listed).ok()).unwrap_or_default();
    listed.lines().map(str::to_string).collect()
}

fn text(bytes: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(bytes).map_err(|_| "git answers in no known encoding".to_string())?;
    Ok(text.trim().to_string())
}

/// Runs git in the tree.
fn run(tree: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(tree).args(arguments).env("GIT_OPTIONAL_LOCKS", "0");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    finished(command)
}

/// What git answers, or what it complains of.
fn finished(mut command: Command) -> Result<Vec<u8>, String> {
    let output = command.env("LC_ALL", "C").stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("git does not run: {error}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_string()),
    }
}
