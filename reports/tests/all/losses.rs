//! Losses, and what stands outside the verdict: what it would take, and what leaving out together shows.

use reports::{Trial, html, markdown, table};

use super::document::{by_id, parsed, tagged, text};
use super::sample::Sample;

#[test]
fn a_lock_is_told_before_everything_else() {
    let sample = Sample::locked();
    let trial = sample.trial();
    assert!(!sample.verdict.proven && sample.verdict.bundle.passed);
    let lane = "lane avx512: component eval-cache costs speed and did not declare it";
    let memory = "component eval-cache costs memory and did not declare it: 54.1 MiB in full, 48.1 MiB without eval-cache";
    assert!(table(&trial).starts_with(&format!("LOCKED: {lane}")), "{}", table(&trial));
    assert!(markdown(&trial).starts_with(&format!("> **Locked:** {lane}")), "{}", markdown(&trial));
    let page = html(&trial).unwrap();
    let document = parsed(&page);
    let verdict = text(by_id(&document, "verdict"));
    assert!(verdict.starts_with(&format!("Locked:✗ {lane}")), "{verdict}");
    for report in [table(&trial), verdict] {
        assert!(report.contains(memory), "{report}");
        assert!(!report.contains("costs start-up time and"), "it was declared: {report}");
    }
    assert_eq!(text(tagged(document.root(), "h1").next().unwrap()), "Not proven, locked: bundle synthetic");
    let losses = by_id(&document, "losses");
    let marked = |word: &str| tagged(losses, "td").filter(|cell| text(*cell).contains(word)).count();
    // On both lanes against the component and against base; speed on one lane.
    assert_eq!(marked("not declared: locked"), 5);
    assert_eq!(marked("declared by eval-cache"), 4);
    assert!(text(losses).contains("processors without BMI2"));
}

#[test]
fn trials_without_losses_have_no_word_of_them() {
    let mut sample = Sample::overlapping();
    (sample.plan.format, sample.plan.tool.evaluator) = (2, 2);
    (sample.plan.tolerance, sample.plan.diagnostics, sample.diagnostics) = (None, None, None);
    let plan_id = protocol::plan_id(&sample.plan).unwrap();
    let verdict = protocol::judge(&sample.plan, &sample.records, "").unwrap();
    let trial = Trial { plan_id: &plan_id, verdict: &verdict, ..sample.trial() };
    let page = html(&trial).unwrap();
    let page = page.split_once("<body>").expect("a body").1;
    for report in [page.to_owned(), table(&trial), markdown(&trial)] {
        for word in ["Locked", "Losses", "would take", "iagnostics", "Carry-over</th>"] {
            assert!(!report.contains(word), "{word}: {report}");
        }
    }
}

#[test]
fn what_was_not_proven_is_told_with_what_it_would_take() {
    let sample = Sample::overlapping();
    let page = html(&sample.trial()).unwrap();
    let verdict = text(by_id(&parsed(&page), "verdict"));
    let table = table(&sample.trial());
    for said in [
        "Bundle proven, components not: the gain of the whole does not say what each part is worth.",
        "cache-b on main: nothing, for it costs speed: the bundle without it is a new candidate",
        "the bundle without it is a new candidate",
        "cache-a and cache-b left out together on main: +3.",
        "They overlap: each covers for the other when it alone is left out",
    ] {
        assert!(verdict.contains(said), "{said}: {verdict}");
        assert!(table.contains(said), "{said}: {table}");
    }
}

#[test]
fn components_that_cover_for_each_other_are_noticed_without_diagnostics() {
    let mut sample = Sample::overlapping();
    (sample.plan.diagnostics, sample.diagnostics) = (None, None);
    sample.plan_id = protocol::plan_id(&sample.plan).unwrap();
    sample.verdict = protocol::judge(&sample.plan, &sample.records, "").unwrap();
    let said = "left out alone, the components show −0.73 points in all on main, the whole bundle +3.01: some cover for each \
                other. `[diagnostics] together` in the bundle tells which";
    let page = html(&sample.trial()).unwrap();
    let on_page = said.replace('`', "");
    assert!(text(by_id(&parsed(&page), "verdict")).contains(&on_page));
    assert!(table(&sample.trial()).contains(&said.replace('−', "-")), "{}", table(&sample.trial()));
    for other in [Sample::proven(), Sample::mixed(), Sample::locked()] {
        assert!(!table(&other.trial()).contains("cover for each other"));
    }
}

#[test]
fn diagnostics_that_broke_off_are_told_and_change_nothing_else() {
    let sample = Sample::overlapping();
    let whole = sample.diagnostics.as_deref().unwrap();
    for (records, why) in [
        (None, "there are no records of them"),
        (
            Some(&whole[..whole.len() - 1]),
            "they broke off before run 8, phase 3, lane main, arm without:cache-b+small",
        ),
    ] {
        let trial = Trial { diagnostics: records, ..sample.trial() };
        let table = table(&trial);
        assert!(table.contains(&format!("were not measured to their end: {why}")), "{table}");
        let page = html(&trial).unwrap();
        let document = parsed(&page);
        assert!(text(by_id(&document, "diagnostics")).contains(why));
        assert!(!text(by_id(&document, "verdict")).contains("overlap"));
    }
}

#[test]
fn both_balances_stand_in_the_report_with_their_counts() {
    let sample = Sample::proven();
    let page = html(&sample.trial()).unwrap();
    let document = parsed(&page);
    let order = text(by_id(&document, "order"));
    let balance = protocol::balance(&sample.plan).unwrap();
    for lane in &balance.lanes {
        let times = lane.follows[0][1];
        assert!(order.contains(&format!("full {times} times right after, {times} right before")), "{order}");
    }
    assert!(order.contains("4 later, 4 earlier"));
}
