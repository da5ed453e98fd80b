//! The verdict as a comment on a pull request: one table, one sentence, one folded section.

use protocol::{PHASES, RUNS};

use crate::chart::escape;
use crate::summary::headline;
use crate::trial::Trial;
use crate::words;

/// GitHub-flavoured Markdown, verdict first.
pub fn markdown(trial: &Trial) -> String {
    let word = if trial.verdict.proven { "Proven" } else { "Not proven" };
    let mark = words::mark(trial.verdict.proven);
    format!(
        "### {mark} {word}: bundle {}\n\n{}\n\n{}\n{}",
        inline(&trial.plan.bundle),
        inline(&headline(trial)),
        verdicts(trial),
        folded(trial)
    )
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
                "| {name} | {} | {} {} | {} {} | {} % | {} of {RUNS} | {:.2} |\n",
                inline(&comparison.lane),
                words::mark(comparison.passed),
                words::verdict(comparison.passed),
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

fn folded(trial: &Trial) -> String {
    let plan = trial.plan;
    let mut text = String::from("<details><summary>Reasons, run values and what was measured</summary>\n\n");
    for subject in trial.subjects() {
        for comparison in subject.lanes {
            let runs: Vec<String> = comparison.runs.iter().map(|&value| words::signed(value)).collect();
            let mut line =
                format!("- {} on {}: {}", inline(subject.name), inline(&comparison.lane), runs.join(" · "));
            for reason in words::reasons(comparison, subject.bar) {
                line.push_str(&format!(" (✗ {reason})"));
            }
            text.push_str(&line);
            text.push('\n');
        }
    }
    text.push_str(&format!(
        "\n{RUNS} runs of {PHASES} phases on every lane, a fresh memory layout in every phase ({}); {} of {} nodes; {}, \
         kernel {}; plan `{}`.\n\nA component without any gain would pass with probability at most 9/256 ≈ 3.5 %. The \
         result holds for these builds, this workload and this machine.\n\n</details>\n",
        inline(&plan.layout.scheme),
        words::count(plan.workload.positions.len(), "position"),
        words::grouped(plan.workload.nodes),
        inline(&plan.machine.processor),
        inline(&plan.machine.kernel),
        inline(trial.plan_id),
    ));
    text
}

/// A name that cannot leave its cell, open a tag or set type.
fn inline(text: &str) -> String {
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
