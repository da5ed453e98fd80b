//! Small things that the experiments share.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use protocol::statistics::{mean, standard_deviation};

/// Positions of a file, one a line, `#` begins a comment.
pub fn positions(file: &Path) -> anyhow::Result<Vec<String>> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let positions: Vec<String> = lines.filter(|line| !line.is_empty()).map(str::to_owned).collect();
    ensure!(!positions.is_empty(), "{} holds no position", file.display());
    Ok(positions)
}

/// `Name=value`.
pub fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected Name=value")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// A mean with its standard error.
#[derive(Clone, Copy, Debug)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// Standard deviation of a single value.
    pub sd: f64,
    /// How many values.
    pub count: usize,
}

impl Mean {
    /// Of at least two values.
    pub fn of(values: &[f64]) -> Mean {
        let sd = standard_deviation(values);
        Mean { value: mean(values), error: sd / (values.len() as f64).sqrt(), sd, count: values.len() }
    }
}
