//! What is happening, on a terminal as a moving line, elsewhere as plain lines.
//!
//! Never an interim value: only where the trial is and how long it will take.

use std::io::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Plain lines about phases come at most this often.
const PLAIN_EVERY: Duration = Duration::from_secs(30);

const STAGE: &str = "{spinner} {prefix}  {wide_msg:.dim}";
const PIECES: &str = "{bar:30} {pos}/{len}  {prefix}  {msg:.dim}";

/// Where progress is shown: always on standard error; cloning gives a handle on the same line.
#[derive(Clone)]
pub struct Progress {
    bar: ProgressBar,
    plain: bool,
}

impl Progress {
    /// A moving line on a terminal, plain lines elsewhere.
    pub fn new() -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let plain = bar.is_hidden();
        bar.set_style(style(STAGE));
        if !plain {
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Progress { bar, plain }
    }

    /// The next stage.
    pub fn step(&self, what: &str) {
        match self.plain {
            true => line(what),
            false => {
                self.bar.set_message("");
                self.bar.set_prefix(what.to_string());
            }
        }
    }

    /// What the stage is at; not worth a line of its own.
    pub fn detail(&self, what: &str) {
        self.bar.set_message(what.to_string());
    }

    /// A line that stays.
    pub fn say(&self, text: &str) {
        match self.plain {
            true => line(text),
            false => self.bar.println(text),
        }
    }

    /// Shows a number of equal pieces of work with the time left.
    ///
    /// No ticking here: between two pieces the lab measures, and a thread that draws would disturb it.
    pub fn pieces(&self, total: usize) -> Pieces<'_> {
        self.bar.disable_steady_tick();
        self.bar.set_style(style(PIECES));
        self.bar.set_length(total as u64);
        self.bar.set_position(0);
        let now = Instant::now();
        Pieces { progress: self, total, begun: now, told: now }
    }

    /// Takes the moving line away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Default for Progress {
    fn default() -> Progress {
        Progress::new()
    }
}

/// Equal pieces of work.
pub struct Pieces<'a> {
    progress: &'a Progress,
    total: usize,
    begun: Instant,
    told: Instant,
}

impl Pieces<'_> {
    /// `done` pieces are done and `place` is next.
    pub fn at(&mut self, done: usize, place: &str) {
        let left = match done {
            0 => String::new(),
            done => {
                let each = self.begun.elapsed().as_secs_f64() / done as f64;
                format!("{} left", duration(each * (self.total - done) as f64))
            }
        };
        let bar = &self.progress.bar;
        bar.set_prefix(place.to_string());
        bar.set_position(done as u64);
        bar.set_message(left.clone());
        bar.tick();
        if self.progress.plain && (done == 0 || self.told.elapsed() >= PLAIN_EVERY) {
            self.told = Instant::now();
            let left = if left.is_empty() { left } else { format!(", {left}") };
            line(&format!("{place} ({done} of {} done{left})", self.total));
        }
    }
}

impl Drop for Pieces<'_> {
    fn drop(&mut self) {
        self.progress.bar.set_style(style(STAGE));
        if !self.progress.plain {
            self.progress.bar.enable_steady_tick(Duration::from_millis(120));
        }
    }
}

fn line(text: &str) {
    // A reader that has gone away must not stop a trial.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Seconds for people.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round().max(0.0) as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

fn style(template: &str) -> ProgressStyle {
    // A test sees to it that the constants above parse.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_parse() {
        for template in [STAGE, PIECES] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }

    #[test]
    fn durations_are_for_people() {
        assert_eq!(duration(0.4), "0 s");
        assert_eq!(duration(59.6), "1 min 00 s");
        assert_eq!(duration(3_725.0), "1 h 02 min");
    }
}
