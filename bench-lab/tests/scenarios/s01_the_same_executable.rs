//! Both arms build to the same executable though the author measured +1 %: refused before the plan, naming the switch.

use crate::builds::cpp::{COMMAND, Cpp};

/// A bundle of one component, switched by a define.
fn refused(cpp: &Cpp, define: &str) -> String {
    let component = format!("[[component]]\nname = \"quick\"\ndefine = \"{define}\"\ncosts = []\n");
    let (code, told) = cpp.run(&cpp.bundle(COMMAND, &component, ""), "trial");
    assert_eq!(code, Some(2), "{told}");
    assert!(!cpp.folder().join("trial").exists(), "nothing is planned");
    let error = &told[told.find("error: ").expect(&told)..];
    // Only what lies below the folder is the same on every machine.
    error.replace(&format!("{}/", cpp.folder().display()), "").trim_end().to_owned()
}

#[test]
fn a_switch_that_nothing_listens_to() {
    insta::assert_snapshot!(refused(&Cpp::new(), "QUIKC"));
}

#[test]
fn a_switch_that_changes_names_alone() {
    let cpp = Cpp::new();
    cpp.change("struct Counter {", "#ifdef RENAMED\n#define count tally\n#endif\n\nstruct Counter {");
    insta::assert_snapshot!(refused(&cpp, "RENAMED"));
}
