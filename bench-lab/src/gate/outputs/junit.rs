//! The report as JUnit XML, which most CI servers read: one suite a question, one case a benchmark.
//!
//! | state | case |
//! |---|---|
//! | held, or lost against a soft limit | passed |
//! | lost | failure |
//! | cannot say | skipped; failure when strict |
//! | void | error |

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::super::question::Question;
use super::super::report::Report;
use super::super::row::{Row, Severity};
use super::super::state::State;
use super::words;

/// The whole file.
pub fn junit(report: &Report) -> anyhow::Result<String> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let all: Vec<&Row> = report.rows.iter().collect();
    let suites = writer.create_element("testsuites").with_attribute(("name", "bench-lab gate"));
    let counts = counts(&all, report.strict);
    counts
        .iter()
        .fold(suites, |suites, (name, count)| suites.with_attribute((*name, count.as_str())))
        .write_inner_content(|writer| {
            for &question in &report.questions {
                suite(writer, report, question)?;
            }
            Ok(())
        })?;
    Ok(String::from_utf8(writer.into_inner())? + "\n")
}

fn suite(writer: &mut Writer<Vec<u8>>, report: &Report, question: Question) -> std::io::Result<()> {
    let rows: Vec<&Row> = report.rows.iter().filter(|row| row.question == question).collect();
    let suite = writer.create_element("testsuite").with_attribute(("name", question.name()));
    let counts = counts(&rows, report.strict);
    counts
        .iter()
        .fold(suite, |suite, (name, count)| suite.with_attribute((*name, count.as_str())))
        .write_inner_content(|writer| rows.iter().try_for_each(|row| case(writer, row, report.strict)))?;
    Ok(())
}

fn case(writer: &mut Writer<Vec<u8>>, row: &Row, strict: bool) -> std::io::Result<()> {
    let class = format!("gate.{}", row.question);
    let benchmark = allowed(&row.benchmark);
    let case = writer
        .create_element("testcase")
        .with_attribute(("classname", class.as_str()))
        .with_attribute(("name", benchmark.as_str()));
    let told = allowed(&words::sentence(row));
    case.write_inner_content(|writer| {
        if let Some(element) = element(row, strict) {
            let element = writer.create_element(element).with_attribute(("message", told.as_str()));
            let element = match row.severity(strict) {
                Severity::Failure => element.with_attribute(("type", row.state.words())),
                _ => element,
            };
            element.write_empty()?;
        }
        writer.create_element("system-out").write_text_content(BytesText::new(&told))?;
        Ok(())
    })?;
    Ok(())
}

/// What makes of a case that it did not pass.
fn element(row: &Row, strict: bool) -> Option<&'static str> {
    match (row.state, row.severity(strict)) {
        (State::Void, _) => Some("error"),
        (_, Severity::Failure) => Some("failure"),
        (State::CannotSay, _) => Some("skipped"),
        _ => None,
    }
}

fn counts(rows: &[&Row], strict: bool) -> [(&'static str, String); 4] {
    let count = |wanted| rows.iter().filter(|row| element(row, strict) == Some(wanted)).count().to_string();
    [
        ("tests", rows.len().to_string()),
        ("failures", count("failure")),
        ("errors", count("error")),
        ("skipped", count("skipped")),
    ]
}

/// Without the characters that XML cannot hold at all.
fn allowed(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(shown).collect()
}
