//! Losses: what a component may cost beside its own speed, and what it was said to cost beforehand.
//!
//! A loss is found by [`find`]; what was declared is a list of [`Cost`]s; how much is let pass is a [`Tolerance`], fixed
//! in the plan.

mod find;

use serde::{Deserialize, Serialize};

pub use find::{find, locks};

/// The first evaluator that measures losses.
pub const SINCE_EVALUATOR: u32 = 3;

/// What the lab measures of what a component costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LossKind {
    /// Peak resident memory at the end of a process's work, in bytes.
    Memory,
    /// Size of the executable as first linked, in bytes.
    ExecutableSize,
    /// From the start of a process to its first `readyok`, in nanoseconds.
    StartUpTime,
    /// Speed on one lane, while another lane gains: in percentage points of log rate.
    LaneSpeed,
}

/// One declared cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Of a kind that the lab measures in every trial.
    Measured(LossKind),
    /// Speed on the lane of this name.
    Lane(String),
    /// Something that the lab cannot measure, in several words.
    Words(String),
}

impl Cost {
    /// The costs that the lab measures, as a bundle writes them; what follows `lane:` is a lane's name.
    pub const MEASURED: [&'static str; 4] = ["memory", "executable size", "start-up time", "lane:<name>"];

    /// Reads a declared cost. A single word that is none of [`Cost::MEASURED`] is none: what the lab cannot measure
    /// takes several words to say, and a slip of the pen must not pass for it.
    pub fn parse(text: &str) -> Option<Cost> {
        let [memory, size, start, _] = Self::MEASURED;
        let text = text.trim();
        if let Some(lane) = text.strip_prefix("lane:") {
            let lane = lane.trim();
            return (!lane.is_empty()).then(|| Cost::Lane(lane.to_owned()));
        }
        match text {
            _ if text == memory => Some(Cost::Measured(LossKind::Memory)),
            _ if text == size => Some(Cost::Measured(LossKind::ExecutableSize)),
            _ if text == start => Some(Cost::Measured(LossKind::StartUpTime)),
            _ if text.contains(char::is_whitespace) => Some(Cost::Words(text.to_owned())),
            _ => None,
        }
    }

    /// Whether it declares a loss of this kind on this lane.
    pub fn covers(&self, kind: LossKind, lane: &str) -> bool {
        match self {
            Cost::Measured(declared) => *declared == kind,
            Cost::Lane(declared) => kind == LossKind::LaneSpeed && declared == lane,
            Cost::Words(_) => false,
        }
    }
}

/// How much of every kind is let pass, with or without a declaration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerance {
    /// Of peak resident memory; `least` in bytes.
    pub memory: Allowance,
    /// Of the executable's size; `least` in bytes.
    pub executable_size: Allowance,
    /// Of start-up time; `least` in nanoseconds.
    pub start_up_time: Allowance,
    /// Of speed on a lane, percent.
    pub lane_percent: f64,
}

/// A share of what the arm without the component has, and never less than an amount.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowance {
    /// The share, percent.
    pub percent: f64,
    /// The amount.
    pub least: u64,
}

impl Default for Tolerance {
    /// 2 % or 1 MiB of memory, 2 % or 64 KiB of executable, 10 % or 2 ms of start-up, half a percent of a lane's speed.
    fn default() -> Self {
        Tolerance {
            memory: Allowance { percent: 2.0, least: 1 << 20 },
            executable_size: Allowance { percent: 2.0, least: 64 << 10 },
            start_up_time: Allowance { percent: 10.0, least: 2_000_000 },
            lane_percent: 0.5,
        }
    }
}

impl Allowance {
    /// What may come on top of `other`: the share of it or the amount, whichever is more.
    pub fn on_top_of(&self, other: f64) -> f64 {
        (other * self.percent / 100.0).max(self.least as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_read_and_slips_are_not() {
        for (text, expected) in [
            ("memory", Some(Cost::Measured(LossKind::Memory))),
            (" executable size ", Some(Cost::Measured(LossKind::ExecutableSize))),
            ("start-up time", Some(Cost::Measured(LossKind::StartUpTime))),
            ("lane:avx512", Some(Cost::Lane("avx512".to_owned()))),
            ("lane: avx512", Some(Cost::Lane("avx512".to_owned()))),
            ("processors without BMI2", Some(Cost::Words("processors without BMI2".to_owned()))),
            ("memry", None),
            ("Memory", None),
            ("lane:", None),
            ("", None),
        ] {
            assert_eq!(Cost::parse(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_declaration_covers_its_own_kind_and_lane() {
        let lane = Cost::Lane("avx512".to_owned());
        assert!(lane.covers(LossKind::LaneSpeed, "avx512"));
        assert!(!lane.covers(LossKind::LaneSpeed, "avx2") && !lane.covers(LossKind::Memory, "avx512"));
        let memory = Cost::Measured(LossKind::Memory);
        assert!(memory.covers(LossKind::Memory, "any") && !memory.covers(LossKind::StartUpTime, "any"));
        assert!(!Cost::Words("more memory".to_owned()).covers(LossKind::Memory, "any"));
    }

    #[test]
    fn the_share_counts_where_it_is_more_than_the_amount() {
        let allowance = Allowance { percent: 2.0, least: 100 };
        assert_eq!((allowance.on_top_of(1_000.0), allowance.on_top_of(10_000.0)), (100.0, 200.0));
    }
}
