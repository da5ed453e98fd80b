//! Parts of a layout in the words of those who write engines.

use protocol::plan::{Layout, PartState};

use crate::words::listed;

/// A part as the reports name it.
pub struct Words {
    /// Its name in a table.
    pub title: &'static str,
    /// Its name in a sentence.
    pub short: &'static str,
    /// What is drawn.
    pub what: &'static str,
    /// Where it is decided.
    pub place: Place,
}

/// Where a part is decided.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the executable, when it is linked.
    Executable,
    /// When a process starts.
    Start,
}

/// The words for a part, by its name in the plan; `None` for one that this report does not know.
pub fn words(part: &str) -> Option<Words> {
    use Place::{Executable, Start};
    let (title, short, what, place) = match part {
        "order" => (
            "Order",
            "order",
            "Which function or static object lies behind which, section by section.",
            Executable,
        ),
        "padding" => (
            "Padding",
            "padding",
            "Whether a whole cache line stays free before a function or object that fills one.",
            Executable,
        ),
        "phase" => (
            "Phase in the cache line",
            "phase in the cache line",
            "Where in its 64 bytes a function or object starts: a multiple of its own alignment.",
            Executable,
        ),
        "segments" => (
            "Segments",
            "segments",
            "The page within 2 MiB on which each segment of the program starts, and the sections inside it.",
            Executable,
        ),
        "heap" => (
            "Heap start",
            "heap start",
            "The page on which small allocations (brk) start: zeroes behind the program's data push it away.",
            Executable,
        ),
        "stack" => ("Stack", "stack", "Where in two pages the stack starts, in steps of 16 bytes.", Start),
        "mapping" => (
            "Mapping base",
            "mapping base",
            "The page within 2 MiB where shared libraries and large allocations (mmap) start.",
            Start,
        ),
        "tables" => (
            "Engine's own tables",
            "engine's own tables",
            "Where in their first huge page the tables start that the engine allocates itself: hash, weights, caches.",
            Start,
        ),
        "copy" => (
            "File copy",
            "file copy",
            "Every process runs a fresh copy of the executable, on other physical pages.",
            Start,
        ),
        _ => return None,
    };
    Some(Words { title, short, what, place })
}

/// The parts in a state, as a sentence names them; a part without words stands under its own name.
pub fn in_state(layout: &Layout, state: PartState) -> Option<String> {
    let parts = layout.parts.iter().filter(|part| part.state == state);
    let names: Vec<&str> =
        parts.map(|part| words(&part.part).map_or(part.part.as_str(), |words| words.short)).collect();
    (!names.is_empty()).then(|| listed(&names))
}

#[cfg(test)]
mod tests {
    use protocol::plan::LayoutPart;

    use super::*;

    #[test]
    fn parts_are_told_apart_and_unknown_ones_keep_their_name() {
        let known = ["order", "padding", "phase", "segments", "heap", "stack", "mapping", "tables", "copy"];
        let titles: std::collections::BTreeSet<&str> =
            known.iter().map(|part| words(part).expect("known").title).collect();
        assert_eq!(titles.len(), known.len());
        let part = |name: &str, state| LayoutPart { part: name.to_owned(), state };
        let parts = vec![
            part("mapping", PartState::Drawn),
            part("stack", PartState::Fixed),
            part("colour", PartState::Drawn),
        ];
        let layout = Layout { scheme: "tarot/1".to_owned(), seed: 1, parts, tables: None };
        assert_eq!(in_state(&layout, PartState::Drawn).as_deref(), Some("mapping base and colour"));
        assert_eq!(in_state(&layout, PartState::Fixed).as_deref(), Some("stack"));
        assert_eq!(in_state(&layout, PartState::NotScattered), None);
    }
}
