//! Units: what the linker can place, and names for them that stay the same from arm to arm.

mod name;
mod present;

use std::fmt;

/// Bytes of a cache line.
pub(crate) const LINE: u64 = 64;

pub use name::stable_name;
pub(crate) use name::{is_numbered, is_promoted, is_rust, stable_file_name};
pub(crate) use present::present;

/// What a unit is and so which section of the executable it goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Machine code.
    Function,
    /// Constants without addresses in them.
    ReadOnly,
    /// Constants that hold addresses.
    RelRo,
    /// Initialised variables.
    Data,
    /// Zeroed variables.
    Bss,
    /// Initialised variables of every thread.
    TlsData,
    /// Zeroed variables of every thread.
    TlsBss,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Function, Self::ReadOnly, Self::RelRo, Self::Data, Self::Bss, Self::TlsData, Self::TlsBss];

    /// The section of the executable that holds units of this kind.
    pub fn section(self) -> &'static str {
        match self {
            Self::Function => ".text",
            Self::ReadOnly => ".rodata",
            Self::RelRo => ".data.rel.ro",
            Self::Data => ".data",
            Self::Bss => ".bss",
            Self::TlsData => ".tdata",
            Self::TlsBss => ".tbss",
        }
    }

    /// The kind that an object's section of this name holds, with the part of the name behind it.
    pub(crate) fn of_section(name: &str) -> Option<(Self, &str)> {
        // The longer `.data.rel.ro` before `.data`.
        [Self::RelRo, Self::Function, Self::ReadOnly, Self::Data, Self::Bss, Self::TlsData, Self::TlsBss]
            .into_iter()
            .filter(|_| !name.starts_with(".bss.rel.ro"))
            .find_map(|kind| {
                let rest = name.strip_prefix(kind.section())?;
                (rest.is_empty() || rest.starts_with('.')).then(|| (kind, rest.trim_start_matches('.')))
            })
    }

    /// Whether the unit has no bytes in the file.
    pub(crate) fn is_zeroed(self) -> bool {
        matches!(self, Self::Bss | Self::TlsBss)
    }

    /// Whether every thread has its own.
    pub(crate) fn is_thread_local(self) -> bool {
        matches!(self, Self::TlsData | Self::TlsBss)
    }
}

/// What identifies a unit in every arm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// What it is.
    pub kind: Kind,
    /// Its stable name; a second unit of the same name has ` #2` at the end, and so on.
    pub name: String,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", self.name, self.kind.section())
    }
}

/// One section of an object file, or one entry of a section of mergeable constants, that the executable holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// What identifies it in every arm.
    pub key: Key,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// The pool of small constants or strings that it lies in, if it is an entry of one.
    pub pool: Option<String>,
    /// Whether it may hold several objects, for which the compiler made no sections of their own.
    pub lumped: bool,
    /// The symbol that was added to the object at the unit's start.
    pub(crate) symbol: String,
}
