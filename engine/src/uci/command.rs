//! Lines become commands.

use std::ops::RangeInclusive;

use super::error::{CommandError, excerpt};
use super::go::{GoRequest, legal_move};
use super::options::SetOption;
use super::words::Words;
use crate::position::Position;
use crate::search::{Game, MAX_DEPTH};

const COMMANDS: &str =
    "uci, isready, ucinewgame, position, go, stop, ponderhit, setoption, debug, quit, eval, d, perft, bench";
const POSITION: &str = "startpos or fen <fen>, then optionally moves <moves>";
const PERFT_DEPTHS: RangeInclusive<u32> = 0..=64;

/// How far `bench` searches each of its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BenchLimit {
    /// To a depth.
    Depth(i32),
    /// So many nodes.
    Nodes(u64),
}

/// A command, checked as far as that is possible without the state of the session.
#[derive(Clone)]
pub enum Command {
    /// Who are you, and what can be set?
    Uci,
    /// Has everything been done?
    IsReady,
    /// What follows has nothing to do with what was before.
    NewGame,
    /// A game to think about.
    Position(Box<Game>),
    /// Think.
    Go(Box<GoRequest>),
    /// Answer now.
    Stop,
    /// The pondered move was played.
    PonderHit,
    /// Change an option.
    SetOption(SetOption),
    /// `debug on` and `debug off` change nothing.
    Debug,
    /// Leave.
    Quit,
    /// Show the value of the position.
    Eval,
    /// Show the position.
    Display,
    /// Count the leaves of the tree of legal moves.
    Perft(u32),
    /// Search the built-in positions.
    Bench(BenchLimit),
}

impl Command {
    /// Reads a line; `None` when nothing stands there.
    pub fn parse(line: &str) -> Result<Option<Self>, CommandError> {
        let mut words = Words::new(line);
        let Some(name) = words.next() else { return Ok(None) };
        let words = &mut words;
        let command = match name {
            "uci" => Self::Uci,
            "isready" => Self::IsReady,
            "ucinewgame" => Self::NewGame,
            "position" => Self::Position(Box::new(position(words)?)),
            "go" => return go(line, words).map(Some),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "setoption" => {
                let text = line.trim_ascii_start().strip_prefix("setoption").unwrap_or_default();
                return SetOption::parse(text).map(|option| Some(Self::SetOption(option)));
            }
            "debug" => match words.expect("debug", "on or off")? {
                "on" | "off" => Self::Debug,
                word => return Err(CommandError::word("debug", word, "on or off")),
            },
            "quit" => Self::Quit,
            "eval" => Self::Eval,
            "d" => Self::Display,
            "perft" => Self::Perft(words.number("perft", PERFT_DEPTHS)?),
            "bench" => Self::Bench(bench(words)?),
            _ => return Err(CommandError::Unknown { found: excerpt(name), expected: COMMANDS }),
        };
        words.end(name)?;
        Ok(Some(command))
    }
}

fn position(words: &mut Words) -> Result<Game, CommandError> {
    let mut game = match words.expect("position", POSITION)? {
        "startpos" => match words.next() {
            None => return Ok(Game::default()),
            Some("moves") => Game::default(),
            Some(word) => return Err(CommandError::word("position startpos", word, "moves")),
        },
        "fen" => {
            let fields: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
            Game::new(Position::from_fen(&fields.join(" "))?)
        }
        word => return Err(CommandError::word("position", word, POSITION)),
    };
    for (index, text) in words.enumerate() {
        let mv = legal_move(game.position(), "position moves", index + 1, text)?;
        game.play(mv);
    }
    Ok(game)
}

/// `go …`; `go perft N` is understood as well, because many controllers write it so.
fn go(line: &str, words: &mut Words) -> Result<Command, CommandError> {
    if let Some("perft") = Words::new(line).nth(1) {
        words.next();
        let depth = words.number("go perft", PERFT_DEPTHS)?;
        words.end("go perft")?;
        return Ok(Command::Perft(depth));
    }
    Ok(Command::Go(Box::new(GoRequest::parse(words)?)))
}

/// `bench`, `bench 9`, `bench depth 9`, `bench nodes 5000`.
fn bench(words: &mut Words) -> Result<BenchLimit, CommandError> {
    let expected = "depth <depth>, nodes <nodes>, or a depth";
    match words.next() {
        None => Ok(super::bench::DEFAULT),
        Some("depth") => Ok(BenchLimit::Depth(words.number("bench depth", 1..=MAX_DEPTH)?)),
        Some("nodes") => Ok(BenchLimit::Nodes(words.number("bench nodes", 1..=u64::MAX)?)),
        Some(word) => super::words::number(word, &(1..=MAX_DEPTH))
            .map(BenchLimit::Depth)
            .ok_or_else(|| CommandError::word("bench", word, expected)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Option<Command>, String> {
        Command::parse(line).map_err(|error| error.to_string())
    }

    fn game(line: &str) -> Game {
        match parse(line) {
            Ok(Some(Command::Position(game))) => *game,
            Ok(_) => panic!("{line}: not a position"),
            Err(error) => panic!("{line}: {error}"),
        }
    }

    #[test]
    fn simple_commands_are_read() {
        assert!(matches!(parse(""), Ok(None)));
        assert!(matches!(parse(" \t "), Ok(None)));
        assert!(matches!(parse("uci"), Ok(Some(Command::Uci))));
        assert!(matches!(parse("  isready  "), Ok(Some(Command::IsReady))));
        assert!(matches!(parse("ucinewgame"), Ok(Some(Command::NewGame))));
        assert!(matches!(parse("stop"), Ok(Some(Command::Stop))));
        assert!(matches!(parse("ponderhit"), Ok(Some(Command::PonderHit))));
        assert!(matches!(parse("debug on"), Ok(Some(Command::Debug))));
        assert!(matches!(parse("quit"), Ok(Some(Command::Quit))));
        assert!(matches!(parse("eval"), Ok(Some(Command::Eval))));
        assert!(matches!(parse("d"), Ok(Some(Command::Display))));
        assert!(matches!(parse("perft 5"), Ok(Some(Command::Perft(5)))));
        assert!(matches!(parse("go perft 4"), Ok(Some(Command::Perft(4)))));
        assert!(matches!(parse("go depth 4"), Ok(Some(Command::Go(_)))));
        assert!(matches!(
            parse("setoption name Clear Hash"),
            Ok(Some(Command::SetOption(SetOption::ClearHash)))
        ));
    }

    #[test]
    fn bench_takes_a_depth_or_nodes() {
        let table = [
            ("bench", super::super::bench::DEFAULT),
            ("bench 6", BenchLimit::Depth(6)),
            ("bench depth 7", BenchLimit::Depth(7)),
            ("bench nodes 500", BenchLimit::Nodes(500)),
        ];
        for (line, limit) in table {
            assert!(matches!(parse(line), Ok(Some(Command::Bench(found))) if found == limit), "{line}");
        }
    }

    #[test]
    fn positions_are_played_out() {
        let table = [
            ("position startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            ("position startpos moves", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            (
                "position startpos moves e2e4 c7c5 g1f3",
                "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
            ),
            ("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 3 9", "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9"),
            ("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 3 9 moves e1d1", "4k3/8/8/8/8/8/4P3/3K4 b - - 4 9"),
            ("position fen 4k3/P7/8/8/8/8/8/4K3 w - - moves a7a8n", "N3k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        ];
        for (line, fen) in table {
            assert_eq!(game(line).position().to_fen(), fen, "{line}");
        }
        assert_eq!(game("position startpos moves g1f3 g8f6 f3g1").hashes().len(), 4);
        assert_eq!(game("position startpos moves g1f3 g8f6 e2e4").hashes().len(), 1);
    }

    #[test]
    fn bad_lines_are_refused_with_what_was_expected() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let table = [
            ("xyzzy 1", format!("unknown command 'xyzzy'; expected one of: {COMMANDS}")),
            ("UCI", format!("unknown command 'UCI'; expected one of: {COMMANDS}")),
            ("uci now", "uci: found 'now', expected the end of the line".into()),
            ("position", format!("position: the line ends, expected {POSITION}")),
            ("position here", format!("position: found 'here', expected {POSITION}")),
            ("position startpos e2e4", "position startpos: found 'e2e4', expected moves".into()),
            (
                "position startpos moves e2e4 e2e4",
                "position moves: move 2, found 'e2e4', expected a legal move in \
                 rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
                    .into(),
            ),
            (
                "position startpos moves ééé",
                format!("position moves: move 1, found 'ééé', expected a legal move in {start}"),
            ),
            (
                "position startpos moves e2",
                format!("position moves: move 1, found 'e2', expected a legal move in {start}"),
            ),
            ("debug", "debug: the line ends, expected on or off".into()),
            ("perft", "perft: the line ends, expected a whole number from 0 to 64".into()),
            ("perft -1", "perft: found '-1', expected a whole number from 0 to 64".into()),
            ("perft 3 4", "perft: found '4', expected the end of the line".into()),
            ("bench fast", "bench: found 'fast', expected depth <depth>, nodes <nodes>, or a depth".into()),
            ("bench depth 0", "bench depth: found '0', expected a whole number from 1 to 120".into()),
            ("bench nodes 5 6", "bench: found '6', expected the end of the line".into()),
        ];
        for (line, message) in table {
            assert_eq!(parse(line).err(), Some(message), "{line}");
        }
        for line in ["position fen", "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position fen x moves e2e4"] {
            assert!(parse(line).err().unwrap().starts_with("position fen: "), "{line}");
        }
        let long = format!("{} 1", "x".repeat(1000));
        assert!(parse(&long).err().unwrap().starts_with(&format!("unknown command '{}…'", "x".repeat(60))));
    }
}
