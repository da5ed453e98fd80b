//! Plots as files of their own.

use std::collections::BTreeSet;

use reports::{MARK, Plot, plots};
use roxmltree::Document;

use super::sample::Sample;

fn drawn(sample: &Sample) -> Vec<Plot> {
    plots(&sample.trial()).unwrap()
}

#[test]
fn every_comparison_has_its_plots_and_names_are_unique() {
    let sample = Sample::proven();
    let plots = drawn(&sample);
    let names: BTreeSet<&str> = plots.iter().map(|plot| plot.name.as_str()).collect();
    assert_eq!(names.len(), plots.len());
    for name in [
        "forest",
        "lanes",
        "noise",
        "strips-prefetch-main",
        "runs-eval-cache-avx512",
        "cumulative-whole-bundle-main",
        "stack",
    ] {
        assert!(names.contains(name), "{name}: {names:?}");
    }
    let one_lane = drawn(&Sample::mixed());
    assert!(!one_lane.iter().any(|plot| plot.kind == "lanes"), "one lane has nothing beside it");
}

#[test]
fn each_stands_alone_with_title_and_description() {
    for plot in drawn(&Sample::two_builds()) {
        let tree = Document::parse(&plot.svg).unwrap_or_else(|error| panic!("{}: {error}", plot.name));
        let root = tree.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        let text = |id: &str| {
            let of = |node: &roxmltree::Node| node.attribute("id") == Some(id);
            tree.descendants().find(of).and_then(|node| node.text()).unwrap_or_default().to_owned()
        };
        assert!(text("title").len() > 8 && text("desc").len() > 20, "{}", plot.name);
        assert!(plot.svg.contains(MARK) && plot.svg.contains("prefers-color-scheme: dark"));
        let inside = plot.svg.replace("http://www.w3.org/2000/svg", "");
        for outside in ["http:", "https:", "href", "@import", "url(", "<script"] {
            assert!(!inside.contains(outside), "{}: {outside}", plot.name);
        }
        for node in tree.descendants() {
            for colour in ["fill", "stroke"].into_iter().filter_map(|name| node.attribute(name)) {
                assert!(colour == "none" || colour.starts_with("var(--"), "{}: {colour}", plot.name);
            }
        }
    }
}

#[test]
fn lanes_side_by_side_tell_both() {
    let plots = drawn(&Sample::locked());
    let lanes = plots.iter().find(|plot| plot.kind == "lanes").expect("two lanes");
    let verdict = &Sample::locked().verdict;
    for lane in &verdict.components[1].lanes {
        let median = format!("{} {:+.2}", lane.lane, lane.median).replace('-', "−");
        assert!(lanes.svg.contains(&median), "{median}");
    }
}

#[test]
fn same_trial_same_plots() {
    assert_eq!(drawn(&Sample::mixed()), drawn(&Sample::mixed()));
}
