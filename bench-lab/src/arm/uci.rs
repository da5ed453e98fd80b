//! Lines of the UCI protocol, as far as the lab reads them.

/// One line of an engine's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `option name <name> type <type> …`: the name, and what follows `type`.
    Option(&'a str, &'a str),
    /// `info …`: what follows.
    Info(&'a str),
    /// `bestmove <move> …`: the move.
    BestMove(&'a str),
    /// Anything else.
    Other(&'a str),
}

impl<'a> Line<'a> {
    /// Reads one line; anything unknown is [`Line::Other`].
    pub fn parse(line: &'a str) -> Line<'a> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        match word {
            "uciok" => Line::UciOk,
            "readyok" => Line::ReadyOk,
            "info" => Line::Info(rest),
            "bestmove" => match rest.split_whitespace().next() {
                Some(best) => Line::BestMove(best),
                None => Line::Other(line),
            },
            "option" => match option(rest) {
                Some((name, kind)) => Line::Option(name, kind),
                None => Line::Other(line),
            },
            _ => Line::Other(line),
        }
    }
}

fn option(rest: &str) -> Option<(&str, &str)> {
    let (name, kind) = rest.strip_prefix("name")?.split_once(" type ")?;
    let name = name.trim();
    (!name.is_empty()).then_some((name, kind.trim()))
}

/// Whether a best move says that there is none: mate, stalemate.
pub fn is_no_move(best: &str) -> bool {
    ["(none)", "none", "null", "0000"].iter().any(|none| best.eq_ignore_ascii_case(none))
}

/// The node count of an `info` line (without the word `info`).
pub fn nodes(info: &str) -> Option<u64> {
    if is_text(info) {
        return None;
    }
    let mut words = info.split_whitespace();
    words.find(|&word| word == "nodes")?;
    words.next()?.parse().ok()
}

/// An `info` line (without the word `info`) as far as two equal searches must agree in it: `None` when
/// its appearance depends on time.
///
/// Left out are the fields `time`, `nps`, `cpuload` and `hashfull` (Stockfish shows it only after a second), texts,
/// the move being searched, bounds (many engines show both only after some seconds) and status lines without depth
/// and score.
pub fn comparable(info: &str) -> Option<String> {
    if is_text(info) {
        return None;
    }
    let mut kept = String::with_capacity(info.len());
    let (mut depth, mut score) = (false, false);
    let mut words = info.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "time" | "nps" | "cpuload" | "hashfull" => {
                words.next();
                continue;
            }
            "currmove" | "lowerbound" | "upperbound" => return None,
            "depth" => depth = true,
            "score" => score = true,
            _ => (),
        }
        if !kept.is_empty() {
            kept.push(' ');
        }
        kept.push_str(word);
    }
    (depth && score).then_some(kept)
}

fn is_text(info: &str) -> bool {
    info.split_whitespace().next() == Some("string")
}

/// The node count of a `bench` report: the last line's `<n> nodes <nps> nps`, or the
/// `Nodes searched  : <n>` that other engines print.
pub fn bench_nodes(output: &str) -> Option<u64> {
    let last = output.lines().rev().find(|line| !line.trim().is_empty())?;
    let words: Vec<&str> = last.split_whitespace().collect();
    if let [.., nodes, "nodes", nps, "nps"] = words[..]
        && nps.parse::<u64>().is_ok()
    {
        return nodes.parse().ok();
    }
    output.lines().rev().find_map(|line| {
        line.trim().strip_prefix("Nodes searched")?.trim_start().strip_prefix(':')?.trim().parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        for (line, expected) in [
            ("uciok", Line::UciOk),
            ("  uciok\r", Line::UciOk),
            ("readyok", Line::ReadyOk),
            ("bestmove e2e4 ponder e7e5", Line::BestMove("e2e4")),
            ("bestmove (none)", Line::BestMove("(none)")),
            ("bestmove", Line::Other("bestmove")),
            ("info depth 1", Line::Info("depth 1")),
            ("info", Line::Info("")),
            ("infodepth 1", Line::Other("infodepth 1")),
            (
                "option name Move Overhead type spin default 10 min 0 max 5000",
                Line::Option("Move Overhead", "spin default 10 min 0 max 5000"),
            ),
            ("option name type button", Line::Other("option name type button")),
            ("id name Tempo", Line::Other("id name Tempo")),
            ("", Line::Other("")),
            ("\u{fffd}\u{fffd}", Line::Other("\u{fffd}\u{fffd}")),
        ] {
            assert_eq!(Line::parse(line), expected, "{line:?}");
        }
    }

    #[test]
    fn node_counts() {
        for (info, expected) in [
            ("depth 3 nodes 1234 nps 9 pv e2e4", Some(1234)),
            ("nodes 0", Some(0)),
            ("nodes", None),
            ("nodes many", None),
            ("string nodes 5", None),
            ("depth 3", None),
        ] {
            assert_eq!(nodes(info), expected, "{info:?}");
        }
    }

    #[test]
    fn no_moves() {
        assert!(["(none)", "0000", "NULL"].into_iter().all(is_no_move));
        assert!(!["e2e4", "a7a8q", "nonesuch"].into_iter().any(is_no_move));
    }

    #[test]
    fn comparable_lines() {
        for (info, expected) in [
            (
                "depth 3 seldepth 4 score cp 12 nodes 99 time 7 nps 1000 hashfull 3 pv e2e4 e7e5",
                Some("depth 3 seldepth 4 score cp 12 nodes 99 pv e2e4 e7e5"),
            ),
            ("depth 3 score cp 12 nodes 99 pv e2e4", Some("depth 3 score cp 12 nodes 99 pv e2e4")),
            ("depth 3 score cp 1 cpuload 500  pv   a2a3", Some("depth 3 score cp 1 pv a2a3")),
            ("depth 3 score cp 12 lowerbound nodes 99", None),
            ("depth 20 currmove e2e4 currmovenumber 1", None),
            ("string depth 3 score cp 1", None),
            ("nodes 99", None),
        ] {
            assert_eq!(comparable(info).as_deref(), expected, "{info:?}");
        }
    }

    #[test]
    fn bench_reports() {
        for (output, expected) in [
            ("position 1\n4231 nodes 77 nps\n", Some(4231)),
            ("4231 nodes 77 nps\n\n", Some(4231)),
            ("Total time (ms) : 5\nNodes searched  : 4231\nNodes/second    : 77\n", Some(4231)),
            ("Bench: 4231 nodes 77 nps", Some(4231)),
            ("4231 nodes fast nps", None),
            ("no count\n", None),
            ("", None),
        ] {
            assert_eq!(bench_nodes(output), expected, "{output:?}");
        }
    }
}
