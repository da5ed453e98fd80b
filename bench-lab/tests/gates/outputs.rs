//! Every output of three reports: one with everything in it, one that is all held, one of nothing.

use std::collections::BTreeSet;
use std::path::Path;

use bench_lab::gate::outputs::{annotations, badge, json, junit, markdown, table, values};
use bench_lab::gate::report::Asked;
use bench_lab::gate::{
    Answer, Detail, Limits, Measured, Outcome, Place, Question, Report, Row, Side, State, Unit, Value,
};

fn limits(soft: f64, hard: f64) -> Limits {
    Limits::new(Some(soft), Some(hard)).expect("limits")
}

fn report(questions: &[Question], strict: bool, rows: Vec<Row>, details: Vec<Detail>) -> (Report, Outcome) {
    let value = |side, number, value| Value {
        question: Question::Size,
        benchmark: "start-up, \"cold\"".to_owned(),
        side,
        number,
        unit: Unit::Nanoseconds,
        value,
    };
    let values = vec![
        value(Side::Base, 1, 1_200_000.0),
        value(Side::BaseAgain, 1, 1_200_100.5),
        value(Side::Head, 1, 1_300_000.0),
    ];
    let asked = Asked {
        file: "ci/gate.toml".to_owned(),
        head: ".".to_owned(),
        base: Some("origin/main".to_owned()),
        strict,
        questions: questions.to_vec(),
    };
    Report::of(asked, vec![Answer { rows, details, values, baseline: None }])
}

/// Every state, every kind of limit, and texts that mean something to the formats.
fn full(strict: bool) -> Report {
    let place = |question, benchmark: &str, unit| Place::new(question, benchmark, unit);
    let counts = |base, head| Measured::exact(base, head).expect("a base");
    let rows = vec![
        Row::equal(place(Question::Tree, "bench", Unit::Nodes), 1_544_252, 1_544_252, true)
            .noted("as recorded"),
        Row::judged(
            place(Question::Size, "executable", Unit::Bytes),
            counts(3_400_000, 3_470_000),
            &limits(1.0, 5.0),
        ),
        Row::cannot_say(place(Question::Size, "memory", Unit::Bytes), &limits(1.0, 5.0), "no base"),
        Row::judged(
            place(Question::Size, "start-up", Unit::Nanoseconds),
            Measured::noisy(1_200_000.0, 1_201_000.0, 0.083, [-0.4, 0.5], Some(0.6)),
            &limits(0.5, 5.0),
        ),
        Row::void(
            place(Question::Instructions, "a|b *c* <d> `e`", Unit::Instructions),
            &limits(0.1, 0.3),
            "arm head died at `uci`:\nsignal SIGSEGV & \u{1b}[31m",
        ),
        Row::judged(
            place(Question::Instructions, "search", Unit::Instructions),
            counts(1_000_000_000, 1_012_500_000),
            &limits(0.1, 0.3),
        ),
    ];
    let detail = Detail {
        title: "Functions of `search` that grew".to_owned(),
        columns: ["function", "base", "head"].map(str::to_owned).to_vec(),
        rows: vec![["Vec<T>::push|pop", "100", "12500100"].map(str::to_owned).to_vec()],
    };
    let questions = [Question::Tree, Question::Size, Question::Instructions];
    report(&questions, strict, rows, vec![detail]).0
}

fn held() -> Report {
    let place = Place::new(Question::Tree, "bench", Unit::Nodes);
    report(&[Question::Tree], false, vec![Row::equal(place, 5, 5, true)], Vec::new()).0
}

fn nothing() -> Report {
    report(&[Question::Instructions], false, Vec::new(), Vec::new()).0
}

/// Of a report with so many rows and lines of details, each of them long.
fn huge(count: usize) -> Report {
    let row = |number: usize| {
        let place = Place::new(
            Question::Instructions,
            format!("benchmark-{number:05}-{}", "é".repeat(60)),
            Unit::Instructions,
        );
        let lost = number == count - 1;
        let head = if lost { 2_000 } else { 1_000 };
        Row::judged(place, Measured::exact(1_000, head).expect("a base"), &limits(0.1, 0.3))
            .noted("x".repeat(80))
    };
    let detail = Detail {
        title: "Functions that grew".to_owned(),
        columns: vec!["function".to_owned()],
        rows: (0..count).map(|number| vec![format!("function-{number}-{}", "y".repeat(80))]).collect(),
    };
    report(&[Question::Instructions], false, (0..count).map(row).collect(), vec![detail]).0
}

#[test]
fn on_a_terminal() {
    insta::assert_snapshot!(format!(
        "{}---\n{}---\n{}",
        table::table(&full(false)),
        table::table(&held()),
        table::table(&nothing())
    ));
}

#[test]
fn as_a_comment() {
    insta::assert_snapshot!(format!(
        "{}=====\n{}=====\n{}",
        markdown::comment(&full(true)),
        markdown::comment(&held()),
        markdown::comment(&nothing())
    ));
}

#[test]
fn folded_titles_are_html_and_all_else_is_markdown() {
    let detail = Detail {
        title: "instructions of board-legal_moves-all, see_ge<T>".to_owned(),
        columns: vec!["function".to_owned()],
        rows: vec![vec!["[see_ge](x) ~~<T>~~".to_owned()]],
    };
    let row = Row::equal(Place::new(Question::Tree, "bench_[1]", Unit::Nodes), 5, 5, true);
    let comment = markdown::comment(&report(&[Question::Tree], false, vec![row], vec![detail]).0);
    for part in [
        "<summary>instructions of board-legal_moves-all, see_ge&lt;T&gt;</summary>",
        "| \\[see\\_ge\\](x) \\~\\~&lt;T&gt;\\~\\~ |",
        "| bench\\_\\[1\\] |",
    ] {
        assert!(comment.contains(part), "{part}: {comment}");
    }
}

#[test]
fn a_summary_is_a_comment_without_its_marker() {
    let report = full(false);
    let comment = markdown::comment(&report);
    let summary =
        comment.strip_prefix(&format!("{}\n", markdown::marker(&report))).expect("the marker first");
    assert_eq!(markdown::summary(&report), summary);
}

#[test]
fn a_comment_is_never_too_long_and_its_worst_row_comes_first() {
    for count in [1, 50, 200, 300, 400, 5_000] {
        let report = huge(count);
        let comment = markdown::comment(&report);
        assert!(comment.len() <= markdown::MOST, "{count} rows: {} bytes", comment.len());
        let first = comment
            .lines()
            .find(|line| line.contains("benchmark-") && line.starts_with("| "))
            .expect("a row");
        assert!(first.contains("lost"), "{first}");
        let opened = comment.matches("<details>").count();
        assert_eq!(opened, comment.matches("</details>").count(), "{count} rows");
        let is_cut = comment.contains("are left out");
        assert!(is_cut || count < 400, "{count} rows fit into {} bytes", comment.len());
        assert!(!is_cut || count > 50, "{count} rows do not fit");
    }
}

#[test]
fn as_annotations() {
    insta::assert_snapshot!(format!(
        "{}---\n{}---\n{}",
        annotations::annotations(&full(false)),
        annotations::annotations(&full(true)),
        annotations::annotations(&held())
    ));
}

#[test]
fn as_junit() {
    let all = [full(false), full(true), held(), nothing()].map(|report| junit::junit(&report).expect("XML"));
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn junit_reads_back() {
    let text = junit::junit(&full(true)).expect("XML");
    let mut reader = quick_xml::Reader::from_str(&text);
    reader.config_mut().check_end_names = true;
    let mut cases = 0;
    loop {
        match reader.read_event().expect("well-formed") {
            quick_xml::events::Event::Start(start) if start.name().as_ref() == "testcase" => cases += 1,
            quick_xml::events::Event::Eof => break,
            _ => (),
        }
    }
    assert_eq!(cases, 6);
}

#[test]
fn as_json() {
    insta::assert_snapshot!(json::json(&full(false)).expect("JSON"));
}

fn schema() -> serde_json::Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schema/gate-1.json");
    serde_json::from_str(&std::fs::read_to_string(file).expect("the schema")).expect("JSON")
}

#[test]
fn json_is_as_its_schema_says_and_reads_back() {
    let validator = jsonschema::validator_for(&schema()).expect("a schema");
    for report in [full(false), full(true), held(), nothing()] {
        let text = json::json(&report).expect("JSON");
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        let read: Report = serde_json::from_str(&text).expect("a report");
        assert_eq!(read, report);
        // A schema that takes anything would be none.
        for key in value.as_object().expect("an object").keys() {
            let mut without = value.clone();
            without.as_object_mut().expect("an object").remove(key);
            assert!(!validator.is_valid(&without), "without {key}");
        }
        let mut more = value;
        more["rows"] = serde_json::json!([{ "question": "taste" }]);
        assert!(!validator.is_valid(&more));
    }
}

#[test]
fn the_schema_knows_every_word() {
    let schema = schema();
    let words = |name: &str| -> BTreeSet<String> {
        let list = schema["$defs"][name]["enum"].as_array().expect("a list");
        list.iter().map(|word| word.as_str().expect("a word").to_owned()).collect()
    };
    let told = |value: serde_json::Value| value.as_str().expect("a word").to_owned();
    let json = |value| told(serde_json::to_value(value).expect("JSON"));
    assert_eq!(words("state"), State::ALL.into_iter().map(json).collect());
    let json = |value| told(serde_json::to_value(value).expect("JSON"));
    assert_eq!(words("question"), Question::ALL.into_iter().map(json).collect());
    let json = |value| told(serde_json::to_value(value).expect("JSON"));
    assert_eq!(words("unit"), Unit::ALL.into_iter().map(json).collect());
}

#[test]
fn as_values() {
    insta::assert_snapshot!(values::csv(&full(false)).expect("CSV"));
}

#[test]
fn as_badges() {
    insta::assert_snapshot!(State::ALL.map(badge::badge).join("\n"));
}
