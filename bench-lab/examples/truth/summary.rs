//! `README.md` of the results, from the raw files alone.

mod null;
mod planted;
mod slots;
mod trials;

use std::fs;
use std::path::Path;

use anyhow::Context;
use protocol::simulation::Simulation;

/// One part of the page: its heading, the command that measures for it, and what makes its text if there are results.
struct Section {
    heading: &'static str,
    command: &'static str,
    text: fn(&Path) -> anyhow::Result<Option<String>>,
}

const SECTIONS: [Section; 4] = [
    Section { heading: "By simulation", command: "scripts/truth_simulation.sh", text: simulation },
    Section { heading: "A component that does nothing", command: "scripts/truth_null.sh", text: null::text },
    Section {
        heading: "Slow-downs of known size",
        command: "scripts/truth_handicap.sh",
        text: planted::text,
    },
    Section { heading: "Slots of several lengths", command: "scripts/truth_slices.sh", text: slots::text },
];

/// Writes the page.
pub fn write(folder: &Path) -> anyhow::Result<()> {
    let mut page = "# How true the lab is: results\n\n\
        Written by `cargo run --release -p bench-lab --example truth -- summary results/truth` from the files beside it. What was \
        done and why is in [docs/truth.md](../../docs/truth.md).\n"
        .to_owned();
    for section in SECTIONS {
        let text = (section.text)(folder).with_context(|| section.heading)?;
        let text = text.unwrap_or_else(|| format!("Nothing measured yet: `{}`.\n", section.command));
        page.push_str(&format!("\n## {}\n\n{text}", section.heading));
    }
    let file = folder.join("README.md");
    fs::write(&file, page).with_context(|| file.display().to_string())
}

fn simulation(folder: &Path) -> anyhow::Result<Option<String>> {
    let Some(json) = read(&folder.join("simulation.json"))? else { return Ok(None) };
    let simulation: Simulation = serde_json::from_str(&json)?;
    Ok(Some(format!("```text\n{}```\n", reports::simulation::table(&simulation))))
}

/// The text of a file, if it is there.
fn read(file: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| file.display().to_string()),
    }
}

/// A Markdown table; its columns stand right but for the first.
fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let rule: Vec<&str> = (0..head.len()).map(|column| if column == 0 { "---" } else { "---:" }).collect();
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let strings = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
    [line(&strings(head)), line(&strings(&rule))]
        .into_iter()
        .chain(rows.iter().map(|row| line(row)))
        .collect()
}
