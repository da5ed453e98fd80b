//! Every compiler, with and without link-time optimisation, for every kind of executable: two arms of one program are
//! captured, drawn together, relinked, proven to lie elsewhere and at one place, and run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{build_rust, output, run, source, wrapper};
use layouts::capture::{Capture, cc_flags, cc_link_args, link_args_through};
use layouts::draw::Draw;
use layouts::parts::Parts;
use layouts::relink::relink;
use layouts::unit::Kind;

/// The type of executables that can be loaded anywhere, in the byte 16 of the file.
const ET_DYN: u8 = 3;

/// Draws two layouts for both arms and checks everything that a draw promises.
fn prove(dir: &Path, arms: &[(PathBuf, PathBuf); 2]) {
    let open = |at: usize| {
        let folder = dir.join(format!("capture-{at}"));
        Capture::open(&arms[at].0, &folder).expect("capture opens")
    };
    let (full, base) = (open(0), open(1));
    let expected = output(&arms[0].1);
    assert_eq!(output(&arms[1].1), expected, "the arms do different things");
    // Addresses in constants need no room that the start writes to when they are fixed at the link.
    let fixed = fs::read(&arms[0].1).expect("executable")[16] != ET_DYN;
    for kind in Kind::ALL.into_iter().filter(|&kind| kind != Kind::RelRo || !fixed) {
        assert!(full.units().iter().any(|unit| unit.key.kind == kind), "no unit of {kind:?}");
    }
    let more = full.units().iter().filter(|unit| base.unit(&unit.key).is_none()).count();
    assert!(more > 0, "the arms do not differ");
    for seed in [1, 2] {
        let draw = Draw::new(seed, &Parts::all(), &[&full, &base]);
        let images = [(&full, "full"), (&base, "base")].map(|(capture, name)| {
            let image = relink(capture, &draw, &dir.join(name)).expect("relinks");
            assert_eq!(output(image.path()), expected, "{name}, seed {seed}");
            let moved = image.moved(capture.natural());
            for (moved, all) in [moved.functions, moved.data] {
                assert!(moved * 100 >= all * 95, "{name}, seed {seed}: {moved} of {all} moved");
            }
            image
        });
        let shared = images[0].shared(&images[1]);
        let (same, common) = shared.total();
        assert_eq!(same, common, "seed {seed}: {shared:?}");
        assert!(common * 10 >= full.units().len() * 8, "{common} of {} in common", full.units().len());
    }
}

/// Builds both arms of the C++ program; flags in `compile` count for the link as well.
fn cpp(compiler: &str, compile: &[&str], link: &[&str]) {
    let dir = tempfile::tempdir().expect("folder");
    let object = |name: &str, define: &[&str]| {
        let out = dir.path().join(format!("{name}{}.o", define.len()));
        let mut command = Command::new(compiler);
        command.args(["-std=c++17", "-O2", "-pthread", "-c"]).args(cc_flags()).args(compile).args(define);
        run(command.arg(source(name)).arg("-o").arg(&out));
        out
    };
    let figures = object("figures.cpp", &[]);
    let arms = [["-DEXTRA"].as_slice(), &[]].map(|define| {
        let shapes = object("shapes.cpp", define);
        let folder = dir.path().join(format!("arm-{}", define.len()));
        fs::create_dir(&folder).expect("folder");
        let (tar, out) = (folder.join("link.tar"), folder.join("program"));
        let mut command = Command::new(compiler);
        command.args(["-O2", "-pthread"]).args(compile).args(link).args([&shapes, &figures]);
        run(command.arg("-o").arg(&out).args(cc_link_args(wrapper(), &tar)));
        let left = fs::read_dir(&folder).expect("folder").count();
        assert_eq!(left, 2, "litter beside the archive and the executable");
        (tar, out)
    });
    prove(dir.path(), &arms);
}

/// Builds both arms of the Rust program.
fn rust(flags: &[&str]) {
    let dir = tempfile::tempdir().expect("folder");
    let arms = [["--cfg", "extra"].as_slice(), &[]].map(|define| {
        let folder = dir.path().join(format!("arm-{}", define.len()));
        build_rust(&source("shapes.rs"), &folder, &[flags, define].concat())
    });
    prove(dir.path(), &arms);
}

/// Builds both arms of the Rust program, which the linker optimises.
fn rust_at_the_link(flags: &[&str]) {
    let dir = tempfile::tempdir().expect("folder");
    let arms = [["--cfg", "extra"].as_slice(), &[]].map(|define| {
        let folder = dir.path().join(format!("arm-{}", define.len()));
        fs::create_dir(&folder).expect("folder");
        let (tar, out) = (folder.join("link.tar"), folder.join("program"));
        let mut command = Command::new("rustc");
        command.args(["--edition=2024", "-O", "-Clinker-plugin-lto", "-Csymbol-mangling-version=v0"]);
        command.args(flags).args(define).args(link_args_through(wrapper(), &tar));
        run(command.arg(source("shapes.rs")).arg("-o").arg(&out).current_dir(&folder));
        (tar, out)
    });
    prove(dir.path(), &arms);
}

macro_rules! matrix {
    ($($name:ident: $build:ident($($argument:expr),*);)*) => {
        $(#[test]
        fn $name() {
            $build($($argument),*);
        })*
    };
}

matrix! {
    gcc: cpp("g++", &["-fPIE"], &["-pie"]);
    gcc_fixed: cpp("g++", &["-fno-pie"], &["-no-pie"]);
    gcc_static: cpp("g++", &["-fno-pie"], &["-static"]);
    gcc_static_pie: cpp("g++", &["-fPIE"], &["-static-pie"]);
    gcc_lto: cpp("g++", &["-flto", "-fPIE"], &["-pie"]);
    gcc_lto_fixed_in_parts: cpp("g++", &["-flto=2", "-fno-pie", "-flto-partition=max"], &["-no-pie"]);
    gcc_lto_static: cpp("g++", &["-flto", "-ffat-lto-objects", "-fno-pie"], &["-static"]);
    clang: cpp("clang++", &["-fPIE"], &["-pie"]);
    clang_static: cpp("clang++", &["-fno-pie"], &["-static"]);
    clang_thin: cpp("clang++", &["-flto=thin", "-fPIE"], &["-pie"]);
    clang_thin_static: cpp("clang++", &["-flto=thin", "-fno-pie"], &["-static"]);
    clang_full: cpp("clang++", &["-flto", "-fPIE"], &["-pie"]);
    clang_full_static: cpp("clang++", &["-flto", "-fno-pie"], &["-static"]);
    rust_fat: rust(&[]);
    rust_fat_fixed: rust(&["-Crelocation-model=static"]);
    rust_fat_static: rust(&["-Ctarget-feature=+crt-static"]);
    rust_thin: rust(&["-Clto=thin", "-Ccodegen-units=8"]);
    rust_thin_static: rust(&["-Clto=thin", "-Ccodegen-units=8", "-Ctarget-feature=+crt-static"]);
    rust_without: rust(&["-Clto=off", "-Ccodegen-units=8"]);
    rust_without_static: rust(&["-Clto=off", "-Ccodegen-units=8", "-Ctarget-feature=+crt-static"]);
    rust_by_the_linker: rust_at_the_link(&[]);
    rust_by_the_linker_static: rust_at_the_link(&["-Ctarget-feature=+crt-static"]);
}
