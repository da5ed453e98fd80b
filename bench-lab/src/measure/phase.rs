//! One phase: for every process number, fresh processes of all arms, then the slots.

use std::path::Path;

use protocol::plan::{Lane, Measure, SlotPlan, Workload};
use protocol::record::{Counters, DrawRecord, Footprint, ProcessRecord, SearchRecord, SlotSpan};

use super::cores;
use super::gate::Gate;
use super::slots;
use super::stages::{Stage, StageClock};
use super::start;
use super::together::{Seat, Together};
use super::worker::{Agreement, Worker};
use crate::arm::session::{self, Limits};
use crate::arm::{ArmImage, ArmProcess};
use crate::cancel::Cancel;
use crate::fault::Fault;

/// What one phase measures.
#[derive(Clone, Copy, Debug)]
pub struct PhaseJob<'a> {
    /// Where in the trial this is, for messages (`run 3, phase 5`).
    pub place: &'a str,
    /// The lane: core and options.
    pub lane: &'a Lane,
    /// What every process searches.
    pub workload: &'a Workload,
    /// Slice and number of processes.
    pub measure: &'a Measure,
    /// Which arm runs in which slot; indices into `arms`.
    pub slots: &'a SlotPlan,
    /// The arms under the phase's draw.
    pub arms: &'a [ArmImage],
    /// Node count of every position, where an earlier phase has fixed it.
    pub nodes: Option<&'a [u64]>,
    /// Folder for the copies of the executables; must allow execution.
    pub scratch: &'a Path,
    /// Time limits.
    pub limits: Limits,
}

/// What one arm process did.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessMeasurement {
    /// Index of the arm.
    pub arm: usize,
    /// Which of the phase's processes of this arm, from 1.
    pub process: usize,
    /// The slots it used until its work was done; every process number begins the slot plan anew.
    pub slots: SlotSpan,
    /// Nodes of all searches together.
    pub nodes: u64,
    /// Processor time of all searches together, nanoseconds.
    pub cpu_ns: u64,
    /// Wall time from its first slot to the end of its work, nanoseconds.
    pub wall_ns: u64,
    /// Hardware counters over the same work, where the kernel offers them.
    pub counters: Option<Counters>,
    /// Every position in the workload's order.
    pub searches: Vec<SearchRecord>,
    /// Peak memory and start-up time.
    pub footprint: Footprint,
}

impl ProcessMeasurement {
    /// Its record: where in the trial it ran, as what, under which draw.
    pub fn recorded(
        self,
        (run, phase): (usize, usize),
        lane: &str,
        arm: &str,
        draw: DrawRecord,
    ) -> ProcessRecord {
        ProcessRecord {
            run,
            phase,
            lane: lane.to_owned(),
            process: self.process,
            arm: arm.to_owned(),
            draw,
            slots: self.slots,
            nodes: self.nodes,
            cpu_ns: self.cpu_ns,
            wall_ns: self.wall_ns,
            counters: self.counters,
            searches: self.searches,
            footprint: Some(self.footprint),
        }
    }
}

/// Measures one phase; the result is ordered by process number, then by arm.
///
/// The work is done on a thread of its own, away from the lane's core where there is another one. No
/// process and no copy is left, however it ends.
pub fn run_phase(job: &PhaseJob<'_>, cancel: &Cancel) -> Result<Vec<ProcessMeasurement>, Fault> {
    run_phase_timed(job, &mut StageClock::begin(Stage::Starting), &Gate::new(), cancel)
}

/// The same; `clock` is told the stages, and `gate` is closed while slots run.
pub fn run_phase_timed(
    job: &PhaseJob<'_>,
    clock: &mut StageClock,
    gate: &Gate,
    cancel: &Cancel,
) -> Result<Vec<ProcessMeasurement>, Fault> {
    let mut measured = run_phases(std::slice::from_ref(job), clock, gate, cancel)?;
    Ok(measured.pop().unwrap_or_default())
}

/// Measures phases of several lanes at once, each on its own core and by a thread of its own; the results are in the
/// jobs' order. They prepare together and measure together: nothing of one is started or ended beside slots of another.
/// What goes wrong on one lane ends all of them. `clock` is told the stages of the first.
pub fn run_phases(
    jobs: &[PhaseJob<'_>],
    clock: &mut StageClock,
    gate: &Gate,
    cancel: &Cancel,
) -> Result<Vec<Vec<ProcessMeasurement>>, Fault> {
    let mut others: Vec<StageClock> =
        jobs.iter().skip(1).map(|_| StageClock::begin(Stage::Starting)).collect();
    run_clocked(jobs, [clock].into_iter().chain(&mut others).collect(), gate, cancel)
}

/// The same with a clock for every lane.
pub fn run_clocked(
    jobs: &[PhaseJob<'_>],
    clocks: Vec<&mut StageClock>,
    gate: &Gate,
    cancel: &Cancel,
) -> Result<Vec<Vec<ProcessMeasurement>>, Fault> {
    let agreements = jobs.iter().map(|job| Agreement::new(job.nodes)).collect();
    run_agreeing(jobs, clocks, agreements, gate, cancel)
}

/// One phase with arms that search different trees: the processes of one arm agree in their node counts, those of two
/// need not.
pub fn run_phase_of_trees(
    job: &PhaseJob<'_>,
    gate: &Gate,
    cancel: &Cancel,
) -> Result<Vec<ProcessMeasurement>, Fault> {
    let (mut clock, agreement) = (StageClock::begin(Stage::Starting), vec![Agreement::by_arm()]);
    let mut measured = run_agreeing(std::slice::from_ref(job), vec![&mut clock], agreement, gate, cancel)?;
    Ok(measured.pop().unwrap_or_default())
}

fn run_agreeing(
    jobs: &[PhaseJob<'_>],
    clocks: Vec<&mut StageClock>,
    agreements: Vec<Agreement>,
    gate: &Gate,
    cancel: &Cancel,
) -> Result<Vec<Vec<ProcessMeasurement>>, Fault> {
    jobs.iter().try_for_each(check)?;
    let cores: Vec<usize> = jobs.iter().map(|job| job.lane.core).collect();
    let (together, stop) = (Together::new(jobs.len()), cancel.child());
    let results = std::thread::scope(|scope| {
        let measuring: Vec<_> = jobs
            .iter()
            .zip(clocks.into_iter().zip(agreements))
            .map(|(job, (clock, agreement))| {
                let (together, stop, cores) = (&together, &stop, &cores);
                scope.spawn(move || {
                    let mut seat = together.seat(stop);
                    cores::leave(job.lane.core, cores)?;
                    let measured =
                        run_lane(job, clock, agreement, Beside { gate, seat: &seat, cancel: stop })?;
                    seat.done();
                    Ok(measured)
                })
            })
            .collect();
        let panicked = |_| Err(Fault::Job("a measuring thread panicked".to_owned()));
        measuring.into_iter().map(|lane| lane.join().unwrap_or_else(panicked)).collect::<Vec<_>>()
    });
    // Whoever was only stopped because of another says nothing of its own.
    let is_own = |fault: &Fault| !matches!(fault, Fault::Cancelled);
    let (mut measured, mut stopped) = (Vec::with_capacity(results.len()), None);
    for result in results {
        match result {
            Ok(of_lane) => measured.push(of_lane),
            Err(fault) if is_own(&fault) => return Err(fault),
            Err(fault) => stopped = Some(fault),
        }
    }
    stopped.map_or(Ok(measured), Err)
}

/// All processes of one lane, one of every arm after the other.
fn run_lane<'a>(
    job: &'a PhaseJob<'a>,
    clock: &mut StageClock,
    mut agreement: Agreement,
    beside: Beside<'_>,
) -> Result<Vec<ProcessMeasurement>, Fault> {
    let mut company = Company { filler: None, leaving: Vec::new() };
    let mut measurements = Vec::new();
    for process in 1..=job.measure.processes {
        measurements.extend(run_processes(job, process, &mut agreement, &mut company, clock, beside)?);
    }
    company.end(&job.limits)?;
    Ok(measurements)
}

/// What a lane's round has to heed beside itself.
#[derive(Clone, Copy)]
struct Beside<'a> {
    /// Closed while slots run.
    gate: &'a Gate,
    /// Where it waits for the lanes that are measured at the same time.
    seat: &'a Seat<'a>,
    /// Whether it shall break off.
    cancel: &'a Cancel,
}

/// Processes that live longer than one round of fresh arms.
struct Company<'a> {
    /// Runs in others' place; nothing of it is counted, so that it need not be fresh.
    filler: Option<Worker<'a>>,
    /// Done and asked to end, which they do while the next ones start.
    leaving: Vec<ArmProcess>,
}

impl Company<'_> {
    /// Ends all of it.
    fn end(self, limits: &Limits) -> Result<(), Fault> {
        if let Some(filler) = self.filler {
            // It may be in the middle of a search, and nobody wants its result: it is ended at once.
            session::check_alone(&mut [filler.into_process()])?;
        }
        session::wait_gone(self.leaving, limits)
    }
}

/// One fresh process of every arm, from start until it is asked to end.
fn run_processes<'a>(
    job: &'a PhaseJob<'a>,
    process: usize,
    agreement: &mut Agreement,
    company: &mut Company<'a>,
    clock: &mut StageClock,
    beside: Beside<'_>,
) -> Result<Vec<ProcessMeasurement>, Fault> {
    let Beside { gate, seat, cancel } = beside;
    // Start order follows the slot plan as well, another row every time.
    let row = &job.slots.rows[(process - 1) % job.slots.rows.len()];
    let place = format!("{}, lane {}, process {process}", job.place, job.lane.name);
    // It needs no pages of its own either.
    let filler = ArmImage::plain("filler", &job.arms[0].executable).with_copies(false);
    let missing = company.filler.is_none().then_some(&filler);
    let images: Vec<&ArmImage> = missing.into_iter().chain(row.iter().map(|&arm| &job.arms[arm])).collect();
    let mut fresh = start::fresh(&images, job, &place, &mut company.leaving, clock, cancel)?.into_iter();

    seat.meet()?;
    let quiet = gate.close();
    let mut new = |filler| match fresh.next() {
        Some(living) => Worker::new(living, job, filler),
        None => Err(Fault::Job(format!("{place}: a process is missing"))),
    };
    let filler = match &mut company.filler {
        Some(filler) => filler,
        none => none.insert(new(true)?),
    };
    let mut workers = row.iter().map(|&arm| Ok((arm, new(false)?))).collect::<Result<Vec<_>, Fault>>()?;
    workers.sort_by_key(|&(arm, _)| arm);
    let mut workers: Vec<Worker<'_>> = workers.into_iter().map(|(_, worker)| worker).collect();
    clock.enter(Stage::Measuring);
    slots::run(&mut workers, filler, job, agreement, cancel)?;
    seat.meet()?;
    clock.enter(Stage::Ending);
    drop(quiet);

    let mut measurements = Vec::with_capacity(workers.len());
    let mut processes = Vec::with_capacity(workers.len());
    for (arm, worker) in workers.into_iter().enumerate() {
        let (living, work) = worker.finish()?;
        measurements.push(ProcessMeasurement {
            arm,
            process,
            slots: work.slots,
            nodes: work.searches.iter().map(|search| search.nodes).sum(),
            cpu_ns: work.searches.iter().map(|search| search.cpu_ns).sum(),
            wall_ns: work.wall_ns,
            counters: work.counters,
            searches: work.searches,
            footprint: work.footprint,
        });
        processes.push(living);
    }
    session::ask_to_quit(&mut processes)?;
    company.leaving = processes;
    Ok(measurements)
}

/// Refuses a job that cannot work: the loops below rely on it.
fn check(job: &PhaseJob<'_>) -> Result<(), Fault> {
    let refuse = |what: String| Err(Fault::Job(format!("{}, lane {}: {what}", job.place, job.lane.name)));
    if job.slots.rows.is_empty() || job.arms.is_empty() {
        return refuse("the slot plan is empty".to_owned());
    }
    for (number, row) in job.slots.rows.iter().enumerate() {
        let mut sorted = row.clone();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..job.arms.len()) {
            return refuse(format!(
                "row {} of the slot plan is {row:?}, expected each of {} arms once",
                number + 1,
                job.arms.len()
            ));
        }
    }
    if job.workload.positions.is_empty() {
        return refuse("the workload has no positions".to_owned());
    }
    if let Some(nodes) = job.nodes
        && nodes.len() != job.workload.positions.len()
    {
        return refuse(format!(
            "{} node counts are given for {} positions",
            nodes.len(),
            job.workload.positions.len()
        ));
    }
    // The plan of a trial allows 10 ms at most; experiments about slots may ask for longer ones.
    match job.measure.slice_us {
        0 => refuse("a slice of 0 µs, expected at least 1".to_owned()),
        _ => Ok(()),
    }
}
