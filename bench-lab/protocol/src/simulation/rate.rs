//! How often something happened.

use serde::{Deserialize, Serialize};

use crate::binomial;

/// How often something happened in independent trials.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// Trials in which it did.
    pub hits: u64,
    /// Of all trials this share.
    pub share: f64,
    /// Exact 95 % interval for the probability behind it.
    pub interval: (f64, f64),
}

impl Rate {
    /// `hits` of `trials`.
    pub fn new(hits: u64, trials: u64) -> Self {
        let interval = binomial::interval(hits, trials, 0.95);
        Self { hits, share: hits as f64 / trials as f64, interval }
    }
}
