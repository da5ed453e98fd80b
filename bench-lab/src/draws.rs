//! Draws: arms relinked under one seed, with the evidence of what moved.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::Context;
use layouts::draw::Draw;
use layouts::image::{Image, Moved};
use layouts::parts::Part;
use layouts::relink::relink;
use layouts::startup::{Placement, Startup};
use protocol::plan::{FULL, TablesOption};
use protocol::record::{DrawRecord, Unscattered};

use crate::arm::ArmImage;
use crate::builds::Yard;
use crate::fault::Fault;
use crate::hash::{self, Status};
use crate::measure::{Gate, Pass};
use crate::subject::{ArmSet, SetArm, Subject};
use crate::{room, spread};

/// Arms under one draw.
#[derive(Debug)]
pub struct Drawn {
    /// The arms as processes of them are started.
    pub images: Vec<ArmImage>,
    /// What was relinked, each once.
    linked: Vec<Linked>,
    /// For every arm, which of them it runs.
    of_arm: Vec<usize>,
    starts: Starts,
    seed: u64,
}

/// The start-up layouts of a draw: the n-th is that of every arm's n-th process.
#[derive(Clone, Debug)]
struct Starts {
    startups: Vec<Startup>,
    tables: Option<TablesOption>,
}

impl Starts {
    /// The value of the option that draws where the engine's tables lie.
    fn table_layout(&self, startup: &Startup) -> Option<u32> {
        self.tables.as_ref().map(|tables| tables.value(startup.tables))
    }
}

/// One executable under the draw; a relinked one is deleted when it is dropped.
#[derive(Debug)]
struct Linked {
    path: PathBuf,
    /// Where everything lies, if it was relinked.
    image: Option<Image>,
    sha256: String,
    /// The file when it was hashed.
    hashed: Status,
    moved: Moved,
    line_phases: Option<[usize; 4]>,
    heap_offset: u64,
    /// In common with `full`, by section: at the same address, and all.
    shared: BTreeMap<String, (usize, usize)>,
    unscattered: Unscattered,
    seconds: f64,
}

impl Drawn {
    /// Relinks every arm under the seed. The n-th process of every arm starts with the n-th start-up layout.
    pub fn arms(
        set: &ArmSet,
        seed: u64,
        startups: &[u64],
        yard: &Yard,
        gate: &Gate,
    ) -> anyhow::Result<Drawn> {
        let mut linked = link(set, seed, yard, gate)?;
        let _comparing = pass(gate)?;
        let full = linked[set.arms[FULL].subject].image.clone();
        for one in &mut linked {
            one.compare(full.as_ref());
        }
        let copies = set.parts.contains(Part::Copy);
        let of_arm = set.arms.iter().map(|arm| arm.subject).collect();
        let startups: Vec<Startup> = startups.iter().map(|&seed| Startup::draw(seed, &set.parts)).collect();
        let starts = Starts { startups, tables: set.tables.clone() };
        let image = |arm: &SetArm| start_up(&arm.name, &linked[arm.subject], &starts, arm, copies);
        let images = set.arms.iter().map(image).collect();
        Ok(Drawn { images, linked, of_arm, starts, seed })
    }

    /// As [`Drawn::arms`], at the same cost, but `full` plays every arm.
    pub fn copies(
        set: &ArmSet,
        seed: u64,
        startups: &[u64],
        yard: &Yard,
        gate: &Gate,
    ) -> anyhow::Result<Drawn> {
        let linked = link(set, seed, yard, gate)?;
        let startups: Vec<Startup> = startups.iter().map(|&seed| Startup::draw(seed, &set.parts)).collect();
        let starts = Starts { startups, tables: set.tables.clone() };
        let (full, copies) = (&set.arms[FULL], set.parts.contains(Part::Copy));
        let name = |number: usize| format!("copy {} of full", number + 1);
        let count = set.arms.len();
        let images =
            (0..count).map(|n| start_up(&name(n), &linked[full.subject], &starts, full, copies)).collect();
        Ok(Drawn { images, linked, of_arm: vec![full.subject; count], starts, seed })
    }

    /// Copies of `full`, each under a draw of its own: one for every seed, with the start-up layouts of its processes.
    pub fn apart(
        set: &ArmSet,
        seeds: &[(u64, Vec<u64>)],
        yard: &Yard,
        gate: &Gate,
    ) -> anyhow::Result<Vec<Drawn>> {
        let (full, copies) = (&set.arms[FULL], set.parts.contains(Part::Copy));
        let subject = set.subject(FULL);
        spread::over(seeds.iter().enumerate().collect(), |(number, (seed, startups))| {
            let captures: Vec<_> = subject.capture().into_iter().collect();
            let drawing = pass(gate)?;
            let draw = Draw::new(*seed, &set.parts, &captures);
            drop(drawing);
            let linked = link_one(subject, &draw, yard, gate)?;
            let startups = startups.iter().map(|&seed| Startup::draw(seed, &set.parts)).collect();
            let starts = Starts { startups, tables: set.tables.clone() };
            let name = format!("copy {} of full", number + 1);
            let images = vec![start_up(&name, &linked, &starts, full, copies)];
            Ok(Drawn { images, linked: vec![linked], of_arm: vec![0], starts, seed: *seed })
        })
    }

    /// How many relinks there were, and the seconds that they took, all together.
    pub fn relinks(&self) -> (usize, f64) {
        let relinked = || self.linked.iter().filter(|one| one.image.is_some());
        (relinked().count(), relinked().map(|one| one.seconds).sum())
    }

    /// An arm's executable as it was relinked; none of one that is run as it is.
    pub fn image(&self, arm: usize) -> Option<&Image> {
        self.linked[self.of_arm[arm]].image.as_ref()
    }

    /// Static data that no draw scatters and that lies elsewhere in this arm than in `full`.
    pub fn unscattered(&self, arm: usize) -> &Unscattered {
        &self.linked[self.of_arm[arm]].unscattered
    }

    /// What is recorded of an arm's process, counted from 1.
    pub fn record(&self, arm: usize, process: usize) -> DrawRecord {
        let (linked, startup) = (&self.linked[self.of_arm[arm]], &self.starts.startups[process - 1]);
        DrawRecord {
            seed: self.seed,
            executable_sha256: linked.sha256.clone(),
            moved_functions: linked.moved.functions,
            moved_data: linked.moved.data,
            line_phases: linked.line_phases,
            shared: linked.shared.clone(),
            unscattered: linked.unscattered.clone(),
            tables: self.starts.table_layout(startup),
            heap_offset: linked.heap_offset,
            stack_offset: startup.stack_offset,
            mapping_offset: startup.mapping_offset,
        }
    }
}

impl Linked {
    /// An executable that is run as it is.
    fn as_it_is(subject: &Subject) -> Linked {
        Linked {
            path: subject.executable().to_path_buf(),
            image: None,
            sha256: subject.planned.executable_sha256.clone(),
            hashed: subject.hashed(),
            moved: Moved::default(),
            line_phases: None,
            heap_offset: 0,
            shared: BTreeMap::new(),
            unscattered: Unscattered::default(),
            seconds: 0.0,
        }
    }

    /// Notes what it has in common with `full`, and what lies elsewhere without being scattered.
    fn compare(&mut self, full: Option<&Image>) {
        let (Some(image), Some(full)) = (&self.image, full) else { return };
        let kinds = image.shared(full).kinds.into_iter();
        self.shared = kinds.map(|(kind, units)| (kind.section().to_owned(), units)).collect();
        self.unscattered = Unscattered::new(image.unscattered(full));
    }
}

impl Drop for Linked {
    fn drop(&mut self) {
        if self.image.is_some() {
            // The scratch folder goes with the yard anyway.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Waits until a piece of work may be done.
fn pass(gate: &Gate) -> Result<Pass<'_>, Fault> {
    gate.pass().ok_or(Fault::Cancelled)
}

/// Relinks everything, on all cores, behind the gate: nothing is measured meanwhile.
fn link(set: &ArmSet, seed: u64, yard: &Yard, gate: &Gate) -> anyhow::Result<Vec<Linked>> {
    let captures: Vec<_> = set.subjects.iter().filter_map(|subject| subject.capture()).collect();
    let drawing = pass(gate)?;
    let draw = Draw::new(seed, &set.parts, &captures);
    drop(drawing);
    let subjects = set.subjects.iter().map(Arc::as_ref).collect();
    spread::over(subjects, |subject: &Subject| link_one(subject, &draw, yard, gate))
}

/// Relinks one executable; a prebuilt one is taken as it is.
fn link_one(subject: &Subject, draw: &Draw, yard: &Yard, gate: &Gate) -> anyhow::Result<Linked> {
    let Some(capture) = subject.capture() else { return Ok(Linked::as_it_is(subject)) };
    let seed = draw.seed();
    let out = yard.scratch().join(format!("{}.{seed:016x}.drawn", subject.file_name()));
    let relinking = pass(gate)?;
    let begun = Instant::now();
    let image = relink(capture, draw, &out).with_context(|| {
        let room = room::shortage(
            yard.scratch(),
            2 * subject.planned.executable_bytes,
            Yard::named_by(yard.scratch()),
        );
        format!("arm {} can't be relinked under seed {seed}{room}", subject.told())
    })?;
    let seconds = begun.elapsed().as_secs_f64();
    drop(relinking);
    let _reading = pass(gate)?;
    // A draw that moved nothing was refused by `relink`.
    let moved = image.moved(capture.natural());
    let hashed = hash::of_file_with_status(&out);
    let (sha256, hashed) = hashed.with_context(|| format!("cannot read {}", out.display()))?;
    Ok(Linked {
        path: out,
        line_phases: Some(image.line_phases()),
        image: Some(image),
        sha256,
        hashed,
        moved,
        heap_offset: draw.heap_offset(),
        shared: BTreeMap::new(),
        unscattered: Unscattered::default(),
        seconds,
    })
}

/// An image whose n-th start has the n-th start-up layout.
fn start_up(name: &str, linked: &Linked, starts: &Starts, arm: &SetArm, copies: bool) -> ArmImage {
    let (starts, started) = (starts.clone(), Arc::new(AtomicUsize::new(0)));
    let executable: PathBuf = linked.path.clone();
    let image = ArmImage::prepared(name, executable, move |command| {
        let number = started.fetch_add(1, Ordering::Relaxed);
        let startup = starts.startups.get(number).ok_or_else(|| {
            std::io::Error::other(format!("start {} of an arm, {} drawn", number + 1, starts.startups.len()))
        })?;
        startup.apply(command).map_err(std::io::Error::other)?;
        let option = starts.tables.as_ref().map(|tables| tables.option.clone());
        Ok(option.zip(starts.table_layout(startup).map(|value| value.to_string())).into_iter().collect())
    });
    let placement = linked.image.as_ref().map(Placement::of);
    image
        .with_options(arm.options.clone())
        .with_copies(copies)
        .with_placement(placement)
        .with_hashed(Some(linked.hashed))
}
