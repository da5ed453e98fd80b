//! `bench-lab simulate`: how often the rules are wrong, and what they can prove.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::{Args, ValueEnum};
use protocol::EVALUATOR;
use protocol::sign_test::false_proof;
use protocol::simulation::{
    BadSetting, MOST, Noise, Outcome, SIMULATION_FORMAT, Setting, Simulation, Tally, simulate,
};

use super::arguments::{at_least, decimal, number};
use super::{Failure, print};
use crate::exit::Exit;
use crate::output::{self, Files};
use crate::progress::Progress;

/// Trials that a thread takes at a time.
const SHARE: u64 = 500;

/// Arguments of `simulate`.
#[derive(Clone, Debug, Args)]
pub struct Request {
    /// Models of the noise
    #[arg(long, value_name = "MODEL", value_enum, value_delimiter = ',', default_values_t = Model::value_variants().to_vec())]
    noise: Vec<Model>,
    /// Standard deviation of a phase value in percentage points, as the calibration tells it
    #[arg(long, value_name = "POINTS", default_value_t = 0.35, value_parser = decimal)]
    sd: f64,
    /// True gains of every component in percent, -50 to 100; below 0 they are losses (a list that begins with one is written --effects=-0.5,0.5). 0, the false proofs, is always among them
    #[arg(
        long,
        value_name = "PERCENT",
        value_delimiter = ',',
        value_parser = decimal,
        default_value = "0.05,0.1,0.15,0.2,0.3,0.4,0.5,0.75,1"
    )]
    effects: Vec<f64>,
    /// Components of a bundle
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<usize>(1, MOST as u64))]
    components: usize,
    /// Lanes, each with noise of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<usize>(1, MOST as u64))]
    lanes: usize,
    /// Gain in percent that the whole bundle must exceed
    #[arg(long, value_name = "PERCENT", default_value_t = 1.5, value_parser = decimal)]
    threshold: f64,
    /// Simulated trials for every line of the table
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = number::<u64>(1, 1_000_000_000))]
    trials: u64,
    /// Seed of all noise: the same one gives the same figures
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least::<u64>(0))]
    seed: u64,
    /// heavy-tailed: degrees of freedom of Student's t
    #[arg(long, value_name = "N", default_value_t = 3.0, value_parser = decimal)]
    freedom: f64,
    /// slow-spells: share of the phases that lie in a spell
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = decimal)]
    spell_share: f64,
    /// slow-spells: mean length of a spell in phases
    #[arg(long, value_name = "PHASES", default_value_t = 4.0, value_parser = decimal)]
    spell_phases: f64,
    /// slow-spells: mean loss of an arm in a slow phase, in points
    #[arg(long, value_name = "POINTS", default_value_t = 0.5, value_parser = decimal)]
    spell_points: f64,
    /// drift: what the later arm of a run loses, in points
    #[arg(long, value_name = "POINTS", default_value_t = 0.1, value_parser = decimal)]
    drift: f64,
    /// autocorrelated: correlation of a run with the one before
    #[arg(long, value_name = "R", default_value_t = 0.5, value_parser = decimal)]
    correlation: f64,
    /// bias: what the harness favours `full` by, in points
    #[arg(long, value_name = "POINTS", default_value_t = 0.05, value_parser = decimal)]
    bias: f64,
    /// one-layout: sd of an executable's speed between layouts, in points
    #[arg(long, value_name = "POINTS", default_value_t = 0.37, value_parser = decimal)]
    layout: f64,
    /// As JSON instead of a table
    #[arg(long)]
    json: bool,
    /// Also draw power against effect into this file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// A model of the noise, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Model {
    /// Normal and independent
    Normal,
    /// Student's t
    HeavyTailed,
    /// A machine that is slow now and then
    SlowSpells,
    /// A speed that changes within every run
    Drift,
    /// Runs that hang on each other
    Autocorrelated,
    /// A harness that favours `full`
    Bias,
    /// One layout for the whole trial instead of one for every phase
    OneLayout,
}

impl Request {
    fn noise(&self, model: Model) -> Noise {
        match model {
            Model::Normal => Noise::Normal,
            Model::HeavyTailed => Noise::HeavyTailed { freedom: self.freedom },
            Model::SlowSpells => Noise::SlowSpells {
                share: self.spell_share,
                phases: self.spell_phases,
                points: self.spell_points,
            },
            Model::Drift => Noise::Drift { points: self.drift },
            Model::Autocorrelated => Noise::Autocorrelated { correlation: self.correlation },
            Model::Bias => Noise::Bias { points: self.bias },
            Model::OneLayout => Noise::OneLayout { points: self.layout },
        }
    }

    /// One for every model asked for, each once.
    fn settings(&self) -> Result<Vec<Setting>, BadSetting> {
        let mut gains = self.effects.clone();
        gains.push(0.0);
        gains.sort_by(f64::total_cmp);
        gains.dedup();
        let setting = |&model: &Model| Setting {
            noise: self.noise(model),
            sd: self.sd,
            components: self.components,
            lanes: self.lanes,
            gains: gains.clone(),
            threshold_percent: self.threshold,
            seed: self.seed,
        };
        let models = Model::value_variants().iter().filter(|model| self.noise.contains(model));
        let settings: Vec<Setting> = models.map(setting).collect();
        settings.iter().try_for_each(Setting::check)?;
        Ok(settings)
    }
}

/// Simulates on all cores, prints the table or the JSON and draws the plot.
pub fn simulation(request: &Request) -> Result<Exit, Failure> {
    let settings = request.settings().map_err(usage)?;
    // Before anything costs time.
    let folder = request.plot.as_deref().map(output::folder_of);
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(Failure::Usage(format!("--plot: {}: expected a folder that is there", folder.display())));
    }
    let progress = Progress::new();
    let mut outcomes = Vec::new();
    for setting in &settings {
        progress.step(&format!("simulating {}", setting.noise.name()));
        let tally = shared(setting, request.trials).map_err(usage)?;
        outcomes.push(Outcome { noise: setting.noise, cells: tally.cells(setting) });
    }
    progress.finish();
    let (part, whole) = false_proof();
    let simulation = Simulation {
        format: SIMULATION_FORMAT,
        evaluator: EVALUATOR,
        trials: request.trials,
        seed: request.seed,
        sd: request.sd,
        components: request.components,
        lanes: request.lanes,
        threshold_percent: request.threshold,
        bound: part as f64 / whole as f64,
        outcomes,
    };
    if let Some(file) = &request.plot {
        let plot = reports::simulation::power(&simulation).map_err(anyhow::Error::from)?;
        let mut files = Files::new();
        files.add(file, plot.as_bytes())?;
        files.finish()?;
    }
    match request.json {
        true => print(&output::json(&simulation)?)?,
        false => print(&reports::simulation::table(&simulation))?,
    }
    Ok(Exit::Proven)
}

fn usage(bad: BadSetting) -> Failure {
    Failure::Usage(bad.to_string())
}

/// All trials of a setting, shared out among the cores; who simulates which does not matter.
fn shared(setting: &Setting, trials: u64) -> Result<Tally, BadSetting> {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let next = AtomicU64::new(0);
    let total = Mutex::new(Ok(Tally::new(setting.gains.len())));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let begin = next.fetch_add(SHARE, Ordering::Relaxed);
                    if begin >= trials {
                        return;
                    }
                    let part = simulate(setting, begin..trials.min(begin + SHARE));
                    let mut total = total.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    match (total.as_mut(), part) {
                        (Ok(total), Ok(part)) => *total += &part,
                        (Ok(_), Err(bad)) => *total = Err(bad),
                        (Err(_), _) => return,
                    }
                }
            });
        }
    });
    total.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}
