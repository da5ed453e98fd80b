//! The marks of the plots and what they mean: one list for the page and for plots of their own.

/// A mark as plots have it, and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its width; it is 14 high.
    pub width: u32,
    /// The mark, as SVG.
    pub mark: &'static str,
    /// What it means.
    pub words: &'static str,
}

const PASSED: Key =
    Key { width: 14, mark: "<path d=\"M2 2h10v10H2z\" fill=\"var(--pass)\"/>", words: "proven" };
const FAILED: Key = Key {
    width: 14,
    mark: "<path d=\"M7 1l6 6-6 6-6-6z\" fill=\"none\" stroke=\"var(--fail)\" stroke-width=\"2\"/>",
    words: "not proven",
};
const BAR: Key = Key {
    width: 14,
    mark: "<path d=\"M7 0v14\" stroke=\"var(--fail)\" stroke-width=\"2\"/>",
    words: "what the whole bundle must exceed",
};
const NOISE: Key = Key {
    width: 14,
    mark: "<circle cx=\"7\" cy=\"7\" r=\"5\" fill=\"none\" stroke=\"var(--noise)\" stroke-width=\"2\"/>",
    words: "A/A noise: mean and one standard deviation of single phase values",
};
const PHASE: Key = Key {
    width: 14,
    mark: "<circle cx=\"7\" cy=\"7\" r=\"3.5\" fill=\"var(--key-point)\"/>",
    words: "one phase value, in its order of time; point at it to read it",
};
const MEAN: Key = Key {
    width: 22,
    mark: "<path d=\"M0 7h22\" stroke=\"var(--centre)\" stroke-width=\"4\"/>",
    words: "mean of the run: the run value",
};
const MEDIAN: Key = Key {
    width: 22,
    mark: "<path d=\"M0 7h22\" stroke=\"var(--ink)\" stroke-width=\"2\" stroke-dasharray=\"5 4\"/>",
    words: "median of the run",
};
const BAND: Key = Key {
    width: 22,
    mark: "<path d=\"M0 1h22v12H0z\" fill=\"var(--band)\"/>",
    words: "within 2.0 points of the run's median: what the rule allows",
};
const OUTSIDE: Key = Key {
    width: 14,
    mark: "<path d=\"M2 2l10 10M2 12L12 2\" stroke=\"var(--fail)\" stroke-width=\"2\"/>",
    words: "outside it",
};
const INTERVAL: Key =
    Key { width: 22, mark: "<path d=\"M0 1h22v12H0z\" fill=\"var(--band)\"/>", words: "93 % interval" };
const MIDDLE: Key = Key {
    width: 14,
    mark: "<path d=\"M7 0v14\" stroke=\"var(--centre)\" stroke-width=\"2\"/>",
    words: "median of the run values",
};
const LATER: Key = Key {
    width: 14,
    mark: "<circle cx=\"7\" cy=\"7\" r=\"5\" fill=\"var(--pass)\"/>",
    words: "run in which full ran later on average",
};
const EARLIER: Key = Key {
    width: 14,
    mark: "<circle cx=\"7\" cy=\"7\" r=\"5\" fill=\"none\" stroke=\"var(--pass)\" stroke-width=\"2\"/>",
    words: "earlier",
};
const SETTLING: Key = Key {
    width: 22,
    mark: "<path d=\"M0 7h22\" stroke=\"var(--centre)\" stroke-width=\"2\"/>",
    words: "mean of all phase values so far; drawn afterwards, nothing looked at it on the way",
};

const SHARE: Key = Key {
    width: 22,
    mark: "<path d=\"M0 3h22v11H0z\" fill=\"var(--band)\"/><path d=\"M0 3h22\" stroke=\"var(--noise)\" stroke-width=\"3\"/>",
    words: "mean of all draws",
};
const RANGE: Key = Key {
    width: 14,
    mark: "<path d=\"M7 1v12M2 1h10M2 13h10\" stroke=\"var(--ink)\" stroke-width=\"2\"/>",
    words: "range of single draws",
};

/// Of forest plots.
pub const FOREST: [Key; 3] = [PASSED, FAILED, BAR];
/// Of the noise floor beside the gains.
pub const FLOOR: [Key; 3] = [NOISE, PASSED, FAILED];
/// Of phase values by run.
pub const STRIPS: [Key; 5] = [PHASE, MEAN, MEDIAN, BAND, OUTSIDE];
/// Of phase values of the whole bundle, which the 2.0 rule does not judge.
pub const WHOLE_STRIPS: [Key; 3] = [PHASE, MEAN, MEDIAN];
/// Of run values.
pub const RUNS: [Key; 4] = [LATER, EARLIER, MIDDLE, INTERVAL];
/// Of the quarters of a cache line.
pub const QUARTERS: [Key; 2] = [SHARE, RANGE];
/// Of the cumulative mean.
pub const CUMULATIVE: [Key; 1] = [SETTLING];
