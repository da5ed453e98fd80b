//! Every way in which builds by commands, patches, commits and prebuilt executables can be described wrongly.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use bench_lab::bundle::Bundle;

use crate::support::git;

/// Behind the builds: the same in every bundle.
const REST: &str = r#"
[workload]
positions = "work.epd"
nodes = 10
[identity]
positions = 1
nodes = 10
[[lane]]
name = "main"
core = 0
"#;

const COMMAND: &str = r#"name = "tiny"
[build]
kind = "command"
path = "tree"
command = "{compiler} {cc_flags} {ld_flags} -o {out} main.c"
vars = { compiler = "gcc" }
env = { LANG = "C" }
[[component]]
name = "one"
define = "ONE"
costs = []
"#;

const PREBUILT: &str = r#"name = "tiny"
[build]
kind = "prebuilt"
base = "base"
full = "full"
[[component]]
name = "one"
executable = "without-one"
costs = []
[[component]]
name = "two"
executable = "without-two"
costs = []
"#;

/// A folder with a source tree, which is a git repository, and with executables.
fn surroundings() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, content: &[u8]| fs::write(dir.path().join(name), content).expect("a file");
    fs::create_dir(dir.path().join("tree")).expect("a folder");
    write("tree/main.c", b"int main(void) { return 0; }\n");
    write("work.epd", b"8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\n");
    write("one.diff", b"--- a/main.c\n+++ b/main.c\n@@ -1 +1 @@\n-int main(void) { return 0; }\n+int main() { return 0; }\n");
    write("notes.txt", b"no diff\n");
    git(&dir.path().join("tree"), &["init", "--quiet", "--initial-branch=trunk"]);
    git(&dir.path().join("tree"), &["add", "main.c"]);
    git(&dir.path().join("tree"), &["commit", "--quiet", "-m", "one"]);
    git(&dir.path().join("tree"), &["checkout", "--quiet", "-b", "quick"]);
    write("tree/main.c", b"int main(void) { return 1; }\n");
    git(&dir.path().join("tree"), &["commit", "--quiet", "-a", "-m", "two"]);
    git(&dir.path().join("tree"), &["tag", "v2"]);
    git(&dir.path().join("tree"), &["checkout", "--quiet", "trunk"]);
    let engine = fs::read(std::env::current_exe().expect("a path")).expect("an executable");
    for name in ["base", "full", "without-one", "without-two"] {
        write(name, &engine[..4096]);
        let file = dir.path().join(name);
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("permissions");
    }
    let mut foreign = engine[..64].to_vec();
    foreign[18] = 183;
    write("foreign", &foreign);
    write("script", b"#!/bin/sh\n");
    write("plain", &engine[..64]);
    dir
}

/// What the author of a bundle is told.
fn told(dir: &Path, bundle: &str) -> Result<Bundle, String> {
    fs::write(dir.join("bundle.toml"), format!("{bundle}{REST}")).expect("a bundle");
    Bundle::read(&dir.join("bundle.toml")).map_err(|problems| {
        // Only what lies below the folder is the same on every machine.
        let dir = dir.to_str().expect("a UTF-8 path");
        problems.to_string().replace(&format!("{dir}/"), "").replace(dir, ".")
    })
}

/// A component of the good bundle becomes two: the switch of each.
fn two(one: &str, other: &str) -> String {
    format!("{one}\ncosts = []\n[[component]]\nname = \"two\"\n{other}")
}

fn refused(good: &str, cases: &[(&str, &str, &str)]) {
    let dir = surroundings();
    if let Err(message) = told(dir.path(), good) {
        panic!("the good bundle is refused: {message}");
    }
    for (name, from, to) in cases {
        assert!(good.contains(from), "{name}: nothing to replace");
        insta::assert_snapshot!(*name, told(dir.path(), &good.replacen(from, to, 1)).expect_err(name));
    }
}

#[test]
fn bad_commands() {
    let all = "command = \"{compiler} {cc_flags} {ld_flags} -o {out} main.c\"";
    let define = "define = \"ONE\"";
    let twice = [
        two("define = \"TWO\"", "define = \"TWO=1\""),
        two("define = { off = \"TWO\" }", "define = { off = \"TWO\" }"),
        two("define = \"TWO\"", "define = { on = \"TWO\", off = \"THREE\" }"),
        two("patch = \"one.diff\"", "patch = { file = \"one.diff\", in_tree = true }"),
        two("git = \"quick\"", "git = \"v2\""),
    ];
    let cases = [
        ("command_no_path", "path = \"tree\"\n", ""),
        ("command_no_tree", "path = \"tree\"", "path = \"three\""),
        ("command_not_fetched", "path = \"tree\"", "path = \"three\"\nfetch = \"make source\""),
        ("command_missing", all, ""),
        ("command_kind", all, "command = 3"),
        ("command_list_kind", all, "command = [\"true\", 3]"),
        ("command_empty", all, "command = []"),
        ("command_blank", all, "command = \" \""),
        ("command_unknown_placeholder", "{out}", "{outt}"),
        ("command_unknown_in_env", "LANG = \"C\"", "LANG = \"{compile}\""),
        ("command_unknown_in_vars", "\"gcc\"", "\"gcc {jbs}\""),
        ("command_no_cc_flags", "{cc_flags}", "-O2"),
        ("command_no_ld_flags", "{ld_flags}", "-s"),
        ("command_no_executable", "-o {out}", ""),
        ("command_two_executables", "[[component]]", "executable = \"a.out\"\n[[component]]"),
        ("command_executable_outside", "-o {out} main.c\"", "main.c\"\nexecutable = \"../a.out\""),
        ("command_var_name", "compiler = \"gcc\"", "compiler = \"gcc\", Jobs = \"2\""),
        ("command_var_taken", "compiler = \"gcc\"", "compiler = \"gcc\", out = \"x\""),
        ("command_foreign_key", "env = {", "profile = \"lab\"\nenv = {"),
        (
            "command_lane_key",
            "[[component]]",
            "[[lane]]\nname = \"b\"\ncore = 0\nbuild.executable = \"x\"\n[[component]]",
        ),
        ("command_git_base", "path = \"tree\"", "path = \"tree\"\ngit = \"trunks\""),
        ("define_kind", define, "define = 1"),
        ("define_blank", define, "define = \"ONE TWO\""),
        ("define_nothing", define, "define = {}"),
        ("define_same", define, "define = { on = \"A=1\", off = \"A=1\" }"),
        ("define_key", define, "define = { onn = \"A\" }"),
        ("define_value", define, "define = { on = 1 }"),
        ("define_feature", define, "feature = \"one\""),
        ("define_twice", define, twice[0].as_str()),
        ("define_off_twice", define, twice[1].as_str()),
        ("define_idle", define, twice[2].as_str()),
        ("patch_twice", define, twice[3].as_str()),
        ("git_twice", define, twice[4].as_str()),
        ("patch_absent", define, "patch = \"two.diff\""),
        ("patch_none", define, "patch = \"notes.txt\""),
        ("patch_kind", define, "patch = true"),
        ("patch_in_tree", define, "patch = { file = \"one.diff\", in_tree = \"yes\" }"),
        ("patch_no_file", define, "patch = { in_tree = true }"),
        ("patch_key", define, "patch = { file = \"one.diff\", intree = true }"),
        ("git_unknown", define, "git = \"trunc\""),
        ("git_option", define, "git = \"--all\""),
        ("git_no_change", define, "git = \"trunk\""),
        ("executable_of_command", define, "executable = \"base\""),
    ];
    refused(COMMAND, &cases);
}

#[test]
fn bad_executables() {
    let all = "base = \"base\"\nfull = \"full\"\n";
    let cases = [
        ("prebuilt_none", all, ""),
        ("prebuilt_one", all, "executable = \"full\"\n"),
        ("prebuilt_half", "full = \"full\"\n", ""),
        ("prebuilt_absent", "full = \"full\"", "full = \"fulll\""),
        ("prebuilt_folder", "full = \"full\"", "full = \"tree\""),
        ("prebuilt_script", "full = \"full\"", "full = \"script\""),
        ("prebuilt_foreign", "full = \"full\"", "full = \"foreign\""),
        ("prebuilt_text", "full = \"full\"", "full = \"work.epd\""),
        ("prebuilt_not_executable", "full = \"full\"", "full = \"plain\""),
        ("prebuilt_component_twice", "\"without-two\"", "\"without-one\""),
        ("prebuilt_component_full", "\"without-two\"", "\"full\""),
        ("prebuilt_component_absent", "\"without-one\"", "\"without-won\""),
        ("prebuilt_feature", "executable = \"without-one\"", "feature = \"one\""),
        ("prebuilt_path", "[[component]]", "path = \"tree\"\n[[component]]"),
        ("prebuilt_order", "[[component]]", "[layout]\norder = true\n[[component]]"),
        (
            "prebuilt_nothing_drawn",
            "[[component]]",
            "[layout]\nstack = false\nmapping = false\ncopy = false\n[[component]]",
        ),
        (
            "prebuilt_lane",
            "[[component]]",
            "[[lane]]\nname = \"b\"\ncore = 0\nbuild.without.won = \"base\"\n[[component]]",
        ),
    ];
    refused(PREBUILT, &cases);
    let (one, _) = PREBUILT.rsplit_once("[[component]]").expect("two components");
    let dir = surroundings();
    insta::assert_snapshot!("prebuilt_two_bases", told(dir.path(), one).expect_err("two bases"));
    let options = "executable = \"full\"\n[[component]]\nname = \"one\"\noption = { name = \"X\", on = 1, off = 0 }\ncosts = []\n";
    let options = format!("name = \"tiny\"\n[build]\nkind = \"prebuilt\"\n{options}");
    told(dir.path(), &options).expect("options of one executable");
    let spare = options.replacen("executable =", "base = \"base\"\nfull =", 1);
    insta::assert_snapshot!("prebuilt_spare", told(dir.path(), &spare).expect_err("spare executables"));
}

#[test]
fn defines_are_refused_only_where_arms_cannot_differ() {
    let dir = surroundings();
    for (one, other, may_differ) in [
        ("define = { on = \"A=1\", off = \"A=3\" }", "define = { off = \"A=2\" }", true),
        ("define = { on = \"A\", off = \"B\" }", "define = { on = \"A\", off = \"C\" }", true),
        // Of two values the last counts.
        ("define = \"A=1\"", "define = \"A=2\"", false),
        ("define = \"A\"", "define = { off = \"A\" }", false),
    ] {
        let told = told(dir.path(), &COMMAND.replacen("define = \"ONE\"", &two(one, other), 1));
        assert_eq!(told.is_ok(), may_differ, "{one}, {other}: {told:?}");
    }
}

#[test]
fn a_tree_without_git_has_no_commits() {
    let dir = surroundings();
    fs::remove_dir_all(dir.path().join("tree/.git")).expect("removed");
    let bundle = COMMAND.replacen("define = \"ONE\"", "git = \"trunk\"", 1);
    let message = told(dir.path(), &bundle).expect_err("no repository");
    assert!(message.contains("no such commit") && message.contains("not a git repository"), "{message}");
}

#[test]
fn profile_guided_builds_are_told() {
    let dir = surroundings();
    let guided = |bundle: &str| told(dir.path(), bundle).expect("a good bundle").profile_notes();
    assert_eq!(guided(COMMAND), [""; 0]);
    let pgo = COMMAND.replacen("main.c\"", "-fprofile-use main.c\"", 1);
    let notes = guided(&pgo);
    assert!(
        notes.len() == 1 && notes[0].contains("`-fprofile-use`") && notes[0].contains("is itself a draw")
    );
    assert_eq!(guided(&pgo.replacen("env =", "profile_guided = false\nenv =", 1)), [""; 0]);
    let said = guided(&COMMAND.replacen("env =", "profile_guided = true\nenv =", 1));
    assert!(said.len() == 1 && said[0].contains("as the bundle says"), "{said:?}");
}

#[test]
fn commands_of_several_lines_are_told_as_they_are_meant() {
    let dir = surroundings();
    let all = "\"{compiler} {cc_flags} {ld_flags} -o {out} main.c\"";
    let several = "'''\n{compiler} {cc_flags} \\\n    {ld_flags} -o {out} main.c\n'''";
    told(dir.path(), &COMMAND.replacen(all, several, 1)).expect("a good bundle");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-lab"));
    command.args(["check", "bundle.toml", "--register", "absent.jsonl"]).current_dir(dir.path());
    let output = command.output().expect("the lab");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let builds: Vec<&str> = text.lines().skip_while(|line| *line != "builds").skip(1).take(2).collect();
    let command =
        "command: {compiler} {cc_flags} {ld_flags} -o {out} main.c with {compiler} = \"gcc\", LANG=\"C\"";
    assert_eq!(builds[0], format!("  {:<24} {command}", "default"), "{text}");
    assert!(builds[1].starts_with(&format!("{:27}in a private copy of /", "")), "{text}");
}
