//! `scripts/comment.sh`, with a stand-in for GitHub's command line.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Tells the known comments when it is asked for them, and notes every call.
const GH: &str =
    "#!/bin/sh\necho \"$@\" >> \"$CALLS\"\ncase \"$*\" in *--paginate*) printf \"$KNOWN\" ;; esac\n";

/// The calls of GitHub's command line, while it knows comments with these numbers.
fn calls(known: &str, comment: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        path
    };
    let gh = file("gh", GH);
    fs::set_permissions(&gh, fs::Permissions::from_mode(0o755)).expect("executable");
    let (comment, calls) = (file("comment.md", comment), file("calls", ""));
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").expect("a path"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/comment.sh");
    let mut command = Command::new(script);
    command.arg(comment).arg("12").env("PATH", path).env("CALLS", &calls).env("KNOWN", known);
    let output = command.env("GITHUB_REPOSITORY", "some/engine").output().expect("the script");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let calls = fs::read_to_string(calls).expect("the calls");
    calls.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn the_first_comment_is_posted_and_later_ones_replace_it() {
    const ASKED: &str = "api --paginate repos/some/engine/issues/12/comments --jq .[] | select(.body | startswith(env.MARKER)) | .id\n";
    let text = "<!-- bench-lab gate: gate.toml -->\n### ✔ held\n";
    let first = "api --silent --method POST repos/some/engine/issues/12/comments --field body=@comment.md\n";
    assert_eq!(calls("", text), format!("{ASKED}{first}"));
    let later =
        "api --silent --method PATCH repos/some/engine/issues/comments/345 --field body=@comment.md\n";
    assert_eq!(calls("345\\n678\\n", text), format!("{ASKED}{later}"));
}

#[test]
fn without_a_comment_nobody_is_asked() {
    assert_eq!(calls("345\\n", ""), "");
}
