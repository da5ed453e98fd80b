//! `bench-lab layout draw`: captures relinked under one shared draw.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context;
use layouts::capture::Capture;
use layouts::draw::Draw;
use layouts::image::Image;
use layouts::parts::{Part, Parts};
use layouts::relink::relink;
use layouts::unit::Kind;

use super::file::LayoutFile;
use crate::Cancel;
use crate::builds::BadLink;
use crate::columns::{columns, grouped, row, share};
use crate::commands::{Failure, given, print};
use crate::exit::Exit;
use crate::output::{self, Files};

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Capture files.
    pub captures: Vec<PathBuf>,
    /// Seed of the draw.
    pub seed: u64,
    /// A folder, or for one capture a file.
    pub out: Option<PathBuf>,
    /// Parts to be left fixed.
    pub without: Vec<Part>,
}

/// Draws, relinks, and tells what moved.
pub fn draw(request: &Request) -> Result<Exit, Failure> {
    let outs = places(request)?;
    request.captures.iter().try_for_each(|file| given::capture(file))?;
    let cancel = Cancel::on_signals().context("cannot listen to signals")?;
    let parts = parts(&request.without);
    for folder in outs.iter().map(|out| output::folder_of(out)).collect::<BTreeSet<_>>() {
        output::make_folder(folder, output::ELSEWHERE)?;
    }
    let scratch = output::scratch(output::folder_of(&outs[0]))?;
    let interrupted = || match cancel.is_cancelled() {
        true => Err(Failure::Void("interrupted: nothing was written".to_owned())),
        false => Ok(()),
    };
    let mut captures = Vec::with_capacity(outs.len());
    for (number, tar) in request.captures.iter().enumerate() {
        let folder = scratch.path().join(format!("capture-{number}"));
        let capture = Capture::open(tar, &folder).map_err(|fault| BadLink::of_file(tar, fault));
        captures.push(capture.map_err(anyhow::Error::from)?);
        interrupted()?;
    }
    let shared: Vec<&Capture> = captures.iter().collect();
    let drawn = Draw::new(request.seed, &parts, &shared);

    // Made in the temporary folder first, so that either all appear or none.
    let mut files = Files::new();
    let mut images = Vec::with_capacity(outs.len());
    for (number, (capture, out)) in captures.iter().zip(&outs).enumerate() {
        let image = relink(capture, &drawn, &scratch.path().join(format!("drawn-{number}")))
            .with_context(|| format!("{} cannot be relinked", request.captures[number].display()))?;
        let layout = LayoutFile::of(capture, &drawn, &parts, &image)?;
        files.add(&LayoutFile::path(out), output::json(&layout)?.as_bytes())?;
        images.push(image);
        interrupted()?;
    }
    for (image, out) in images.iter().zip(&outs) {
        std::fs::rename(image.path(), out).with_context(|| format!("cannot write {}", out.display()))?;
    }
    files.finish()?;
    print(&told(request, &parts, &drawn, &outs, &captures, &images))?;
    Ok(Exit::Proven)
}

/// All parts but these, and but the engine's own tables, whose option is not known here.
fn parts(without: &[Part]) -> Parts {
    without.iter().fold(Parts::all().without(Part::Tables), |parts, &part| parts.without(part))
}

/// Where each executable goes.
fn places(request: &Request) -> Result<Vec<PathBuf>, Failure> {
    if let ([_], Some(out)) = (request.captures.as_slice(), &request.out)
        && !out.is_dir()
        && !out.as_os_str().as_encoded_bytes().ends_with(b"/")
    {
        return Ok(vec![out.clone()]);
    }
    let folder = request.out.clone().unwrap_or_default();
    let place = |tar: &PathBuf| {
        let stem = tar.file_stem().unwrap_or(tar.as_os_str()).to_string_lossy().into_owned();
        folder.join(format!("{stem}-{}", request.seed))
    };
    let places: Vec<PathBuf> = request.captures.iter().map(place).collect();
    match places.iter().enumerate().find(|(at, place)| places[..*at].contains(place)) {
        Some((_, twice)) => Err(Failure::Usage(format!(
            "two captures would both become {}: give their files different names",
            twice.display()
        ))),
        None => Ok(places),
    }
}

/// Which parts were drawn, in words.
fn parts_told(parts: &Parts) -> String {
    let own = Part::ALL.into_iter().filter(|&part| part != Part::Tables);
    let (drawn, fixed): (Vec<Part>, Vec<Part>) = own.partition(|&part| parts.contains(part));
    let fixed: Vec<&str> = fixed.into_iter().map(Part::name).collect();
    match (drawn.len(), fixed.len()) {
        (_, 0) => "everything drawn".to_owned(),
        (0, _) => "nothing drawn".to_owned(),
        _ => format!("everything drawn but {}", fixed.join(", ")),
    }
}

fn told(
    request: &Request,
    parts: &Parts,
    drawn: &Draw,
    outs: &[PathBuf],
    captures: &[Capture],
    images: &[Image],
) -> String {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut text = format!(
        "seed {}, scheme {}: {}; heap moved by {} bytes\n\n",
        request.seed,
        layouts::SCHEME,
        parts_told(parts),
        grouped(drawn.heap_offset())
    );
    let mut rows = vec![row(["executable", "functions moved", "data moved", "bytes not scattered"])];
    for ((out, capture), image) in outs.iter().zip(captures).zip(images) {
        let moved = image.moved(capture.natural());
        let rest: u64 = capture.not_scattered().iter().map(|rest| rest.bytes).sum();
        rows.push(row([
            out.display().to_string(),
            share(moved.functions.0, moved.functions.1),
            share(moved.data.0, moved.data.1),
            grouped(rest),
        ]));
    }
    text.push_str(&columns(&rows, 1));
    if images.len() > 1 {
        text.push_str(&format!("\nat the same address as in {}, of the units in common\n", name(&outs[0])));
        let mut rows = vec![vec!["section".to_owned()]];
        rows[0].extend(outs[1..].iter().map(|out| name(out)));
        let shared: Vec<_> = images[1..].iter().map(|image| image.shared(&images[0])).collect();
        for kind in Kind::ALL {
            if shared.iter().any(|shared| shared.kinds.contains_key(&kind)) {
                let counts = shared.iter().map(|s| s.kinds.get(&kind).copied().unwrap_or_default());
                let cells = counts.map(|(same, common)| share(same, common));
                rows.push([kind.section().to_owned()].into_iter().chain(cells).collect());
            }
        }
        let totals = shared.iter().map(|shared| share(shared.total().0, shared.total().1));
        rows.push(["all".to_owned()].into_iter().chain(totals).collect());
        text.push_str(&columns(&rows, 1));
    }
    text.push_str("\nwhat lies where is in the .layout.json beside each; `bench-lab layout show` tells it\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(captures: &[&str], out: Option<&str>) -> Request {
        Request {
            captures: captures.iter().map(PathBuf::from).collect(),
            seed: 7,
            out: out.map(PathBuf::from),
            without: Vec::new(),
        }
    }

    #[test]
    fn executables_are_named_after_captures() {
        let at = |captures: &[&str], out| places(&request(captures, out)).expect("places");
        assert_eq!(at(&["a/full.tar"], None), [Path::new("full-7")]);
        assert_eq!(at(&["a/full.tar"], Some("x/engine")), [Path::new("x/engine")]);
        assert_eq!(at(&["a/full.tar"], Some("x/")), [Path::new("x/full-7")]);
        assert_eq!(at(&["full.tar", "base.tar"], Some("x")), [Path::new("x/full-7"), Path::new("x/base-7")]);
        let twice = places(&request(&["a/x.tar", "b/x.tar"], None)).expect_err("one name");
        assert!(twice.to_string().contains("different names"), "{twice}");
    }

    #[test]
    fn parts_are_told_in_words() {
        assert_eq!(parts_told(&Parts::all()), "everything drawn");
        assert_eq!(parts_told(&parts(&[Part::Heap, Part::Stack])), "everything drawn but heap, stack");
        assert_eq!(parts_told(&Parts::none()), "nothing drawn");
    }
}
