//! What stands beside a verdict: that it is limited, notes, build sets, reasons.

use protocol::plan::TablesOption;
use reports::{ReportError, html, markdown, table};

use super::document::{by_id, parsed, tagged, text};
use super::sample::Sample;

#[test]
fn every_report_on_a_limited_verdict_says_so_first() {
    let sample = Sample::limited();
    let trial = sample.trial();
    let words = "prebuilt executables: only start-up layout and file copy could be drawn";
    for (report, first) in
        [(table(&trial), format!("LIMITED: {words}")), (markdown(&trial), format!("> **Limited:** {words}"))]
    {
        assert!(report.starts_with(&first), "{report}");
    }
    let page = html(&trial).unwrap();
    let document = parsed(&page);
    let verdict = by_id(&document, "verdict");
    assert!(text(verdict).starts_with(&format!("Limited: {words}")), "{}", text(verdict));
    let heading = text(tagged(document.root(), "h1").next().unwrap());
    assert_eq!(heading, "Proven, limited: bundle somebodys-engine");
    assert!(text(document.root()).starts_with("Proven, limited: somebodys-engine"), "the title");
    for row in tagged(verdict, "tbody").map(text) {
        assert!(row.contains("✓ proven") && row.contains("limited"), "{row}");
    }
}

#[test]
fn a_start_up_part_that_is_fixed_is_not_said_to_be_drawn() {
    let sample = Sample::limited();
    let mut plan = sample.plan.clone();
    plan.layout.tables = Some(TablesOption { option: "Table Layout".to_owned(), values: 8 });
    let said = table(&reports::Trial { plan: &plan, ..sample.trial() });
    assert!(
        said.contains("only start-up layout, the engine's own tables and file copy could be drawn."),
        "{said}"
    );
    plan.layout.parts.retain(|part| part.part != "stack");
    let said = table(&reports::Trial { plan: &plan, ..sample.trial() });
    assert!(
        said.starts_with("LIMITED: prebuilt executables: only mapping base and file copy could be drawn."),
        "{said}"
    );
}

#[test]
fn other_verdicts_are_not_called_limited() {
    for sample in [Sample::mixed(), Sample::proven(), Sample::two_builds()] {
        let trial = sample.trial();
        let page = html(&trial).unwrap();
        let page = page.split_once("<body>").expect("a body").1;
        for report in [table(&trial), markdown(&trial), page.to_owned()] {
            assert!(!report.to_lowercase().contains("limited"), "{report}");
        }
    }
}

#[test]
fn a_verdict_that_differs_from_its_plan_in_being_limited_is_refused() {
    let sample = Sample::limited();
    let mut verdict = sample.verdict.clone();
    verdict.limited = false;
    let error = html(&reports::Trial { verdict: &verdict, ..sample.trial() }).unwrap_err();
    assert!(matches!(&error, ReportError::Mismatch { what, .. } if what == "limited"), "{error}");
}

#[test]
fn notes_stand_beside_the_verdict() {
    for sample in [Sample::limited(), Sample::two_builds()] {
        let page = html(&sample.trial()).unwrap();
        let document = parsed(&page);
        let verdict = text(by_id(&document, "verdict"));
        let (table, markdown) = (table(&sample.trial()), markdown(&sample.trial()));
        let shown = markdown.split_once("<details>").expect("a fold").0;
        let note = &sample.plan.notes[0];
        let (before, _) = verdict.split_once(note).expect("on the first screen");
        assert!(!before.contains("Speed-up"), "before the table");
        assert!(table.contains(&format!("  ! {note}\n")), "{table}");
        assert!(shown.contains(&format!("- {note}\n")), "{shown}");
    }
}

#[test]
fn lanes_name_their_builds_where_there_are_several() {
    let sample = Sample::two_builds();
    let page = html(&sample.trial()).unwrap();
    let document = parsed(&page);
    let verdict = by_id(&document, "verdict");
    let row = text(tagged(verdict, "tbody").next().unwrap());
    assert!(row.contains("builds: gcc") && row.contains("builds: clang-avx512"), "{row}");
    assert!(text(verdict).contains("gcc for lane main, bench 4,031,122; clang-avx512 for lane clang-avx512"));
    let other = html(&Sample::proven().trial()).unwrap();
    assert!(!text(by_id(&parsed(&other), "verdict")).contains("builds:"));
}

#[test]
fn a_component_that_moves_unscattered_data_is_unproven_with_its_symbols() {
    let sample = Sample::two_builds();
    let page = html(&sample.trial()).unwrap();
    let document = parsed(&page);
    let said = "moves unscattered data, unproven whatever its numbers: the place of COMMON:table_00, COMMON:table_01, \
                COMMON:table_02, COMMON:table_03 and 11 more";
    let verdict = text(by_id(&document, "verdict"));
    assert!(verdict.contains(&format!("big-table on lanes main and clang-avx512: {said}")), "{verdict}");
    let (table, markdown) = (table(&sample.trial()), markdown(&sample.trial()));
    assert!(table.contains(&format!("  ✗ big-table on main: {said}")), "{table}");
    assert!(markdown.contains("✗ not proven: moves unscattered data |"), "{markdown}");
    assert!(markdown.replace("\\_", "_").contains(said), "{markdown}");
    let own = by_id(&document, "subject-2");
    let names: Vec<String> = tagged(own, "code").map(text).collect();
    let expected: Vec<String> = (0..12).map(|n| format!("COMMON:table_{n:02}")).collect();
    assert_eq!(names, [expected.clone(), expected].concat(), "on both lanes, all that are known");
    assert!(text(own).contains("15 static objects") && text(own).contains("and 3 more"));
    assert!(!text(by_id(&document, "subject-1")).contains("unscattered"));
}
