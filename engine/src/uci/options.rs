//! The options: how they are announced and how `setoption` is read.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use super::error::CommandError;
use super::words::number;
use crate::nnue::{EMBEDDED, Simd};
use crate::search::{HAS_HANDICAP, LEAST_MB, MOST_HANDICAP, MOST_MB};

/// Default of `Hash`, in megabytes.
pub const DEFAULT_HASH: usize = 16;
/// Default of `Move Overhead`, in milliseconds.
pub const DEFAULT_OVERHEAD: u64 = 10;
const HASH: RangeInclusive<usize> = LEAST_MB..=MOST_MB;
const OVERHEAD: RangeInclusive<u64> = 0..=10_000;
const LAYOUT: RangeInclusive<u32> = 0..=u16::MAX as u32;
const HANDICAP: RangeInclusive<u32> = 0..=MOST_HANDICAP;
const NAMES: &str =
    "Hash, Clear Hash, EvalFile, Check Net, SIMD, Move Overhead, Ponder, Threads, Table Layout";

/// One option and its new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetOption {
    /// Size of the table in megabytes.
    Hash(usize),
    /// Forget everything.
    ClearHash,
    /// The net: a file, or `None` for the embedded one.
    EvalFile(Option<PathBuf>),
    /// Hash the net's file anew.
    CheckNet,
    /// The path of evaluation.
    Simd(Simd),
    /// Milliseconds of every move that are lost outside the engine.
    MoveOverhead(u64),
    /// Whether the controller may let us ponder. Nothing depends on it.
    Ponder(bool),
    /// Number of searching threads: one.
    Threads,
    /// The number that the places of the big tables are drawn from.
    TableLayout(u32),
    /// A slow-down in hundredths of a percent, in builds for the lab's own tests.
    LabHandicap(u32),
}

/// The names of all options that this build has.
fn names() -> String {
    if HAS_HANDICAP { format!("{NAMES}, Lab Handicap") } else { NAMES.to_owned() }
}

/// Announces all options, in the form of the answer to `uci`.
pub struct Announcement;

impl fmt::Display for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (hash, overhead) = (HASH, OVERHEAD);
        writeln!(
            f,
            "option name Hash type spin default {DEFAULT_HASH} min {} max {}",
            hash.start(),
            hash.end()
        )?;
        writeln!(f, "option name Clear Hash type button")?;
        writeln!(f, "option name EvalFile type string default {EMBEDDED}")?;
        writeln!(f, "option name Check Net type button")?;
        writeln!(f, "option name SIMD type combo default auto var auto var scalar var avx2 var avx512")?;
        writeln!(
            f,
            "option name Move Overhead type spin default {DEFAULT_OVERHEAD} min {} max {}",
            overhead.start(),
            overhead.end()
        )?;
        writeln!(f, "option name Ponder type check default false")?;
        writeln!(f, "option name Threads type spin default 1 min 1 max 1")?;
        if HAS_HANDICAP {
            let (least, most) = (HANDICAP.start(), HANDICAP.end());
            writeln!(f, "option name Lab Handicap type spin default 0 min {least} max {most}")?;
        }
        write!(f, "option name Table Layout type spin default 0 min {} max {}", LAYOUT.start(), LAYOUT.end())
    }
}

impl SetOption {
    /// Reads what follows `setoption`: `name <name> [value <value>]`, both may contain blanks.
    pub fn parse(text: &str) -> Result<Self, CommandError> {
        let expected = "name <name> [value <value>]";
        let mut words = text.split_ascii_whitespace();
        match words.next() {
            Some("name") => {}
            Some(word) => return Err(CommandError::word("setoption", word, expected)),
            None => return Err(CommandError::missing("setoption", expected)),
        }
        let name: Vec<&str> = words.by_ref().take_while(|&word| word != "value").collect();
        let name = name.join(" ");
        let value = value_of(text);
        let place = format!("setoption {}", super::error::excerpt(&name));
        match name.to_ascii_lowercase().as_str() {
            "hash" => Ok(Self::Hash(spin(&place, value, &HASH)?)),
            "clear hash" => Ok(Self::ClearHash),
            "evalfile" => Ok(Self::EvalFile(file(value))),
            "check net" => Ok(Self::CheckNet),
            "simd" => simd(&place, value).map(Self::Simd),
            "move overhead" => Ok(Self::MoveOverhead(spin(&place, value, &OVERHEAD)?)),
            "ponder" => match value.to_ascii_lowercase().as_str() {
                "true" => Ok(Self::Ponder(true)),
                "false" => Ok(Self::Ponder(false)),
                _ => Err(CommandError::word(place, value, "true or false")),
            },
            "threads" => spin(&place, value, &(1..=1)).map(|_| Self::Threads),
            "table layout" => Ok(Self::TableLayout(spin(&place, value, &LAYOUT)?)),
            "lab handicap" if HAS_HANDICAP => Ok(Self::LabHandicap(spin(&place, value, &HANDICAP)?)),
            "" => Err(CommandError::missing("setoption name", format!("one of: {}", names()))),
            _ => Err(CommandError::word("setoption name", &name, format!("one of: {}", names()))),
        }
    }
}

/// What follows the first word `value`, blanks inside kept.
fn value_of(text: &str) -> &str {
    let mut rest = text;
    while let Some(at) = rest.find("value") {
        let (before, after) = (&rest[..at], &rest[at + "value".len()..]);
        let bounded = |c: Option<char>| c.is_none_or(|c| c.is_ascii_whitespace());
        if bounded(before.chars().next_back()) && bounded(after.chars().next()) {
            return after.trim_ascii();
        }
        rest = after;
    }
    ""
}

fn spin<T>(place: &str, value: &str, range: &RangeInclusive<T>) -> Result<T, CommandError>
where
    T: std::str::FromStr + PartialOrd + fmt::Display,
{
    let expected = || format!("a whole number from {} to {}", range.start(), range.end());
    number(value, range).ok_or_else(|| CommandError::word(place, value, expected()))
}

fn file(value: &str) -> Option<PathBuf> {
    (!value.is_empty() && value != "<empty>" && value != EMBEDDED).then(|| value.into())
}

fn simd(place: &str, value: &str) -> Result<Simd, CommandError> {
    let simd =
        Simd::parse(value).ok_or_else(|| CommandError::word(place, value, "auto, scalar, avx2 or avx512"))?;
    if simd.is_available() {
        return Ok(simd);
    }
    Err(CommandError::word(place, value, "a path that this processor has, for example auto"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<SetOption, String> {
        SetOption::parse(text).map_err(|error| error.to_string())
    }

    #[test]
    fn every_option_is_read() {
        let table = [
            ("name Hash value 64", SetOption::Hash(64)),
            ("  name  hash   value  1 ", SetOption::Hash(1)),
            ("name Clear Hash", SetOption::ClearHash),
            ("name clear  hash", SetOption::ClearHash),
            (
                "name EvalFile value /nets/my  value net.bin",
                SetOption::EvalFile(Some("/nets/my  value net.bin".into())),
            ),
            ("name EvalFile value valued.bin", SetOption::EvalFile(Some("valued.bin".into()))),
            ("name EvalFile value <embedded>", SetOption::EvalFile(None)),
            ("name EvalFile value <empty>", SetOption::EvalFile(None)),
            ("name EvalFile value", SetOption::EvalFile(None)),
            ("name EvalFile", SetOption::EvalFile(None)),
            ("name Check Net", SetOption::CheckNet),
            ("name SIMD value scalar", SetOption::Simd(Simd::Scalar)),
            ("name SIMD value auto", SetOption::Simd(Simd::best())),
            ("name Move Overhead value 300", SetOption::MoveOverhead(300)),
            ("name Ponder value true", SetOption::Ponder(true)),
            ("name Threads value 1", SetOption::Threads),
            ("name Table Layout value 65535", SetOption::TableLayout(65535)),
        ];
        for (text, option) in table {
            assert_eq!(parse(text), Ok(option), "{text}");
        }
    }

    #[test]
    fn bad_options_are_refused_with_what_was_expected() {
        let table = [
            ("", "setoption: the line ends, expected name <name> [value <value>]"),
            ("Hash 5", "setoption: found 'Hash', expected name <name> [value <value>]"),
            (
                "name",
                "setoption name: the line ends, expected one of: Hash, Clear Hash, EvalFile, Check Net, SIMD, Move Overhead, Ponder, Threads, Table Layout",
            ),
            (
                "name Hsah value 5",
                "setoption name: found 'Hsah', expected one of: Hash, Clear Hash, EvalFile, Check Net, SIMD, Move Overhead, Ponder, Threads, Table Layout",
            ),
            ("name Hash", "setoption Hash: found '', expected a whole number from 1 to 1048576"),
            ("name Hash value 0", "setoption Hash: found '0', expected a whole number from 1 to 1048576"),
            ("name Hash value -1", "setoption Hash: found '-1', expected a whole number from 1 to 1048576"),
            (
                "name Hash value 99999999999999999999",
                "setoption Hash: found '99999999999999999999', expected a whole number from 1 to 1048576",
            ),
            ("name SIMD value mmx", "setoption SIMD: found 'mmx', expected auto, scalar, avx2 or avx512"),
            ("name Ponder value yes", "setoption Ponder: found 'yes', expected true or false"),
            (
                "name Table Layout value 65536",
                "setoption Table Layout: found '65536', expected a whole number from 0 to 65535",
            ),
            ("name Threads value 2", "setoption Threads: found '2', expected a whole number from 1 to 1"),
        ];
        for (text, message) in table {
            assert_eq!(parse(text), Err(message.replace(NAMES, &names())), "{text}");
        }
    }

    #[test]
    fn the_handicap_is_an_option_of_its_own_builds_only() {
        let good = parse("name Lab Handicap value 25");
        if HAS_HANDICAP {
            assert_eq!(good, Ok(SetOption::LabHandicap(25)));
            assert!(parse("name Lab Handicap value 10001").is_err());
        } else {
            assert!(good.is_err_and(|message| message.contains("found 'Lab Handicap'")));
        }
    }

    #[test]
    fn the_announcement_has_a_line_for_every_name() {
        let announcement = Announcement.to_string();
        for name in names().split(", ") {
            assert!(announcement.lines().any(|line| line.starts_with(&format!("option name {name} type "))));
        }
        assert_eq!(announcement.lines().count(), names().split(", ").count());
    }
}
