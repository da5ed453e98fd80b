//! `gate.toml` as written: every key, with its place, before any check.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct File {
    pub baseline: Option<Spanned<String>>,
    pub engine: Spanned<Engine>,
    pub tree: Option<Tree>,
    pub instructions: Option<Spanned<Instructions>>,
    pub speed: Option<Spanned<Speed>>,
    pub size: Option<Spanned<Size>>,
}

/// Where the engine comes from.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Engine {
    pub executable: Option<Spanned<String>>,
    pub bundle: Option<Spanned<String>>,
    #[serde(default)]
    pub options: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    pub seconds: Option<Spanned<u64>>,
}

/// The question for the tree.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Tree {
    pub bench: Option<Spanned<Vec<String>>>,
    pub against: Option<Spanned<Vec<Spanned<String>>>>,
    pub limit: Option<Spanned<String>>,
}

/// The question for instructions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Instructions {
    pub soft: Option<Spanned<f64>>,
    pub hard: Option<Spanned<f64>>,
    #[serde(default)]
    pub benchmark: Benchmarks,
    pub command: Option<Spanned<String>>,
    #[serde(default)]
    pub workload: BTreeMap<Spanned<String>, Spanned<Workload>>,
    pub functions: Option<Spanned<usize>>,
}

/// Work that is counted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Workload {
    pub arguments: Option<Spanned<Vec<String>>>,
    pub nodes: Option<Spanned<u64>>,
    pub positions: Option<Spanned<String>>,
    pub within: Option<Spanned<String>>,
}

/// The question for speed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Speed {
    pub soft: Option<Spanned<f64>>,
    pub hard: Option<Spanned<f64>>,
    #[serde(default)]
    pub benchmark: Benchmarks,
    pub criterion: Option<Criterion>,
}

/// Where criterion keeps what it has measured.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Criterion {
    pub folder: Spanned<String>,
    pub base: Option<Spanned<String>>,
    pub head: Option<Spanned<String>>,
}

/// The question for size and start-up.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Size {
    pub soft: Option<Spanned<f64>>,
    pub hard: Option<Spanned<f64>>,
    #[serde(default)]
    pub benchmark: Benchmarks,
    pub starts: Option<Spanned<usize>>,
}

/// Limits of single benchmarks.
pub type Benchmarks = BTreeMap<Spanned<String>, Spanned<Limits>>;

/// Limits of one benchmark.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Limits {
    pub soft: Option<Spanned<f64>>,
    pub hard: Option<Spanned<f64>>,
}
