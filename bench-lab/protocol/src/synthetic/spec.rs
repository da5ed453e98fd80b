//! What a synthetic trial is made of.

/// What a synthetic trial is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Names of the components.
    pub components: Vec<String>,
    /// The lanes.
    pub lanes: Vec<LaneSpec>,
    /// Processes of every arm in a phase.
    pub processes: usize,
    /// Positions of the workload.
    pub positions: usize,
    /// Nodes on each position.
    pub nodes: u64,
    /// Standard deviation of a phase value that comes from the phase as a whole, points.
    pub noise: f64,
    /// Standard deviation of the log rate of a single search, points.
    pub jitter: f64,
    /// Gain in percent that the bundle must exceed.
    pub threshold_percent: f64,
    /// Master seed: of the schedule, the draws and the noise.
    pub seed: u64,
}

/// One lane of a synthetic trial.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneSpec {
    /// Name.
    pub name: String,
    /// True gain of every component here, percent; effects multiply.
    pub gains: Vec<f64>,
}

impl Spec {
    /// One lane named `main` with these components and their gains in percent, two processes,
    /// six positions of 2,000 nodes, noise of 0.3 points, jitter of 0.2 and a threshold of 1.5 %.
    pub fn new(components: &[(&str, f64)], seed: u64) -> Self {
        Spec {
            components: components.iter().map(|(name, _)| (*name).to_owned()).collect(),
            lanes: vec![LaneSpec {
                name: "main".to_owned(),
                gains: components.iter().map(|&(_, gain)| gain).collect(),
            }],
            processes: 2,
            positions: 6,
            nodes: 2_000,
            noise: 0.3,
            jitter: 0.2,
            threshold_percent: 1.5,
            seed,
        }
    }

    /// The same with one more lane.
    pub fn with_lane(mut self, name: &str, gains: &[f64]) -> Self {
        self.lanes.push(LaneSpec { name: name.to_owned(), gains: gains.to_vec() });
        self
    }
}
