//! One arm's work inside the slots: its searches, one after another, and what they took.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use protocol::record::{Counters, Footprint, SearchRecord, SlotSpan};

use super::phase::PhaseJob;
use crate::arm::ArmProcess;
use crate::arm::counters::ProcessCounters;
use crate::arm::session::{MAX_CHATTER, search_command};
use crate::arm::uci::{self, Line};
use crate::fault::Fault;

/// How long the lab waits after `bestmove` for the engine to go back to its input, so that its clock
/// can be read exactly.
const SETTLE: Duration = Duration::from_millis(1);

/// Node counts that processes must agree in, with who gave them.
pub(super) struct Agreement {
    /// Arms search different trees: each agrees with itself alone.
    by_arm: bool,
    counts: BTreeMap<(String, usize), (u64, String)>,
}

impl Agreement {
    /// All arms search the same tree, of which earlier phases may have fixed the counts.
    pub(super) fn new(nodes: Option<&[u64]>) -> Agreement {
        let earlier = nodes.unwrap_or_default().iter().enumerate();
        let earlier = earlier.map(|(at, &nodes)| ((String::new(), at), (nodes, "earlier phases".to_owned())));
        Agreement { by_arm: false, counts: earlier.collect() }
    }

    /// Every arm searches a tree of its own.
    pub(super) fn by_arm() -> Agreement {
        Agreement { by_arm: true, counts: BTreeMap::new() }
    }

    /// Compares with the first count known for the position, or becomes it.
    fn check(&mut self, position: usize, process: &ArmProcess, found: u64, fen: &str) -> Result<(), Fault> {
        let tree = if self.by_arm { process.name().to_owned() } else { String::new() };
        let (expected, against) =
            self.counts.entry((tree, position)).or_insert_with(|| (found, process.name().to_owned()));
        if *expected == found {
            return Ok(());
        }
        Err(Fault::NodesDiffer {
            arm: process.name().to_owned(),
            against: against.clone(),
            place: process.place(),
            position: fen.to_owned(),
            found,
            expected: *expected,
        })
    }
}

/// The counted work of one process.
pub(super) struct Work {
    pub(super) searches: Vec<SearchRecord>,
    pub(super) slots: SlotSpan,
    pub(super) wall_ns: u64,
    pub(super) counters: Option<Counters>,
    pub(super) footprint: Footprint,
}

/// A living arm process inside the slots.
pub(super) struct Worker<'a> {
    process: ArmProcess,
    job: &'a PhaseJob<'a>,
    counters: Option<(ProcessCounters, Counters)>,
    /// It only runs in others' place: its searches are not counted, and it never waits.
    filler: bool,
    /// Its search has ended, and the next one is not yet ordered.
    waiting: bool,
    /// Index of the position being searched.
    position: usize,
    /// Its last node count so far.
    count: Option<u64>,
    /// Lines since its start that are neither answer nor `info`.
    chatter: usize,
    /// How long the process was allowed to run since its start.
    ran: Duration,
    /// The process clock at its start.
    clock_ns: u64,
    /// When the first slot began.
    begun: Option<Instant>,
    /// The slots so far, until the work is done.
    slots: SlotSpan,
    searches: Vec<SearchRecord>,
    wall: Option<Duration>,
    counted: Option<Counters>,
}

impl<'a> Worker<'a> {
    /// Stops an idle process and hands it its first search, to be begun in its first slot. A `filler`
    /// searches the workload again and again, uncounted.
    pub(super) fn new(
        mut process: ArmProcess,
        job: &'a PhaseJob<'a>,
        filler: bool,
    ) -> Result<Worker<'a>, Fault> {
        process.set_step("before its first slot");
        process.stop()?;
        let until = Instant::now() + job.limits.start;
        while !process.clock().is_stopped() {
            if Instant::now() >= until {
                return Err(process.hangs("stop by signal", job.limits.start));
            }
            std::thread::sleep(Duration::from_micros(100));
        }
        let clock_ns = read(&mut process, Duration::ZERO)?;
        let counters = ProcessCounters::of(process.pid())
            .ok()
            .and_then(|mut counters| counters.read().map(|begin| (counters, begin)));
        let mut worker = Worker {
            process,
            job,
            counters,
            filler,
            waiting: false,
            position: 0,
            count: None,
            chatter: 0,
            ran: Duration::ZERO,
            clock_ns,
            begun: None,
            slots: SlotSpan { first: 0, last: 0, count: 0 },
            searches: Vec::with_capacity(job.workload.positions.len()),
            wall: None,
            counted: None,
        };
        worker.order(0)?;
        Ok(worker)
    }

    /// Notes that the arm has `slot`, whether it runs in it or waits.
    pub(super) fn have_slot(&mut self, slot: u64) {
        if self.is_done() {
            return;
        }
        if self.begun.is_none() {
            self.begun = Some(Instant::now());
            self.slots.first = slot;
        }
        self.slots.last = slot;
        self.slots.count += 1;
    }

    /// Lets the process run.
    pub(super) fn resume(&mut self) -> Result<(), Fault> {
        self.process.resume()
    }

    /// Notes that the process was allowed to run for `ran`; a search that takes too long is a fault.
    pub(super) fn ran(&mut self, ran: Duration) -> Result<(), Fault> {
        self.ran += ran;
        if self.ran > self.job.limits.search {
            return Err(self.process.hangs("bestmove", self.ran));
        }
        Ok(())
    }

    /// Stops the process.
    pub(super) fn stop(&mut self) -> Result<(), Fault> {
        self.process.stop()
    }

    /// Whether its search has ended and the next one is not yet ordered.
    pub(super) fn is_waiting(&self) -> bool {
        self.waiting
    }

    /// Whether all its searches are done.
    pub(super) fn is_done(&self) -> bool {
        self.wall.is_some()
    }

    /// Orders the next search of a process that waits.
    pub(super) fn go_on(&mut self) -> Result<(), Fault> {
        self.order(self.position + 1)
    }

    /// Waits for output until `until` and answers it.
    pub(super) fn serve(&mut self, until: Instant, agreement: &mut Agreement) -> Result<(), Fault> {
        self.process.wait_output(until)?;
        while let Some(text) = self.process.line() {
            match Line::parse(&text) {
                Line::Info(info) => self.count = uci::nodes(info).or(self.count),
                Line::BestMove(_) => self.end_search(agreement)?,
                _ => {
                    self.chatter += 1;
                    if self.chatter > MAX_CHATTER {
                        return Err(self.process.chatters("bestmove", self.chatter, &text));
                    }
                }
            }
        }
        Ok(())
    }

    /// Records the search that has just ended; the filler begins its next one.
    fn end_search(&mut self, agreement: &mut Agreement) -> Result<(), Fault> {
        let positions = &self.job.workload.positions;
        if self.filler {
            return self.order((self.position + 1) % positions.len());
        }
        let clock_ns = read(&mut self.process, SETTLE)?;
        let position = &positions[self.position];
        let Some(nodes) = self.count else {
            return Err(self.process.counts_no_nodes(position));
        };
        agreement.check(self.position, &self.process, nodes, position)?;
        self.searches.push(SearchRecord { nodes, cpu_ns: clock_ns.saturating_sub(self.clock_ns) });
        (self.clock_ns, self.waiting) = (clock_ns, true);
        if self.searches.len() == positions.len() {
            self.wall = self.begun.map(|begun| begun.elapsed());
            self.counted = self.counters.as_mut().and_then(|(counters, begin)| {
                let end = counters.read()?;
                Some(Counters {
                    cycles: end.cycles.saturating_sub(begin.cycles),
                    instructions: end.instructions.saturating_sub(begin.instructions),
                })
            });
        }
        Ok(())
    }

    /// Sends a search; a process that is stopped begins it in its next slot.
    fn order(&mut self, position: usize) -> Result<(), Fault> {
        (self.position, self.count, self.chatter, self.ran) = (position, None, 0, Duration::ZERO);
        self.waiting = false;
        let kind = if self.filler { "filler search" } else { "search" };
        self.process.set_step(format!("in {kind} {}", position + 1));
        self.process.send(&search_command(&self.job.workload.positions[position], self.job.workload.nodes))
    }

    /// The process, still living, of a worker whose work does not count.
    pub(super) fn into_process(self) -> ArmProcess {
        self.process
    }

    /// The process, still living, and its counted work.
    pub(super) fn finish(mut self) -> Result<(ArmProcess, Work), Fault> {
        let work = Work {
            searches: self.searches,
            slots: self.slots,
            wall_ns: self.wall.unwrap_or_default().as_nanos() as u64,
            counters: self.counted,
            footprint: Footprint {
                // It has not run since its work was done.
                peak_bytes: self.process.peak_memory()?,
                start_up_ns: self.process.start_up().unwrap_or_default().as_nanos() as u64,
            },
        };
        Ok((self.process, work))
    }
}

/// The process clock, exact when the process goes to rest within `limit`.
fn read(process: &mut ArmProcess, limit: Duration) -> Result<u64, Fault> {
    match process.clock().settled(limit) {
        Ok(reading) => Ok(reading.ns),
        Err(_) => Err(process.died()),
    }
}
