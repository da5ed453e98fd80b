//! The page and the table of a sweep.

use protocol::sweep::Sweep;
use protocol::sweep::synthetic::{Truth, sweep};
use reports::sweep::{answer, html, table};
use roxmltree::Document;

const TRUTH: Truth =
    Truth { layouts: 20, together: 4, rounds: 8, layout_sd: 0.3, noise_sd: 0.4, phase_sd: 2.0 };

fn swept(truth: Truth, gain: Option<f64>, relinked: bool) -> Sweep {
    sweep(&truth, 7, gain, relinked).expect("a sweep")
}

#[test]
fn the_page_stands_alone_and_says_the_answer() {
    let sweep = swept(TRUTH, Some(0.5), true);
    let page = html(&sweep).expect("a page");
    assert!(page.contains(&answer(&sweep)), "{}", answer(&sweep));
    for needed in ["as linked", "your 0.5 %", "Seed", "synthetic/1, 7", "Your gain"] {
        assert!(page.contains(needed), "{needed}");
    }
    for foreign in ["<script", "src=", "@import", "url(", "http://", "https://"] {
        let own = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!own.contains(foreign), "{foreign}");
    }
    assert!(!page.contains("Start-up layouts only"));
    // Three plots, well formed, with a tool tip for each drawn layout in two of them.
    let plots: Vec<&str> = page.split("<svg xmlns").skip(1).collect();
    assert_eq!(plots.len(), 3);
    let mut tips = 0;
    for plot in plots {
        let svg = format!("<svg xmlns{}", &plot[..plot.find("</svg>").expect("an end") + 6]);
        let tree = Document::parse(&svg).expect("well formed");
        assert!(tree.root_element().attribute("aria-label").is_some_and(|label| label.len() > 40));
        tips += tree.descendants().filter(|node| node.tag_name().name() == "title").count();
    }
    assert_eq!(tips, 40);
    assert_eq!(html(&sweep).expect("a page"), page, "same sweep, same bytes");
}

#[test]
fn only_starts_are_told_first() {
    let sweep = swept(TRUTH, None, false);
    let table = table(&sweep).expect("a table");
    assert!(table.starts_with("Start-up layouts only"), "{table}");
    let page = html(&sweep).expect("a page");
    let (first, answered) = (page.find("Start-up layouts only"), page.find("Layout alone makes"));
    assert!(first.is_some() && first < answered);
}

#[test]
fn answers_depend_on_what_was_found() {
    let none = swept(Truth { layout_sd: 0.0, ..TRUTH }, Some(2.0), true);
    let text = answer(&none);
    assert!(text.starts_with("No effect of layout can be told from the noise"), "{text}");
    assert!(
        text.contains("differ by 2 % or more") && text.ends_with("layout alone hardly explains it."),
        "{text}"
    );
    let text = answer(&swept(Truth { layout_sd: 1.0, ..TRUTH }, Some(0.5), true));
    assert!(text.ends_with("layout alone explains it well enough."), "{text}");
    let sweep = swept(TRUTH, Some(0.8), true);
    let text = answer(&sweep);
    assert!(text.ends_with("layout alone may explain it."), "{text}: {:?}", sweep.spread.gain);
}

#[test]
fn the_table_lists_every_layout_by_speed() {
    let sweep = swept(TRUTH, None, true);
    let table = table(&sweep).expect("a table");
    let rows: Vec<&str> = table.lines().skip(1).take(21).collect();
    assert!(rows.iter().any(|row| row.trim_start().starts_with("as linked")), "{table}");
    let value = |row: &&str| -> f64 {
        let words: Vec<&str> = row.split_whitespace().collect();
        words[3].parse().expect("a number")
    };
    assert!(rows.windows(2).all(|pair| value(&pair[0]) >= value(&pair[1])), "{table}");
    assert!(table.contains("(800 of 800)") || table.contains("99.5 %"), "{table}");
    assert!(table.trim_end().ends_with("% or more."), "{table}");
}

#[test]
fn a_sweep_that_does_not_agree_with_itself_is_refused() {
    let mut sweep = swept(TRUTH, None, true);
    sweep.spread.values.pop();
    let error = html(&sweep).expect_err("one value is missing").to_string();
    assert!(error.contains("21 layouts") && error.contains("found 20"), "{error}");
}

#[test]
fn many_layouts_and_extreme_values_still_fit() {
    let many = swept(Truth { layouts: 200, rounds: 2, ..TRUTH }, None, true);
    assert!(html(&many).expect("a page").len() < 400_000);
    let exact = swept(Truth { noise_sd: 0.0, phase_sd: 0.0, ..TRUTH }, None, true);
    assert!(html(&exact).is_ok());
    let nothing = swept(Truth { noise_sd: 0.0, layout_sd: 0.0, phase_sd: 0.0, ..TRUTH }, Some(1.0), true);
    assert!(html(&nothing).is_ok());
}
