//! Any executable surveyed by its symbol table, and what cannot be.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use layouts::draw::Draw;
use layouts::parts::Parts;
use layouts::relink::relink;
use layouts::survey::Survey;
use layouts::unit::Kind;

use crate::common::{build_c, capture_c, run, source};

#[test]
fn symbols_tell_what_the_draw_did() {
    let dir = tempfile::tempdir().expect("folder");
    let (capture, original) = capture_c("tables.c", dir.path(), &["-fPIE", "-pie"]);
    let drawn = dir.path().join("drawn");
    let image = relink(&capture, &Draw::new(5, &Parts::all(), &[&capture]), &drawn).expect("relinks");
    let (before, after) =
        (Survey::read(&original).expect("a survey"), Survey::read(&drawn).expect("a survey"));
    assert!(before.position_independent && before.segments.iter().any(|s| s.access == "r-x"));
    let text = after.sections.iter().find(|section| section.name == ".text").expect("code");
    assert_eq!(text.access, "r-x");

    let places = |survey: &Survey| -> BTreeMap<String, u64> {
        let own = survey.objects.iter().filter(|object| object.section == ".text" && object.unique);
        own.map(|object| (object.name.clone(), object.address)).collect()
    };
    let (before, after) = (places(&before), places(&after));
    assert!(before.contains_key("main") && before.contains_key("add"), "{before:?}");
    for key in image.addresses().keys().filter(|key| key.kind == Kind::Function) {
        // A static function's unit is called after its file as well.
        let name = key.name.rsplit(':').next().unwrap_or_default();
        if let Some(found) = after.get(name) {
            assert_eq!(*found, image.addresses()[key], "{key}");
            assert_ne!(before.get(name), Some(found), "{key} did not move");
        }
    }
}

#[test]
fn what_cannot_be_surveyed_is_told_with_its_remedy() {
    let dir = tempfile::tempdir().expect("folder");
    let (_, program) = build_c(&source("tables.c"), dir.path(), &[]);
    let refused = |path: &std::path::Path, words: &str| {
        let error = Survey::read(path).expect_err("no survey").to_string();
        assert!(error.contains(words) && error.contains(path.to_str().expect("UTF-8")), "{error}");
    };
    let stripped = dir.path().join("stripped");
    run(Command::new("strip").arg("-s").arg("-o").arg(&stripped).arg(&program));
    refused(&stripped, "link it without -s");

    let mut bytes = fs::read(&program).expect("program");
    bytes[18] = 183;
    let foreign = dir.path().join("foreign");
    fs::write(&foreign, &bytes).expect("written");
    refused(&foreign, "ARM");
    fs::write(&foreign, &bytes[..200]).expect("written");
    refused(&foreign, "ARM");
    fs::write(&foreign, "#!/bin/sh\n").expect("written");
    refused(&foreign, "no 64-bit ELF file");
    refused(&dir.path().join("missing"), "cannot read");
}
