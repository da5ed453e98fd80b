//! The comparison as a block for a commit message: plain text, lines of at most 72 characters.

use protocol::compare::numbers::Judged;
use protocol::compare::{Comparison, Estimate, Outcome};

use super::{ends, level, probability};
use crate::words::{count, signed, terminal};

/// Longest line.
const WIDTH: usize = 72;

/// The block of a comparison.
pub fn commit_message(comparison: &Comparison) -> String {
    let mut text = wrapped(&format!(
        "Speed-up of {} over {}: {}",
        comparison.b.name,
        comparison.a.name,
        estimated(&comparison.estimate, comparison.outcome)
    ));
    text.push_str(&bounds(&comparison.estimate));
    let layouts = if comparison.is_limited() { "start-up layouts only" } else { "drawn layouts" };
    let trees = match &comparison.identity {
        None => "trees not compared".to_owned(),
        Some(identity) => match identity.bench_nodes.values().find(|&&nodes| nodes > 0) {
            Some(nodes) => format!("same tree, bench {nodes}"),
            None => "same tree".to_owned(),
        },
    };
    text.push_str(&wrapped(&format!(
        "bench-lab {} compare: {}, {layouts}, {}; {trees}; {}. Not a verdict.",
        comparison.tool.version,
        count(comparison.values.len(), "phase"),
        count(comparison.processes, "process"),
        comparison.machine.processor
    )));
    terminal(&text)
}

/// The block of a user's own numbers.
pub fn commit_message_of_numbers(judged: &Judged) -> String {
    let mut text = wrapped(&format!("Speed-up: {}", estimated(&judged.estimate, judged.outcome)));
    text.push_str(&bounds(&judged.estimate));
    let runs = match judged.paired {
        true => format!("{} pairs of runs", judged.a.len()),
        false => format!("{} and {} runs", judged.a.len(), judged.b.len()),
    };
    text.push_str(&wrapped(&format!("{runs}, one layout each; layout may make a percent. Not a verdict.")));
    terminal(&text)
}

fn estimated(estimate: &Estimate, outcome: Outcome) -> String {
    let unsure = if outcome == Outcome::NotResolved { ", not resolved" } else { "" };
    format!("{} %{unsure}", signed(estimate.percent))
}

fn bounds(estimate: &Estimate) -> String {
    let mut text = String::new();
    for interval in &estimate.intervals {
        text.push_str(&format!("  {} interval: {}\n", level(interval), ends(interval)));
    }
    text.push_str("  probability of being faster by at least\n");
    for line in estimate.faster.chunks(2) {
        let chances = line.iter().map(|f| format!("{} %: {}", f.by_percent, probability(f.probability)));
        text.push_str(&format!("    {}\n", chances.collect::<Vec<_>>().join(", ")));
    }
    text
}

/// Words in lines.
fn wrapped(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}
