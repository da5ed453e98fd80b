//! An A/A measurement in words: noise, bias, layout, and what a trial takes.

use protocol::calibration::forecast::{Aa, Forecast, trial_seconds};

use crate::columns::columns;
use crate::words::{count, duration, signed, terminal};

/// Every lane, and how long a trial takes.
pub fn table(aa: &Aa) -> String {
    let mut text = format!("A/A of bundle {}, master seed {}\n", aa.bundle, aa.seed);
    for lane in &aa.lanes {
        text.push_str(&format!("\nlane {}\n{}", lane.calibration.lane, columns(&facts(lane), 1)));
        text.push_str(&format!("\n{}", wanted(lane)));
        for line in said(lane) {
            text.push_str(&format!("  {line}\n"));
        }
    }
    text.push_str(&format!(
        "\nA trial with phases as they are takes about {} ({}, {} each).\n",
        duration(aa.trial_seconds),
        count(aa.lanes.len(), "lane"),
        count(protocol::RUNS * protocol::PHASES, "phase")
    ));
    terminal(&text)
}

fn facts(lane: &Forecast) -> Vec<Vec<String>> {
    let c = &lane.calibration;
    let provable = |gain: Option<f64>| gain.map_or("nothing".to_owned(), |gain| format!("{gain:.2} %"));
    let bias = match lane.bias_interval {
        Some((low, high)) => format!("{} [{}, {}] points", signed(c.bias), signed(low), signed(high)),
        None => format!("{} points (too few phases for an interval)", signed(c.bias)),
    };
    let share = |part: f64| format!("{:.0}", 100.0 * part);
    let layout = &lane.layout;
    [
        ("noise: sd of a phase value", format!("{:.2} points in {}", c.sd, count(c.phases, "phase"))),
        ("bias of the harness, 93 % interval", bias),
        ("a phase", format!("{:.1} s", c.phase_seconds)),
        ("provable with 80 % probability", provable(c.provable_80)),
        ("provable with 95 % probability", provable(c.provable_95)),
        ("the 2.0-point rule fires by noise in", format!("{:.1} % of trials", 100.0 * c.scatter_risk)),
        ("sd of a copy, draw shared by all", format!("{:.2} points", layout.shared_sd)),
        ("sd of a copy, each its own draw", format!("{:.2} points", layout.own_sd)),
        ("of that layout alone", format!("{:.2} points", layout.layout_sd)),
        (
            "layout's share of the variance",
            format!("{} % [{}, {}]", share(layout.share), share(layout.interval.0), share(layout.interval.1)),
        ),
    ]
    .map(|(what, value)| vec![what.to_owned(), value])
    .to_vec()
}

/// What wanted gains take.
fn wanted(lane: &Forecast) -> String {
    let cells = |needed: Option<f64>| match needed {
        Some(seconds) => [format!("{seconds:.1} s"), duration(trial_seconds(seconds))],
        None => ["no length does".to_owned(), "–".to_owned()],
    };
    let head = ["to prove of a component", "with 80 %: phases of", "trial", "with 95 %: phases of", "trial"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(lane.needs.iter().map(|need| {
        let mut row = vec![format!("{} %", need.percent)];
        row.extend(cells(need.phase_seconds_80).into_iter().chain(cells(need.phase_seconds_95)));
        row
    }));
    columns(&rows, 1)
}

fn said(lane: &Forecast) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some((low, high)) = lane.bias_interval
        && (low > 0.0 || high < 0.0)
    {
        lines.push(
            "! The harness seems to favour a role: more phases tell whether that is so; a trial could prove nothing that small."
                .to_owned(),
        );
    }
    let longer = match lane.calm_phase_seconds {
        Some(seconds) => format!("phases of {seconds:.1} s would keep it still (more nodes or processes)"),
        None => "no phase length keeps it still on this machine".to_owned(),
    };
    if lane.must_fire {
        lines.push(format!("✗ The 2.0-point rule is bound to fire: `run` refuses such a trial; {longer}."));
    } else if !lane.can_prove() {
        lines.push(format!("✗ The 2.0-point rule fires too often to prove anything: {longer}."));
    }
    lines
}
