//! The question for the tree, asked of a real repository.

use super::lab::Repository;

const TREE: &str = "[engine]\nexecutable = \"engine\"\n[tree]\n";

#[test]
fn a_tree_is_held_against_the_commits_message() {
    let repository = Repository::with_commit(TREE, "Begin\n\nBench: 4242");
    repository.gate(&["tree"]).ends_with(0).says("held").says("4,242 nodes").says("as commit");
    repository.commit("Change the docs");
    repository.gate(&[]).ends_with(0).says("the last one that tells a count, says");
    repository.commit("Prune more\n\nBench: 4000");
    repository
        .gate(&[])
        .ends_with(4)
        .says("lost")
        .says("4,000 nodes → 4,242 nodes")
        .says("write `Bench: 4242`");
    repository.gate(&["--commit", "HEAD~1"]).ends_with(0);
    repository
        .gate(&["--commit", "nowhere"])
        .ends_with(0)
        .says("cannot say")
        .says("git does not know the commit");
    repository.gate(&["--commit", "nowhere", "--strict"]).ends_with(6);
}

#[test]
fn a_merge_that_says_nothing_cannot_be_judged_by_its_parents() {
    let repository = Repository::with_commit(TREE, "Begin\n\nBench: 1");
    repository.git(&["checkout", "-q", "-b", "other"]);
    repository.commit("Other\n\nBench: 2");
    repository.git(&["checkout", "-q", "main"]);
    repository.commit("Main\n\nBench: 3");
    repository.git(&["merge", "-q", "--no-ff", "-m", "Merge", "other"]);
    repository.gate(&[]).ends_with(0).says("cannot say").says("has no line `Bench: N`, there is no baseline");
}

#[test]
fn a_tree_is_held_against_the_baseline() {
    let repository = Repository::new(TREE);
    repository.gate(&[]).ends_with(0).says("cannot say").says("git says").says("there is no baseline");
    repository.gate(&["--update-baseline"]).ends_with(0).says("results/baseline/tree.json");
    insta::assert_snapshot!(repository.read("results/baseline/tree.json"));
    repository.gate(&[]).ends_with(0).says("held").says("as recorded");
    repository.engine("engine", "bench=4243");
    repository.gate(&[]).ends_with(4).says("4,242 nodes → 4,243 nodes");
    repository.gate(&["--update-baseline"]).ends_with(0).says("  bench: 4,242 nodes → 4,243 nodes\n");
    repository.gate(&["--update-baseline"]).ends_with(0).says("results/baseline/tree.json: as before\n");
    repository.gate(&["--strict"]).ends_with(0).says("held");
}

#[test]
fn what_counts_first_can_be_said() {
    let first = "[engine]\nexecutable = \"engine\"\n[tree]\nagainst = [\"baseline\", \"commit\"]\n";
    let repository = Repository::with_commit(first, "Begin\n\nBench: 1");
    repository.gate(&[]).ends_with(4).says("as commit");
    repository.gate(&["--update-baseline"]).ends_with(0);
    repository.gate(&[]).ends_with(0).says("as recorded");
}

#[test]
fn a_soft_limit_only_warns() {
    let soft = format!("{TREE}limit = \"soft\"\n");
    let repository = Repository::with_commit(&soft, "Begin\n\nBench: 1");
    repository.gate(&["--strict"]).ends_with(0).says("lost (warning)").says("✔ held (1 lost)");
}
