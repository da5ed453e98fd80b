//! The evidence on layouts, arms and builds.

use protocol::plan::{LayoutPart, PartState};
use reports::html;
use roxmltree::Node;

use super::document::{by_id, parsed, tagged, text};
use super::sample::Sample;

/// The rows of the table whose caption starts so, cell by cell.
fn rows(part: Node, caption: &str) -> Vec<Vec<String>> {
    let table = tagged(part, "table")
        .find(|table| tagged(*table, "caption").any(|found| text(found).starts_with(caption)))
        .unwrap_or_else(|| panic!("no table {caption}"));
    let cells = |row: Node| row.children().filter(Node::is_element).map(text).collect();
    tagged(table, "tr").skip(1).map(cells).collect()
}

fn page(sample: &Sample) -> String {
    html(&sample.trial()).unwrap()
}

#[test]
fn every_part_says_what_became_of_it_and_what_was_seen() {
    let page = page(&Sample::two_builds());
    let document = parsed(&page);
    let rows = rows(by_id(&document, "layout"), "Parts of the layout");
    let states: Vec<(&str, &str)> = rows.iter().map(|row| (row[0].as_str(), row[1].as_str())).collect();
    let drawn = "✓ drawn";
    let expected = [
        ("Order", drawn),
        ("Padding", drawn),
        ("Phase in the cache line", drawn),
        ("Segments", drawn),
        ("Heap start", drawn),
        ("Stack", "✗ fixed by the bundle"),
        ("Mapping base", drawn),
        ("File copy", drawn),
        ("Engine's own tables", drawn),
        ("colour", "✗ not scattered"),
    ];
    assert_eq!(states, expected);
    assert_eq!(rows[0][3], "192 different executables of every arm in 192 draws");
    assert!(rows[4][3].contains(" different values in 192 draws"), "{:?}", rows[4]);
    assert_eq!(rows[5][3], "0 B in all of 384 starts");
    assert!(rows[6][3].contains(" different values in 384 starts"), "{:?}", rows[6]);
    assert_eq!(rows[7][3], "1,536 processes, each from a copy of its own");
    assert!(
        rows[8][3].starts_with("option set to ") && rows[8][3].ends_with("in 384 starts"),
        "{:?}",
        rows[8]
    );
    let fixed = text(by_id(&document, "fixed"));
    assert!(
        fixed.contains("Option that draws the engine's own tablesTable Layout, from 0 to 999"),
        "{fixed}"
    );
    assert_eq!(rows[9][2], "A part that this report does not know.");
}

#[test]
fn ranges_are_those_of_the_records() {
    let sample = Sample::mixed();
    let page = page(&sample);
    let document = parsed(&page);
    let rows = rows(by_id(&document, "layout"), "Parts of the layout");
    let mut offsets: Vec<u64> = sample
        .records
        .iter()
        .filter(|record| record.arm == "full")
        .map(|record| record.draw.stack_offset)
        .collect();
    offsets.sort_unstable();
    let (low, high, starts) = (offsets[0], offsets[offsets.len() - 1], offsets.len());
    offsets.dedup();
    let high = format!("{},{:03}", high / 1000, high % 1000);
    let stack = rows.iter().find(|row| row[0] == "Stack").expect("a row");
    assert_eq!(
        stack[3],
        format!("{low} B to {high} B, {} different values in {starts} starts", offsets.len())
    );
}

#[test]
fn executables_are_counted_with_the_first_part_that_is_drawn_in_them() {
    let spec = protocol::synthetic::Spec::new(&[("one", 2.0)], 4);
    let sample = Sample::new(&spec, |plan, _| {
        let part = |part: &str, state| LayoutPart { part: part.to_owned(), state };
        plan.layout.parts = vec![part("order", PartState::Fixed), part("padding", PartState::Drawn)];
    });
    let page = page(&sample);
    let document = parsed(&page);
    let rows = rows(by_id(&document, "layout"), "Parts of the layout");
    let seen: Vec<&str> = rows.iter().map(|row| row[3].as_str()).collect();
    assert_eq!(seen, ["–", "96 different executables of every arm in 96 draws"]);
}

#[test]
fn a_drawn_part_that_never_differs_is_noticed() {
    let spec = protocol::synthetic::Spec::new(&[("one", 2.0)], 4);
    let sample =
        Sample::new(&spec, |_, records| records.iter_mut().for_each(|record| record.draw.stack_offset = 96));
    let page = page(&sample);
    let document = parsed(&page);
    let rows = rows(by_id(&document, "layout"), "Parts of the layout");
    let stack = rows.iter().find(|row| row[0] == "Stack").expect("a row");
    assert_eq!(
        (stack[1].as_str(), stack[3].as_str()),
        ("✗ drawn, yet always alike", "96 B in all of 192 starts")
    );
}

#[test]
fn the_share_at_equal_addresses_stands_by_section_with_what_is_known_of_the_rest() {
    let page = page(&Sample::two_builds());
    let document = parsed(&page);
    let layout = by_id(&document, "layout");
    let rows = rows(layout, "Units that an arm has in common");
    let sections: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(sections, [".text", ".rodata", ".tbss", "all sections"]);
    assert_eq!(rows[0][2..], ["580", "✓ all in every draw (100 %)", "–"]);
    assert_eq!(rows[2][2..], ["7", "✗ 6 of 7 (85.7 %) to 7 of 7 (100.0 %)", "base on main, run 1, phase 1"]);
    assert_eq!(rows[3][2..4], ["1,011", "✗ 1,010 of 1,011 (99.9 %) to 1,011 of 1,011 (100.0 %)"]);
    assert!(text(layout).contains("In .tbss not all units that arms have in common lie at equal addresses"));
    let other = html(&Sample::mixed().trial()).unwrap();
    let document = parsed(&other);
    assert!(!text(by_id(&document, "layout")).contains("not all units"));
}

#[test]
fn unscattered_data_is_named_for_every_arm_and_lane() {
    let page = page(&Sample::two_builds());
    let document = parsed(&page);
    let rows = rows(by_id(&document, "layout"), "Static data that no draw scatters");
    assert_eq!(rows.len(), 2);
    for (row, lane) in rows.iter().zip(["main", "clang-avx512"]) {
        assert_eq!(row[..4], ["without:big-table", lane, "192 of 192", "15"]);
        assert!(
            row[4].starts_with("COMMON:table_00, ") && row[4].ends_with("COMMON:table_11 and 3 more"),
            "{row:?}"
        );
        assert_eq!(row[5], "✗ the component is not proven");
    }
    let other = html(&Sample::proven().trial()).unwrap();
    assert!(
        text(by_id(&parsed(&other), "layout")).contains("In no draw did static data that no draw scatters")
    );
}

#[test]
fn prebuilt_arms_have_no_tables_of_what_moved() {
    let page = page(&Sample::limited());
    let document = parsed(&page);
    let layout = by_id(&document, "layout");
    assert_eq!(tagged(layout, "table").count(), 1);
    let rows = rows(layout, "Parts of the layout");
    assert!(rows[..5].iter().all(|row| row[1] == "✗ not scattered" && row[3] == "–"), "{rows:?}");
    assert!(rows[5..].iter().all(|row| row[1] == "✓ drawn"), "{rows:?}");
    let unscattered = text(by_id(&document, "unscattered"));
    assert!(unscattered.contains("Everything inside the executables"), "{unscattered}");
    assert!(text(by_id(&document, "limits")).contains("The executables were not relinked"));
}

#[test]
fn options_that_make_the_arms_are_shown() {
    let page = page(&Sample::limited());
    let document = parsed(&page);
    let arms = by_id(&document, "arms");
    let expected = [
        ["base", "eval-cache = false, prefetch = false"],
        ["full", "eval-cache = true, prefetch = true"],
        ["without:prefetch", "eval-cache = true, prefetch = false"],
        ["without:eval-cache", "eval-cache = false, prefetch = true"],
    ];
    assert_eq!(rows(arms, "UCI options that make the arms"), expected);
    assert_eq!(rows(arms, "Builds"), [["all 4 arms", "12,000,000 B", "prebuilt: bin/engine"]]);
    let other = html(&Sample::mixed().trial()).unwrap();
    assert!(!text(by_id(&parsed(&other), "arms")).contains("UCI options that make the arms"));
}

#[test]
fn build_sets_stand_apart_with_their_differences() {
    let page = page(&Sample::two_builds());
    let document = parsed(&page);
    let arms = by_id(&document, "arms");
    let expected = [
        ["gcc", "main", "bench 4,031,122", "11.4 MiB", "CXX='g++ … -march=x86-64-v3'"],
        [
            "clang-avx512",
            "clang-avx512",
            "bench 4,031,122",
            "11.4 MiB",
            "CXX='clang++ … -march=x86-64-v4 -flto=thin'",
        ],
    ];
    assert_eq!(rows(arms, "Build sets"), expected);
    for set in ["gcc, lane main", "clang-avx512, lane clang-avx512"] {
        let names: Vec<String> =
            rows(arms, &format!("Builds of set {set}")).into_iter().map(|row| row[0].clone()).collect();
        assert_eq!(names, ["base", "full", "without:prefetch", "without:big-table"]);
    }
    let marked: Vec<String> = tagged(arms, "u").map(text).collect();
    assert!(
        marked.iter().any(|word| word == "-DNO_PREFETCH") && !marked.iter().any(|word| word == "-O3"),
        "{marked:?}"
    );
    assert_eq!(rows(arms, "Components")[0][3..], ["+4,096 B", "+4,096 B"], "one column for every set");
    assert!(text(by_id(&document, "fixed")).contains("clang-avx512 for lane clang-avx512, bench 4,031,122"));
}

#[test]
fn quarters_of_a_cache_line_are_shown_where_they_were_counted() {
    let page = page(&Sample::proven());
    let document = parsed(&page);
    let plot = tagged(by_id(&document, "layout"), "svg")
        .find(|plot| plot.attribute("aria-label").is_some_and(|label| label.contains("cache line")))
        .expect("a plot");
    let label = plot.attribute("aria-label").expect("a label");
    // Of 583 functions 143 to 146 start in the first quarter, depending on the draw.
    assert!(label.contains("bytes 0–15 24.8 %, in single draws 24.5 % to 25.0 %"), "{label}");
    let other = html(&Sample::mixed().trial()).unwrap();
    let said = text(by_id(&parsed(&other), "layout"));
    assert!(!said.contains("quarter of a cache line") && said.contains("was not counted when"), "{said}");
}
