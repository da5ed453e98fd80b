//! Layout schemes by name: what each leaves unscattered, and why arms may differ under it.

use protocol::plan::{Layout, PartState};

use crate::parts;

/// What a layout does not scatter; `None` for a scheme this report does not know.
pub fn unscattered(layout: &Layout) -> Option<Vec<String>> {
    let states = [
        (PartState::Fixed, "Fixed by the bundle, though it could be drawn:"),
        (PartState::NotScattered, "Not to be drawn with arms of this kind:"),
    ];
    let whole = states
        .iter()
        .filter_map(|(state, lead)| Some(format!("{lead} {}.", parts::in_state(layout, *state)?)));
    let inside: Vec<&str> = match layout.scheme.split_once('/').unwrap_or((&layout.scheme, "")) {
        _ if layout.is_limited() => vec![PREBUILT],
        ("keyed-order", _) => [MERGED].into_iter().chain(RELINKED).collect(),
        ("shared-slots", "1" | "2") => [POOLED].into_iter().chain(RELINKED).chain([SLOTS]).collect(),
        ("shared-slots", _) => [POOLED].into_iter().chain(RELINKED).chain([SLOTS, OWN_SECTIONS]).collect(),
        _ => return None,
    };
    let heap = if layout.state("heap") == Some(PartState::Drawn) { HEAP_DRAWN } else { HEAP };
    let tables = if layout.state("tables") == Some(PartState::Drawn) { TABLES_DRAWN } else { TABLES };
    let said = inside.into_iter().chain([tables, heap]).chain(SYSTEM);
    Some(whole.chain(said.map(str::to_owned)).collect())
}

/// Why units that arms have in common may lie at different addresses; the records do not say which do.
pub fn why_apart(scheme: &str) -> &'static str {
    match scheme.split_once('/').map_or(scheme, |(name, _)| name) {
        "keyed-order" => {
            "Only the order is common to all arms: a unit that is missing in one arm, or larger, smaller or aligned \
             otherwise there, shifts all that lie behind it."
        }
        "shared-slots" => {
            "Every unit has one slot for all arms, so the linker itself put something before it: mostly the section \
             starts elsewhere in that arm, because its alignment differs or what the linker adds to it."
        }
        _ => "Not known for this scheme.",
    }
}

/// True of every scheme that relinks.
const RELINKED: [&str; 2] = [
    "The inside of a unit: the blocks of a function and the elements of a table or an embedded net keep their order, \
     and their place relative to its start.",
    "What the linker makes itself (jump and offset tables, unwind tables), and the order of the sections.",
];

/// True where nothing is relinked.
const PREBUILT: &str = "Everything inside the executables: functions, constants, tables and an embedded net lie where the \
                        build put them, and where two arms differ, what lies behind lies elsewhere too.";

/// True where the linker merges.
const MERGED: &str = "Merged constants and strings: the linker pools them and fixes their order; only the pool as a whole shifts.";

/// True where the draw cuts the linker's pools.
const POOLED: &str = "Merged constants and strings: the order inside a pool is drawn, but the constants of one size, and \
                      all strings, stay side by side as the linker has them.";

/// True where all arms share one set of slots.
const SLOTS: &str = "Gaps: a unit that an arm lacks leaves padding in its slot, so that all others keep their addresses. \
                     A component's effect on how tightly the rest is packed is therefore not measured.";

/// True where the executable is searched for data that no slot holds.
const OWN_SECTIONS: &str = "Static data in sections of the program's own naming, common and copied variables, and variables that share a \
                            section: they keep their order. Where an arm has one at another address, its component is unproven.";

/// What the engine allocates for itself.
const TABLES: &str = "The engine's big tables (hash, weights): they are allocated at run time, and the mapping base moves them all together, \
     by whole pages within 2 MiB. Their distances from each other and their place inside a 4 KiB page stay, and so does \
     their place inside a huge page where the engine aligns them to one. Only an option of the engine could draw these, \
     and none was named.";

/// What the engine allocates for itself, where an option draws it.
const TABLES_DRAWN: &str = "The engine's big tables (hash, weights): an option draws the cache line of a huge page in which each starts. Which \
     tables follow it, and what it leaves alone, is up to the engine; their inside stays.";

/// The heap, where its start is drawn.
const HEAP_DRAWN: &str = "Small allocations: the heap's start moves by whole pages; the place of each allocation inside its \
                          page, and their order, stay. Newer kernels put the heap of a static position-independent executable at a \
                          place of its own, which no draw moves.";

/// The heap, where its start is not drawn.
const HEAP: &str =
    "Small allocations: the heap starts right behind the program's data, and its inner arrangement stays.";

/// What belongs to the system.
const SYSTEM: [&str; 3] = [
    "Shared libraries: they move with the mapping base, as one; their inside stays.",
    "Files that the engine reads or maps, such as a net: their place follows the mapping base.",
    "Physical pages and cache colours: not drawn, but taken anew with every fresh process of a fresh copy.",
];

#[cfg(test)]
mod tests {
    use protocol::plan::LayoutPart;

    use super::*;

    fn layout(scheme: &str, parts: &[(&str, PartState)]) -> Layout {
        let part = |&(part, state): &(&str, PartState)| LayoutPart { part: part.to_owned(), state };
        Layout { scheme: scheme.to_owned(), seed: 1, parts: parts.iter().map(part).collect(), tables: None }
    }

    #[test]
    fn the_version_does_not_hide_a_scheme() {
        let of = |scheme| unscattered(&layout(scheme, &[("order", PartState::Drawn)]));
        assert!(of("keyed-order/1").is_some());
        assert_eq!(of("shared-slots/1"), of("shared-slots/2"));
        assert!(of("shared-slots/3").is_some_and(|list| list.iter().any(|line| line == OWN_SECTIONS)));
        assert_ne!(of("keyed-order/1"), of("shared-slots/2"));
        assert_eq!(of("tarot/1"), None);
        assert_ne!(why_apart("keyed-order/1"), why_apart("shared-slots/3"));
        assert_ne!(why_apart("tarot/1"), why_apart("shared-slots/3"));
    }

    #[test]
    fn what_a_bundle_fixes_is_not_scattered() {
        let parts = [("order", PartState::Drawn), ("stack", PartState::Fixed), ("heap", PartState::Drawn)];
        let said = unscattered(&layout("shared-slots/3", &parts)).expect("known");
        assert_eq!(said[0], "Fixed by the bundle, though it could be drawn: stack.");
        assert!(said.iter().any(|line| line == HEAP_DRAWN));
        assert!(!said.iter().any(|line| line == PREBUILT));
    }

    #[test]
    fn prebuilt_executables_keep_their_inside_whatever_the_scheme() {
        let parts = [("order", PartState::NotScattered), ("stack", PartState::Drawn)];
        let said = unscattered(&layout("tarot/1", &parts)).expect("known");
        assert_eq!(said[0], "Not to be drawn with arms of this kind: order.");
        assert!(said.iter().any(|line| line == PREBUILT) && said.iter().any(|line| line == HEAP));
    }
}
