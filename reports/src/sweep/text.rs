//! The answer in one sentence, and the table of the command line.

use protocol::sweep::{AS_LINKED, Chance, Sweep};

use super::{by_speed, check, measured, name};
use crate::table::aligned;
use crate::trial::ReportError;
use crate::words::{count, interval, share, signed, terminal};

/// Below this probability a finding is called unlikely.
const UNLIKELY: f64 = 0.05;

/// What the sweep answers, in one or two sentences.
pub fn answer(sweep: &Sweep) -> String {
    let spread = &sweep.spread;
    let (low, high) = spread.layout_sd_interval;
    let mut text = if resolved(sweep) {
        format!(
            "Layout alone makes the speed of this executable vary with a standard deviation of {:.2} % (95 % interval \
             {low:.2} to {high:.2} %): of two builds of the same speed, one pair in twenty differs by {:.2} % or more.",
            spread.layout_sd, spread.one_in_twenty
        )
    } else {
        format!(
            "No effect of layout can be told from the noise: its standard deviation is at most {high:.2} % (95 % interval), \
             so that of two builds of the same speed one pair in twenty differs by {:.2} % at most. More rounds, more nodes or \
             a quieter machine tell smaller effects.",
            spread.one_in_twenty_interval.1
        )
    };
    if let Some(gain) = &spread.gain {
        let means = match gain {
            gain if gain.interval.1 < UNLIKELY => "layout alone hardly explains it",
            gain if gain.interval.0 >= UNLIKELY => "layout alone explains it well enough",
            _ => "layout alone may explain it",
        };
        text.push_str(&format!(
            " Two builds of the same speed differ by {} % or more by layout alone with probability {}: {means}.",
            gain.percent,
            likely(sweep, gain)
        ));
    }
    text
}

/// Whether layouts differ by more than noise explains.
pub fn resolved(sweep: &Sweep) -> bool {
    sweep.spread.layout_sd_interval.0 > 0.0
}

/// How likely a difference is; where no effect of layout was seen, how likely at most.
pub fn likely(sweep: &Sweep, gain: &Chance) -> String {
    let (low, high) = (percent(gain.interval.0), percent(gain.interval.1));
    match resolved(sweep) {
        true => format!("{} (95 % interval {low} to {high})", percent(gain.probability)),
        false => format!("{high} at most"),
    }
}

/// A probability in percent.
pub fn percent(probability: f64) -> String {
    match 100.0 * probability {
        0.0 => "0 %".to_owned(),
        p if p < 0.1 => "below 0.1 %".to_owned(),
        p if p < 10.0 => format!("{p:.1} %"),
        p => format!("{p:.0} %"),
    }
}

/// That only starts were drawn, for the first line.
pub fn limited(sweep: &Sweep) -> Option<&'static str> {
    sweep.layout.is_limited().then_some(
        "Start-up layouts only: the executable was not relinked, so that its code and static data stay where they are. \
         The spread over whole layouts can be larger.",
    )
}

/// The plain-text table: every layout, the deviations, and the answer.
pub fn table(sweep: &Sweep) -> Result<String, ReportError> {
    check(sweep)?;
    let mut text = String::new();
    if let Some(limited) = limited(sweep) {
        text.push_str(&format!("{limited}\n\n"));
    }
    let mut rows = vec![["layout", "seed", "points", "95 % interval", "moved"].map(str::to_owned).to_vec()];
    for layout in by_speed(sweep) {
        let (drawn, value) = (&sweep.layouts[layout], &sweep.spread.values[layout]);
        let (functions, data) = (drawn.moved_functions, drawn.moved_data);
        rows.push(vec![
            name(layout),
            drawn.seed.map_or("–".to_owned(), |seed| seed.to_string()),
            signed(value.value),
            interval(value.interval),
            if layout == AS_LINKED {
                "–".to_owned()
            } else {
                share(functions.0 + data.0, functions.1 + data.1)
            },
        ]);
    }
    for line in aligned(&rows, &[1, 2, 3, 4]).lines() {
        text.push_str(&format!("  {line}\n"));
    }
    let spread = &sweep.spread;
    let (low, high) = spread.layout_sd_interval;
    text.push_str(&format!(
        "\nPoints: percentage points of log rate from the mean of the {}, each measured {}.\n\
         Between layouts: sd {:.3} points, 95 % interval {low:.3} to {high:.3}; by chance if there were no difference: {}.\n\
         Noise of one measurement: sd {:.3} points ({} degrees of freedom).\n\n{}\n",
        count(sweep.layouts.len() - 1, "drawn layout"),
        count(measured(sweep), "time"),
        spread.layout_sd,
        percent(spread.no_effect),
        spread.noise_sd,
        spread.noise_freedom,
        answer(sweep)
    ));
    Ok(terminal(&text))
}
