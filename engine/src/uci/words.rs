//! Reading a command word by word.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::{FromStr, SplitAsciiWhitespace};

use super::error::CommandError;

/// The words of a line.
pub struct Words<'a>(SplitAsciiWhitespace<'a>);

impl<'a> Words<'a> {
    /// Splits at blanks and tabs.
    pub fn new(line: &'a str) -> Self {
        Self(line.split_ascii_whitespace())
    }

    /// The next word, which must be there.
    pub fn expect(&mut self, place: &str, expected: &str) -> Result<&'a str, CommandError> {
        self.0.next().ok_or_else(|| CommandError::missing(place, expected))
    }

    /// The next word as a number in a range.
    pub fn number<T>(&mut self, place: &str, range: RangeInclusive<T>) -> Result<T, CommandError>
    where
        T: FromStr + PartialOrd + Display,
    {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        let word = self.expect(place, &expected)?;
        number(word, &range).ok_or_else(|| CommandError::word(place, word, expected))
    }

    /// The end of the line.
    pub fn end(&mut self, place: &str) -> Result<(), CommandError> {
        self.0.next().map_or(Ok(()), |word| Err(CommandError::word(place, word, "the end of the line")))
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.0.next()
    }
}

/// `text` as a number, if it is one in the range.
pub fn number<T: FromStr + PartialOrd>(text: &str, range: &RangeInclusive<T>) -> Option<T> {
    text.parse().ok().filter(|number| range.contains(number))
}
