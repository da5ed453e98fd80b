//! The question for the tree: does the engine still search what was recorded, or what its commit says?

use crate::arm::ArmImage;
use crate::arm::session::Limits;
use crate::bundle::git::{self, Message};
use crate::commands::Failure;
use crate::fault::{Awaited, Fault};
use crate::identity::bench::{self, Run};

use super::answer::{Answer, Side, Value};
use super::ask::{Asked, broken};
use super::baseline::{Baseline, Count, Entry, REMEDY};
use super::file::{Against, Tree};
use super::question::Question;
use super::row::{Place, Row, Unit};
use super::state::State;

/// The one benchmark of this question.
pub const BENCHMARK: &str = "bench";

/// Commits that are looked through for a count.
const MOST_COMMITS: usize = 200;

/// Who does not know the word may do anything.
const COUNT: Awaited = Awaited {
    what: "it gave a node count",
    doubt: "`bench = […]` in `[tree]` names the arguments of its bench",
};

/// Runs the bench and compares its count.
pub fn ask(asked: &Asked<'_>, tree: &Tree) -> Result<Answer, Failure> {
    let place = Place::new(Question::Tree, BENCHMARK, Unit::Nodes);
    asked.progress.step("counting the nodes of the bench");
    let counted = match count(asked, tree) {
        Ok(counted) => counted,
        Err(fault) => {
            let note = broken(fault)?;
            let row = Row::equality(place, tree.is_hard, State::Void).noted(note);
            return Ok(Answer { rows: vec![row], ..Answer::default() });
        }
    };
    let messages = git::messages(asked.repository, asked.commit, MOST_COMMITS);
    let recorded = asked.recorded.and_then(|recorded| recorded.benchmarks.get(BENCHMARK));
    let expected = expected(&tree.against, &messages, recorded);
    let mut now = Baseline::new(Question::Tree);
    now.benchmarks.insert(BENCHMARK.to_owned(), Entry::plain(Count::Nodes, counted));
    Ok(Answer {
        values: vec![Value::new(&place, Side::Head, 1, counted as f64)],
        rows: vec![judged(place, tree.is_hard, counted, expected)],
        details: Vec::new(),
        baseline: Some(now),
    })
}

fn count(asked: &Asked<'_>, tree: &Tree) -> Result<u64, Fault> {
    let image = ArmImage::plain(&asked.head.name, &asked.head.executable);
    let limits = Limits { search: asked.file.engine.patience, ..Limits::default() };
    let run = Run { bench: &tree.bench, place: "gate", awaited: &COUNT, limits };
    bench::count_of(&image, &run, asked.scratch, asked.cancel)
}

/// What the count should be, and who says so; otherwise why nobody does.
fn expected(
    against: &[Against],
    messages: &Result<Vec<Message>, String>,
    recorded: Option<&Entry>,
) -> Result<(u64, String), String> {
    let mut missing = Vec::new();
    for one in against {
        let found = match one {
            Against::Commit => of_commit(messages),
            Against::Baseline => recorded
                .map(|entry| (entry.value, "as recorded".to_owned()))
                .ok_or_else(|| "there is no baseline".to_owned()),
        };
        match found {
            Ok(found) => return Ok(found),
            Err(why) => missing.push(why),
        }
    }
    Err(missing.join(", "))
}

/// What the message of the commit says, or the nearest one before it that says something.
///
/// A commit that says nothing claims to leave the tree alone. What a merge searches, none of the merged can know.
fn of_commit(messages: &Result<Vec<Message>, String>) -> Result<(u64, String), String> {
    let messages = messages.as_ref().map_err(|said| match said.is_empty() {
        true => "git does not know the commit".to_owned(),
        false => format!("git says: {said}"),
    })?;
    for (number, message) in messages.iter().enumerate() {
        let commit: String = message.commit.chars().take(10).collect();
        if let Some(count) = bench_line(&message.text) {
            let before = if number == 0 { "" } else { ", the last one that tells a count," };
            return Ok((count, format!("as commit {commit}{before} says")));
        }
        if message.parents > 1 {
            return Err(format!("merge {commit} has no line `Bench: N`"));
        }
    }
    let looked = messages.len();
    Err(match looked {
        1 => "the commit's message has no line `Bench: N`".to_owned(),
        _ => format!("none of {looked} commits has a line `Bench: N`"),
    })
}

/// The node count in a commit message: its last line that is nothing but that.
pub fn bench_line(message: &str) -> Option<u64> {
    message.lines().rev().find_map(|line| {
        let line = line.trim();
        let rest = line.get(..5).filter(|word| word.eq_ignore_ascii_case("bench")).and(line.get(5..))?;
        let number = rest.trim_start_matches([' ', '\t', ':', '=']);
        // `Benchmarks` is another word.
        if number.len() == rest.len() || !number.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let digits: String = number.chars().filter(|c| ![',', '_', '\''].contains(c)).collect();
        digits.parse().ok()
    })
}

fn judged(place: Place, is_hard: bool, counted: u64, expected: Result<(u64, String), String>) -> Row {
    let (expected, who) = match expected {
        Ok(expected) => expected,
        Err(why) => {
            let note = format!("{why}: {REMEDY}, or write `Bench: {counted}` into the commit's message");
            return Row::equality(place, is_hard, State::CannotSay).with_head(counted).noted(note);
        }
    };
    let row = Row::equal(place, expected, counted, is_hard).noted(who);
    match row.state {
        State::Held => row,
        _ => row.noted(format!(
            "if the tree is meant to change, write `Bench: {counted}` into the commit's message, or record it by \
             `bench-lab gate tree --update-baseline`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(commit: &str, parents: usize, text: &str) -> Message {
        Message { commit: commit.repeat(20), parents, text: text.to_owned() }
    }

    #[test]
    fn the_last_line_that_is_nothing_but_a_count_counts() {
        for (text, count) in [
            ("Speed up\n\nBench: 1544252", Some(1_544_252)),
            ("Speed up\n\nbench 1544252\n", Some(1_544_252)),
            ("Speed up\n\n  BENCH = 1,544,252  ", Some(1_544_252)),
            ("Squash\n\nBench: 1\n\nmore\nBench: 2", Some(2)),
            ("Bench: 1\nBench: none", Some(1)),
            ("Benchmarks: 5", None),
            ("Benchmark 5", None),
            ("Bench:", None),
            ("The bench: 5", None),
            ("Bench: 5 was 4", None),
            ("Bench: 99999999999999999999999", None),
            ("bénch: 5", None),
            ("", None),
        ] {
            assert_eq!(bench_line(text), count, "{text:?}");
        }
    }

    #[test]
    fn the_first_that_has_a_count_tells_it() {
        let entry = Entry::plain(Count::Nodes, 7);
        let told = |against: &[Against], messages: Result<Vec<Message>, &str>, recorded: bool| {
            let messages = messages.map_err(str::to_owned);
            match expected(against, &messages, recorded.then_some(&entry)) {
                Ok((count, who)) => format!("{count} {who}"),
                Err(why) => why,
            }
        };
        let with = || Ok(vec![message("a", 1, "One\n\nBench: 5")]);
        let before = || Ok(vec![message("b", 1, "Docs"), message("a", 1, "One\n\nBench: 5")]);
        let merge = || Ok(vec![message("c", 2, "Merge"), message("a", 1, "One\n\nBench: 5")]);
        let both = [Against::Commit, Against::Baseline];
        for (told, expected) in [
            (told(&both, with(), true), "5 as commit aaaaaaaaaa says"),
            (told(&[Against::Baseline, Against::Commit], with(), true), "7 as recorded"),
            (told(&both, before(), true), "5 as commit aaaaaaaaaa, the last one that tells a count, says"),
            (told(&both, merge(), true), "7 as recorded"),
            (told(&both, Err("not a git repository"), true), "7 as recorded"),
            (told(&[Against::Commit], merge(), true), "merge cccccccccc has no line `Bench: N`"),
            (
                told(&both, Err("not a git repository"), false),
                "git says: not a git repository, there is no baseline",
            ),
            (told(&both, Err(""), false), "git does not know the commit, there is no baseline"),
            (
                told(&both, Ok(vec![message("a", 0, "One")]), false),
                "the commit's message has no line `Bench: N`, there is no baseline",
            ),
            (
                told(&[Against::Commit], Ok(vec![message("b", 1, "Two"), message("a", 0, "One")]), false),
                "none of 2 commits has a line `Bench: N`",
            ),
        ] {
            assert_eq!(told, expected);
        }
    }

    #[test]
    fn another_count_is_another_tree_and_none_cannot_be_said() {
        let place = || Place::new(Question::Tree, BENCHMARK, Unit::Nodes);
        let row = judged(place(), true, 5, Ok((5, "as recorded".to_owned())));
        assert_eq!((row.state, row.note.as_str()), (State::Held, "as recorded"));
        let row = judged(place(), true, 6, Ok((5, "as recorded".to_owned())));
        assert_eq!((row.state, row.base, row.head), (State::Lost, Some(5.0), Some(6.0)));
        assert!(row.note.contains("write `Bench: 6`"), "{}", row.note);
        let row = judged(place(), true, 6, Err("there is no baseline".to_owned()));
        assert_eq!((row.state, row.base, row.head), (State::CannotSay, None, Some(6.0)));
    }
}
