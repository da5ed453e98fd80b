//! What goes wrong: one message with the remedy, and nothing left behind.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::common::{build_c, capture_c, output, run, source};
use layouts::Error;
use layouts::capture::{Capture, wrapper};
use layouts::draw::Draw;
use layouts::linker::Linker;
use layouts::parts::Parts;
use layouts::relink::relink;
use nix::sys::resource::{Resource, setrlimit};

/// The message of a capture that must not open; its folder must not be left.
fn refused(tar: &Path, dir: &Path) -> String {
    let folder = dir.join("refused");
    let error = Capture::open(tar, &folder).expect_err("opens");
    assert!(!folder.exists(), "left behind after: {error}");
    error.to_string()
}

/// Packs the folder's one subfolder again, as `--reproduce` does.
fn pack(folder: &Path, tar: &Path) {
    let mut builder = tar::Builder::new(fs::File::create(tar).expect("archive"));
    builder.append_dir_all("link", folder).expect("packs");
    builder.finish().expect("packs");
}

fn unpacked(tar: &Path, dir: &Path) -> PathBuf {
    let folder = dir.join("unpacked");
    tar::Archive::new(fs::File::open(tar).expect("archive")).unpack(&folder).expect("unpacks");
    let inner = fs::read_dir(&folder).expect("folder").next().expect("one folder").expect("entry");
    inner.path()
}

/// A stand-in for the linker: a script that answers `--version` and then does this.
fn script(dir: &Path, then: &str) -> PathBuf {
    let path = dir.join("ld.lld");
    let text = format!("#!/bin/sh\n[ \"$1\" = --version ] && echo 'LLD 99 (stand-in)' && exit\n{then}\n");
    fs::write(&path, text).expect("script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("mode");
    path
}

#[test]
fn a_missing_or_damaged_archive() {
    let dir = tempfile::tempdir().expect("folder");
    let missing = refused(&dir.path().join("nothing.tar"), dir.path());
    assert!(missing.contains("nothing.tar") && missing.contains("bench-lab layout flags"), "{missing}");

    let flags = layouts::capture::cc_flags();
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let (tar, _) = build_c(&source("tables.c"), dir.path(), &flags);
    let bytes = fs::read(&tar).expect("archive");
    let cut = dir.path().join("cut.tar");
    fs::write(&cut, &bytes[..bytes.len() / 3]).expect("writes");
    let message = refused(&cut, dir.path());
    assert!(message.contains("cut.tar") && message.contains("no usable capture"), "{message}");

    let other = dir.path().join("other.tar");
    fs::write(&other, b"no archive at all, but some text".repeat(99)).expect("writes");
    assert!(refused(&other, dir.path()).contains("no usable capture"));
}

#[test]
fn an_archive_that_lacks_an_input() {
    let dir = tempfile::tempdir().expect("folder");
    let (tar, _) = build_c(&source("tables.c"), dir.path(), &["-ffunction-sections"]);
    let folder = unpacked(&tar, dir.path());
    let response = fs::read_to_string(folder.join("response.txt")).expect("response");
    let object = response.lines().find(|line| line.contains("crtn.o")).expect("an object");
    fs::remove_file(folder.join(object)).expect("removes");
    let tar = dir.path().join("lacking.tar");
    pack(&folder, &tar);
    let message = refused(&tar, dir.path());
    assert!(message.contains("crtn.o") && message.contains("capture the link again"), "{message}");
}

#[test]
fn an_object_that_is_damaged() {
    let dir = tempfile::tempdir().expect("folder");
    let (tar, _) = build_c(&source("tables.c"), dir.path(), &["-ffunction-sections"]);
    let folder = unpacked(&tar, dir.path());
    let response = fs::read_to_string(folder.join("response.txt")).expect("response");
    let object = response.lines().find(|line| line.contains("crtn.o")).expect("an object");
    let mut bytes = fs::read(folder.join(object)).expect("object");
    bytes.truncate(100);
    fs::write(folder.join(object), bytes).expect("writes");
    let tar = dir.path().join("damaged.tar");
    pack(&folder, &tar);
    let message = refused(&tar, dir.path());
    assert!(message.contains("crtn.o") && message.contains("no relocatable object"), "{message}");
}

#[test]
fn objects_without_function_sections() {
    let dir = tempfile::tempdir().expect("folder");
    let (tar, _) = build_c(&source("tables.c"), dir.path(), &["-fno-function-sections", "-fno-inline"]);
    let message = refused(&tar, dir.path());
    assert!(message.contains("-ffunction-sections -fdata-sections"), "{message}");
}

#[test]
fn objects_of_gcc_with_link_time_optimisation() {
    let dir = tempfile::tempdir().expect("folder");
    let object = dir.path().join("tables.o");
    let mut compile = Command::new("gcc");
    run(compile.args(["-O2", "-flto", "-c"]).arg(source("tables.c")).arg("-o").arg(&object));
    let folder = dir.path().join("made");
    fs::create_dir(&folder).expect("folder");
    fs::copy(&object, folder.join("tables.o")).expect("copy");
    fs::write(folder.join("response.txt"), "-o x\ntables.o\n").expect("writes");
    let tar = dir.path().join("lto.tar");
    pack(&folder, &tar);
    let message = refused(&tar, dir.path());
    assert!(message.contains("GCC intermediate code") && message.contains("nolto-rel"), "{message}");
}

/// Waits until a process that was stopped is gone, or a zombie that nobody asks about.
fn ended(process: &str) -> bool {
    let running = || {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
    };
    (0..500).any(|_| {
        std::thread::sleep(Duration::from_millis(if running() { 20 } else { 0 }));
        !running()
    })
}

#[test]
fn a_linker_that_is_none_fails_or_hangs() {
    let dir = tempfile::tempdir().expect("folder");
    let (capture, _) = capture_c("tables.c", &dir.path().join("good"), &[]);
    assert!(capture.linker().version().contains("LLD"));
    let tar = dir.path().join("good/link.tar");

    let error = Linker::at(Path::new("/bin/true")).expect_err("no linker");
    assert!(matches!(error, Error::LinkerUnusable { .. }), "{error}");

    let failing =
        Linker::at(&script(dir.path(), "echo 'ld.lld: error: no room' >&2; exit 1")).expect("answers");
    let folder = dir.path().join("failing");
    let error = Capture::open_with(failing, &tar, &folder).expect_err("fails");
    assert!(error.to_string().contains("error: no room"), "{error}");
    assert!(!folder.exists());

    // The second hides that it goes on, the third leaves that to another process.
    for hangs in ["exec sleep 600", "exec 2>&-; sleep 600", "sleep 600 & exit 0"] {
        let file = dir.path().join("process");
        let note = format!("echo ${{!:-$$}} > {}", file.display());
        let noted = match hangs.split_once(" & ") {
            Some((sleep, exit)) => format!("{sleep} &\n{note}\n{exit}"),
            None => format!("{note}\n{hangs}"),
        };
        let hanging = Linker::at(&script(dir.path(), &noted)).expect("answers");
        let hanging = hanging.with_time_out(Duration::from_millis(200));
        let folder = dir.path().join("hanging");
        let error = Capture::open_with(hanging, &tar, &folder).expect_err(hangs);
        assert!(matches!(error, Error::LinkerHung { .. }), "{hangs}: {error}");
        assert!(!folder.exists(), "{hangs}");
        let process = fs::read_to_string(dir.path().join("process")).expect("its number");
        assert!(ended(process.trim()), "{hangs}: process {process} is left");
    }
}

#[test]
fn a_failed_relink_leaves_nothing() {
    let dir = tempfile::tempdir().expect("folder");
    let (capture, _) = capture_c("tables.c", &dir.path().join("arm"), &[]);
    let (other, _) = capture_c("tables.c", &dir.path().join("other"), &["-DEXTRA=100"]);
    let out = dir.path().join("out");
    fs::create_dir(&out).expect("folder");

    // A draw over another arm alone has too small a slot for this one.
    let error = relink(&other, &Draw::new(1, &Parts::all(), &[&capture]), &out.join("drawn"))
        .expect_err("does not fit");
    assert!(error.to_string().contains("tables.c:zeroes"), "{error}");
    // A draw over nothing moves nothing.
    let error =
        relink(&capture, &Draw::new(1, &Parts::all(), &[]), &out.join("drawn")).expect_err("moves nothing");
    assert!(matches!(error, Error::NoSlot { .. } | Error::NothingMoved { .. }), "{error}");
    assert_eq!(fs::read_dir(&out).expect("folder").count(), 0, "litter");

    let nowhere = dir.path().join("no/such/folder/drawn");
    let error = relink(&capture, &Draw::new(1, &Parts::all(), &[&capture]), &nowhere).expect_err("no folder");
    assert!(error.to_string().contains("no/such/folder"), "{error}");
    let onto_folder = relink(&capture, &Draw::new(1, &Parts::all(), &[&capture]), &out)
        .expect_err("a folder is in the way");
    assert!(matches!(onto_folder, Error::Io { .. }), "{onto_folder}");
    assert_eq!(fs::read_dir(&out).expect("folder").count(), 0, "litter");
}

#[test]
fn a_disk_without_room_for_the_executable() {
    let dir = tempfile::tempdir().expect("folder");
    let (capture, _) = capture_c("tables.c", &dir.path().join("arm"), &[]);
    let real = capture.linker().path().display().to_string();
    // The real linker, under what the file `before` does once it is there.
    let before = dir.path().join("before");
    let text = format!("[ ! -e {0} ] || . {0}\nexec {real} -flavor gnu \"$@\"", before.display());
    let linker = Linker::at(&script(dir.path(), &text)).expect("answers");
    let tar = dir.path().join("arm/link.tar");
    let capture = Capture::open_with(linker, &tar, &dir.path().join("limited")).expect("opens");
    let out = dir.path().join("out");
    fs::create_dir(&out).expect("folder");
    let draw = Draw::new(1, &Parts::all(), &[&capture]);
    for (limit, words) in [
        ("ulimit -f 8", "larger than a file may be"),
        ("trap '' XFSZ; ulimit -f 8", "File too large"),
        // What a full disk does to a linker that writes through a mapping.
        ("kill -BUS $$", "out of room"),
    ] {
        fs::write(&before, limit).expect("writes");
        let error = relink(&capture, &draw, &out.join("drawn")).expect_err("no room").to_string();
        let expected = format!("cannot link an executable in {}: ", out.display());
        assert!(error.starts_with(&expected) && error.contains(words), "{limit}: {error}");
        assert!(
            error.ends_with("is writable and has room") && error.lines().count() == 1,
            "{limit}: {error}"
        );
        assert_eq!(fs::read_dir(&out).expect("folder").count(), 0, "litter after {limit}");
    }
    fs::remove_file(&before).expect("removes");
    relink(&capture, &draw, &out.join("drawn")).expect("room again");
}

#[test]
fn a_folder_that_takes_no_files() {
    let dir = tempfile::tempdir().expect("folder");
    let (capture, _) = capture_c("tables.c", dir.path(), &[]);
    let draw = Draw::new(1, &Parts::all(), &[&capture]);
    // The system's own, where nobody can make a file; rights alone don't stop the superuser.
    let error = relink(&capture, &draw, Path::new("/sys/drawn")).expect_err("read-only").to_string();
    assert!(
        error.starts_with("cannot write to /sys: ") && error.ends_with("is writable and has room"),
        "{error}"
    );
}

#[test]
fn a_capture_goes_into_an_empty_folder_only() {
    let dir = tempfile::tempdir().expect("folder");
    let (tar, _) = build_c(&source("tables.c"), dir.path(), &["-ffunction-sections"]);
    let error = Capture::open(&tar, dir.path()).expect_err("not empty");
    assert!(error.to_string().contains("not empty"), "{error}");
    assert!(tar.is_file(), "what was there must stay");
}

#[test]
fn objects_for_another_machine() {
    for (target, emulation, reason) in [
        ("aarch64-linux-gnu", "aarch64linux", "machine number is 183"),
        ("i386-linux-gnu", "elf_i386", "not 64-bit little-endian"),
    ] {
        let dir = tempfile::tempdir().expect("folder");
        let (source, object) = (dir.path().join("start.c"), dir.path().join("start.o"));
        fs::write(&source, "int number = 3;\nint _start(void) { return number; }\n").expect("writes");
        let target = format!("--target={target}");
        run(Command::new("clang")
            .args([&target, "-ffunction-sections", "-c", "-o"])
            .arg(&object)
            .arg(source));
        let tar = dir.path().join("link.tar");
        let mut link = Command::new("ld.lld");
        link.args(["-m", emulation, "--reproduce"])
            .arg(&tar)
            .arg(&object)
            .arg("-o")
            .arg(dir.path().join("x"));
        run(&mut link);
        let message = refused(&tar, dir.path());
        assert!(message.contains("start.o") && message.contains(reason), "{message}");
        assert!(message.contains("build for this machine"), "{message}");
    }
}

#[test]
fn stripped_objects_and_executables_can_be_drawn() {
    let dir = tempfile::tempdir().expect("folder");
    let object = dir.path().join("tables.o");
    let mut compile = Command::new("gcc");
    compile.args(["-O2", "-c", "-o"]).arg(&object).args(layouts::capture::cc_flags()).arg(source("tables.c"));
    run(&mut compile);
    run(Command::new("strip").arg("--strip-unneeded").arg(&object));
    let (tar, program) = build_c(&object, &dir.path().join("arm"), &["-s"]);
    let capture = Capture::open(&tar, &dir.path().join("capture")).expect("opens");
    let named = |name: &str| capture.units().iter().any(|unit| unit.key.name.ends_with(name));
    assert!(named(":add") && named(":primes"), "{:?}", capture.units());
    let draw = Draw::new(1, &Parts::all(), &[&capture]);
    let image = relink(&capture, &draw, &dir.path().join("drawn")).expect("relinks");
    assert_eq!(output(image.path()), output(&program));

    let error = layouts::image::Image::read(&program, capture.units()).expect_err("stripped").to_string();
    assert!(error.contains("unstripped") && error.contains("symbol table"), "{error}");
}

#[test]
fn a_response_file_that_is_missing() {
    let dir = tempfile::tempdir().expect("folder");
    let folder = dir.path().join("made");
    fs::create_dir(&folder).expect("folder");
    fs::write(folder.join("response.txt"), "-o x\n@objects.rsp\n").expect("writes");
    let tar = dir.path().join("link.tar");
    pack(&folder, &tar);
    let message = refused(&tar, dir.path());
    assert!(message.contains("@objects.rsp") && message.contains("capture the link again"), "{message}");
}

#[test]
fn a_folder_that_cannot_be_written() {
    let dir = tempfile::tempdir().expect("folder");
    let (tar, _) = build_c(&source("tables.c"), dir.path(), &["-ffunction-sections"]);
    let error =
        Capture::open(&tar, Path::new("/sys/capture")).expect_err("no room for a capture").to_string();
    assert!(error.contains("cannot create /sys/capture") && error.contains("is writable"), "{error}");
    let error = wrapper::install(Path::new("/sys/wrapper"), &["true".as_ref()]).expect_err("no room");
    assert!(error.to_string().contains("cannot create /sys/wrapper"), "{error}");
}

#[test]
fn an_empty_folder_is_left_empty() {
    let dir = tempfile::tempdir().expect("folder");
    let folder = dir.path().join("empty");
    fs::create_dir(&folder).expect("folder");
    let (tar, _) = build_c(&source("tables.c"), dir.path(), &["-fno-function-sections", "-fno-inline"]);
    assert!(matches!(Capture::open(&tar, &folder), Err(Error::NoFunctionSections { .. })));
    assert_eq!(fs::read_dir(&folder).expect("still there").count(), 0, "litter");
}

#[test]
fn code_of_two_compilers_that_waits_for_the_link() {
    let dir = tempfile::tempdir().expect("folder");
    for (compiler, object) in [("gcc", "first.o"), ("clang", "second.o")] {
        let file = source("members").join(object.replace(".o", ".c"));
        run(Command::new(compiler).args(["-flto", "-c", "-o", object]).arg(file).current_dir(dir.path()));
    }
    let mut link = Command::new("gcc");
    link.args(["-flto", "first.o", "second.o", "-o", "program"]);
    link.args(layouts::capture::cc_link_args(crate::common::wrapper(), &dir.path().join("link.tar")));
    let result = link.current_dir(dir.path()).output().expect("starts");
    let message = String::from_utf8_lossy(&result.stderr);
    assert!(message.contains("second.o") && message.contains("with one compiler"), "{message}");
    assert_eq!(fs::read_dir(dir.path()).expect("folder").count(), 2, "litter");
}

#[test]
#[ignore = "started by the test below, under a limit"]
fn capture_under_a_limit() {
    let value = |name: &str| PathBuf::from(std::env::var_os(name).expect("set by the test below"));
    let (tar, dir) = (value("LIMITED_TAR"), value("LIMITED_DIR"));
    setrlimit(Resource::RLIMIT_FSIZE, 4096, 4096).expect("limit");
    let error = Capture::open(&tar, &dir.join("capture")).expect_err("too little room");
    fs::write(dir.join("message"), error.to_string()).expect("writes");
}

#[test]
fn a_disk_without_room_for_a_capture() {
    let dir = tempfile::tempdir().expect("folder");
    let (tar, _) = build_c(&source("tables.c"), dir.path(), &["-ffunction-sections"]);
    let folder = dir.path().join("limited");
    fs::create_dir(&folder).expect("folder");
    // The shell keeps the signal of the limit away, so that writing fails as on a full disk.
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]).arg(std::env::current_exe().expect("itself"));
    limited.args(["--ignored", "--exact", "faults::capture_under_a_limit"]);
    run(limited.env("LIMITED_TAR", &tar).env("LIMITED_DIR", &folder));
    let message = fs::read_to_string(folder.join("message")).expect("message");
    let expected = format!("cannot unpack a capture into {}", folder.display());
    assert!(message.starts_with(&expected) && message.contains("too large"), "{message}");
    assert!(message.ends_with("is writable and has room") && message.lines().count() == 1, "{message}");
    assert_eq!(fs::read_dir(&folder).expect("folder").count(), 1, "litter");
}
