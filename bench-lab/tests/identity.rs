//! The proof of the same tree on fake engines.

use std::sync::Mutex;
use std::time::Duration;

use crate::support::{Scratch, arm, lane, limits, positions};
use bench_lab::arm::ArmImage;
use bench_lab::arm::session::Limits;
use bench_lab::identity::{self, IdentityJob, IdentitySet, Level, Refusal, Step};
use bench_lab::{Cancel, Fault};
use protocol::plan::{Identity, IdentityLevel};

/// The proof, and how many searches were told of.
fn prove(arms: &[ArmImage], bench: &[&str], cancel: &Cancel) -> (Result<Identity, Refusal>, usize) {
    let scratch = Scratch::new();
    let bench: Vec<String> = bench.iter().map(|&word| word.to_owned()).collect();
    let job = IdentityJob {
        sets: &[IdentitySet { name: "default".to_owned(), arms: arms.to_vec() }],
        lanes: &[lane()],
        levels: &[
            Level { positions: positions(3), nodes: 1_000 },
            Level { positions: positions(2), nodes: 5_000 },
        ],
        bench: &bench,
        scratch: scratch.path(),
        limits: limits(),
    };
    assert_eq!(identity::searches(&job), 5 * arms.len());
    let steps = Mutex::new(Vec::new());
    let result = identity::prove(&job, cancel, &|step| steps.lock().unwrap().push(step));
    scratch.assert_clean();
    let steps = steps.into_inner().unwrap();
    let (before, searches) = steps.split_at(steps.iter().filter(|&&step| step != Step::Search).count());
    assert!(searches.iter().all(|&step| step == Step::Search), "{steps:?}");
    let expected = if bench.is_empty() { &[Step::Suite][..] } else { &[Step::Bench, Step::Suite] };
    assert!(expected.starts_with(before) && !before.is_empty(), "{steps:?}");
    (result, searches.len())
}

#[test]
fn same_trees_are_proven() {
    let arms = [arm("base", "work=40"), arm("full", ""), arm("without:x", "garbage")];
    let (proof, told) = prove(&arms, &["bench"], &Cancel::new());
    let proof = proof.unwrap();
    assert_eq!(told, 15);
    assert_eq!(proof.bench_nodes["default"], 4242);
    let level = |positions, nodes| IdentityLevel { positions, nodes };
    assert_eq!(proof.levels, [level(3, 1_000), level(2, 5_000)]);
    assert_eq!(proof.digests["test"].len(), 64);

    let (again, _) = prove(&arms[..1], &[], &Cancel::new());
    let again = again.unwrap();
    assert_eq!((again.bench_nodes["default"], &again.digests), (0, &proof.digests));
}

#[test]
fn first_differing_line_is_shown() {
    // Search 5 is the second of the second level.
    let arms = [arm("base", ""), arm("full", ""), arm("without:x", "tree=5")];
    match prove(&arms, &[], &Cancel::new()).0.unwrap_err() {
        Refusal::Differs(difference) => {
            assert_eq!(difference.lane.as_deref(), Some("test"));
            assert_eq!(difference.place, "4k3/8/8/8/8/8/8/4K3 w - - 0 2 at 5000 nodes, line 1");
            assert_eq!(difference.found.0, "without:x");
            assert!(difference.expected.1.starts_with("info depth 1 score cp "), "{difference}");
            assert_ne!(difference.expected.1, difference.found.1);
            assert!(!difference.found.1.contains("nps"), "{difference}");
            let text = difference.to_string();
            assert!(text.contains(&difference.expected.1) && text.contains(&difference.found.1));
        }
        other => panic!("{other}"),
    }
}

#[test]
fn node_count_alone_is_enough_to_differ() {
    let arms = [arm("base", ""), arm("full", "nodes=1")];
    match prove(&arms, &[], &Cancel::new()).0.unwrap_err() {
        Refusal::Differs(difference) => {
            assert_eq!(difference.expected, ("base".to_owned(), "nodes 1000".to_owned()));
            assert_eq!(difference.found, ("full".to_owned(), "nodes 1001".to_owned()));
        }
        other => panic!("{other}"),
    }
}

#[test]
fn bench_counts_must_agree() {
    let arms = [arm("base", ""), arm("full", ""), arm("without:x", "bench=4243")];
    let (result, told) = prove(&arms, &["bench"], &Cancel::new());
    assert_eq!(told, 0, "the bench comes first");
    let text = result.unwrap_err().to_string();
    for part in ["`bench`", "base", "4242 nodes", "without:x", "4243 nodes"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

/// What is told of an arm whose bench does not go well.
fn refused_bench(arm: ArmImage, bench: &str) -> String {
    let scratch = Scratch::new();
    let job = IdentityJob {
        sets: &[IdentitySet { name: "default".to_owned(), arms: vec![arm] }],
        lanes: &[],
        levels: &[],
        bench: &[bench.to_owned()],
        scratch: scratch.path(),
        // A bench has fifty times as long.
        limits: Limits { search: Duration::from_secs(1), ..limits() },
    };
    let refusal = identity::prove(&job, &Cancel::new(), &|_| ()).unwrap_err();
    scratch.assert_clean();
    refusal.to_string()
}

#[test]
fn an_arm_without_bench_is_told_with_the_remedy() {
    assert_eq!(
        refused_bench(ArmImage::plain("full", "/bin/echo"), "no bench"),
        "arm full: `no bench` ends with `no bench`; expected `<n> nodes <nps> nps` as its last line or a line `Nodes \
         searched : <n>`. If the engine has no bench, write `bench = []` in `[identity]` (compare: `--no-bench`); if its \
         bench has other arguments, name them there"
    );
    let silent = refused_bench(ArmImage::plain("full", "/bin/true"), "bench");
    assert!(silent.starts_with("arm full: `bench` says nothing; expected "), "{silent}");
    let failed = refused_bench(ArmImage::plain("full", "/bin/false"), "bench");
    assert_eq!(
        failed,
        "arm full died at `bench` (proof of the same tree): exit status 1 before it gave a node count; if it has no \
         bench, write `bench = []` in `[identity]` (compare: `--no-bench`)"
    );
}

#[test]
fn an_arm_that_reads_instead_of_benching_finds_nothing_to_read() {
    let told = refused_bench(arm("full", "no-bench"), "bench");
    assert!(told.starts_with("arm full: `bench` says nothing; expected "), "{told}");
}

#[test]
fn a_search_without_node_count_is_no_proof() {
    let arms = [arm("base", "mute=4"), arm("full", "mute=4")];
    let told = prove(&arms, &[], &Cancel::new()).0.unwrap_err().to_string();
    let place = "in search 4 (proof of the same tree, lane test)";
    let what = "no node count before `bestmove` on 4k3/8/8/8/8/8/8/4K3 w - - 0 1; expected `info … nodes N …` before it";
    let expected = ["base", "full"].map(|arm| format!("arm {arm} {place}: {what}"));
    assert!(expected.contains(&told), "{told}");
    // Where there is no move nothing is searched.
    prove(&["base", "full"].map(|name| arm(name, "mated=4")), &[], &Cancel::new()).0.unwrap();
}

#[test]
fn a_death_ends_the_proof_for_all() {
    let arms = [arm("base", "work=100000"), arm("full", "die=1")];
    let (result, _) = prove(&arms, &[], &Cancel::new());
    assert!(matches!(&result, Err(Refusal::Fault(Fault::Died { arm, .. })) if arm == "full"), "{result:?}");
}

#[test]
fn cancelled_before_it_began() {
    let cancel = Cancel::new();
    cancel.cancel();
    let (result, told) = prove(&[arm("base", ""), arm("full", "")], &["bench"], &cancel);
    assert!(matches!(result, Err(Refusal::Fault(Fault::Cancelled))));
    assert_eq!(told, 0);
}
