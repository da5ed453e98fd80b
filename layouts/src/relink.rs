//! Relinking: an arm's executable with a drawn layout, without the compiler, read back and checked.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::Error;
use crate::capture::{Capture, LINK_FILE, response_line};
use crate::draw::{Draw, DrawnSection, Piece, pieces};
use crate::error::io;
use crate::image::{Image, Moved, Outline};
use crate::pads::{self, Pads};
use crate::unit::Kind;

/// Links `capture` with the layout of `draw` to the executable `out`.
///
/// `out` appears complete or not at all. Every unit is checked to lie where it was drawn; a draw that moves no function
/// or no data of an executable that has some is refused.
pub fn relink(capture: &Capture, draw: &Draw, out: &Path) -> Result<Image, Error> {
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let work =
        tempfile::Builder::new().prefix(".relink-").tempdir_in(parent).map_err(io("write to", parent))?;
    let work_path = work.path().canonicalize().map_err(io("open", work.path()))?;

    let linked = work_path.join("executable");
    let args = write_layout(capture, draw, &work_path, &linked)?;
    let args = [format!("@{LINK_FILE}"), format!("@{}", args.display())];
    let run = capture.linker().run(capture.folder(), args, Stdio::null());
    run.map_err(|error| output_refused(error, parent))?;

    let outline = Outline::read(&linked)?;
    let image = Image::from_outline(out, &outline, capture.units())?;
    check_places(capture, draw, &outline, &image)?;
    check_moved(draw, image.moved(capture.natural()))?;
    fs::rename(&linked, out).map_err(io("write", out))?;
    Ok(image)
}

/// Tells a folder that takes no executable from a link that fails.
///
/// The linker writes through a mapping of the file, so that a full disk stops it by a signal.
pub(crate) fn output_refused(error: Error, folder: &Path) -> Error {
    let Error::LinkerFailed { status, message, .. } = &error else { return error };
    let stopped = |signal| status.contains(signal);
    let reason = if stopped("SIGBUS") {
        Some("the linker ran out of room".to_owned())
    } else if stopped("SIGXFSZ") {
        Some("the executable is larger than a file may be (ulimit -f)".to_owned())
    } else {
        let refused =
            ["No space left", "File too large", "quota exceeded", "Read-only file", "Input/output error"];
        refused.iter().any(|reason| message.contains(reason)).then(|| message.clone())
    };
    match reason {
        Some(reason) => {
            let source = std::io::Error::other(reason);
            Error::Io { action: "link an executable in", path: folder.to_owned(), source }
        }
        None => error,
    }
}

/// Writes padding, order and further arguments; returns the file with the arguments.
fn write_layout(capture: &Capture, draw: &Draw, folder: &Path, linked: &Path) -> Result<PathBuf, Error> {
    let mut pads = Pads::new();
    let mut order = String::new();
    let mut args = String::new();
    for section in draw.sections() {
        // Every section: one without a start of its own would go behind all that have one, and the block of thread-local
        // data would span what lies between.
        args.push_str(&format!("--section-start={}={:#x}\n", section.name, section.address));
        let Some(kind) = section.kind else { continue };
        let mut begun = false;
        for piece in pieces(&section.slots, |key| capture.unit(key).map(|unit| (unit, unit.size))) {
            match piece {
                Piece::Unit(unit) => order.push_str(&unit.symbol),
                Piece::Pad(bytes) => {
                    // A block of thread-local units has no address of its own, but an alignment.
                    let first = kind.is_thread_local() && !std::mem::replace(&mut begun, true);
                    order.push_str(&pads.add(kind, bytes, if first { section.align } else { 1 }));
                }
            }
            order.push('\n');
        }
    }
    pads.add_heap(draw.heap().size, draw.heap().align);
    args.push_str(&format!("--section-start={}={:#x}\n", pads::HEAP, draw.heap().address));
    let write = |name: &str, content: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, content).map_err(io("write", &path))?;
        Ok(path)
    };
    let failed = |error: object::write::Error| Error::Io {
        action: "make padding in",
        path: folder.to_owned(),
        source: std::io::Error::other(error.to_string()),
    };
    let pads = write("pads.o", &pads.finish().map_err(failed)?)?;
    let order = write("order.txt", order.as_bytes())?;
    // The protection of relocated data would tie the starts of its sections to one another.
    args.push_str("-z norelro\n--no-warn-symbol-ordering\n--threads=1\n");
    args.push_str(&response_line([format!("--symbol-ordering-file={}", order.display())]));
    args.push_str(&response_line([pads.display().to_string()]));
    args.push_str(&response_line(["-o".to_owned(), linked.display().to_string()]));
    write("layout.rsp", args.as_bytes())
}

/// Every unit lies in its slot.
fn check_places(capture: &Capture, draw: &Draw, outline: &Outline, image: &Image) -> Result<(), Error> {
    let start_of =
        |name: &str| outline.sections.iter().find(|section| section.name == name).map(|s| s.address);
    let block = start_of(Kind::TlsData.section()).or_else(|| start_of(Kind::TlsBss.section())).unwrap_or(0);
    let mut placed = 0;
    for section in draw.sections() {
        // Thread-local addresses count from the start of the block, whose second part follows the first.
        let start = match section.kind {
            Some(Kind::TlsData) => 0,
            Some(Kind::TlsBss) => start_of(&section.name).map_or(0, |address| address - block),
            _ => section.address,
        };
        placed += check_section(capture, section, start, image)?;
    }
    if placed == capture.units().len() {
        return Ok(());
    }
    let drawn: HashSet<_> = draw.order().collect();
    match capture.units().iter().find(|unit| !drawn.contains(&unit.key)) {
        Some(unit) => Err(Error::NoSlot { unit: unit.key.to_string(), size: unit.size }),
        None => Ok(()),
    }
}

fn check_section(
    capture: &Capture,
    section: &DrawnSection,
    start: u64,
    image: &Image,
) -> Result<usize, Error> {
    let mut placed = 0;
    for slot in &section.slots {
        let Some(unit) = capture.unit(&slot.key) else { continue };
        if unit.size > slot.size {
            return Err(Error::NoSlot { unit: unit.key.to_string(), size: unit.size });
        }
        let drawn = start + slot.offset;
        let found = image.addresses().get(&slot.key).copied().unwrap_or_default();
        if found != drawn {
            let linker = capture.linker().path().to_owned();
            return Err(Error::NotAsDrawn { linker, unit: slot.key.to_string(), drawn, found });
        }
        placed += 1;
    }
    Ok(placed)
}

/// A layout that changes nothing proves nothing.
fn check_moved(draw: &Draw, moved: Moved) -> Result<(), Error> {
    for (what, (moved, all)) in [("functions", moved.functions), ("static data", moved.data)] {
        if moved == 0 && all > 0 {
            return Err(Error::NothingMoved { seed: draw.seed(), what, all });
        }
    }
    if moved.functions.1 + moved.data.1 == 0 {
        return Err(Error::NothingMoved { seed: draw.seed(), what: "unit", all: 0 });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::Parts;

    #[test]
    fn a_draw_that_moved_nothing_is_refused() {
        let draw = Draw::new(7, &Parts::all(), &[]);
        let check = |functions, data| check_moved(&draw, Moved { functions, data });
        assert!(check((1, 9), (1, 4)).is_ok());
        assert!(check((9, 9), (0, 0)).is_ok(), "a program without data");
        let error = check((0, 9), (4, 4)).expect_err("no function moved").to_string();
        assert!(error.contains("seed 7") && error.contains("functions (of 9)"), "{error}");
        let error = check((9, 9), (0, 4)).expect_err("no data moved").to_string();
        assert!(error.contains("static data (of 4)"), "{error}");
        assert!(check((0, 0), (0, 0)).is_err());
    }
}
