//! Every compiler, with and without link-time optimisation, for every kind of executable: two arms of one program are
//! captured, drawn together, relinked, proven to lie elsewhere and at one place, and run.

use std::fs;
use std::process::Command;

use crate::common::{build_rust, run, source, wrapper};
use crate::proof::prove;
use layouts::capture::{cc_flags, cc_link_args, link_args_through};

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
    gcc_lto_fixed_in_parts: cpp("g++", &["-flto=2", "-fno-pie", "-flto-partition=1to1"], &["-no-pie"]);
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
