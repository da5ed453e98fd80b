//! The bundle for a foreign engine, whose source is not in the repository.

use std::fs;
use std::path::Path;

use bench_lab::bundle::{Bundle, Switch};

#[test]
fn the_bundle_is_good_once_its_source_is_fetched() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let dir = tempfile::tempdir().expect("a folder");
    let bundles = dir.path().join("bundles");
    fs::create_dir_all(bundles.join("workloads")).expect("a folder");
    for file in ["foreign-cpp.toml", "workloads/full.epd"] {
        fs::copy(repository.join("bundles").join(file), bundles.join(file)).expect("a copy");
    }
    let bundle = bundles.join("foreign-cpp.toml");
    let said = Bundle::read(&bundle).expect_err("the source is not there").to_string();
    assert!(said.contains("scripts/fetch_foreign.sh"), "{said}");
    assert!(repository.join("scripts/fetch_foreign.sh").is_file());

    fs::create_dir_all(dir.path().join("foreign/fairy-stockfish")).expect("a folder");
    let bundle = Bundle::read(&bundle).unwrap_or_else(|said| panic!("{said}"));
    let defines = bundle.components.iter().map(|component| match &component.switch {
        Switch::Define { on, off } => (on.as_deref(), off.as_deref()),
        other => panic!("{other:?}"),
    });
    let expected = [(None, Some("NO_PREFETCH")), (Some("USE_POPCNT"), None), (Some("USE_PEXT"), None)];
    assert_eq!(defines.collect::<Vec<_>>(), expected);
}
