//! Which functions execute more than was recorded.

use std::collections::BTreeMap;

use super::callgrind::{Cost, Counts};

/// Functions that execute less than this share of all are recorded together: one in two thousand.
const SHARE: u64 = 2_000;
/// The name of those, and of code that has no name in the executable.
pub const OTHERS: &str = "(all others)";
const NAMELESS: &str = "(without a name)";

/// The functions of a benchmark by names that stay the same from build to build.
///
/// What compilers make of one function (clones, levels of recursion as callgrind tells them apart) is put together.
pub fn merged(counts: &Counts) -> BTreeMap<String, Cost> {
    let mut functions = BTreeMap::<String, Cost>::new();
    let mut deeper = BTreeMap::<String, u64>::new();
    for (name, cost) in &counts.functions {
        let (name, is_first) = steady(name);
        // What deeper levels cost is within the first one already, and again in each of them.
        let inclusive = if is_first { cost.inclusive } else { 0 };
        if !is_first {
            let most = deeper.entry(name.clone()).or_default();
            *most = cost.inclusive.max(*most);
        }
        functions.entry(name).or_default().add(Cost { own: cost.own, inclusive });
    }
    for (name, cost) in &mut functions {
        if cost.inclusive == 0 {
            cost.inclusive = deeper.get(name).copied().unwrap_or(0);
        }
        cost.inclusive = cost.inclusive.min(counts.total);
    }
    functions
}

/// What is recorded of the functions: what each executes itself, the small ones together.
pub fn recorded(functions: &BTreeMap<String, Cost>, total: u64) -> BTreeMap<String, u64> {
    let (mut parts, mut others) = (BTreeMap::new(), 0);
    for (name, cost) in functions {
        match cost.own >= least(total) {
            true => drop(parts.insert(name.clone(), cost.own)),
            false => others += cost.own,
        }
    }
    if others > 0 {
        parts.insert(OTHERS.to_owned(), others);
    }
    parts
}

/// The least that a function executes to be recorded by its name.
fn least(total: u64) -> u64 {
    (total / SHARE).max(1)
}

/// How a function came to execute another number of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It executes more, or less.
    Changed,
    /// It was not recorded.
    New,
    /// It does not execute anything any more.
    Gone,
}

/// A function that does not execute what was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Its name.
    pub name: String,
    /// What became of it.
    pub how: How,
    /// What it executed.
    pub before: u64,
    /// What it executes.
    pub now: u64,
}

impl Changed {
    /// How many more instructions.
    pub fn growth(&self) -> i128 {
        i128::from(self.now) - i128::from(self.before)
    }
}

/// The functions that differ, those that grew most first, those that shrank most last.
///
/// A function that is known on one side only may have been among the small ones on the other: one that is hardly
/// larger than these is no news.
pub fn changed(before: &BTreeMap<String, u64>, now: &BTreeMap<String, u64>) -> Vec<Changed> {
    let total =
        |parts: &BTreeMap<String, u64>| parts.values().fold(0, |sum: u64, own| sum.saturating_add(*own));
    let small = 2 * least(total(before).max(total(now)));
    let mut changed: Vec<Changed> = Vec::new();
    for (name, &own) in now {
        let (how, old) = match before.get(name) {
            Some(&old) if old == own => continue,
            Some(&old) => (How::Changed, old),
            None if own < small => continue,
            None => (How::New, 0),
        };
        changed.push(Changed { name: name.clone(), how, before: old, now: own });
    }
    for (name, &own) in before {
        if !now.contains_key(name) && own >= small {
            changed.push(Changed { name: name.clone(), how: How::Gone, before: own, now: 0 });
        }
    }
    changed.sort_by(|a, b| b.growth().cmp(&a.growth()).then_with(|| a.name.cmp(&b.name)));
    changed
}

/// A name without what differs from build to build, and whether it is the first level of a recursion.
fn steady(name: &str) -> (String, bool) {
    // `name'2`: from the second level on.
    let (name, is_first) = match name.rsplit_once('\'') {
        Some((name, level)) if !level.is_empty() && level.bytes().all(|byte| byte.is_ascii_digit()) => {
            (name, false)
        }
        _ => (name, true),
    };
    if name.is_empty() || name == "???" || name.starts_with("0x") {
        return (NAMELESS.to_owned(), is_first);
    }
    // `name [clone .constprop.0]`, as demanglers write it.
    let name = name.split(" [clone ").next().unwrap_or(name);
    // `name@@GLIBC_2.34`.
    let name = name.split("@@").next().unwrap_or(name);
    (without_clone(name).to_owned(), is_first)
}

/// Marks that compilers append to what they split or copy.
const CLONES: [&str; 5] = [".llvm.", ".constprop.", ".isra.", ".part.", ".cold"];

fn without_clone(name: &str) -> &str {
    let ends = CLONES.iter().filter_map(|mark| {
        let at = name.rfind(mark)?;
        let rest = &name[at + mark.len()..];
        rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.').then_some(at)
    });
    match ends.min() {
        Some(at) if at > 0 => without_clone(&name[..at]),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(list: &[(&str, u64)]) -> BTreeMap<String, u64> {
        list.iter().map(|&(name, own)| (name.to_owned(), own)).collect()
    }

    fn counts(list: &[(&str, u64, u64)]) -> Counts {
        let functions =
            list.iter().map(|&(name, own, inclusive)| (name.to_owned(), Cost { own, inclusive })).collect();
        Counts { creator: String::new(), total: list.iter().map(|&(_, own, _)| own).sum(), functions }
    }

    #[test]
    fn names_lose_what_differs_from_build_to_build() {
        for (name, steady_name) in [
            ("tempo::search::negamax", "tempo::search::negamax"),
            ("tempo::search::negamax'2", "tempo::search::negamax"),
            ("search(int) [clone .constprop.0]", "search(int)"),
            ("search(int) [clone .isra.0] [clone .cold]'3", "search(int)"),
            ("search.constprop.0.isra.0", "search"),
            ("search.cold", "search"),
            ("core::fmt::write.llvm.8432578723", "core::fmt::write"),
            ("clock_gettime@@GLIBC_2.17", "clock_gettime"),
            ("file.partition", "file.partition"),
            ("cold.start", "cold.start"),
            ("0x000000000001ab70", NAMELESS),
            ("???", NAMELESS),
            ("", NAMELESS),
            ("(below main)", "(below main)"),
            ("it's'", "it's'"),
        ] {
            assert_eq!(steady(name).0, steady_name, "{name}");
        }
    }

    #[test]
    fn a_recursion_is_one_function_that_costs_no_more_than_all() {
        let merged = merged(&counts(&[("f", 10, 100), ("f'2", 60, 500), ("g", 30, 30)]));
        assert_eq!(merged["f"], Cost { own: 70, inclusive: 100 });
        assert_eq!(merged["g"], Cost { own: 30, inclusive: 30 });
    }

    #[test]
    fn small_functions_are_recorded_together() {
        let all = counts(&[("large", 9_990, 10_000), ("five", 5, 5), ("four", 4, 4), ("one", 1, 1)]);
        let parts = recorded(&merged(&all), all.total);
        assert_eq!(parts, self::parts(&[("large", 9_990), ("five", 5), (OTHERS, 5)]));
        assert_eq!(parts.values().sum::<u64>(), all.total);
    }

    #[test]
    fn what_grew_most_comes_first_and_what_shrank_last() {
        let before = parts(&[("same", 9_000), ("grew", 1_000), ("shrank", 800), ("gone", 500), ("small", 5)]);
        let now = parts(&[("same", 9_000), ("grew", 1_100), ("shrank", 700), ("new", 600), ("tiny", 6)]);
        let told: Vec<(String, How, i128)> =
            changed(&before, &now).into_iter().map(|one| (one.name.clone(), one.how, one.growth())).collect();
        let expected = [
            ("new", How::New, 600),
            ("grew", How::Changed, 100),
            ("shrank", How::Changed, -100),
            ("gone", How::Gone, -500),
        ];
        assert_eq!(told, expected.map(|(name, how, growth)| (name.to_owned(), how, growth)));
    }

    #[test]
    fn nothing_differs_from_itself() {
        let one = parts(&[("a", 1), (OTHERS, 2)]);
        assert_eq!(changed(&one, &one), []);
    }
}
