//! Annotations of GitHub Actions: lines that its runner takes out of a step's output and shows beside the code.

use super::super::report::Report;
use super::super::row::{Row, Severity};
use super::words;

/// One line a row that fails or warns; nothing where all is held.
pub fn annotations(report: &Report) -> String {
    let line = |(row, severity): (&Row, Severity)| {
        let kind = match severity {
            Severity::Fine => return None,
            Severity::Warning => "warning",
            Severity::Failure => "error",
        };
        let title = format!("gate: {} {}", row.question, row.state);
        Some(format!(
            "::{kind} file={},title={}::{}\n",
            property(&report.file),
            property(&title),
            data(&words::one_line(&words::sentence(row)))
        ))
    };
    report.by_severity().into_iter().filter_map(line).collect()
}

/// The message: what would end the line is written in hexadecimal digits.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property: what would end it, too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_line_or_a_property_early() {
        assert_eq!(data("a\r\nb: 5 %, c"), "a%0D%0Ab: 5 %25, c");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
    }
}
