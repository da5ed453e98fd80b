//! What whole benches, hyperfine and the lab say about a component that does nothing.

use std::path::Path;

use anyhow::Context;
use protocol::binomial;
use protocol::statistics::{mean, standard_deviation};
use serde_json::Value;

use super::super::measured::Mean;
use super::trials::{self, Judged};
use super::{read, table};

/// What one way of measuring said in one repeat: the gain in points, and how sure it claimed to be.
struct Claim {
    points: f64,
    faster: bool,
    slower: bool,
}

pub fn text(folder: &Path) -> anyhow::Result<Option<String>> {
    let folder = folder.join("null");
    let trials = trials::all(&folder.join("trials"))?;
    let benches = match read(&folder.join("bench.csv"))? {
        Some(csv) => benches(&csv).context("bench.csv")?,
        None => Vec::new(),
    };
    let hyperfine = hyperfine(&folder.join("hyperfine"))?;
    if trials.is_empty() && benches.is_empty() && hyperfine.is_empty() {
        return Ok(None);
    }
    let mut text = "The feature `lab-null` adds 1.5 kB of code that is never executed. The truth is 0; whoever says *faster* or *slower* is wrong.\n\n"
        .to_owned();
    let lab: Vec<Claim> = trials.iter().map(of_lab).collect();
    let ways = [
        ("10 whole benches against 10, differing by more than 2 standard errors", &benches),
        ("hyperfine, 10 runs each, its mean ratio beyond its own ±", &hyperfine),
        ("the lab's trial: *faster* is a proof, *slower* the mirror image of one", &lab),
    ];
    let rows: Vec<Vec<String>> =
        ways.iter().filter(|(_, claims)| !claims.is_empty()).map(|(way, claims)| row(way, claims)).collect();
    text.push_str(&table(
        &["way", "repeats", "“faster”", "“slower”", "mean of all", "sd of one", "smallest", "largest"],
        &rows,
    ));
    text.push_str("\nGains in percentage points of log rate.\n");
    if !trials.is_empty() {
        text.push_str(&lab_text(&trials));
    }
    Ok(Some(text))
}

fn row(way: &str, claims: &[Claim]) -> Vec<String> {
    let points: Vec<f64> = claims.iter().map(|claim| claim.points).collect();
    let count =
        |claimed: fn(&Claim) -> bool| claims.iter().filter(|claim| claimed(claim)).count().to_string();
    let sd = if points.len() > 1 { format!("{:.2}", standard_deviation(&points)) } else { "–".to_owned() };
    vec![
        way.to_owned(),
        claims.len().to_string(),
        count(|claim| claim.faster),
        count(|claim| claim.slower),
        format!("{:+.2}", mean(&points)),
        sd,
        format!("{:+.2}", points.iter().copied().fold(f64::INFINITY, f64::min)),
        format!("{:+.2}", points.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
    ]
}

fn of_lab(trial: &Judged) -> Claim {
    let comparison = trial.comparison();
    let negative = comparison.runs.iter().filter(|&&run| run < 0.0).count();
    let calm = comparison.largest_deviation <= protocol::MAX_DEVIATION;
    Claim {
        points: comparison.median,
        faster: comparison.passed,
        slower: calm && negative >= protocol::POSITIVE_RUNS,
    }
}

fn lab_text(trials: &[Judged]) -> String {
    let (all, signs) = (trials.len(), trials.iter().filter(|trial| trial.is_positive()).count());
    let passed = trials.iter().filter(|trial| trial.comparison().passed).count();
    let (low, high) = binomial::interval(signs as u64, all as u64, 0.95);
    let mut text = format!(
        "\nOf {all} trials {passed} proved the component; {signs} had seven of eight runs above zero, the 2.0-point rule aside \
         (exact 95 % interval for the probability: {:.1} to {:.1} %; the bound is 3.5 %).\n\n",
        100.0 * low,
        100.0 * high
    );
    let rows: Vec<Vec<String>> = trials
        .iter()
        .map(|trial| {
            let comparison = trial.comparison();
            vec![
                trial.name.clone(),
                format!("{}/8", comparison.positive),
                format!("{:.2}", comparison.largest_deviation),
                format!("{:+.2}", comparison.median),
                format!("[{:+.2}, {:+.2}]", comparison.interval.0, comparison.interval.1),
                format!("{:.2}", trial.plan.calibration[0].sd),
                if comparison.passed { "proven" } else { "not proven" }.to_owned(),
            ]
        })
        .collect();
    text.push_str(&table(
        &["trial", "above 0", "deviation", "median", "93 % interval", "A/A sd", "verdict"],
        &rows,
    ));
    text
}

/// Lines `repeat,number,arm,nodes,nps`, grouped by repeat.
fn benches(csv: &str) -> anyhow::Result<Vec<Claim>> {
    let mut repeats: Vec<(String, [Vec<f64>; 2])> = Vec::new();
    for line in csv.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [repeat, _, arm, _, nps] = fields[..] else { anyhow::bail!("`{line}`: expected five fields") };
        if repeats.last().is_none_or(|(last, _)| last != repeat) {
            repeats.push((repeat.to_owned(), Default::default()));
        }
        let arm = usize::from(arm == "null");
        let rate = 100.0 * nps.parse::<f64>()?.ln();
        repeats.iter_mut().rev().take(1).for_each(|(_, arms)| arms[arm].push(rate));
    }
    Ok(repeats.into_iter().map(|(_, [plain, null])| compared(&null, &plain)).collect())
}

/// The difference of two means of log rates, and whether it is beyond two standard errors.
fn compared(null: &[f64], plain: &[f64]) -> Claim {
    let (null, plain) = (Mean::of(null), Mean::of(plain));
    let points = null.value - plain.value;
    let error = null.error.hypot(plain.error);
    Claim { points, faster: points > 2.0 * error, slower: points < -2.0 * error }
}

/// Every JSON file that hyperfine exported.
fn hyperfine(folder: &Path) -> anyhow::Result<Vec<Claim>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files: Vec<_> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.sort();
    files.iter().map(|file| of_hyperfine(file).with_context(|| file.display().to_string())).collect()
}

/// As hyperfine's own summary says it: the ratio of the means, and its error by propagation.
fn of_hyperfine(file: &Path) -> anyhow::Result<Claim> {
    let json: Value = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    let of = |index: usize, key: &str| json["results"][index][key].as_f64().context("expected two results");
    let (plain, null) = ((of(0, "mean")?, of(0, "stddev")?), (of(1, "mean")?, of(1, "stddev")?));
    let ratio = plain.0 / null.0;
    let error = ratio * (plain.1 / plain.0).hypot(null.1 / null.0);
    Ok(Claim { points: 100.0 * ratio.ln(), faster: ratio - error > 1.0, slower: ratio + error < 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benches_are_compared_repeat_by_repeat() {
        let csv = "repeat,number,arm,nodes,nps\n\
            1,1,plain,9,1000\n1,1,null,9,1100\n1,2,plain,9,1010\n1,2,null,9,1110\n\
            2,1,plain,9,1000\n2,1,null,9,1010\n2,2,plain,9,1100\n2,2,null,9,1080\n";
        let claims = benches(csv).expect("good lines");
        assert_eq!(claims.len(), 2);
        let gain = 100.0 * (1100f64 * 1110.0 / (1000.0 * 1010.0)).ln() / 2.0;
        assert!((claims[0].points - gain).abs() < 1e-9, "{}", claims[0].points);
        assert!(claims[0].faster && !claims[0].slower);
        assert!(!claims[1].faster && !claims[1].slower, "lost in the noise");
        assert!(benches("repeat,number,arm,nodes,nps\n1,1,plain\n").is_err());
    }

    #[test]
    fn hyperfine_is_read_as_its_summary_says() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, null: f64| {
            let json =
                format!(r#"{{"results":[{{"mean":2.0,"stddev":0.02}},{{"mean":{null},"stddev":0.02}}]}}"#);
            std::fs::write(folder.path().join(name), json).expect("written");
        };
        write("01.json", 1.9);
        write("02.json", 2.01);
        write("03.json", 2.1);
        let claims = hyperfine(folder.path()).expect("good files");
        let said: Vec<(bool, bool)> = claims.iter().map(|claim| (claim.faster, claim.slower)).collect();
        assert_eq!(said, [(true, false), (false, false), (false, true)]);
        assert!((claims[0].points - 100.0 * (2.0f64 / 1.9).ln()).abs() < 1e-9);
        std::fs::write(folder.path().join("04.json"), "{}").expect("written");
        assert!(hyperfine(folder.path()).is_err());
    }
}
