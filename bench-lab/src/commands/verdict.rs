//! `bench-lab verdict`: judges a trial again from its raw records.

use std::path::Path;

use reports::Trial;

use super::{Failure, judged, print};
use crate::exit::Exit;
use crate::folder::Folder;

/// Recomputes the verdict, compares it with the stored one and prints the table.
pub fn verdict(dir: &Path) -> Result<Exit, Failure> {
    let folder = Folder::open(dir).map_err(anyhow::Error::from)?;
    if let Some(void) = folder.read_void().map_err(anyhow::Error::from)? {
        return Err(Failure::Void(format!(
            "this trial is void: {}\n  {} ({})",
            void.reason, void.place, void.time
        )));
    }
    let (plan, plan_id) = folder.read_plan().map_err(anyhow::Error::from)?;
    let (records, digest) = folder.read_records().map_err(anyhow::Error::from)?;
    let verdict = protocol::judge(&plan, &records, &digest)
        .map_err(|fault| Failure::Void(format!("this trial can't be judged: {fault}")))?;
    let diagnostics = folder.read_diagnostics().map_err(anyhow::Error::from)?;
    let trial = Trial {
        plan: &plan,
        plan_id: &plan_id,
        records: &records,
        verdict: &verdict,
        timing: None,
        diagnostics: diagnostics.as_deref(),
    };
    print(&reports::table(&trial))?;
    let stored = folder.read_verdict().map_err(anyhow::Error::from)?;
    match stored {
        None => print("\nno verdict.json is stored to compare with\n")?,
        Some(stored) if stored == verdict => print("\nthe stored verdict is the same\n")?,
        Some(stored) => {
            let differs = differences(&stored, &verdict);
            return Err(anyhow::anyhow!(
                "the stored verdict is not what the records give:\n  {}",
                differs.join("\n  ")
            )
            .into());
        }
    }
    Ok(judged(&verdict))
}

/// The parts of the two that differ, by their place in the JSON.
fn differences(stored: &protocol::Verdict, computed: &protocol::Verdict) -> Vec<String> {
    let json = |verdict| serde_json::to_value(verdict).unwrap_or_default();
    let mut lines = Vec::new();
    compare("", &json(stored), &json(computed), &mut lines);
    lines
}

fn compare(place: &str, stored: &serde_json::Value, computed: &serde_json::Value, lines: &mut Vec<String>) {
    use serde_json::Value::{Array, Object};
    match (stored, computed) {
        (Object(a), Object(b)) if a.keys().eq(b.keys()) => {
            for (key, value) in a {
                compare(&format!("{place}.{key}"), value, &b[key], lines);
            }
        }
        (Array(a), Array(b)) if a.len() == b.len() => {
            for (number, (a, b)) in a.iter().zip(b).enumerate() {
                compare(&format!("{place}[{number}]"), a, b, lines);
            }
        }
        (a, b) if a != b => {
            lines.push(format!("{}: stored {a}, computed {b}", place.trim_start_matches('.')));
        }
        _ => {}
    }
}
