//! The ways to put a program together: archives of every kind, options of the link, code that its linker optimises.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{output, run, source, wrapper};
use crate::proof::prove;
use layouts::capture::{Capture, cc_flags, cc_link_args};
use tempfile::TempDir;

/// Compiles the program of several files, runs `tools` over the objects, and links both arms with `words`, in which
/// `MAIN` stands for the arm's own object; what follows from a draw is proven. Returns the folder and a capture.
fn linked(compiler: &str, compile: &[&str], tools: &[&[&str]], words: &[&str]) -> (TempDir, Capture) {
    let dir = tempfile::tempdir().expect("folder");
    compiled(dir.path(), compiler, compile, tools);
    let arms = ["full", "base"].map(|arm| {
        let (tar, out) = (dir.path().join(format!("{arm}.tar")), dir.path().join(arm));
        let main = format!("main-{arm}.o");
        let words = words.iter().map(|&word| if word == "MAIN" { &main } else { word });
        let mut command = Command::new(compiler);
        command.args(["-O2", "-o"]).arg(&out).args(words).args(cc_link_args(wrapper(), &tar));
        run(command.current_dir(dir.path()));
        (tar, out)
    });
    let capture = prove(dir.path(), &arms);
    let hidden = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(".link-");
    assert!(!fs::read_dir(dir.path()).expect("folder").flatten().any(|entry| hidden(&entry)), "litter");
    (dir, capture)
}

/// Compiles the program's files in `dir` and runs the tools there.
fn compiled(dir: &Path, compiler: &str, compile: &[&str], tools: &[&[&str]]) {
    let objects =
        [("main", "main-full", "-DEXTRA"), ("main", "main-base", "-DBASE"), ("first", "first", "-DMEMBER")];
    let objects = objects.iter().chain(&[("second", "second", "-DMEMBER"), ("whole", "whole", "-DMEMBER")]);
    for (from, to, define) in objects {
        let mut command = Command::new(compiler);
        command.args(["-O2", "-c", define]).args(cc_flags()).args(compile);
        command.arg(source("members").join(format!("{from}.c"))).arg("-o").arg(format!("{to}.o"));
        run(command.current_dir(dir));
    }
    for tool in tools {
        run(Command::new(tool[0]).args(&tool[1..]).current_dir(dir));
    }
}

/// The functions that run before main, as the program prints them.
fn started(dir: &TempDir) -> String {
    let text = output(&dir.path().join("full"));
    text.trim_end().rsplit(' ').next().expect("words").to_owned()
}

#[test]
fn from_an_archive() {
    let tools: &[&[&str]] = &[&["ar", "rcs", "libparts.a", "first.o", "second.o", "whole.o"]];
    let (dir, _) =
        linked("gcc", &[], tools, &["MAIN", "-L.", "-Wl,--start-group", "-lparts", "-lc", "-Wl,--end-group"]);
    assert_eq!(started(&dir), "123", "the member that nothing refers to is linked, or in another order");
}

#[test]
fn from_a_thin_archive_by_its_exact_name() {
    let tools: &[&[&str]] = &[&["ar", "rcsT", "libparts.a", "first.o", "second.o", "whole.o"]];
    let (dir, capture) = linked("gcc", &[], tools, &["MAIN", "-L.", "-l:libparts.a", "-static"]);
    assert_eq!(started(&dir), "123");
    assert!(capture.units().iter().any(|unit| unit.key.name == "first.c:local"));
}

#[test]
fn from_a_whole_archive() {
    let tools: &[&[&str]] = &[&["ar", "rcs", "libparts.a", "second.o", "whole.o", "first.o"]];
    let words =
        ["MAIN", "-Wl,--push-state,--whole-archive", "libparts.a", "-Wl,--pop-state", "-static-pie", "-fPIE"];
    let (dir, _) = linked("gcc", &["-fPIE"], tools, &words);
    assert_eq!(started(&dir), "1342", "every member in the archive's order");
}

#[test]
fn from_a_response_file_with_many_options() {
    let dir = tempfile::tempdir().expect("folder");
    let list = dir.path().join("objects.rsp");
    fs::write(&list, "first.o\n'second.o' \"whole.o\"\n").expect("writes");
    let list = format!("@{}", list.display());
    let flags = ["-g", "-fno-plt", "-fno-pie", "-mcmodel=medium"];
    let words = [
        "-no-pie",
        "-pthread",
        "-Wl,--gc-sections,-z,now,-z,relro,--icf=all,-O2",
        "-Wl,-z,keep-text-section-prefix",
        "MAIN",
        &list,
    ];
    let (dir, capture) = linked("gcc", &flags, &[], &words);
    assert_eq!(started(&dir), "1234");
    let notes = capture.notes();
    assert!(notes.iter().any(|note| note.contains("--icf=all") && note.contains("left out")), "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("keep-text-section-prefix")), "{notes:?}");
}

#[test]
fn gcc_optimises_members_of_an_archive() {
    // One member holds machine code already.
    let second = source("members/second.c").display().to_string();
    let machine = ["gcc", "-O2", "-ffunction-sections", "-fdata-sections", "-c", &second, "-o", "machine.o"];
    let tools: &[&[&str]] = &[&machine, &["gcc-ar", "rcs", "libparts.a", "first.o", "machine.o", "whole.o"]];
    let (dir, capture) = linked("gcc", &["-flto"], tools, &["-flto", "MAIN", "-L.", "-lparts"]);
    assert_eq!(started(&dir).len(), 3, "members that nothing refers to are linked");
    assert!(capture.units().iter().any(|unit| unit.key.name == "second.c:local"), "{:?}", capture.units());
    let notes = capture.notes();
    assert!(notes.iter().any(|note| note.contains("GCC's link-time optimisation")), "{notes:?}");
}

#[test]
fn gcc_optimises_a_whole_archive() {
    let tools: &[&[&str]] = &[&["gcc-ar", "rcs", "libparts.a", "second.o", "whole.o", "first.o"]];
    let words = ["-flto", "MAIN", "-Wl,--whole-archive", "libparts.a", "-Wl,--no-whole-archive"];
    let (dir, _) = linked("gcc", &["-flto", "-ffat-lto-objects"], tools, &words);
    assert_eq!(started(&dir).len(), 4, "members are missing");
}

#[test]
fn llvm_optimises_members_of_a_thin_archive() {
    let tools: &[&[&str]] = &[&["llvm-ar", "rcsT", "libparts.a", "first.o", "second.o", "whole.o"]];
    let cache = ["-flto=thin", "-Wl,--thinlto-cache-dir=cache", "MAIN", "-L.", "-lparts"];
    let (dir, capture) = linked("clang", &["-flto=thin"], tools, &cache);
    assert_eq!(started(&dir).len(), 3, "members that nothing refers to are linked");
    let notes = capture.notes();
    assert!(notes.iter().any(|note| note.contains("LLVM's link-time optimisation")), "{notes:?}");
}

#[test]
fn llvm_optimises_a_whole_archive_in_a_group() {
    let tools: &[&[&str]] = &[&["llvm-ar", "rcs", "libparts.a", "second.o", "whole.o"]];
    let words = [
        "-flto",
        "MAIN",
        "-Wl,--whole-archive",
        "libparts.a",
        "-Wl,--no-whole-archive",
        "-Wl,--start-lib",
        "first.o",
        "-Wl,--end-lib",
        "-static",
    ];
    let (dir, _) = linked("clang", &["-flto"], tools, &words);
    assert_eq!(started(&dir).len(), 4, "members are missing");
}

#[test]
fn fat_objects_that_no_plug_in_reads_are_machine_code() {
    let dir = tempfile::tempdir().expect("folder");
    compiled(dir.path(), "gcc", &["-flto", "-ffat-lto-objects"], &[]);
    let tar = dir.path().join("link.tar");
    let mut link = Command::new("clang");
    link.args(["-fuse-ld=lld", "main-base.o", "first.o", "second.o", "-o", "program"]);
    link.arg(format!("-Wl,--reproduce={}", tar.display()));
    run(link.current_dir(dir.path()));
    let capture = Capture::open(&tar, &dir.path().join("capture")).expect("opens");
    let notes = capture.notes();
    assert!(notes.iter().any(|note| note.starts_with("3 objects hold GCC's")), "{notes:?}");
}

#[test]
fn objects_that_make_or_used_a_profile_are_told() {
    let dir = tempfile::tempdir().expect("folder");
    let notes = |name: &str, compiler: &str, flags: &[&str]| {
        let tar = dir.path().join(format!("{name}.tar"));
        let mut build = Command::new(compiler);
        build.args(["-O2", "-o", "program"]).args(cc_flags()).args(flags).arg(source("hot.c"));
        run(build.args(cc_link_args(wrapper(), &tar)).current_dir(dir.path()));
        let capture = Capture::open(&tar, &dir.path().join(name)).expect("opens");
        capture.notes().to_vec()
    };
    let plain = notes("plain", "gcc", &[]);
    assert!(plain.is_empty(), "{plain:?}");
    let making = notes("making", "gcc", &["-fprofile-generate"]);
    assert!(making[0].contains("count their own execution"), "{making:?}");
    output(&dir.path().join("program"));
    let used = notes("used", "gcc", &["-fprofile-use"]);
    assert!(used[0].contains("1 functions for hot") && used[0].contains("itself a draw"), "{used:?}");
    let profile = format!("-fprofile-sample-use={}", source("hot.prof").display());
    let used = notes("clang", "clang", &["-g", &profile]);
    assert!(used[0].contains("compiled with a profile") && used[0].contains("itself a draw"), "{used:?}");
}

#[test]
fn a_library_or_a_part_is_linked_and_not_recorded() {
    for (compiler, flags) in
        [("gcc", ["-fPIC"].as_slice()), ("gcc", &["-flto", "-fPIC"]), ("clang", &["-flto", "-fPIC"])]
    {
        let dir = tempfile::tempdir().expect("folder");
        compiled(dir.path(), compiler, flags, &[]);
        let tar = dir.path().join("link.tar");
        for (kind, out) in [("-shared", "libparts.so"), ("-r", "parts.o")] {
            let mut link = Command::new(compiler);
            link.args(flags).args([kind, "first.o", "second.o", "-o", out]);
            run(link.args(cc_link_args(wrapper(), &tar)).current_dir(dir.path()));
            assert!(!tar.exists(), "{compiler} {flags:?} {kind}: recorded");
        }
        let mut link = Command::new(compiler);
        link.args(flags).args(["main-full.o", "parts.o", "-o", "program"]);
        run(link.args(cc_link_args(wrapper(), &tar)).current_dir(dir.path()));
        assert!(tar.is_file());
        assert!(output(&dir.path().join("program")).contains("started"));
    }
}

#[test]
fn a_link_that_fails_says_why_and_leaves_nothing() {
    for (compiler, flags) in [("gcc", [].as_slice()), ("gcc", &["-flto"]), ("clang", &["-flto=thin"])] {
        let dir = tempfile::tempdir().expect("folder");
        compiled(dir.path(), compiler, flags, &[]);
        let before = fs::read_dir(dir.path()).expect("folder").count();
        let mut link = Command::new(compiler);
        link.args(flags).args(["main-full.o", "first.o", "-o", "program"]);
        link.args(cc_link_args(wrapper(), &dir.path().join("link.tar")));
        let result = link.current_dir(dir.path()).output().expect("starts");
        assert!(!result.status.success());
        let message = String::from_utf8_lossy(&result.stderr);
        assert!(message.contains("second") && !message.contains("panicked"), "{message}");
        assert!(!dir.path().join("program").exists());
        let left = fs::read_dir(dir.path()).expect("folder").flatten().map(|entry| entry.file_name());
        let left: Vec<_> = left.collect();
        assert_eq!(left.len(), before, "{left:?}");
    }
}

#[test]
fn with_a_loaded_library_and_a_section_of_its_own() {
    for (compiler, flags) in
        [("gcc", ["-fcommon"].as_slice()), ("gcc", &["-flto"]), ("clang", &["-flto=thin"])]
    {
        let dir = tempfile::tempdir().expect("folder");
        let library = dir.path().join("library.so");
        let mut build = Command::new(compiler);
        run(build.args(["-O2", "-shared", "-fPIC", "-o"]).arg(&library).arg(source("library.c")));
        let arms = ["-DEXTRA", "-DBASE"].map(|define| {
            let (tar, out) = (dir.path().join(format!("{define}.tar")), dir.path().join(define));
            let mut build = Command::new(compiler);
            build
                .args(["-O2", "-fPIE", "-pie", "-rdynamic", "-pthread", define])
                .args(flags)
                .args(cc_flags());
            build.arg(format!("-DLIBRARY=\"{}\"", library.display())).arg(source("loaded.c"));
            run(build.arg("-o").arg(&out).args(cc_link_args(wrapper(), &tar)).arg("-ldl"));
            (tar, out)
        });
        prove(dir.path(), &arms);
    }
}
