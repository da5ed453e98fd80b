//! `bundle.toml` as written: every key, with its place, before any check.

use std::collections::BTreeMap;

use layouts::parts::Part;
use serde::Deserialize;
use toml::Spanned;

use super::problem::{Problem, Source};

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct File {
    pub name: Spanned<String>,
    pub build: Spanned<Build>,
    #[serde(default)]
    pub component: Vec<Spanned<Component>>,
    pub workload: Workload,
    pub identity: Option<Spanned<Identity>>,
    #[serde(default)]
    pub lane: Vec<Spanned<Lane>>,
    #[serde(default)]
    pub measure: Measure,
    #[serde(default)]
    pub layout: Layout,
}

/// How every arm is built.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Build {
    pub kind: Spanned<String>,
    pub path: Spanned<String>,
    pub package: Spanned<String>,
    pub binary: Option<Spanned<String>>,
    pub profile: Option<Spanned<String>>,
    #[serde(default)]
    pub features: Vec<Spanned<String>>,
}

/// One speed-up.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Component {
    pub name: Spanned<String>,
    pub feature: Option<Spanned<String>>,
    pub option: Option<Spanned<SwitchOption>>,
    pub costs: Option<Vec<Spanned<String>>>,
}

/// A UCI option that switches a component.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct SwitchOption {
    pub name: Spanned<String>,
    pub on: Spanned<toml::Value>,
    pub off: Spanned<toml::Value>,
}

/// What every arm searches.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Workload {
    pub positions: Spanned<String>,
    pub nodes: Spanned<u64>,
}

/// How far the same-tree proof goes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Identity {
    pub suite: Option<Spanned<String>>,
    pub positions: Option<Spanned<usize>>,
    pub nodes: Option<Spanned<u64>>,
    pub levels: Option<Spanned<Vec<Spanned<Level>>>>,
    pub bench: Option<Vec<String>>,
}

/// One level of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Level {
    pub positions: Spanned<usize>,
    pub nodes: Spanned<u64>,
}

/// One measuring set-up.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Lane {
    pub name: Spanned<String>,
    pub core: Spanned<usize>,
    #[serde(default)]
    pub options: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
}

/// How slots are cut.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Measure {
    pub processes: Option<Spanned<usize>>,
    pub slice_ms: Option<Spanned<f64>>,
    pub threshold: Option<Spanned<f64>>,
    pub calibration_phases: Option<Spanned<usize>>,
}

/// The layout scheme.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Layout {
    pub seed: Option<u64>,
    order: Option<Spanned<bool>>,
    padding: Option<Spanned<bool>>,
    phase: Option<Spanned<bool>>,
    segments: Option<Spanned<bool>>,
    heap: Option<Spanned<bool>>,
    stack: Option<Spanned<bool>>,
    mapping: Option<Spanned<bool>>,
    copy: Option<Spanned<bool>>,
}

impl Layout {
    /// What is written of a part.
    pub fn part(&self, part: Part) -> Option<&Spanned<bool>> {
        let written = match part {
            Part::Order => &self.order,
            Part::Padding => &self.padding,
            Part::Phase => &self.phase,
            Part::Segments => &self.segments,
            Part::Heap => &self.heap,
            Part::Stack => &self.stack,
            Part::Mapping => &self.mapping,
            Part::Copy => &self.copy,
        };
        written.as_ref()
    }
}

/// Reads the text, turning the parser's complaints into problems with their place.
pub fn parse(source: &Source) -> Result<File, Problem> {
    toml::from_str(&source.text)
        .map_err(|e| explain(e.message(), |what| source.at(e.span().unwrap_or(0..0), what)))
}

/// serde's messages have fixed wordings; each becomes found and expected.
fn explain(message: &str, at: impl Fn(&str) -> Problem) -> Problem {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    if let (true, Some((found, known))) = (message.starts_with("unknown field"), names.split_first()) {
        return at("unknown key").found(format!("`{found}`")).one_of(found, known);
    }
    if let (true, Some(key)) = (message.starts_with("missing field"), names.first()) {
        return at(&format!("the key `{key}` is missing")).found("nothing").expected(format!("`{key} = …`"));
    }
    let wrong = ["invalid type: ", "invalid value: "].iter().find_map(|p| message.strip_prefix(p));
    if let Some((found, expected)) = wrong.and_then(|rest| rest.split_once(", expected ")) {
        let expected = match expected {
            "u64" | "usize" => "a whole number, zero or more",
            "f64" => "a number",
            "a sequence" => "a list (a list of tables is written `[[…]]`)",
            other => other,
        };
        return at("wrong kind of value").found(found).expected(expected);
    }
    match message.split_once(", expected ") {
        Some((what, expected)) => at(what).expected(expected),
        None => at(message),
    }
}
