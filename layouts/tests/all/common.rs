//! Programs for the tests, built by the compilers that are there, and their captures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

use layouts::capture::{Capture, cc_flags, cc_link_args, link_args, rustflags, wrapper};
use layouts::image::Image;
use layouts::unit::Kind;

/// A source of `tests/programs`.
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name)
}

/// Runs a compiler, which must succeed.
pub fn run(command: &mut Command) {
    let output = command.output().expect("compiler starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Builds a Rust program as the lab does, into `dir`; returns the archive of its link and the executable.
pub fn build_rust(source: &Path, dir: &Path, more: &[&str]) -> (PathBuf, PathBuf) {
    build_rust_with(source, dir, more, &[])
}

/// [`build_rust`] with variables for `env!`.
pub fn build_rust_with(
    source: &Path,
    dir: &Path,
    more: &[&str],
    variables: &[(&str, &Path)],
) -> (PathBuf, PathBuf) {
    std::fs::create_dir_all(dir).expect("folder");
    let (tar, out) = (dir.join("link.tar"), dir.join("program"));
    let mut command = Command::new("rustc");
    command.args(["--edition=2024", "-O", "-Clto=fat", "-Ccodegen-units=1", "-Cpanic=abort"]);
    command.args(rustflags()).args(link_args(&tar)).args(more);
    command.envs(variables.iter().copied());
    run(command.arg(source).arg("-o").arg(&out).current_dir(dir));
    (tar, out)
}

/// An archive of a link and the executable, once they are there.
type Built = Arc<OnceLock<(PathBuf, PathBuf)>>;

/// Builds a Rust program of `tests/programs`, once for all tests.
pub fn built_rust(name: &str, more: &[&str]) -> (PathBuf, PathBuf) {
    static BUILT: Mutex<BTreeMap<String, Built>> = Mutex::new(BTreeMap::new());
    let key = format!("{name}{}", more.concat());
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&key);
    let built = BUILT.lock().expect("nothing panics in between").entry(key).or_default().clone();
    built.get_or_init(|| build_rust(&source(name), &dir, more)).clone()
}

/// Builds and captures a Rust program; the capture goes into `dir`.
pub fn capture_rust(name: &str, dir: &Path, more: &[&str]) -> (Capture, PathBuf) {
    let (tar, out) = built_rust(name, more);
    (Capture::open(&tar, &dir.join("capture")).expect("capture opens"), out)
}

/// The folder with the stand-in for `ld.lld`.
pub fn wrapper() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrapper");
        wrapper::install(&dir, &[env!("CARGO_BIN_EXE_layout-link").as_ref()]).expect("installs");
        dir
    })
}

/// Builds a C program with these further arguments; returns the archive of its link and the executable.
pub fn build_c(source: &Path, dir: &Path, more: &[&str]) -> (PathBuf, PathBuf) {
    std::fs::create_dir_all(dir).expect("folder");
    let (tar, out) = (dir.join("link.tar"), dir.join("program"));
    let mut command = Command::new("gcc");
    command.arg("-O2").args(more).arg(source).arg("-o").arg(&out).args(cc_link_args(wrapper(), &tar));
    run(command.current_dir(dir));
    (tar, out)
}

/// Builds and captures a C program with a section for every function and object.
pub fn capture_c(name: &str, dir: &Path, more: &[&str]) -> (Capture, PathBuf) {
    let flags = cc_flags();
    let flags: Vec<&str> = flags.iter().map(String::as_str).chain(more.iter().copied()).collect();
    let (tar, out) = build_c(&source(name), dir, &flags);
    (Capture::open(&tar, &dir.join("capture")).expect("capture opens"), out)
}

/// What the program prints.
pub fn output(program: &Path) -> String {
    let output = Command::new(program).output().expect("program starts");
    assert!(output.status.success(), "{}: {:?}", program.display(), output.status);
    String::from_utf8(output.stdout).expect("text")
}

/// Every unit of the capture lies in the executable once, as its alignment wants, and no two share a byte.
pub fn assert_each_unit_has_a_place_of_its_own(capture: &Capture, image: &Image) {
    let mut places = BTreeMap::new();
    for unit in capture.units() {
        let address = image.addresses()[&unit.key];
        assert_eq!(address % unit.align, 0, "{}", unit.key);
        // Thread-local addresses count from the start of their block.
        let thread_local = matches!(unit.key.kind, Kind::TlsData | Kind::TlsBss);
        let before = places.insert((thread_local, address), unit);
        assert!(before.is_none(), "{} and {before:?}", unit.key);
    }
    assert_eq!((places.len(), image.addresses().len()), (capture.units().len(), capture.units().len()));
    for (((local, a), first), ((other, b), second)) in places.iter().zip(places.iter().skip(1)) {
        assert!(local != other || a + first.size <= *b, "{} reaches into {}", first.key, second.key);
    }
}
