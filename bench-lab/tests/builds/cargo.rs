//! Arms built by cargo in private copies: patches, processors and environments.

use std::fs;

use protocol::plan::FULL;

use super::cpp::Cpp;

const MANIFEST: &str = "[package]\nname = \"mini\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[features]\nquick = []\n\
    [profile.release]\nlto = \"fat\"\ncodegen-units = 1\npanic = \"abort\"\n[workspace]\n";
const SOURCE: &str = "#[used]\nstatic ROUNDS: u64 = if cfg!(feature = \"quick\") { 20 } else { 30 };\n\
    fn main() {\n    println!(\"{}\", ROUNDS + 1);\n}\n";
const PATCH: &str = "--- a/src/main.rs\n+++ b/src/main.rs\n@@ -3,3 +3,3 @@\n fn main() {\n\
    -    println!(\"{}\", ROUNDS + 1);\n+    println!(\"{}\", ROUNDS + 2);\n }\n";
/// Changes no line that is compiled.
const REMARK: &str = "--- a/src/main.rs\n+++ b/src/main.rs\n@@ -5 +5,2 @@\n }\n+// The end.\n";

#[test]
fn patches_processors_and_environments_reach_rustc() {
    let cpp = Cpp::new();
    let package = cpp.folder().join("package");
    fs::create_dir_all(package.join("src")).expect("a folder");
    fs::write(package.join("Cargo.toml"), MANIFEST).expect("a file");
    fs::write(package.join("src/main.rs"), SOURCE).expect("a file");
    fs::write(cpp.folder().join("two.diff"), REMARK).expect("a patch");
    let build = "kind = \"cargo\"\npath = \"package\"\npackage = \"mini\"\n";
    let quick = "[[component]]\nname = \"quick\"\nfeature = \"quick\"\ncosts = []\n";
    let two = "[[component]]\nname = \"two\"\npatch = \"two.diff\"\ncosts = []\n";
    let told = cpp.made(&cpp.bundle(build, two, "")).expect_err("no effect");
    assert!(told.contains("the switch of component two has no effect"), "{told}");
    assert!(told.contains("(patch two.diff)"), "{told}");

    fs::write(cpp.folder().join("two.diff"), PATCH).expect("a patch");
    let own = "build = { target_cpu = \"x86-64-v3\", env = { MINI = \"1\" } }\n";
    let made = cpp.made(&cpp.bundle(build, &[quick, two].concat(), own)).expect("arms");
    assert_eq!(made.sets.iter().map(|set| set.name.as_str()).collect::<Vec<_>>(), ["main"]);
    let says = |arm: usize| {
        let output = std::process::Command::new(made.sets[0].subject(arm).executable()).output();
        String::from_utf8_lossy(&output.expect("the engine").stdout).trim().to_string()
    };
    let said: Vec<String> = (0..4).map(says).collect();
    assert_eq!(said, ["31", "22", "32", "21"], "base, full, without quick, without two");
    let command = &made.sets[0].subject(FULL).planned.command;
    let expected = "MINI=\"1\" RUSTFLAGS=\"-C target-cpu=x86-64-v3\" cargo rustc -p mini";
    assert!(command.starts_with(expected), "{command}");
    assert_eq!(fs::read_to_string(package.join("src/main.rs")).expect("a file"), SOURCE);
    assert!(!package.join("target").exists(), "nothing is built in the user's tree");
}
