//! A process as it runs: does it lie where it was drawn?

use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::draw::PAGE;
use crate::image::{Image, Segment};

/// End of the stack of every process without address randomisation.
const STACK_END: u64 = 0x7fff_ffff_f000;

/// Where the processes of an executable must lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    path: PathBuf,
    /// Whether at the addresses of the file; else they are shifted as a whole.
    fixed: bool,
    segments: Vec<Segment>,
}

impl Placement {
    /// Of this executable.
    pub fn of(image: &Image) -> Self {
        let (fixed, segments) = image.segments();
        Self { path: image.path().to_owned(), fixed, segments: segments.to_vec() }
    }

    /// Checks that the process `id`, started with a drawn start-up, runs the executable or a copy of it where the draw
    /// put it. One that has ended is an error too.
    pub fn check(&self, id: u32) -> Result<(), Error> {
        let folder = Path::new("/proc").join(id.to_string());
        let program = fs::read_link(folder.join("exe")).unwrap_or_default();
        // Of a process that has ended but was not waited for, the list is empty.
        let maps = fs::read_to_string(folder.join("maps")).unwrap_or_default();
        let found = compare(&maps, &program.to_string_lossy(), (self.fixed, &self.segments));
        found.map_err(|reason| Error::Started { path: self.path.clone(), reason })
    }
}

const ENDED: &str =
    "it has ended; raise the limits on memory (ulimit -v, -d) if it was stopped before it could say anything";

/// A line of `/proc/…/maps`.
struct Mapping<'a> {
    start: u64,
    end: u64,
    offset: u64,
    name: &'a str,
}

/// What is wrong with these mappings of a program that has these segments, at their addresses if they are fixed.
fn compare(maps: &str, program: &str, (fixed, segments): (bool, &[Segment])) -> Result<(), String> {
    let mappings: Vec<_> = maps.lines().filter_map(parse).collect();
    let own = || mappings.iter().filter(|mapping| !program.is_empty() && mapping.name == program);
    if own().next().is_none() {
        return Err(ENDED.to_owned());
    }
    let page = |at: u64| at / PAGE * PAGE;
    let mut shift = fixed.then_some(0);
    for segment in segments {
        let drawn = page(segment.address);
        // The system makes one mapping of neighbours that may be used alike.
        let mut starts = own().filter_map(|mapping| {
            let inside = page(segment.offset).checked_sub(mapping.offset)?;
            (inside < mapping.end - mapping.start).then_some(mapping.start + inside)
        });
        let at = |start: u64| shift.is_none_or(|shift| start == drawn.wrapping_add(shift));
        let Some(start) = starts.clone().find(|&start| at(start)) else {
            let expected = drawn.wrapping_add(shift.unwrap_or_default());
            let found = starts.next().map_or_else(|| "nowhere".to_owned(), |start| format!("at {start:#x}"));
            return Err(format!(
                "the part of the file at {:#x} lies {found} instead of at {expected:#x}; start it by itself, not through a program that loads it",
                segment.offset
            ));
        };
        shift.get_or_insert(start.wrapping_sub(drawn));
    }
    match mappings.iter().find(|mapping| mapping.name == "[stack]") {
        Some(Mapping { end: STACK_END, .. }) => Ok(()),
        Some(Mapping { end, .. }) => Err(format!(
            "its stack ends at {end:#x} instead of {STACK_END:#x}, so addresses are randomised; allow the system call `personality` (Docker: --security-opt seccomp=unconfined), and start no program with rights of its own (setuid)"
        )),
        None => Err("it has no stack; measure on Linux itself, not on an emulation".to_owned()),
    }
}

fn parse(line: &str) -> Option<Mapping<'_>> {
    let mut words = line.splitn(6, ' ');
    let (start, end) = words.next()?.split_once('-')?;
    let offset = words.nth(1)?;
    let name = words.nth(2).unwrap_or_default().trim_start();
    let number = |text| u64::from_str_radix(text, 16).ok();
    Some(Mapping { start: number(start)?, end: number(end)?, offset: number(offset)?, name })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: &str = "\
00201000-00203000 r--p 00000000 fe:00 42                                 /a folder/engine
00400000-00452000 r-xp 00003000 fe:00 42                                 /a folder/engine
7ffff7fc1000-7ffff7fc5000 r--p 00000000 00:00 0                          [vvar]
7ffffffdd000-7ffffffff000 rw-p 00000000 00:00 0                          [stack]
";
    const ENGINE: &str = "/a folder/engine";
    const SEGMENTS: [Segment; 2] =
        [Segment { address: 0x20_1000, offset: 0 }, Segment { address: 0x40_0123, offset: 0x3123 }];

    #[test]
    fn a_process_where_it_was_drawn() {
        assert_eq!(compare(MAPS, ENGINE, (true, &SEGMENTS)), Ok(()));
        let shifted = SEGMENTS.map(|segment| Segment { address: segment.address - 0x20_0000, ..segment });
        assert_eq!(compare(MAPS, ENGINE, (false, &shifted)), Ok(()), "a program that may lie anywhere");
    }

    #[test]
    fn neighbours_may_share_a_mapping() {
        let behind = Segment { address: 0x40_1040, offset: 0x4040 };
        let segments = [SEGMENTS[0], SEGMENTS[1], behind];
        assert_eq!(compare(MAPS, ENGINE, (true, &segments)), Ok(()));
        let elsewhere = [SEGMENTS[0], SEGMENTS[1], Segment { address: 0x40_2040, ..behind }];
        let told = compare(MAPS, ENGINE, (true, &elsewhere)).expect_err("accepted");
        assert!(told.contains("at 0x4040 lies at 0x401000 instead of at 0x402000"), "{told}");
    }

    #[test]
    fn a_process_that_lies_elsewhere_has_ended_or_is_randomised() {
        let wrong = |maps: &str, program, fixed, segments: &[Segment]| {
            compare(maps, program, (fixed, segments)).expect_err("accepted")
        };
        let mut moved = SEGMENTS;
        moved[1].address += 0x1000;
        for fixed in [true, false] {
            let elsewhere = wrong(MAPS, ENGINE, fixed, &moved);
            assert!(elsewhere.contains("at 0x3123 lies at 0x400000 instead of at 0x401000"), "{elsewhere}");
        }
        let shifted = SEGMENTS.map(|segment| Segment { address: segment.address + 0x1000, ..segment });
        assert!(wrong(MAPS, ENGINE, true, &shifted).contains("instead of at 0x202000"));
        moved[1].offset = 0x6_0000;
        assert!(wrong(MAPS, ENGINE, true, &moved).contains("lies nowhere"));
        for (maps, program) in [("", ENGINE), ("", ""), (MAPS, ""), (MAPS, "/another")] {
            assert!(wrong(maps, program, false, &SEGMENTS).contains("has ended"), "{program}");
        }
        let randomised = MAPS.replace("7ffffffdd000-7ffffffff000", "7ffd4a3dd000-7ffd4a3ff000");
        assert!(wrong(&randomised, ENGINE, true, &SEGMENTS).contains("personality"));
        let emulated = MAPS.replace("[stack]", "");
        assert!(wrong(&emulated, ENGINE, true, &SEGMENTS).contains("no stack"));
    }
}
