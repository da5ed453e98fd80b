//! The one list of switchable components.
//!
//! A component is a Cargo feature that switches one mechanism in one place. The search tree is the
//! same whatever combination is on.

/// One speed-up with its switch.
#[derive(Clone, Copy, Debug)]
pub struct Component {
    /// Name and Cargo feature.
    pub name: &'static str,
    /// Whether this build has it.
    pub on: bool,
    /// What it changes.
    pub changes: &'static str,
    /// What it may cost.
    pub may_cost: &'static str,
    /// Whether a node rate was seen to fall without it (docs/kernels.md, "The components"). The others stay: they are cases for the lab.
    pub gains: bool,
}

macro_rules! component {
    ($name:literal, $gains:literal, $changes:literal, $may_cost:literal) => {
        Component {
            name: $name,
            on: cfg!(feature = $name),
            changes: $changes,
            may_cost: $may_cost,
            gains: $gains,
        }
    };
}

/// All components.
pub const COMPONENTS: &[Component] = &[
    component!(
        "threats-i8",
        true,
        "threat rows are read from an 8-bit copy; rows that don't fit are read from the 16-bit table",
        "some 30 ms of work at start with a teacher net, whose table is copied without it too, at twice the size"
    ),
    component!(
        "eval-cache",
        true,
        "values of positions met before are kept in 65,536 slots a thread",
        "512 KiB of memory a thread"
    ),
    component!(
        "prefetch-tt",
        true,
        "the next position's table entry and evaluation cache slot are asked for before the move is made",
        "computing its keys once more; lines fetched for nothing where the table lies in the caches"
    ),
    component!(
        "prefetch-rows",
        false,
        "weight rows are asked for when they are listed, both views' before the first is taken",
        "instructions; on processors whose own prefetchers suffice, speed"
    ),
    component!(
        "acc512",
        true,
        "accumulators are updated in 512-bit registers where the processor has them",
        "clock frequency on some older processors; nothing on paths without AVX-512"
    ),
    component!(
        "sparse-head",
        true,
        "layer 2 takes only the inputs that are not zero; with 16 outputs, the pairs of which not both are",
        "listing them; speed with a net whose neurons are mostly active"
    ),
    component!(
        "fused-update",
        true,
        "an accumulator takes all rows of a move in one pass over the registers",
        "nothing known"
    ),
    component!(
        "refresh-cache",
        true,
        "piece accumulators are rebuilt from the last sum of the same king bucket and half of the board",
        "48 KiB of memory a thread with a main net, 96 with a teacher; a copy for every rebuild"
    ),
    component!(
        "lazy-acc",
        true,
        "accumulators are computed when a value is wanted, not at every move",
        "looking for the last one computed; finding a move's changes later, out of the nearest cache"
    ),
    component!(
        "threat-delta",
        true,
        "only the threat pairs that a move touches are looked at, lines that it opens and closes included",
        "nothing known; without it all pairs of both positions are listed and compared"
    ),
    component!(
        "neuron-order",
        false,
        "neurons that are active together lie side by side, so that layer 2 meets fewer pairs that are not zero",
        "measuring them at every load, some milliseconds; no gain without `sparse-head`, or where inputs are taken singly"
    ),
    component!(
        "skip-zero-rows",
        false,
        "threat rows that are zero throughout are neither read nor added",
        "a bit asked for every row; nothing with a net that has no such rows"
    ),
    component!(
        "huge-pages",
        false,
        "transposition table, evaluation cache and weight rows lie in memory that the system is asked to back by huge pages",
        "up to 8 MB of memory; nothing where the system grants no huge pages"
    ),
    component!(
        "cuckoo-preprobe",
        false,
        "the cuckoo table is asked for a forced repetition only where the opponent's moves since then cancel out",
        "a test for every two plies looked back; as many instructions with as without it"
    ),
];

/// The list as `engine components` prints it.
pub struct Listing;

impl std::fmt::Display for Listing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for component in COMPONENTS {
            let Component { name, on, changes, may_cost, gains } = component;
            let state = if *on { "on" } else { "off" };
            writeln!(f, "{name:<15} {state:<4} {changes}")?;
            writeln!(f, "{:20} may cost: {may_cost}", "")?;
            if !gains {
                writeln!(f, "{:20} no gain found where it was measured: a case for the lab", "")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const MANIFEST: &str = include_str!("../Cargo.toml");

    /// The lines of the manifest's features below the comment that begins like this, up to the next one.
    fn features(comment: &str) -> Vec<(&'static str, &'static str)> {
        let (_, section) = MANIFEST.split_once("[features]\n").unwrap();
        let (_, section) = section.split_once(comment).unwrap();
        let lines = section.lines().skip(1).take_while(|line| !line.starts_with('#') && !line.is_empty());
        lines.map(|line| line.split_once(" = ").unwrap()).collect()
    }

    fn listed() -> Vec<&'static str> {
        COMPONENTS.iter().map(|component| component.name).collect()
    }

    /// The names in a list of the manifest.
    fn named(list: &str) -> Vec<&str> {
        list.split('"').skip(1).step_by(2).collect()
    }

    #[test]
    fn every_feature_is_a_listed_component() {
        let features = features("# Every feature here is one component");
        assert!(features.iter().all(|&(_, value)| value == "[]"), "{features:?}");
        assert_eq!(listed(), features.iter().map(|&(name, _)| name).collect::<Vec<_>>());
    }

    #[test]
    fn all_components_are_on_by_default() {
        let (_, default) = MANIFEST.split_once("default = [").unwrap();
        let (default, _) = default.split_once(']').unwrap();
        assert_eq!(named(default), listed());
    }

    #[test]
    fn other_names_stand_for_components_only() {
        for (name, value) in features("# Several components by one name") {
            assert!(!listed().contains(&name), "{name}");
            let parts = named(value);
            assert!(parts.len() > 1 && parts.iter().all(|part| listed().contains(part)), "{name}: {value}");
        }
        assert_eq!(features("# Several components by one name").len(), 1);
    }

    #[test]
    fn bundles_of_the_engine_name_every_component() {
        // What a bundle doesn't name is off in all of its arms, and nobody would notice.
        let bundles = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bundles");
        let files = [bundles.clone(), bundles.join("truth")]
            .into_iter()
            .flat_map(|folder| folder.read_dir().unwrap());
        let mut checked = 0;
        for file in files.map(|file| file.unwrap().path()).filter(|file| file.is_file()) {
            let text = std::fs::read_to_string(&file).unwrap();
            if !text.contains("package = \"engine\"") {
                continue;
            }
            let written = named(&text);
            let other_names = features("# Several components by one name");
            let by_other_name = |name| {
                other_names.iter().any(|(other, list)| written.contains(other) && named(list).contains(&name))
            };
            for name in listed() {
                assert!(written.contains(&name) || by_other_name(name), "{}: {name}", file.display());
            }
            checked += 1;
        }
        assert!(checked > 2, "{checked} bundles");
    }

    #[test]
    fn the_listing_shows_every_state() {
        let listing = Listing.to_string();
        for component in COMPONENTS {
            let state = if component.on { "on" } else { "off" };
            let line = listing.lines().find(|line| line.starts_with(component.name)).unwrap();
            assert_eq!(line.split_whitespace().nth(1), Some(state));
        }
    }
}
