//! Parts: the things that are drawn, each of which can be left as it is.

use std::str::FromStr;

/// One thing that a draw decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// In which order the units lie. Fixed: as the linker orders them, one order for all arms.
    Order,
    /// Whether a whole cache line is left free before a unit that is at least as large. Fixed: none is.
    Padding,
    /// Where in a cache line a unit starts, a multiple of its own alignment. Fixed: the next multiple.
    Phase,
    /// Page of every segment and section inside a stretch of 2 MiB. Fixed: its first page.
    Segments,
    /// Pages of zeroes behind the program's data, so that the heap starts elsewhere. Fixed: none.
    Heap,
    /// Where in two pages the stack starts, in steps of 16 bytes. Fixed: at one place.
    Stack,
    /// Where in 2 MiB the mappings start, in pages. Fixed: at one place.
    Mapping,
    /// Where the program's own big tables, which it allocates itself, lie inside their page. Only programs with an option
    /// for it can be told; who starts the processes tells them.
    Tables,
    /// Whether every process runs a fresh copy of the executable, and so on other physical pages. This crate makes no
    /// copies; who starts the processes does.
    Copy,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 9] = [
        Self::Order,
        Self::Padding,
        Self::Phase,
        Self::Segments,
        Self::Heap,
        Self::Stack,
        Self::Mapping,
        Self::Tables,
        Self::Copy,
    ];

    /// The part's name, as it is written in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Padding => "padding",
            Self::Phase => "phase",
            Self::Segments => "segments",
            Self::Heap => "heap",
            Self::Stack => "stack",
            Self::Mapping => "mapping",
            Self::Tables => "tables",
            Self::Copy => "copy",
        }
    }
}

/// A name that no part has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no part of a layout is called `{0}`; there are order, padding, phase, segments, heap, stack, mapping, tables and copy"
)]
pub struct UnknownPart(pub String);

impl FromStr for Part {
    type Err = UnknownPart;

    fn from_str(name: &str) -> Result<Self, UnknownPart> {
        Self::ALL.into_iter().find(|part| part.name() == name).ok_or_else(|| UnknownPart(name.to_owned()))
    }
}

/// The parts that are drawn; the others stay fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts(u16);

impl Parts {
    /// Everything is drawn.
    pub const fn all() -> Self {
        Self(u16::MAX)
    }

    /// Nothing is drawn.
    pub const fn none() -> Self {
        Self(0)
    }

    /// The same, and this part drawn.
    #[must_use]
    pub const fn with(self, part: Part) -> Self {
        Self(self.0 | 1 << part as u8)
    }

    /// The same, and this part fixed.
    #[must_use]
    pub const fn without(self, part: Part) -> Self {
        Self(self.0 & !(1 << part as u8))
    }

    /// Whether the part is drawn.
    pub const fn contains(self, part: Part) -> bool {
        self.0 & 1 << part as u8 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_a_name_of_its_own_and_a_switch_of_its_own() {
        for part in Part::ALL {
            assert_eq!(part.name().parse(), Ok(part));
            for other in Part::ALL {
                assert_eq!(Parts::all().without(part).contains(other), other != part);
                assert_eq!(Parts::none().with(part).contains(other), other == part);
            }
            assert_eq!(Parts::all().without(part).with(part), Parts::all());
        }
        let error = "colour".parse::<Part>().expect_err("none of that name").to_string();
        assert!(
            error.contains("colour") && Part::ALL.iter().all(|part| error.contains(part.name())),
            "{error}"
        );
    }
}
