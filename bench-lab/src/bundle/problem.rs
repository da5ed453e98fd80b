//! What is wrong with a bundle, and where.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::hash;

/// One thing that is wrong, at one place of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem(Box<Parts>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    file: PathBuf,
    /// Line and column from 1, the line's text and the width to underline; `None` for the whole file.
    place: Option<Place>,
    what: String,
    found: Option<String>,
    expected: Option<String>,
    nearest: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    line: usize,
    column: usize,
    text: String,
    width: usize,
}

impl Problem {
    /// A problem of the file as a whole.
    pub fn whole(file: &Path, what: impl Into<String>) -> Problem {
        Problem(Box::new(Parts {
            file: file.to_path_buf(),
            place: None,
            what: what.into(),
            found: None,
            expected: None,
            nearest: None,
        }))
    }

    /// Says what stands there.
    pub fn found(mut self, found: impl fmt::Display) -> Problem {
        self.0.found = Some(found.to_string());
        self
    }

    /// Says what should stand there.
    pub fn expected(mut self, expected: impl fmt::Display) -> Problem {
        self.0.expected = Some(expected.to_string());
        self
    }

    /// Lists the names that may stand there and points out the one most like `name`.
    pub fn one_of<S: AsRef<str>>(mut self, name: &str, known: &[S]) -> Problem {
        let list: Vec<String> = known.iter().map(|k| format!("`{}`", k.as_ref())).collect();
        self.0.expected = Some(match list.as_slice() {
            [] => "nothing".to_string(),
            [one] => one.clone(),
            many => format!("one of {}", many.join(", ")),
        });
        self.nearest(name, known)
    }

    /// Points out the known name that is most like `name`, if one is.
    pub fn nearest<S: AsRef<str>>(mut self, name: &str, known: &[S]) -> Problem {
        self.0.nearest = nearest(name, known);
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.file.display())?;
        match &self.0.place {
            None => write!(f, ": {}", self.0.what)?,
            Some(place) => {
                writeln!(f, ":{}:{}: {}", place.line, place.column, self.0.what)?;
                writeln!(f, "{:>5} | {}", place.line, printable(&place.text))?;
                let skip = place.text.chars().take(place.column - 1);
                let indent: String = skip.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
                write!(f, "      | {indent}{}", "^".repeat(place.width.max(1)))?;
            }
        }
        if let Some(found) = &self.0.found {
            write!(f, "\n  found:    {}", printable(found))?;
        }
        if let Some(expected) = &self.0.expected {
            write!(f, "\n  expected: {}", printable(expected))?;
        }
        if let Some(nearest) = &self.0.nearest {
            write!(f, "\n  did you mean `{nearest}`?")?;
        }
        Ok(())
    }
}

/// What a file holds must not steer the terminal.
fn printable(text: &str) -> String {
    let shown =
        |c: char| if c.is_control() && !['\n', '\t'].contains(&c) { char::REPLACEMENT_CHARACTER } else { c };
    text.chars().map(shown).collect()
}

/// Every problem found in a bundle; never empty.
#[derive(Debug, Error)]
#[error("{}", .0.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n\n"))]
pub struct BadBundle(pub Vec<Problem>);

impl From<Problem> for BadBundle {
    fn from(problem: Problem) -> BadBundle {
        BadBundle(vec![problem])
    }
}

/// A text file with the name under which messages show it.
pub struct Source {
    /// The path as the user wrote it or as the bundle names it.
    pub path: PathBuf,
    /// The whole text.
    pub text: String,
}

impl Source {
    /// Reads a file, refusing what is not UTF-8.
    pub fn read(path: &Path) -> Result<Source, Problem> {
        let (bytes, _) = hash::read(path)
            .map_err(|e| Problem::whole(path, "cannot be read").found(e).expected("a readable file"))?;
        let text = String::from_utf8(bytes).map_err(|e| {
            let good = e.utf8_error().valid_up_to();
            let stray = e.as_bytes()[good];
            // Up to the stray byte, which is shown as one replacement character, it is the same text.
            let shown =
                Source { path: path.to_path_buf(), text: String::from_utf8_lossy(e.as_bytes()).into() };
            let width = char::REPLACEMENT_CHARACTER.len_utf8();
            shown
                .at(good..good + width, "not UTF-8 text")
                .found(format!("the byte 0x{stray:02x}"))
                .expected("UTF-8 text")
        })?;
        Ok(Source { path: path.to_path_buf(), text })
    }

    /// A problem at a range of bytes.
    pub fn at(&self, span: Range<usize>, what: impl Into<String>) -> Problem {
        let start = span.start.min(self.text.len());
        let before = &self.text[..start];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let text = self.text[line_start..].lines().next().unwrap_or_default();
        let end = span.end.clamp(start, line_start + text.len().max(start - line_start));
        let place = Place {
            line: before.matches('\n').count() + 1,
            column: self.text[line_start..start].chars().count() + 1,
            text: text.to_string(),
            width: self.text[start..end].chars().count(),
        };
        let mut problem = Problem::whole(&self.path, what);
        problem.0.place = Some(place);
        problem
    }
}

/// The known name most like `name`, if one is like it at all.
pub(crate) fn nearest<S: AsRef<str>>(name: &str, known: &[S]) -> Option<String> {
    let score = |k: &str| strsim::jaro_winkler(&name.to_lowercase(), &k.to_lowercase());
    let best = known.iter().map(|k| (score(k.as_ref()), k.as_ref()));
    let (score, best) = best.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (score >= 0.7).then(|| best.to_string())
}
