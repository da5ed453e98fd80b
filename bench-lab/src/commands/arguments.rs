//! What several commands take on their command lines.

use std::any::TypeId;

use clap::{Args, Command};
use layouts::parts::Part;

/// Which of a bundle's arms, on which of its lanes.
#[derive(Clone, Debug, Args)]
pub struct ArmOfBundle {
    /// Which components are on: base, full or without:<component>
    #[arg(long, value_name = "NAME", default_value = "full", requires = "bundle")]
    pub arm: String,
    /// The lane of the bundle [default: the first]
    #[arg(long, value_name = "NAME", requires = "bundle")]
    pub lane: Option<String>,
}

/// The same command line, in which every option that is a number may be negative: one that may not is then told its range
/// instead of being taken for an option that is not there.
pub fn signed(command: Command) -> Command {
    let numbers = [TypeId::of::<f64>(), TypeId::of::<u64>(), TypeId::of::<usize>()];
    let command = command.mut_args(|argument| {
        let kind = argument.get_value_parser().type_id();
        let is_number = numbers.iter().any(|number| kind == *number);
        if is_number { argument.allow_negative_numbers(true) } else { argument }
    });
    command.mut_subcommands(signed)
}

/// A whole number in a range.
pub fn number<N: TryFrom<u64> + 'static>(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.trim().parse::<u64>().ok().filter(|number| (least..=most).contains(number));
        number.and_then(|number| N::try_from(number).ok()).ok_or_else(|| match (least, most) {
            (0, u64::MAX) => "expected a whole number, zero or more".to_owned(),
            (least, u64::MAX) => format!("expected a whole number, at least {least}"),
            (least, most) => format!("expected a whole number from {least} to {most}"),
        })
    }
}

/// A whole number from `least` on.
pub fn at_least<N: TryFrom<u64> + 'static>(
    least: u64,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static {
    number(least, u64::MAX)
}

/// Jobs that builds may run at once.
pub fn jobs() -> impl Fn(&str) -> Result<usize, String> + Clone + Send + Sync + 'static {
    number(1, 65_535)
}

/// Any number; which ones mean something is told where that is known.
pub fn decimal(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "expected a number".to_owned())
}

/// `Hash=16`; the value may be empty.
pub fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE, such as Hash=16".to_owned()),
    }
}

/// A number of percent above -100, with or without its sign `%`.
pub fn percent(text: &str) -> Result<f64, String> {
    let percent = decimal(text.trim().trim_end_matches('%')).ok();
    let possible = percent.filter(|percent| percent.is_finite() && *percent > -100.0);
    possible.ok_or_else(|| "expected a number of percent, above -100".to_owned())
}

/// A part that a draw decides by itself: all but the engine's own tables.
pub fn drawn_part(text: &str) -> Result<Part, String> {
    let own = || Part::ALL.into_iter().filter(|&part| part != Part::Tables);
    own().find(|part| part.name() == text).ok_or_else(|| {
        if text == Part::Tables.name() {
            return "a draw leaves the engine's own tables alone in any case: who starts the engine moves them"
                .to_owned();
        }
        let names: Vec<&str> = own().map(Part::name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_what_is_expected() {
        assert_eq!(number::<usize>(1, 64)(" 64 "), Ok(64));
        for bad in ["0", "65", "-1", "abc", "1.5", "", "99999999999999999999"] {
            let told = number::<usize>(1, 64)(bad).expect_err(bad);
            assert_eq!(told, "expected a whole number from 1 to 64", "{bad}");
        }
        assert_eq!(at_least::<u64>(0)("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(at_least::<u64>(0)("x"), Err("expected a whole number, zero or more".to_owned()));
        assert_eq!(at_least::<u64>(1)("0"), Err("expected a whole number, at least 1".to_owned()));
        assert_eq!(decimal("-0.5"), Ok(-0.5));
        assert_eq!(decimal("x"), Err("expected a number".to_owned()));
        assert_eq!(percent("-0.5 %"), Ok(-0.5));
        for bad in ["-100", "NaN", "inf", "much", ""] {
            assert!(percent(bad).expect_err(bad).starts_with("expected a number of percent"), "{bad}");
        }
    }

    #[test]
    fn a_draw_knows_its_own_parts() {
        assert_eq!(drawn_part("heap"), Ok(Part::Heap));
        assert!(drawn_part("tables").expect_err("not drawn").contains("who starts the engine"));
        let told = drawn_part("colour").expect_err("no part");
        assert!(told.starts_with("expected one of order, ") && !told.contains("tables"), "{told}");
    }
}
