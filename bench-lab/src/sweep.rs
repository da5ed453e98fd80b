//! A sweep: one executable measured in many layouts.

pub mod subject;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use layouts::parts::{Part, Parts};
use layouts::startup::Startup;
use protocol::plan::{Lane, LayoutPart, Measure, TOTAL_RATE, TablesOption, Workload};
use protocol::schedule::order;
use protocol::sweep::design::{self, Phase};
use protocol::sweep::{AS_LINKED, DrawnLayout, Measurement};

pub use subject::Subject;

use crate::arm::ArmImage;
use crate::arm::session::Limits;
use crate::measure::{PhaseJob, ProcessMeasurement, run_phase};
use crate::progress::Progress;
use crate::vigil::Vigil;
use crate::{Cancel, plan_maker, spread};

/// What a sweep measures, and how.
pub struct Sweep<'a> {
    /// The executable.
    pub subject: &'a Subject,
    /// What is drawn.
    pub parts: Parts,
    /// The option that draws where the engine's own tables lie.
    pub tables: Option<TablesOption>,
    /// Master seed.
    pub seed: u64,
    /// How many layouts are drawn.
    pub draws: usize,
    /// How often each is measured.
    pub rounds: usize,
    /// How many of them are measured side by side.
    pub together: usize,
    /// Core and options, as processes are driven.
    pub lane: &'a Lane,
    /// What every process searches.
    pub workload: &'a Workload,
    /// Length of a slot in microseconds.
    pub slice_us: u64,
    /// A folder for executables, on a disk that allows execution.
    pub scratch: &'a Path,
    /// Where it tells how far it is.
    pub progress: &'a Progress,
    /// Whether it shall break off.
    pub cancel: &'a Cancel,
}

/// What a sweep has measured.
pub struct Swept {
    /// The layouts, first the one as linked.
    pub layouts: Vec<DrawnLayout>,
    /// Every process.
    pub measurements: Vec<Measurement>,
}

/// A layout that lies ready to be measured.
#[derive(Clone)]
struct Ready {
    layout: usize,
    drawn: DrawnLayout,
    image: ArmImage,
}

impl Sweep<'_> {
    /// Measures everything. At most one phase's executables lie on the disk at a time, and the one as linked.
    pub fn run(&self) -> anyhow::Result<Swept> {
        let phases = design::phases(self.draws, self.together, self.rounds, self.seed);
        let mut layouts: Vec<Option<DrawnLayout>> = vec![None; self.draws + 1];
        let mut measurements = Vec::new();
        let mut nodes: Option<Vec<u64>> = None;
        let linked = self.ready(AS_LINKED)?;
        let vigil = Vigil::begin()?;
        let mut pieces = self.progress.pieces(phases.len());
        for (number, phase) in phases.iter().enumerate() {
            self.cancel.check()?;
            pieces.at(number, &format!("round {} of {}", phase.round, self.rounds));
            let mut ready = vec![linked.clone()];
            let drawn = phase.layouts.iter().copied().filter(|&layout| layout != AS_LINKED).collect();
            ready.extend(spread::over(drawn, |layout| self.ready(layout))?);
            let measured = self.measure(number + 1, phase, &ready, nodes.as_deref());
            for one in &ready[1..] {
                self.subject.discard(&one.image.executable);
            }
            let measured = measured?;
            vigil.check()?;
            if nodes.is_none() {
                let first = measured.first().context("no process was measured")?;
                nodes = Some(first.searches.iter().map(|search| search.nodes).collect());
            }
            measurements.extend(measured.into_iter().map(|one| Measurement {
                round: phase.round,
                phase: number + 1,
                layout: ready[one.arm].layout,
                nodes: one.nodes,
                cpu_ns: one.cpu_ns,
                wall_ns: one.wall_ns,
                counters: one.counters,
            }));
            for one in ready {
                layouts[one.layout].get_or_insert(one.drawn);
            }
        }
        let layouts = layouts.into_iter().collect::<Option<Vec<_>>>().context("a layout was not measured")?;
        Ok(Swept { layouts, measurements })
    }

    fn measure(
        &self,
        number: usize,
        phase: &Phase,
        ready: &[Ready],
        nodes: Option<&[u64]>,
    ) -> anyhow::Result<Vec<ProcessMeasurement>> {
        let images: Vec<ArmImage> = ready.iter().map(|one| one.image.clone()).collect();
        let measure = Measure {
            slice_us: self.slice_us,
            processes: 1,
            threshold_percent: 0.0,
            judged: TOTAL_RATE.to_string(),
            lanes_at_once: false,
        };
        let job = PhaseJob {
            place: &format!("round {}, phase {number}", phase.round),
            lane: self.lane,
            workload: self.workload,
            measure: &measure,
            slots: &order::slot_plan(images.len(), design::slots_seed(self.seed, number)),
            arms: &images,
            nodes,
            scratch: self.scratch,
            limits: Limits::default(),
        };
        Ok(run_phase(&job, self.cancel)?)
    }

    /// Makes the executable of a layout.
    fn ready(&self, layout: usize) -> anyhow::Result<Ready> {
        let out = self.scratch.join(format!("layout-{layout}"));
        let seed = (layout != AS_LINKED).then(|| design::layout_seed(self.seed, layout));
        let made = self.subject.make(seed, &self.parts, &out)?;
        let startup = match seed {
            Some(seed) => Startup::draw(seed, &self.parts),
            None => Startup::draw(0, &Parts::none()),
        };
        let name = match seed {
            Some(seed) => format!("layout {layout} (seed {seed})"),
            None => "as linked".to_owned(),
        };
        let tables = self.tables.as_ref().map(|tables| tables.value(startup.tables));
        let option = self.tables.as_ref().map(|tables| tables.option.clone());
        let option: BTreeMap<_, _> = option.zip(tables.map(|value| value.to_string())).into_iter().collect();
        let image = ArmImage::prepared(name, made.executable, move |command| {
            startup.apply(command).map_err(std::io::Error::other)?;
            Ok(option.clone())
        });
        Ok(Ready {
            layout,
            image: image.with_copies(self.parts.contains(Part::Copy)),
            drawn: DrawnLayout {
                seed,
                executable_sha256: made.sha256,
                moved_functions: made.moved.functions,
                moved_data: made.moved.data,
                heap_offset: made.heap_offset,
                stack_offset: startup.stack_offset,
                mapping_offset: startup.mapping_offset,
                tables,
            },
        })
    }

    /// What becomes of every part of the layout.
    pub fn layout_parts(&self) -> Vec<LayoutPart> {
        let can_draw = |part: Part| match part {
            Part::Tables => self.tables.is_some(),
            part => self.subject.can_draw(part),
        };
        plan_maker::parts_outside(&self.parts, can_draw)
    }
}
