//! Start-up layouts: where stack and mappings of a process lie.
//!
//! Address randomisation is switched off; then both are where the draw says, and the same in every process of the draw.

mod check;

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::sys::personality::{self, Persona};
use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit, setrlimit};

pub use check::Placement;

use crate::Error;
use crate::draw::{Chance, PAGE};
use crate::parts::{Part, Parts};

/// The stack is shifted in steps of its alignment over two pages.
const STACK_STEP: u64 = 16;
const STACK_STEPS: u64 = 2 * PAGE / STACK_STEP;
/// Mappings are shifted in pages over the length of a huge page.
const MAPPING_STEPS: u64 = (2 << 20) / PAGE;
/// The system puts mappings below this much room for the stack; smaller limits are rounded up by it.
const STACK_ROOM: u64 = 256 << 20;
/// Name of the variable whose length shifts the stack.
const FILLER: &str = "LAYOUT_FILLER";
/// Bytes of the command line, the environment and the filler together, less the drawn offset.
const STRINGS: u64 = 32 << 10;

/// A drawn start-up layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Startup {
    /// Bytes by which the stack is shifted.
    pub stack_offset: u64,
    /// Bytes by which the base of all mappings is shifted.
    pub mapping_offset: u64,
    /// A number for programs that can be told to draw the places of their own tables from one; zero when that is fixed.
    pub tables: u32,
}

impl Startup {
    /// Draws from a seed. Address randomisation is off even where nothing is drawn.
    pub fn draw(seed: u64, parts: &Parts) -> Self {
        let chance = Chance::new(seed);
        let below = |part: Part, steps| match parts.contains(part) {
            true => chance.below(steps, "start", part.name()),
            false => 0,
        };
        Self {
            stack_offset: STACK_STEP * below(Part::Stack, STACK_STEPS),
            mapping_offset: PAGE * below(Part::Mapping, MAPPING_STEPS),
            tables: below(Part::Tables, 1 << 32) as u32,
        }
    }

    /// Makes `command` start with this layout. Set program, arguments and environment before.
    ///
    /// The process gets only the variables that were set on the command itself (not those of the parent) and one that
    /// fills the space, so that the stack does not depend on the surroundings or on the length of the program's path.
    pub fn apply(&self, command: &mut Command) -> Result<(), Error> {
        let variables: Vec<(OsString, OsString)> = command
            .get_envs()
            .filter(|(name, _)| *name != FILLER)
            .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
            .collect();
        // The program's path is there twice: as first argument and as the name of the executed file.
        let strings = std::iter::repeat_n(command.get_program(), 2).chain(command.get_args()).map(OsStr::len);
        let used: usize = strings.map(|bytes| bytes + 1).sum::<usize>()
            + variables.iter().map(|(name, value)| name.len() + value.len() + 2).sum::<usize>()
            + FILLER.len()
            + 2;
        let room = STRINGS + self.stack_offset;
        let fill = room.checked_sub(used as u64).ok_or_else(|| Error::Startup {
            reason: format!(
                "command line and environment take {used} bytes, at most {room} fit; set fewer variables"
            ),
        })?;
        let fill = usize::try_from(fill).unwrap_or_default();

        let limit = STACK_ROOM + self.mapping_offset;
        let (_, hard) = getrlimit(Resource::RLIMIT_STACK).map_err(|error| Error::Startup {
            reason: format!("the stack limit cannot be read ({error})"),
        })?;
        if hard != RLIM_INFINITY && hard < limit {
            return Err(Error::Startup {
                reason: format!(
                    "the hard limit of the stack is {hard} bytes, needed are {limit}: raise it (ulimit -Hs unlimited)"
                ),
            });
        }
        probe()?;
        command.env_clear().envs(variables).env(FILLER, "x".repeat(fill));
        let prepare = move || {
            let persona = personality::get()? | Persona::ADDR_NO_RANDOMIZE;
            personality::set(persona)?;
            setrlimit(Resource::RLIMIT_STACK, limit, hard)?;
            Ok(())
        };
        // SAFETY: runs in the child between fork and exec; makes three system calls, allocates nothing, takes no lock.
        unsafe { command.pre_exec(prepare) };
        Ok(())
    }
}

/// Whether this system lets a process switch its address randomisation off; containers may forbid it.
fn probe() -> Result<(), Error> {
    let refused = |error| Error::Startup {
        reason: format!(
            "address randomisation cannot be switched off ({error}): allow the system call `personality` (Docker: --security-opt seccomp=unconfined)"
        ),
    };
    // Takes effect at an exec of this thread only, and is set back before any.
    let before = personality::get().map_err(refused)?;
    personality::set(before | Persona::ADDR_NO_RANDOMIZE).map_err(refused)?;
    personality::set(before).map_err(refused)?;
    Ok(())
}
