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
use layouts::parts::Parts;
use layouts::relink::relink;
use layouts::startup::Startup;
use protocol::plan::FULL;
use protocol::record::{DrawRecord, Unscattered};

use crate::arm::ArmImage;
use crate::builds::Yard;
use crate::subject::Subject;
use crate::{hash, spread};

/// Arms under one draw; their executables are deleted when it is dropped.
#[derive(Debug)]
pub struct Drawn {
    /// The arms as processes of them are started.
    pub images: Vec<ArmImage>,
    linked: Vec<Linked>,
    startups: Vec<Startup>,
    seed: u64,
}

/// One relinked arm.
#[derive(Debug)]
struct Linked {
    image: Image,
    sha256: String,
    moved: Moved,
    /// In common with `full`, by section: at the same address, and all.
    shared: BTreeMap<String, (usize, usize)>,
    seconds: f64,
}

impl Drawn {
    /// Relinks every arm under the seed. The n-th process of every arm starts with the n-th start-up layout.
    pub fn arms(subjects: &[Subject], seed: u64, startups: &[u64], yard: &Yard) -> anyhow::Result<Drawn> {
        let mut linked = link(subjects, seed, yard)?;
        let full = linked[FULL].image.clone();
        for arm in &mut linked {
            let kinds = arm.image.shared(&full).kinds;
            arm.shared = kinds.into_iter().map(|(kind, units)| (kind.section().to_owned(), units)).collect();
        }
        let startups: Vec<Startup> =
            startups.iter().map(|&seed| Startup::draw(seed, &Parts::all())).collect();
        let named = subjects.iter().zip(&linked);
        let images = named.map(|(subject, arm)| start_up(&subject.name, arm, &startups)).collect();
        Ok(Drawn { images, linked, startups, seed })
    }

    /// As [`Drawn::arms`], at the same cost, but `full` plays every arm.
    pub fn copies(subjects: &[Subject], seed: u64, startups: &[u64], yard: &Yard) -> anyhow::Result<Drawn> {
        let linked = link(subjects, seed, yard)?;
        let startups: Vec<Startup> =
            startups.iter().map(|&seed| Startup::draw(seed, &Parts::all())).collect();
        let name = |number: usize| format!("copy {} of full", number + 1);
        let images = (0..subjects.len()).map(|n| start_up(&name(n), &linked[FULL], &startups)).collect();
        Ok(Drawn { images, linked, startups, seed })
    }

    /// Seconds that the relinks took, all together.
    pub fn relink_seconds(&self) -> f64 {
        self.linked.iter().map(|arm| arm.seconds).sum()
    }

    /// What is recorded of an arm's process, counted from 1.
    pub fn record(&self, arm: usize, process: usize) -> DrawRecord {
        let (arm, startup) = (&self.linked[arm], &self.startups[process - 1]);
        DrawRecord {
            seed: self.seed,
            executable_sha256: arm.sha256.clone(),
            moved_functions: arm.moved.functions,
            moved_data: arm.moved.data,
            shared: arm.shared.clone(),
            unscattered: Unscattered::default(),
            heap_offset: 0,
            stack_offset: startup.stack_offset,
            mapping_offset: startup.mapping_offset,
        }
    }
}

impl Drop for Drawn {
    fn drop(&mut self) {
        for arm in &self.linked {
            // The scratch folder goes with the yard anyway.
            let _ = fs::remove_file(arm.image.path());
        }
    }
}

/// Relinks all arms, on all cores: nothing is measured meanwhile.
fn link(subjects: &[Subject], seed: u64, yard: &Yard) -> anyhow::Result<Vec<Linked>> {
    let captures: Vec<_> = subjects.iter().map(|subject| &subject.capture).collect();
    let draw = Draw::new(seed, &Parts::all(), &captures);
    spread::over(subjects.iter().collect(), |subject: &Subject| {
        let out = yard.scratch().join(format!("{}.drawn", subject.file_name()));
        let begun = Instant::now();
        let image = relink(&subject.capture, &draw, &out)
            .with_context(|| format!("arm {} can't be relinked under seed {seed}", subject.name))?;
        let seconds = begun.elapsed().as_secs_f64();
        // A draw that moved nothing was refused by `relink`.
        let moved = image.moved(subject.capture.natural());
        let sha256 = hash::of_file(&out).with_context(|| format!("cannot read {}", out.display()))?;
        Ok(Linked { image, sha256, moved, shared: BTreeMap::new(), seconds })
    })
}

/// An image whose n-th start has the n-th start-up layout.
fn start_up(name: &str, arm: &Linked, startups: &[Startup]) -> ArmImage {
    let (startups, started) = (startups.to_vec(), Arc::new(AtomicUsize::new(0)));
    let executable: PathBuf = arm.image.path().to_path_buf();
    ArmImage::prepared(name, executable, move |command| {
        let number = started.fetch_add(1, Ordering::Relaxed);
        let startup = startups.get(number).ok_or_else(|| {
            std::io::Error::other(format!("start {} of an arm, {} drawn", number + 1, startups.len()))
        })?;
        startup.apply(command).map_err(std::io::Error::other)
    })
}
