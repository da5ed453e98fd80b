//! Layout schemes by name: what each leaves unscattered.

/// What a scheme does not scatter; `None` for a scheme this report does not know.
pub fn unscattered(scheme: &str) -> Option<Vec<&'static str>> {
    let (name, version) = scheme.split_once('/').unwrap_or((scheme, ""));
    match (name, version) {
        ("keyed-order", _) => Some([MERGED].into_iter().chain(RELINKED).collect()),
        ("shared-slots", "1" | "2") => Some([POOLED].into_iter().chain(RELINKED).chain([SLOTS]).collect()),
        ("shared-slots", _) => {
            Some([POOLED].into_iter().chain(RELINKED).chain([SLOTS, OWN_SECTIONS]).collect())
        }
        _ => None,
    }
}

/// True of every scheme that relinks.
const RELINKED: [&str; 6] = [
    "The inside of a unit: the blocks of a function and the elements of a table or an embedded net keep their order, \
     and their place relative to its start.",
    "What the linker makes itself (jump and offset tables, unwind tables), and the order of the sections.",
    "Tables allocated at run time, such as the transposition table: they shift with the mapping base only, as one.",
    "The heap and the shared libraries: their inner arrangement stays; only their base is drawn.",
    "Physical pages and cache colours: not drawn, but taken anew with every fresh process of a fresh copy.",
    "Files that the engine reads or maps, such as a net: their place follows the mapping base.",
];

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_does_not_hide_a_scheme() {
        assert!(unscattered("keyed-order/1").is_some());
        assert_ne!(unscattered("keyed-order/1"), unscattered("shared-slots/2"));
        assert_eq!(unscattered("shared-slots/1"), unscattered("shared-slots/2"));
        assert!(unscattered("shared-slots/3").is_some_and(|list| list.contains(&OWN_SECTIONS)));
        assert_eq!(unscattered("tarot/1"), None);
    }
}
