//! A machine whose speed changes while arms take their slots: the slots of the lab, in simulated time.

use protocol::plan::{Plan, SlotPlan};
use protocol::record::{ProcessRecord, SearchRecord, SlotSpan};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;

/// A core that jumps between two speeds.
pub struct Machine {
    random: ChaCha20Rng,
    /// Nodes a second of an arm without any component.
    speeds: [f64; 2],
    /// Mean seconds between two jumps.
    dwell: f64,
    now: usize,
    /// Seconds until the next jump.
    left: f64,
}

impl Machine {
    pub fn new(speeds: [f64; 2], dwell: f64, seed: u64) -> Machine {
        let random = ChaCha20Rng::seed_from_u64(seed);
        let mut machine = Machine { random, speeds, dwell, now: 0, left: 0.0 };
        machine.jump();
        machine
    }

    fn jump(&mut self) {
        self.now = 1 - self.now;
        // Exponential: a jump is as likely at any moment as at any other.
        self.left = -self.dwell * (1.0 - self.random.random::<f64>()).ln();
    }

    /// Time that nobody's work is done in.
    pub fn pass(&mut self, seconds: f64) {
        let mut endless = f64::INFINITY;
        self.work(&mut endless, 1.0, seconds);
    }

    /// Works at most so many seconds on `nodes`, `factor` times as fast as an arm without any component; the seconds used.
    pub fn work(&mut self, nodes: &mut f64, factor: f64, seconds: f64) -> f64 {
        let mut used = 0.0;
        loop {
            let rate = self.speeds[self.now] * factor;
            let piece = (*nodes / rate).min(seconds - used).min(self.left);
            *nodes -= piece * rate;
            used += piece;
            self.left -= piece;
            // What a double cannot tell from nothing is nothing.
            if *nodes < 1e-6 || seconds - used < 1e-12 {
                return used;
            }
            self.jump();
        }
    }
}

/// Measures all records anew on the machine; every arm has the log rate, in points, that `levels` says.
pub fn measure(plan: &Plan, records: &mut [ProcessRecord], levels: &[f64], machine: &mut Machine) {
    let arms = plan.arms.len();
    // Synthetic records stand arm by arm; a phase of a lane is so many of them.
    for phase in records.chunk_by_mut(|a, b| (a.run, a.phase, &a.lane) == (b.run, b.phase, &b.lane)) {
        let lane = plan.lanes.iter().position(|lane| lane.name == phase[0].lane).expect("a lane of the plan");
        let slots = &plan.runs[phase[0].run - 1].lanes[lane][phase[0].phase - 1];
        for process in 1..=plan.measure.processes {
            let work = processes(plan, slots, levels, machine);
            for (record, work) in phase.iter_mut().filter(|record| record.process == process).zip(work) {
                record.cpu_ns = work.searches.iter().map(|search| search.cpu_ns).sum();
                record.wall_ns = record.cpu_ns * arms as u64;
                (record.searches, record.slots) = (work.searches, work.slots);
            }
        }
    }
}

/// What one process of an arm did.
struct Work {
    searches: Vec<SearchRecord>,
    slots: SlotSpan,
    /// Of the position that is searched.
    nodes: f64,
    seconds: f64,
}

/// One process of every arm, by the rules of the slots: all begin a position together, and time passes in the slots
/// of those who wait.
fn processes(plan: &Plan, slots: &SlotPlan, levels: &[f64], machine: &mut Machine) -> Vec<Work> {
    let (nodes, positions) = (plan.workload.nodes, plan.workload.positions.len());
    let fresh = |arm| {
        let first = slots.nth_slot(arm, 0).expect("a slot");
        let slots = SlotSpan { first, last: first, count: 0 };
        Work { searches: Vec::new(), slots, nodes: nodes as f64, seconds: 0.0 }
    };
    let mut all: Vec<Work> = (0..levels.len()).map(fresh).collect();
    let mut searched = 0;
    for (slot, arm) in (0..).zip(slots.arms().cycle()) {
        if all[arm].searches.len() < positions {
            (all[arm].slots.last, all[arm].slots.count) = (slot, all[arm].slots.count + 1);
        }
        let mut left = plan.measure.slice_us as f64 / 1e6;
        while left > 1e-12 {
            let own = &mut all[arm];
            if own.searches.len() > searched {
                machine.pass(left);
                break;
            }
            let used = machine.work(&mut own.nodes, (levels[arm] / 100.0).exp(), left);
            (own.seconds, left) = (own.seconds + used, left - used);
            if own.nodes >= 1e-6 {
                break;
            }
            own.searches.push(SearchRecord { nodes, cpu_ns: (own.seconds * 1e9).round() as u64 });
            (own.nodes, own.seconds) = (nodes as f64, 0.0);
            if all.iter().any(|work| work.searches.len() == searched) {
                // The rest of the slot would be idle.
                break;
            }
            searched += 1;
            if searched == positions {
                return all;
            }
        }
    }
    all
}
