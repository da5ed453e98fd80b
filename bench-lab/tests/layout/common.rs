//! The layout commands on little engines, captured once for all tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

const POSITIONS: &str =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\n";

pub fn lab(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-lab"));
    command.arg("layout").args(arguments).current_dir(folder).stdin(Stdio::null());
    command.env("BENCH_LAB_LOCKS", folder);
    command.output().expect("the lab")
}

/// What a command prints that must succeed.
pub fn told(arguments: &[&str], folder: &Path) -> String {
    let output = lab(arguments, folder);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The one message of a command that must fail with this code.
pub fn refused(arguments: &[&str], folder: &Path, code: i32) -> String {
    let output = lab(arguments, folder);
    let errors = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
    assert_eq!(errors.matches("error: ").count(), 1, "{errors}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    errors
}

pub fn source(name: &str) -> String {
    format!("{}/tests/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A folder with captures of the little engines, made once by the command line: `plain.tar` and `quick.tar` (Rust),
/// `counter.tar` (C++).
pub fn captures() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("layout-captures");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("work.epd"), POSITIONS).expect("positions");
        for (name, feature) in [("plain", "none"), ("quick", "quick")] {
            let (tar, feature) = (format!("{name}.tar"), format!("feature=\"{feature}\""));
            let rust = ["rustc", "--edition=2024", "-O", "-Clto=fat", "-Ccodegen-units=1", "-Cpanic=abort"];
            let engine = source("mini/engine.rs");
            let rest = [&engine, "--cap-lints=allow", "--cfg", &feature, "{rust_flags}", "-o", "{out}"];
            let words: Vec<&str> =
                ["capture", "-o", &tar, "--"].into_iter().chain(rust).chain(rest).collect();
            let text = told(&words, &folder);
            assert!(text.starts_with(&tar) && text.contains(".text"), "{text}");
        }
        let engine = source("layout/engine.cpp");
        let cpp = ["g++", "-O2", "{cc_flags}", &engine, "{ld_flags}", "-o", "{out}"];
        let text =
            told(&["capture", "-o", "counter.tar", "--"].into_iter().chain(cpp).collect::<Vec<_>>(), &folder);
        assert!(
            text.contains("the link of `executable`") && text.contains("not placed one by one"),
            "{text}"
        );
        assert_clean(&folder);
        folder
    })
}

/// No temporary file is left.
pub fn assert_clean(folder: &Path) {
    let left = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with('.')).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A folder of a test's own, with links to the captures.
pub fn own() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["plain.tar", "quick.tar", "counter.tar", "work.epd"] {
        std::os::unix::fs::symlink(captures().join(name), folder.path().join(name)).expect("a link");
    }
    folder
}

/// The paths of all keys, lists by their elements.
fn keys(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| keys(value, &format!("{path}.{key}"), found))
        }
        Value::Array(list) => list.iter().for_each(|value| keys(value, &format!("{path}[]"), found)),
        leaf => {
            let kind = match leaf {
                Value::Null => "null",
                Value::Bool(_) => "bool",
                Value::Number(_) => "number",
                _ => "string",
            };
            found.insert(format!("{} {kind}", path.trim_start_matches('.')));
        }
    }
}

/// All keys but those whose values depend on compiler and machine.
pub fn all_keys(json: &str) -> String {
    let mut found = BTreeSet::new();
    keys(&serde_json::from_str(json).expect("JSON"), "", &mut found);
    let varies = |key: &String| {
        key.starts_with("machine.")
            || key.contains(".counters")
            || key.contains("notes[]")
            || key.contains("largest[].pool")
    };
    found.retain(|key| !varies(key));
    found.into_iter().collect::<Vec<_>>().join("\n")
}
