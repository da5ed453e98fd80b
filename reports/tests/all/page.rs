//! The page holds what it must, and nothing from elsewhere.

use std::collections::BTreeSet;

use protocol::plan::{LayoutPart, PartState};
use protocol::record::Unscattered;
use protocol::{PHASES, RUNS};
use reports::{ReportError, html};
use roxmltree::Node;

use super::document::{by_id, parsed, tagged, text};
use super::sample::Sample;

const MOST_BYTES: usize = 1_500_000;

#[test]
fn every_component_and_the_bundle_stand_in_the_verdict_table() {
    let sample = Sample::mixed();
    let page = html(&sample.trial()).unwrap();
    let document = parsed(&page);
    let verdict = by_id(&document, "verdict");
    let rows: Vec<String> = tagged(verdict, "tbody").map(text).collect();
    let expected = [
        ("threats-i8", "✓ proven"),
        ("eval-cache", "✓ proven"),
        ("acc512", "✗ not proven not positive enough"),
        ("prefetch", "✗ not proven too scattered"),
        ("whole bundle", "✓ proven"),
    ];
    assert_eq!(rows.len(), expected.len());
    for (row, (name, word)) in rows.iter().zip(expected) {
        assert!(row.starts_with(name), "{row}");
        assert!(row.contains(word) || row.replace("not proven", "not proven ").contains(word), "{row}");
    }
    let heading = text(tagged(document.root(), "h1").next().unwrap());
    assert_eq!(heading, "Not proven: bundle teacher-small");
    let said = text(verdict);
    assert!(
        said.contains("acc512 on lane main: not positive enough: 6 of 8 run values above zero, 7 needed"),
        "{said}"
    );
    assert!(said.contains("prefetch on lane main: too scattered: run 5, phase 3, 3.34 points"), "{said}");
    assert!(said.contains("9/256 ≈ 3.5 %"));
}

#[test]
fn every_lane_shows_its_96_phase_values_and_8_run_values() {
    for sample in [Sample::mixed(), Sample::proven()] {
        let page = html(&sample.trial()).unwrap();
        let document = parsed(&page);
        let subjects = sample.verdict.components.len() + 1;
        for number in 1..=subjects {
            let section = by_id(&document, &format!("subject-{number}"));
            let lanes = match sample.verdict.components.get(number - 1) {
                Some(component) => &component.lanes,
                None => &sample.verdict.bundle.lanes,
            };
            let plots: Vec<Node> = tagged(section, "svg").collect();
            let of = |kind: &str| -> Vec<Node> {
                plots
                    .iter()
                    .copied()
                    .filter(|p| p.attribute("aria-label").is_some_and(|l| l.starts_with(kind)))
                    .collect()
            };
            let (strips, runs, cumulative) =
                (of("Phase values of"), of("Run values of"), of("Cumulative mean of"));
            assert_eq!((strips.len(), runs.len(), cumulative.len()), (lanes.len(), lanes.len(), lanes.len()));
            for ((lane, strip), run_plot) in lanes.iter().zip(strips).zip(runs) {
                let notes: BTreeSet<String> = tagged(strip, "circle").map(text).collect();
                assert_eq!(notes.len(), RUNS * PHASES);
                let first = format!("run 1, phase 1: {:+.2}", lane.phases[0][0]).replace('-', "−");
                assert!(notes.contains(&first), "{first}");
                let solid =
                    tagged(run_plot, "circle").filter(|c| c.attribute("fill") == Some("var(--pass)")).count();
                let rings =
                    tagged(run_plot, "circle").filter(|c| c.attribute("fill") == Some("none")).count();
                assert_eq!(rings, lane.later_runs.iter().filter(|&&later| !later).count());
                assert!(solid <= RUNS - rings);
            }
            assert!(text(section).contains(if number == subjects {
                "base"
            } else {
                "full against without:"
            }));
        }
    }
}

#[test]
fn a_value_outside_the_band_is_crossed() {
    let sample = Sample::mixed();
    let page = html(&sample.trial()).unwrap();
    let document = parsed(&page);
    let crosses = |number: usize| {
        let section = by_id(&document, &format!("subject-{number}"));
        let strip = tagged(section, "svg").next().unwrap();
        let lines = tagged(strip, "line").chain(tagged(strip, "polyline"));
        lines.filter(|line| line.attribute("stroke") == Some("var(--fail)")).count()
    };
    assert_eq!((crosses(1), crosses(4)), (0, 2));
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let sample = Sample::proven();
    let page = html(&sample.trial()).unwrap();
    assert!(page.len() < MOST_BYTES, "{} bytes", page.len());
    let without_namespace = page.replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "src=", "<link", "<script", "@import", "url("] {
        assert!(!without_namespace.contains(outside), "{outside}");
    }
    let document = parsed(&page);
    let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "ids are unique");
    for link in tagged(document.root(), "a") {
        let target = link.attribute("href").and_then(|href| href.strip_prefix('#')).expect("an anchor");
        assert!(ids.contains(&target), "#{target}");
    }
}

#[test]
fn plots_are_named_and_follow_the_scheme() {
    let page = html(&Sample::mixed().trial()).unwrap();
    let document = parsed(&page);
    for plot in tagged(document.root(), "svg") {
        let hidden = plot.attribute("aria-hidden") == Some("true");
        let named = plot.attribute("role") == Some("img")
            && plot.attribute("aria-label").is_some_and(|l| l.len() > 10);
        assert!(hidden || named);
        for node in plot.descendants() {
            for colour in ["fill", "stroke"].into_iter().filter_map(|name| node.attribute(name)) {
                assert!(colour == "none" || colour.starts_with("var(--"), "{colour}");
            }
        }
    }
}

#[test]
fn evidence_is_there() {
    let sample = Sample::proven();
    let page = html(&sample.trial()).unwrap();
    let document = parsed(&page);
    let said = text(by_id(&document, "evidence"));
    assert!(said.contains(&sample.plan_id) && said.contains(&sample.verdict.records_sha256));
    for (arm, build) in sample.plan.arms.iter().zip(&sample.plan.builds[0].arms) {
        assert!(said.contains(&build.inputs_sha256) && said.contains(&build.command), "{}", arm.name);
    }
    for words in [
        "4 later, 4 earlier",
        "Instructions a cycle",
        "2.00",
        "192 draws",
        "does not know scheme synthetic/1",
    ] {
        assert!(said.contains(words), "{words}");
    }
    let mixed = html(&Sample::mixed().trial()).unwrap();
    let document = parsed(&mixed);
    let said = text(by_id(&document, "evidence"));
    for words in ["not offered by this machine", "Merged constants", "99.5 %", "512 KiB of memory"] {
        assert!(said.contains(words), "{words}");
    }
}

#[test]
fn the_time_is_there_if_it_was_kept() {
    let page = html(&Sample::proven().trial()).unwrap();
    let document = parsed(&page);
    let time = by_id(&document, "time");
    let rows: Vec<String> = tagged(time, "tr").skip(1).map(text).collect();
    assert_eq!(rows, ["starting processes30.0 s5.0 %", "the slots themselves9.5 min95.0 %"]);
    let said = text(time);
    assert!(said.contains("The trial took 10.0 min"), "{said}");
    assert!(
        said.contains(
            "192 draws relinked 768 executables: 0.20 s of work for a draw of all arms, 54 ms for one"
        ),
        "{said}"
    );
    assert!(
        said.contains(
            "Paused after run 3, from 2026-01-02T03:04:05Z to 2026-01-02T05:10:05Z, 2.1 h in all; none of that is in"
        ),
        "{said}"
    );
    let mut whole = Sample::proven();
    whole.timing.as_mut().expect("a timing").pauses.clear();
    assert!(!html(&whole.trial()).unwrap().contains("Paused after"));
    assert!(!html(&Sample::mixed().trial()).unwrap().contains("Where the time went"));
}

#[test]
fn hostile_names_stay_text() {
    let name = "<script>alert(1)</script>&\"'";
    let spec = protocol::synthetic::Spec::new(&[(name, 2.0), ("plain", 2.0)], 3);
    let sample = Sample::new(&spec, |plan, records| {
        plan.bundle = "</title><img src=x>".to_owned();
        plan.notes = vec!["<script>note</script>".to_owned()];
        plan.arms[2].options.insert("<img src=y>".to_owned(), "<img>".to_owned());
        plan.builds[0].arms[0].command = "cc <script> </code>".to_owned();
        plan.layout.parts.push(LayoutPart { part: "<script>".to_owned(), state: PartState::Drawn });
        for record in records {
            record.draw.shared.insert("<script>".to_owned(), (1, 2));
            record.draw.unscattered = Unscattered::new(vec!["</code><script>".to_owned()]);
        }
    });
    let page = html(&sample.trial()).unwrap();
    for markup in ["<script", "<img", "</title>&"] {
        assert!(!page.contains(markup), "{markup}");
    }
    let document = parsed(&page);
    assert!(text(by_id(&document, "verdict")).contains(name));
}

#[test]
fn same_trial_same_bytes() {
    assert_eq!(html(&Sample::mixed().trial()).unwrap(), html(&Sample::mixed().trial()).unwrap());
}

#[test]
fn parts_of_two_trials_are_refused() {
    let (one, other) = (Sample::mixed(), Sample::proven());
    let mut trial = one.trial();
    trial.verdict = &other.verdict;
    let error = html(&trial).unwrap_err();
    assert!(matches!(&error, ReportError::Mismatch { what, .. } if what == "plan id"), "{error}");
    let mut verdict = one.verdict.clone();
    verdict.components[2].lanes[0].phases[4].pop();
    let error = html(&reports::Trial { verdict: &verdict, ..one.trial() }).unwrap_err().to_string();
    assert!(error.contains("acc512 on lane main") && error.contains("12 12 12 12 11 12 12 12"), "{error}");
}

#[test]
fn a_large_bundle_stays_small() {
    let names: Vec<String> = (1..=8).map(|number| format!("component-with-a-long-name-{number}")).collect();
    let components: Vec<(&str, f64)> = names.iter().map(|name| (name.as_str(), 1.0)).collect();
    let mut spec = protocol::synthetic::Spec::new(&components, 17);
    for lane in ["scalar", "avx2"] {
        spec = spec.with_lane(lane, &[-1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 9.0]);
    }
    spec.noise = 1.2;
    let sample = Sample::new(&spec, |_, _| {});
    let page = html(&sample.trial()).unwrap();
    let lanes = sample.verdict.components.iter().flat_map(|component| &component.lanes);
    let unproven = lanes.chain(&sample.verdict.bundle.lanes).filter(|comparison| !comparison.passed).count();
    assert!(page.contains(&format!("and {} more", unproven - 6)), "{unproven}");
    assert!(page.len() < MOST_BYTES, "{} bytes", page.len());
}

#[test]
fn attempts_are_told_on_the_first_screen_and_in_the_evidence() {
    let spec = protocol::synthetic::Spec::new(&[("one", 2.0)], 4);
    let sample = Sample::new(&spec, |plan, _| plan.attempt = Some(2));
    let page = html(&sample.trial()).unwrap();
    let document = parsed(&page);
    assert!(text(by_id(&document, "verdict")).contains("Attempt 2 at this bundle: 2 attempts, and 9/256"));
    assert!(text(by_id(&document, "fixed")).contains("Attempts at this bundle, with this one2"));
}
