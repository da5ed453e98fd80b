//! What several commands take on their command lines.

use clap::Args;
use clap::builder::RangedU64ValueParser;

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

/// A whole number in a range.
pub fn number(least: u64, most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(least..=most)
}

/// Jobs that builds may run at once.
pub fn jobs() -> RangedU64ValueParser<usize> {
    number(1, 65_535)
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
    let percent =
        text.trim().trim_end_matches('%').trim_end().parse::<f64>().map_err(|error| error.to_string())?;
    let possible = percent.is_finite() && percent > -100.0;
    possible.then_some(percent).ok_or_else(|| "expected a number of percent, above -100".to_owned())
}
