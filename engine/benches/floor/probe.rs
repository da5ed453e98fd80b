//! Things that are timed in turn, round after round, so that what the machine does meanwhile meets all of them.

use std::time::{Duration, Instant};

/// One of them.
struct Probe<'a> {
    run: Box<dyn FnMut() + 'a>,
    /// Passes between two looks at the clock.
    passes: u32,
    /// Seconds a pass, of each round.
    seconds: Vec<f64>,
}

impl Probe<'_> {
    /// Times it for at least `least`, after a pass that brings its data as near as they fit.
    fn round(&mut self, least: Duration) {
        (self.run)();
        if self.passes == 0 {
            let once = self.time(1).max(Duration::from_nanos(20));
            self.passes = (least.as_secs_f64() / once.as_secs_f64()).ceil().max(1.0) as u32;
        }
        let time = self.time(self.passes);
        self.seconds.push(time.as_secs_f64() / f64::from(self.passes));
    }

    fn time(&mut self, passes: u32) -> Duration {
        let start = Instant::now();
        for _ in 0..passes {
            (self.run)();
        }
        start.elapsed()
    }
}

/// All of them.
#[derive(Default)]
pub struct Probes<'a>(Vec<Probe<'a>>);

impl<'a> Probes<'a> {
    /// Adds one; returns its number.
    pub fn add(&mut self, run: impl FnMut() + 'a) -> usize {
        self.0.push(Probe { run: Box::new(run), passes: 0, seconds: Vec::new() });
        self.0.len() - 1
    }

    /// Times all in so many rounds.
    pub fn rounds(&mut self, rounds: usize, least: Duration) {
        for _ in 0..rounds {
            self.0.iter_mut().for_each(|probe| probe.round(least));
        }
    }

    /// Seconds a pass.
    pub fn seconds(&self, probe: usize) -> Series {
        Series(self.0[probe].seconds.clone())
    }
}

/// A figure of each round.
#[derive(Clone)]
pub struct Series(Vec<f64>);

impl Series {
    /// Both figures of each round together.
    pub fn with(&self, other: &Self, both: impl Fn(f64, f64) -> f64) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(&a, &b)| both(a, b)).collect())
    }

    /// Another figure of each round.
    pub fn map(&self, figure: impl Fn(f64) -> f64) -> Self {
        Self(self.0.iter().map(|&value| figure(value)).collect())
    }

    /// The value below which this part of the rounds lies.
    fn quantile(&self, part: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let place = part * (sorted.len() - 1) as f64;
        let (below, rest) = (place as usize, place.fract());
        let above = sorted[(below + 1).min(sorted.len() - 1)];
        sorted[below] + (above - sorted[below]) * rest
    }

    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// Median and, in brackets, both quartiles.
    pub fn text(&self, digits: usize) -> String {
        let [low, middle, high] = [0.25, 0.5, 0.75].map(|part| self.quantile(part));
        format!("{middle:.digits$} [{low:.digits$}, {high:.digits$}]")
    }
}
