//! UCI options as an engine offers them, and whether it can take a value.

use crate::bundle::problem::nearest;

/// Why an option cannot be set.
#[derive(Debug, thiserror::Error)]
pub enum BadOption {
    /// The engine does not offer it.
    #[error(
        "arm {arm}: {by} sets option `{option}`, which the engine does not offer; it offers {offered}{}",
        nearest.as_ref().map_or(String::new(), |nearest| format!("; did you mean `{nearest}`?"))
    )]
    Unknown {
        /// The arm.
        arm: String,
        /// Who sets it: the lane or a component.
        by: String,
        /// The option's name.
        option: String,
        /// What the engine offers.
        offered: String,
        /// The one of them that is most like it.
        nearest: Option<String>,
    },
    /// The engine says that it cannot have this value.
    #[error("arm {arm}: {by} sets option `{option}` to `{value}`; the engine expects {expected}")]
    Value {
        /// The arm.
        arm: String,
        /// Who sets it: the lane or a component.
        by: String,
        /// The option's name.
        option: String,
        /// Its value.
        value: String,
        /// What the engine takes.
        expected: String,
    },
}

/// The engine offers the option and can take the value that `by` sets.
pub fn check(arm: &str, by: &str, option: &str, value: &str, offered: &[Offered]) -> Result<(), BadOption> {
    let (arm, by, option) = (arm.to_owned(), by.to_owned(), option.to_owned());
    let Some(known) = offered.iter().find(|known| known.name.eq_ignore_ascii_case(&option)) else {
        let names: Vec<&str> = offered.iter().map(|known| known.name.as_str()).collect();
        let offered = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let nearest = nearest(&option, &names);
        return Err(BadOption::Unknown { arm, by, option, offered, nearest });
    };
    match known.complaint(value) {
        Some(expected) => Err(BadOption::Value { arm, by, option, value: value.to_owned(), expected }),
        None => Ok(()),
    }
}

/// One option on offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// Its name.
    pub name: String,
    kind: Kind,
}

/// What values it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// `true` or `false`.
    Check,
    /// A whole number, within the bounds that the engine states.
    Spin { min: Option<i64>, max: Option<i64> },
    /// One of these.
    Combo(Vec<String>),
    /// None: it is pressed.
    Button,
    /// Anything.
    Text,
}

impl Offered {
    /// From the line `option name <name> type <kind>`; a type that UCI does not know takes anything.
    pub fn new(name: &str, kind: &str) -> Offered {
        let words: Vec<&str> = kind.split_whitespace().collect();
        let number = |key: &str| {
            let at = words.iter().position(|word| *word == key)?;
            words.get(at + 1)?.parse().ok()
        };
        let kind = match words.first().copied() {
            Some("check") => Kind::Check,
            Some("spin") => Kind::Spin { min: number("min"), max: number("max") },
            Some("combo") => match values(&words) {
                none if none.is_empty() => Kind::Text,
                values => Kind::Combo(values),
            },
            Some("button") => Kind::Button,
            _ => Kind::Text,
        };
        Offered { name: name.to_owned(), kind }
    }

    /// What the engine expects, if it cannot take this value.
    pub fn complaint(&self, value: &str) -> Option<String> {
        match &self.kind {
            Kind::Check => (!["true", "false"].contains(&value)).then(|| "`true` or `false`".to_owned()),
            Kind::Spin { min, max } => {
                let within =
                    |number: i64| min.is_none_or(|min| min <= number) && max.is_none_or(|max| number <= max);
                (!value.parse().is_ok_and(within)).then(|| match (min, max) {
                    (Some(min), Some(max)) => format!("a whole number from {min} to {max}"),
                    (Some(min), None) => format!("a whole number, at least {min}"),
                    (None, Some(max)) => format!("a whole number, at most {max}"),
                    (None, None) => "a whole number".to_owned(),
                })
            }
            Kind::Combo(known) => {
                let list = || known.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", ");
                (!known.iter().any(|known| known.eq_ignore_ascii_case(value)))
                    .then(|| format!("one of {}", list()))
            }
            Kind::Button => (!value.is_empty()).then(|| "no value (`\"\"`): it is a button".to_owned()),
            Kind::Text => None,
        }
    }
}

/// The values behind every `var`; each may have several words.
fn values(words: &[&str]) -> Vec<String> {
    let keys = ["default", "min", "max", "var"];
    let mut values: Vec<Vec<&str>> = Vec::new();
    let mut within = false;
    for word in words {
        if keys.contains(word) {
            within = *word == "var";
            if within {
                values.push(Vec::new());
            }
        } else if within && let Some(value) = values.last_mut() {
            value.push(word);
        }
    }
    values.into_iter().map(|words| words.join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_without_options_offers_none() {
        let told = check("full", "lane main", "Hash", "16", &[]).expect_err("no options").to_string();
        assert!(told.ends_with("option `Hash`, which the engine does not offer; it offers none"), "{told}");
    }

    #[test]
    fn values_are_held_against_what_the_engine_says() {
        let spin = "spin default 16 min 1 max 1024";
        let combo = "combo default Very Solid var Very Solid var Normal var Risky";
        for (kind, value, expected) in [
            ("check default true", "false", None),
            ("check default true", "1", Some("`true` or `false`")),
            (spin, "1", None),
            (spin, "1024", None),
            (spin, "1025", Some("a whole number from 1 to 1024")),
            (spin, "-1", Some("a whole number from 1 to 1024")),
            (spin, "16 MB", Some("a whole number from 1 to 1024")),
            (spin, "99999999999999999999", Some("a whole number from 1 to 1024")),
            ("spin default 0 min -5", "-6", Some("a whole number, at least -5")),
            ("spin default 0 max 5", "6", Some("a whole number, at most 5")),
            ("spin default 0 min low", "x", Some("a whole number")),
            (combo, "very solid", None),
            (combo, "Solid", Some("one of `Very Solid`, `Normal`, `Risky`")),
            ("combo default x", "y", None),
            ("button", "", None),
            ("button", "true", Some("no value (`\"\"`): it is a button")),
            ("string default <empty>", "anything at all", None),
            ("colour", "blue", None),
            ("", "x", None),
        ] {
            assert_eq!(Offered::new("X", kind).complaint(value).as_deref(), expected, "{kind}: {value}");
        }
    }
}
