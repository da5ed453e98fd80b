//! Reading what callgrind has written: how many instructions each function executed.
//!
//! The format is line by line: names (`fn=`, `cfn=`, … ), cost lines (a position, then one number for each event), and
//! `calls=` lines, after which the next cost line holds what the call cost with everything that it called. Names may be
//! written once with a number, `(7) name`, and as the number alone from then on.

use std::collections::BTreeMap;

use thiserror::Error;

/// The event that is counted.
const INSTRUCTIONS: &str = "Ir";

/// Why a text is not what callgrind writes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Malformed {
    /// A line that cannot be read.
    #[error("line {line}: {what}: `{text}`")]
    Line {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        what: &'static str,
        /// What stands there, cut.
        text: String,
    },
    /// Not counted, or cut off.
    #[error("it has no line `{0}`: was callgrind killed?")]
    Missing(&'static str),
    /// What the functions executed is not the total.
    #[error("its functions executed {functions} instructions, its total says {total}")]
    Sum {
        /// The sum over the functions.
        functions: u64,
        /// What the file says.
        total: u64,
    },
}

/// What one function executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// In its own code.
    pub own: u64,
    /// With everything that it called; of a function that calls itself, about.
    pub inclusive: u64,
}

impl Cost {
    /// Takes in another one. No process lives long enough to reach the end of the numbers; a wrong file may.
    pub fn add(&mut self, other: Cost) {
        self.own = self.own.saturating_add(other.own);
        self.inclusive = self.inclusive.saturating_add(other.inclusive);
    }
}

/// The counts of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// What wrote it, as `callgrind-3.19.0`.
    pub creator: String,
    /// All instructions.
    pub total: u64,
    /// By function, as callgrind names it.
    pub functions: BTreeMap<String, Cost>,
}

impl Counts {
    /// Reads one file. Files with several parts and threads give their sum.
    pub fn parse(text: &str) -> Result<Counts, Malformed> {
        let mut reader = Reader::default();
        for (number, line) in text.lines().enumerate() {
            reader.line(line.trim_end()).map_err(|what| Malformed::Line {
                line: number + 1,
                what,
                text: line.chars().take(100).collect(),
            })?;
        }
        reader.finish()
    }

    /// Takes in what another thread or part executed.
    pub fn add(&mut self, other: &Counts) {
        if self.creator.is_empty() {
            self.creator.clone_from(&other.creator);
        }
        self.total = self.total.saturating_add(other.total);
        for (name, cost) in &other.functions {
            self.functions.entry(name.clone()).or_default().add(*cost);
        }
    }
}

#[derive(Default)]
struct Reader {
    counts: Counts,
    /// Columns before the costs.
    positions: Option<usize>,
    /// Which cost is that of the instructions.
    column: Option<usize>,
    totals: Option<u64>,
    /// Names of functions by their numbers.
    names: BTreeMap<u64, String>,
    function: Option<String>,
    /// The next cost line is that of a call.
    called: bool,
    /// The next line is the place of a jump.
    jumped: bool,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), &'static str> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            return self.costs(line);
        }
        let separator = line.find(['=', ':']).ok_or("neither costs nor a name")?;
        let (key, value) = (&line[..separator], line[separator + 1..].trim());
        match (key, &line[separator..=separator]) {
            ("creator", ":") => value.clone_into(&mut self.counts.creator),
            ("positions", ":") => self.positions = Some(value.split_whitespace().count()),
            ("events", ":") => {
                let column = value.split_whitespace().position(|event| event == INSTRUCTIONS);
                self.column = Some(column.ok_or("instructions (Ir) are not among the events")?);
            }
            ("totals", ":") => {
                let total = self.cost(value.split_whitespace())?;
                self.totals = Some(self.totals.unwrap_or(0).saturating_add(total));
            }
            ("fn", "=") => self.function = Some(self.name(value)?),
            // What is called has its own lines; its name may be written here for the first time.
            ("cfn", "=") => {
                self.name(value)?;
            }
            ("calls", "=") => self.called = true,
            ("jump" | "jcnd", "=") => self.jumped = true,
            // Files and objects, and the rest of the head.
            _ => (),
        }
        Ok(())
    }

    /// A name, by its number where it has one.
    fn name(&mut self, value: &str) -> Result<String, &'static str> {
        let Some((number, name)) = value.strip_prefix('(').and_then(|rest| rest.split_once(')')) else {
            return Ok(value.to_owned());
        };
        // `(below main)` is a name.
        let Ok(number) = number.parse::<u64>() else { return Ok(value.to_owned()) };
        match name.trim() {
            "" => self.names.get(&number).cloned().ok_or("a number that has no name yet"),
            name => {
                self.names.insert(number, name.to_owned());
                Ok(name.to_owned())
            }
        }
    }

    /// Positions, then costs.
    fn costs(&mut self, line: &str) -> Result<(), &'static str> {
        if std::mem::take(&mut self.jumped) {
            return Ok(());
        }
        let positions = self.positions.ok_or("costs before `positions:`")?;
        let cost = self.cost(line.split_whitespace().skip(positions))?;
        let own = if std::mem::take(&mut self.called) { 0 } else { cost };
        let function = self.function.as_ref().ok_or("costs before any function")?;
        let cost = Cost { own, inclusive: cost };
        match self.counts.functions.get_mut(function) {
            Some(sum) => sum.add(cost),
            None => drop(self.counts.functions.insert(function.clone(), cost)),
        }
        Ok(())
    }

    /// The instructions among costs. Zeros at the end are left out by callgrind.
    fn cost<'a>(&self, mut costs: impl Iterator<Item = &'a str>) -> Result<u64, &'static str> {
        let column = self.column.ok_or("costs before `events:`")?;
        costs.nth(column).map_or(Ok(0), |cost| cost.parse().map_err(|_| "a cost that is no number"))
    }

    fn finish(self) -> Result<Counts, Malformed> {
        let total = self.totals.ok_or(Malformed::Missing("totals:"))?;
        let functions = self.counts.functions.values().fold(0, |sum: u64, cost| sum.saturating_add(cost.own));
        if functions != total {
            return Err(Malformed::Sum { functions, total });
        }
        Ok(Counts { total, ..self.counts })
    }
}

#[cfg(test)]
mod tests;
