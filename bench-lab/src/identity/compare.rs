//! What every search has to agree in, and the comparison of arms that run at different times.

use std::sync::Mutex;

use crate::arm::ArmImage;
use crate::arm::session::Found;
use crate::arm::uci;

/// What one search said, as far as another arm must say the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Transcript {
    lines: Vec<String>,
}

impl Transcript {
    /// Takes an `info` line, without the word.
    pub(super) fn info(&mut self, info: &str) {
        self.lines.extend(uci::comparable(info).map(|kept| format!("info {kept}")));
    }

    /// Takes the end of the search.
    pub(super) fn end(&mut self, found: &Found) {
        let nodes = found.nodes.map_or("none".to_owned(), |nodes| nodes.to_string());
        self.lines.push(format!("nodes {nodes}"));
        self.lines.push(format!("bestmove {}", found.best));
    }

    /// The first lines that differ, and their number from 1.
    fn first_difference(&self, other: &Transcript) -> Option<(usize, String, String)> {
        let longest = self.lines.len().max(other.lines.len());
        (0..longest).find_map(|index| {
            let (own, others) = (self.lines.get(index), other.lines.get(index));
            let said = |line: Option<&String>| line.map_or("(nothing more)".to_owned(), String::clone);
            (own != others).then(|| (index + 1, said(own), said(others)))
        })
    }
}

/// Two arms that said different things.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Disagreement {
    /// Number of the compared line, from 1.
    pub(super) line: usize,
    /// The earlier arm, and what it said.
    pub(super) expected: (usize, String),
    /// The later arm, and what it said.
    pub(super) found: (usize, String),
}

/// The transcripts of all searches: the first arm to end one sets what the others must say.
pub(super) struct Transcripts {
    first: Mutex<Vec<Option<(usize, Transcript)>>>,
}

impl Transcripts {
    /// For so many searches of every arm.
    pub(super) fn new(searches: usize) -> Transcripts {
        Transcripts { first: Mutex::new(vec![None; searches]) }
    }

    /// Compares what `arm` said in a search with what was said before.
    pub(super) fn check(
        &self,
        search: usize,
        arm: usize,
        transcript: Transcript,
    ) -> Result<(), Disagreement> {
        // A thread that panicked left a whole entry or none.
        let mut first = self.first.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let Some((by, known)) = &first[search] else {
            first[search] = Some((arm, transcript));
            return Ok(());
        };
        match known.first_difference(&transcript) {
            None => Ok(()),
            Some((line, known, new)) => {
                let (mut expected, mut found) = ((*by, known), (arm, new));
                if expected.0 > found.0 {
                    std::mem::swap(&mut expected, &mut found);
                }
                Err(Disagreement { line, expected, found })
            }
        }
    }

    /// SHA-256 over all searches in order, hex.
    pub(super) fn digest(self) -> String {
        let first = self.first.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut text = String::new();
        for (_, transcript) in first.iter().flatten() {
            for line in &transcript.lines {
                text.push_str(line);
                text.push('\n');
            }
            text.push('\n');
        }
        protocol::canonical::sha256_hex(text.as_bytes())
    }
}

impl Disagreement {
    /// Names the arms.
    pub(super) fn named(self, arms: &[ArmImage], lane: Option<&str>, place: String) -> super::Difference {
        let named = |(arm, line): (usize, String)| (arms[arm].name.clone(), line);
        super::Difference {
            lane: lane.map(str::to_owned),
            place,
            expected: named(self.expected),
            found: named(self.found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript(infos: &[&str], nodes: u64, best: &str) -> Transcript {
        let mut transcript = Transcript::default();
        infos.iter().for_each(|info| transcript.info(info));
        transcript.end(&Found { nodes: Some(nodes), best: best.to_owned() });
        transcript
    }

    #[test]
    fn times_do_not_count() {
        let slow = transcript(&["depth 1 score cp 3 nodes 20 time 9 nps 2", "string slow"], 20, "e2e4");
        let fast = transcript(&["depth 1 score cp 3 nodes 20 time 1 nps 9"], 20, "e2e4");
        assert_eq!(slow.first_difference(&fast), None);
    }

    #[test]
    fn first_line_that_differs() {
        let known = transcript(&["depth 1 score cp 3", "depth 2 score cp 4"], 20, "e2e4");
        for (other, line, own, others) in [
            (
                transcript(&["depth 1 score cp 3", "depth 2 score cp 5"], 21, "e2e4"),
                2,
                "info depth 2 score cp 4",
                "info depth 2 score cp 5",
            ),
            (transcript(&["depth 1 score cp 3"], 20, "e2e4"), 2, "info depth 2 score cp 4", "nodes 20"),
            (
                transcript(&["depth 1 score cp 3", "depth 2 score cp 4"], 20, "a2a3"),
                4,
                "bestmove e2e4",
                "bestmove a2a3",
            ),
        ] {
            assert_eq!(known.first_difference(&other), Some((line, own.to_owned(), others.to_owned())));
        }
    }

    #[test]
    fn earlier_arm_is_expected_whoever_came_first() {
        let transcripts = Transcripts::new(1);
        assert_eq!(transcripts.check(0, 2, transcript(&[], 20, "e2e4")), Ok(()));
        assert_eq!(transcripts.check(0, 1, transcript(&[], 20, "e2e4")), Ok(()));
        let disagreement = transcripts.check(0, 0, transcript(&[], 21, "e2e4")).unwrap_err();
        assert_eq!(disagreement.expected, (0, "nodes 21".to_owned()));
        assert_eq!(disagreement.found, (2, "nodes 20".to_owned()));
    }

    #[test]
    fn digest_tells_transcripts_apart() {
        let digest = |best| {
            let transcripts = Transcripts::new(1);
            transcripts.check(0, 0, transcript(&["depth 1 score cp 3"], 20, best)).unwrap();
            transcripts.digest()
        };
        assert_eq!(digest("e2e4").len(), 64);
        assert_eq!(digest("e2e4"), digest("e2e4"));
        assert_ne!(digest("e2e4"), digest("e2e3"));
    }
}
