//! `bench-lab compare --values`: what nodes per second of the user's own say, and what they don't.

use std::io::Read;
use std::path::Path;

use anyhow::Context;
use protocol::compare::numbers::Numbers;

use super::{Arguments, exit};
use crate::commands::{Failure, print};
use crate::exit::Exit;
use crate::output;

/// Standard input as a file.
const STDIN: &str = "-";

/// Reads and judges them.
pub fn values(file: &Path, arguments: &Arguments) -> Result<Exit, Failure> {
    let text = match file.to_str() {
        Some(STDIN) => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
            text
        }
        _ => std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?,
    };
    let bad = |what: &dyn std::fmt::Display| Failure::Usage(format!("{}: {what}", file.display()));
    let mut numbers = Numbers::read(&text).map_err(|error| bad(&error))?;
    if arguments.unpaired {
        numbers.paired = false;
    }
    let judged = numbers.judge(arguments.resolution).map_err(|error| bad(&error))?;
    let text = match (arguments.json, arguments.commit_message) {
        (true, _) => output::json(&judged)?,
        (_, true) => reports::compare::commit_message_of_numbers(&judged),
        _ => reports::compare::numbers(&judged),
    };
    print(&text)?;
    Ok(exit(judged.outcome))
}
