//! What a search tells about itself.

use std::fmt;
use std::time::Duration;

use super::score::UciScore;
use crate::position::Move;

/// The state of a search after an iteration, or when it broke off. Displayed as UCI's `info` line;
/// with fixed nodes everything but `nps` and `time` is the same on every machine.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// Iteration.
    pub depth: i32,
    /// Longest line looked at.
    pub seldepth: usize,
    /// Score for the side to move.
    pub score: i32,
    /// Nodes so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// Filling of the table in thousandths.
    pub hashfull: usize,
    /// The line expected.
    pub pv: &'a [Move],
}

/// Nodes per second.
pub fn node_rate(nodes: u64, time: Duration) -> u64 {
    let rate = u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { depth, seldepth, nodes, time, hashfull, .. } = self;
        let (score, nps, time) = (UciScore(self.score), node_rate(*nodes, *time), time.as_millis());
        write!(f, "info depth {depth} seldepth {seldepth} score {score} nodes {nodes} nps {nps} ")?;
        write!(f, "hashfull {hashfull} time {time}")?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
        }
        self.pv.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play, [`Move::NULL`] when there is none.
    pub best: Move,
    /// The reply expected, [`Move::NULL`] when there is none.
    pub ponder: Move,
    /// Score for the side to move.
    pub score: i32,
    /// Nodes searched: moves made, null moves included; the root itself does not count.
    pub nodes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn reports_are_info_lines() {
        let pv = [Position::start().parse_move("e2e4").unwrap()];
        let time = Duration::from_millis(250);
        let report = Report { depth: 3, seldepth: 5, score: -12, nodes: 1000, time, hashfull: 7, pv: &pv };
        assert_eq!(
            report.to_string(),
            "info depth 3 seldepth 5 score cp -12 nodes 1000 nps 4000 hashfull 7 time 250 pv e2e4"
        );
        assert!(Report { pv: &[], ..report }.to_string().ends_with("time 250"));
    }

    #[test]
    fn node_rates_do_not_overflow() {
        assert_eq!(node_rate(10, Duration::ZERO), 10_000_000_000);
        assert_eq!(node_rate(u64::MAX, Duration::ZERO), u64::MAX);
        assert_eq!(node_rate(500, Duration::from_millis(500)), 1000);
    }
}
