//! The verdict as a comment on a pull request: one sentence, one table, one folded section.

use protocol::verdict::{Comparison, Loss};
use protocol::{PHASES, RUNS};

use crate::chart::escape;
use crate::summary::headline;
use crate::trial::Trial;
use crate::{diagnostics, losses, outlook, qualified, reasons, words};

/// The hidden line by which the comment, or the file, is found again to be replaced.
pub const MARKER: &str = "<!-- bench-lab report -->";

/// GitHub-flavoured Markdown, verdict first; only what locks the bundle and that it is limited stands before it.
pub fn markdown(trial: &Trial) -> String {
    let first = qualified::limited(trial.plan, trial.verdict);
    let locks = losses::locks(trial.plan, trial.verdict);
    let locks: String = locks.iter().map(|line| format!("> **Locked:** {}.\n\n", inline(line))).collect();
    format!(
        "{locks}{}### {} {}: bundle {}\n\n{}\n\n{}{}\n{}\n{MARKER}\n",
        first.map_or(String::new(), |line| format!("> **Limited:** {}\n\n", inline(&line))),
        words::mark(trial.verdict.proven),
        qualified::heading(trial.verdict),
        inline(&trial.plan.bundle),
        inline(&headline(trial)),
        notes(trial),
        verdicts(trial),
        folded(trial)
    )
}

/// What stands beside the verdict: the plan's notes, and which lanes measure which builds.
fn notes(trial: &Trial) -> String {
    let mut lines: Vec<String> = trial.plan.notes.iter().map(|note| inline(note)).collect();
    let sets = qualified::bench_counts(trial.plan);
    if sets.len() > 1 {
        lines.push(format!("Build sets: {}.", inline(&sets.join("; "))));
    }
    lines.extend(qualified::attempt(trial.plan).map(|attempt| inline(&attempt)));
    let text: String = lines.iter().map(|line| format!("- {line}\n")).collect();
    if text.is_empty() { text } else { format!("{text}\n") }
}

fn verdicts(trial: &Trial) -> String {
    let mut text = String::from(
        "| Component | Lane | Verdict | Gain, points (93 % interval) | Speed-up | Runs above the bar | Largest deviation |\n\
         |---|---|---|---:|---:|---:|---:|\n",
    );
    for subject in trial.subjects() {
        let name = if subject.whole {
            format!("**whole bundle** (above {} %)", trial.verdict.bundle.threshold_percent)
        } else {
            inline(subject.name)
        };
        for comparison in subject.lanes {
            text.push_str(&format!(
                "| {name} | {} | {} {}{} | {} {} | {} % | {} of {RUNS} | {:.2} |\n",
                inline(&comparison.lane),
                words::mark(comparison.passed),
                words::verdict(comparison.passed),
                qualifier(trial, comparison),
                words::signed(comparison.median),
                words::interval(comparison.interval),
                words::signed(words::speedup(comparison.median)),
                comparison.positive,
                comparison.largest_deviation,
            ));
        }
    }
    text
}

/// What it would take, and what leaving out together shows.
fn outlooks(trial: &Trial) -> String {
    let of = |lead: &str, lines: Vec<String>| -> String {
        let list: String = lines.iter().map(|line| format!("- {}\n", inline(line))).collect();
        if list.is_empty() { list } else { format!("{lead}\n\n{list}\n") }
    };
    of(outlook::lead(trial), outlook::lines(trial))
        + &of("Diagnostics, outside the verdict:", diagnostics::lines(trial))
}

/// Why not, or what a proof is worth.
fn qualifier(trial: &Trial, comparison: &Comparison) -> String {
    match (comparison.passed, trial.verdict.limited) {
        (false, _) => format!(": {}", reasons::why_not(comparison)),
        (true, true) => ", limited".to_owned(),
        (true, false) => String::new(),
    }
}

/// The losses beyond their tolerance, and how many are not.
fn costs(trial: &Trial) -> String {
    let all = &trial.verdict.losses;
    let line = |loss: &Loss| {
        let mark = if loss.locks { "✗ " } else { "" };
        format!("- {mark}{}\n", inline(&losses::line(trial.plan, loss)))
    };
    let beyond: Vec<String> = all.iter().filter(|loss| loss.beyond).map(line).collect();
    let within = match all.len() - beyond.len() {
        0 => String::new(),
        within => format!(
            "- Of memory, start-up time, executable size and other lanes' speed: {} within tolerance\n",
            words::count(within, "difference")
        ),
    };
    beyond.concat() + &within
}

fn folded(trial: &Trial) -> String {
    let plan = trial.plan;
    let mut text = String::from("<details><summary>Reasons, run values and what was measured</summary>\n\n");
    for subject in trial.subjects() {
        for comparison in subject.lanes {
            let runs: Vec<String> = comparison.runs.iter().map(|&value| words::signed(value)).collect();
            let mut line =
                format!("- {} on {}: {}", inline(subject.name), inline(&comparison.lane), runs.join(" · "));
            for reason in reasons::reasons(comparison, subject.bar, reasons::NAMED) {
                line.push_str(&format!(" (✗ {})", inline(&reason)));
            }
            text.push_str(&line);
            text.push('\n');
        }
    }
    text.push_str(&costs(trial));
    text.push('\n');
    text.push_str(&outlooks(trial));
    text.push_str(&format!(
        "{RUNS} runs of {PHASES} phases on every lane, each with {} ({}; {}); {} of {} nodes; {}, kernel {}; plan `{}`.\n\nA component without any gain would pass with probability at most 9/256 ≈ 3.5 %. The \
         result holds for these builds, this workload and this machine.\n\n</details>\n",
        qualified::per_phase(&plan.layout),
        inline(&plan.layout.scheme),
        inline(&qualified::layout(&plan.layout)),
        words::count(plan.workload.positions.len(), "position"),
        words::grouped(plan.workload.nodes),
        inline(&plan.machine.processor),
        inline(&plan.machine.kernel),
        inline(trial.plan_id),
    ));
    text
}

/// A name that cannot leave its cell, open a tag or set type.
pub fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in escape(text).chars() {
        if matches!(character, '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '~') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_names() {
        assert_eq!(inline("a|b <i>*x*\n"), "a\\|b &lt;i&gt;\\*x\\* ");
    }
}
