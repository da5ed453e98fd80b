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
}

macro_rules! component {
    ($name:literal, $changes:literal, $may_cost:literal) => {
        Component { name: $name, on: cfg!(feature = $name), changes: $changes, may_cost: $may_cost }
    };
}

/// All components.
pub const COMPONENTS: &[Component] = &[
    component!(
        "threats-i8",
        "threat rows are read from an 8-bit copy; rows that don't fit are read from the 16-bit table",
        "some 30 ms of work at start with a teacher net, whose table is copied without it too, at twice the size"
    ),
    component!(
        "eval-cache",
        "values of positions met before are kept in 65,536 slots a thread",
        "512 KiB of memory a thread"
    ),
    component!(
        "prefetch",
        "table entry, evaluation cache slot and weight rows are asked for before they are needed",
        "instructions; on processors whose own prefetchers suffice, speed"
    ),
    component!(
        "acc512",
        "accumulators are updated in 512-bit registers where the processor has them",
        "clock frequency on some older processors; nothing on paths without AVX-512"
    ),
    component!(
        "sparse-head",
        "layer 2 takes only the chunks of its inputs that are not zero",
        "listing them; speed with a net whose neurons are mostly active"
    ),
    component!(
        "fused-update",
        "an accumulator takes all rows of a move in one pass over the registers",
        "nothing known"
    ),
    component!(
        "refresh-cache",
        "piece accumulators are rebuilt from the last sum of the same king bucket and half of the board",
        "48 KiB of memory a thread with a main net, 96 with a teacher; a copy for every rebuild"
    ),
    component!(
        "lazy-acc",
        "accumulators are computed when a value is wanted, not at every move",
        "looking for the last one computed; finding a move's changes later, out of the nearest cache"
    ),
    component!(
        "huge-pages",
        "transposition table, evaluation cache and weight rows lie in memory that the system is asked to back by huge pages",
        "up to 8 MB of memory; nothing where the system grants no huge pages"
    ),
];

/// The list as `engine components` prints it.
pub struct Listing;

impl std::fmt::Display for Listing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for component in COMPONENTS {
            let Component { name, on, changes, may_cost } = component;
            let state = if *on { "on" } else { "off" };
            writeln!(f, "{name:<14} {state:<4} {changes}")?;
            writeln!(f, "{:19} may cost: {may_cost}", "")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names in `[features]` of the manifest, without `default` and what only tests use.
    fn features() -> Vec<&'static str> {
        let manifest = include_str!("../Cargo.toml");
        let (_, section) = manifest.split_once("[features]\n").unwrap();
        let section = section.split_once("\n[").map_or(section, |(section, _)| section);
        let names = section.lines().filter_map(|line| line.split_once(" = ").map(|(name, _)| name.trim()));
        let component = |name: &str| {
            !["default", "verify-eval"].contains(&name)
                && !name.starts_with(['#', '"'])
                && !name.starts_with("lab-")
        };
        names.filter(|&name| component(name)).collect()
    }

    #[test]
    fn every_feature_is_a_listed_component() {
        let listed: Vec<_> = COMPONENTS.iter().map(|component| component.name).collect();
        assert_eq!(listed, features());
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
