//! The parameters of `go`.

use std::time::Duration;

use super::error::CommandError;
use super::words::Words;
use crate::position::{Color, Move, Position};
use crate::search::{GameTime, Limits, MAX_DEPTH};

const PARAMETERS: &str =
    "searchmoves, ponder, wtime, btime, winc, binc, movestogo, depth, nodes, movetime, infinite";
/// Longest time that is understood: about 31 years.
const MOST_MILLISECONDS: i64 = 1_000_000_000_000;

/// `go` as it was written: which clock counts and which moves are legal depends on the position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoRequest {
    limits: Limits,
    times: [Option<u64>; 2],
    increments: [Option<u64>; 2],
    moves_to_go: Option<u64>,
    search_moves: Vec<String>,
    /// Words that mean nothing to us; the protocol wants them skipped.
    pub unknown: Vec<String>,
}

impl GoRequest {
    /// Reads what follows `go`. Times that are negative, as an overstepped clock is, count as zero.
    pub fn parse(words: &mut Words) -> Result<Self, CommandError> {
        let mut request = Self::default();
        let mut in_moves = false;
        while let Some(word) = words.next() {
            let place = format!("go {word}");
            match word {
                "infinite" => request.limits.infinite = true,
                "ponder" => request.limits.ponder = true,
                "searchmoves" => {}
                "depth" => request.limits.depth = Some(words.number(&place, 1..=i32::MAX)?.min(MAX_DEPTH)),
                "nodes" => request.limits.nodes = Some(words.number(&place, 1..=u64::MAX)?),
                "movetime" => {
                    let time = words.number(&place, 0..=MOST_MILLISECONDS)?;
                    request.limits.move_time = Some(Duration::from_millis(time.unsigned_abs()));
                }
                "wtime" => request.times[Color::White.index()] = Some(milliseconds(words, &place)?),
                "btime" => request.times[Color::Black.index()] = Some(milliseconds(words, &place)?),
                "winc" => request.increments[Color::White.index()] = Some(milliseconds(words, &place)?),
                "binc" => request.increments[Color::Black.index()] = Some(milliseconds(words, &place)?),
                "movestogo" => {
                    let moves = words.number(&place, 0..=u64::from(u32::MAX))?;
                    request.moves_to_go = (moves > 0).then_some(moves);
                }
                word if in_moves => {
                    request.search_moves.push(word.to_owned());
                    continue;
                }
                word => request.unknown.push(word.to_owned()),
            }
            in_moves = word == "searchmoves";
        }
        Ok(request)
    }

    /// What is asked for in `position`. When only the other side's clock is told, it is taken for both.
    pub fn limits(&self, position: &Position) -> Result<Limits, CommandError> {
        let mut limits = self.limits.clone();
        let (own, other) = (position.side().index(), (!position.side()).index());
        limits.game_time = self.times[own].or(self.times[other]).map(|left| GameTime {
            left,
            increment: self.increments[own].unwrap_or(0),
            moves_to_go: self.moves_to_go,
        });
        let moves = self.search_moves.iter().enumerate();
        limits.search_moves = moves
            .map(|(index, text)| legal_move(position, "go searchmoves", index + 1, text))
            .collect::<Result<_, _>>()?;
        Ok(limits)
    }

    /// Whether the search ends without being told to.
    pub fn ends_by_itself(&self) -> bool {
        self.limits.ends_by_itself()
            || self.times != [None; 2] && !self.limits.infinite && !self.limits.ponder
    }

    /// The message about a word that was skipped.
    pub fn skipped(word: &str) -> CommandError {
        CommandError::word("go", word, format!("one of: {PARAMETERS}"))
    }
}

fn milliseconds(words: &mut Words, place: &str) -> Result<u64, CommandError> {
    let time = words.number(place, -MOST_MILLISECONDS..=MOST_MILLISECONDS)?;
    Ok(time.max(0).unsigned_abs())
}

/// The legal move that `text` names.
pub fn legal_move(
    position: &Position,
    place: &'static str,
    number: usize,
    text: &str,
) -> Result<Move, CommandError> {
    position.parse_move(text).ok_or_else(|| CommandError::Illegal {
        place,
        number,
        found: super::error::excerpt(text),
        fen: position.to_fen(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<GoRequest, String> {
        GoRequest::parse(&mut Words::new(text)).map_err(|error| error.to_string())
    }

    fn limits(text: &str, fen: &str) -> Limits {
        parse(text).unwrap().limits(&Position::from_fen(fen).unwrap()).unwrap()
    }

    const WHITE: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    const BLACK: &str = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";

    #[test]
    fn limits_are_read_in_any_order() {
        assert_eq!(limits("depth 7", WHITE), Limits::depth(7));
        assert_eq!(limits("depth 99999", WHITE), Limits::depth(MAX_DEPTH));
        assert_eq!(limits("nodes 1000", WHITE), Limits::nodes(1000));
        let both = limits("nodes 5 movetime 30 depth 2", WHITE);
        let time = Some(Duration::from_millis(30));
        assert_eq!(both, Limits { nodes: Some(5), move_time: time, ..Limits::depth(2) });
        assert!(limits("ponder infinite", WHITE).ponder && limits("infinite", WHITE).infinite);
        assert_eq!(limits("", WHITE), Limits::default());
        let moves = limits("searchmoves e2e4 e1d1 depth 3", WHITE);
        assert_eq!((moves.search_moves.len(), moves.depth), (2, Some(3)));
    }

    #[test]
    fn the_clock_of_the_side_to_move_counts() {
        let clock = "binc 4 wtime 1000 btime 2000 winc 3 movestogo 40";
        let time = |left, increment, moves_to_go| Some(GameTime { left, increment, moves_to_go });
        assert_eq!(limits(clock, WHITE).game_time, time(1000, 3, Some(40)));
        assert_eq!(limits(clock, BLACK).game_time, time(2000, 4, Some(40)));
        assert_eq!(limits("wtime 70 movestogo 0", WHITE).game_time, time(70, 0, None));
        assert_eq!(limits("wtime 70", BLACK).game_time, time(70, 0, None), "one-sided");
        assert_eq!(limits("wtime -70", WHITE).game_time, time(0, 0, None), "overstepped");
    }

    #[test]
    fn words_that_mean_nothing_are_kept_for_a_message() {
        let request = parse("depth 3 fast searchmoves e2e4 nodes 9 slow").unwrap();
        assert_eq!(request.unknown, ["fast", "slow"]);
        assert_eq!(request.search_moves, ["e2e4"]);
        assert_eq!(
            GoRequest::skipped("fast").to_string(),
            format!("go: found 'fast', expected one of: {PARAMETERS}")
        );
    }

    #[test]
    fn bad_numbers_are_refused_with_what_was_expected() {
        let table = [
            ("depth", "go depth: the line ends, expected a whole number from 1 to 2147483647"),
            ("depth 0", "go depth: found '0', expected a whole number from 1 to 2147483647"),
            ("depth -3", "go depth: found '-3', expected a whole number from 1 to 2147483647"),
            ("depth x", "go depth: found 'x', expected a whole number from 1 to 2147483647"),
            ("nodes 1e6", "go nodes: found '1e6', expected a whole number from 1 to 18446744073709551615"),
            (
                "nodes 18446744073709551616",
                "go nodes: found '18446744073709551616', expected a whole number from 1 to 18446744073709551615",
            ),
            ("movetime -1", "go movetime: found '-1', expected a whole number from 0 to 1000000000000"),
            (
                "nodes depth 5",
                "go nodes: found 'depth', expected a whole number from 1 to 18446744073709551615",
            ),
        ];
        for (text, message) in table {
            assert_eq!(parse(text), Err(message.to_owned()));
        }
        let illegal = parse("searchmoves e2e4 e2e5").unwrap().limits(&Position::from_fen(WHITE).unwrap());
        assert_eq!(
            illegal.unwrap_err().to_string(),
            format!("go searchmoves: move 2, found 'e2e5', expected a legal move in {WHITE}")
        );
    }
}
