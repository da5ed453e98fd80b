//! Static libraries: what is linked of them, and of definitions that their members share.

use std::process::Command;

use crate::common::{output, run, source, wrapper};
use layouts::capture::{Capture, cc_flags, cc_link_args};
use layouts::draw::Draw;
use layouts::parts::Parts;
use layouts::relink::relink;

#[test]
fn of_shared_definitions_the_one_that_was_loaded_first_stays() {
    let dir = tempfile::tempdir().expect("folder");
    let at = |name: &str| dir.path().join(name);
    for part in ["0", "1", "2"] {
        let mut compile = Command::new("gcc");
        compile.args(["-O2", "-c"]).args(cc_flags()).arg(format!("-DPART={part}"));
        run(compile.arg(source("archive.c")).arg("-o").arg(at(&format!("{part}.o"))));
    }
    run(Command::new("ar").arg("rcs").arg(at("lib.a")).args([at("1.o"), at("2.o")]));
    let (tar, program) = (at("link.tar"), at("program"));
    run(Command::new("gcc")
        .args([at("0.o"), at("lib.a")])
        .arg("-o")
        .arg(&program)
        .args(cc_link_args(wrapper(), &tar)));

    let capture = Capture::open(&tar, &at("capture")).expect("capture opens");
    let named = |name: &str| capture.units().iter().filter(|unit| unit.key.name == name).count();
    assert_eq!(["main", "first", "last", "twice"].map(named), [1; 4]);
    let drawn = at("drawn");
    relink(&capture, &Draw::new(5, &Parts::all(), &[&capture]), &drawn).expect("relinks");
    assert_eq!((output(&drawn), output(&program)), ("14\n".to_owned(), "14\n".to_owned()));
}
