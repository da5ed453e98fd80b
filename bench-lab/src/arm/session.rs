//! Talking to an arm that runs alone: hand-shake and searches, with a time limit on every answer.

use std::time::{Duration, Instant};

use protocol::plan::Lane;

use super::clock::Reading;
use super::kin;
pub use super::limits::Limits;
use super::options::{self, Offered};
use super::process::ArmProcess;
use super::uci::{self, Line};
use crate::cancel::Cancel;
use crate::fault::{Awaited, Fault};

/// Lines that are neither answer nor `info` before the lab gives up on an engine.
pub(crate) const MAX_CHATTER: usize = 10_000;

/// How often a wait looks at the cancel token.
const WATCH: Duration = Duration::from_millis(50);

/// Where a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The last node count before `bestmove`.
    pub nodes: Option<u64>,
    /// The move.
    pub best: String,
}

/// The first answer of all: who does not give it may be anything.
const UCIOK: Awaited = Awaited { what: "it said `uciok`", doubt: "is it a UCI engine?" };

/// Brings a fresh process to where it can be measured: identified, options set, new game, ready, and one
/// search of depth 1, because some engines answer `readyok` and then clear their tables.
pub fn handshake(
    process: &mut ArmProcess,
    lane: &Lane,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<(), Fault> {
    get_ready(process, lane, limits, cancel)?;
    process.set_step("at `go depth 1`");
    process.send("position startpos\ngo depth 1")?;
    answer(process, "bestmove", limits.start, cancel, |line| {
        matches!(line, Line::BestMove(_)).then_some(())
    })?;
    process.check_executable()
}

/// The first part of it: identified, options set, new game, ready; nothing is searched yet.
pub fn get_ready(
    process: &mut ArmProcess,
    lane: &Lane,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<(), Fault> {
    process.set_step_awaiting("at `uci`", &UCIOK);
    process.send("uci")?;
    let mut offered = Vec::new();
    answer(process, "uciok", limits.start, cancel, |line| match line {
        Line::UciOk => Some(()),
        Line::Option(name, kind) => {
            offered.push(Offered::new(name, kind));
            None
        }
        _ => None,
    })?;
    process.note_identified();
    process.set_step("at `setoption`");
    // The layout first: tables that are made anew later, for another option, follow it.
    let of_start = process.start_options().iter().map(|option| (option, "[layout] of the bundle".to_owned()));
    process.check_placement()?;
    let of_lane = lane.options.iter().map(|option| (option, format!("lane {}", lane.name)));
    let of_arm = process.options().iter().map(|option| (option, "a component".to_owned()));
    let wanted: Vec<_> = of_start
        .chain(of_lane)
        .chain(of_arm)
        .map(|((name, value), by)| (name.clone(), value.clone(), by))
        .collect();
    for (option, value, by) in wanted {
        let good = options::check(process.name(), &by, &option, &value, &offered);
        good.map_err(|bad| Fault::Option(Box::new(bad)))?;
        let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
        process.send(&format!("setoption name {option}{value}"))?;
    }
    new_game(process, limits, cancel)
}

/// `ucinewgame`, and waits until the engine is ready.
pub fn new_game(process: &mut ArmProcess, limits: &Limits, cancel: &Cancel) -> Result<(), Fault> {
    process.set_step("at `isready`");
    process.send("ucinewgame\nisready")?;
    answer(process, "readyok", limits.start, cancel, |line| (line == Line::ReadyOk).then_some(()))?;
    process.note_ready();
    Ok(())
}

/// The two commands of one search.
pub fn search_command(position: &str, nodes: u64) -> String {
    format!("position fen {position}\ngo nodes {nodes}")
}

/// Searches one position to the end; `on_info` sees every `info` line without the word.
pub fn search(
    process: &mut ArmProcess,
    position: &str,
    nodes: u64,
    limits: &Limits,
    cancel: &Cancel,
    mut on_info: impl FnMut(&str),
) -> Result<Found, Fault> {
    process.send(&search_command(position, nodes))?;
    let mut count = None;
    let best = answer(process, "bestmove", limits.search, cancel, |line| match line {
        Line::BestMove(best) => Some(best.to_owned()),
        Line::Info(info) => {
            count = uci::nodes(info).or(count);
            on_info(info);
            None
        }
        _ => None,
    })?;
    Ok(Found { nodes: count, best })
}

/// Listens to a process until it has ended by itself and well; `what` it owes meanwhile stands in the message when it
/// takes longer than a search may.
pub fn to_the_end(
    process: &mut ArmProcess,
    what: &str,
    limits: &Limits,
    cancel: &Cancel,
    mut on_line: impl FnMut(String),
) -> Result<(), Fault> {
    let begin = Instant::now();
    let mut open = true;
    while open {
        cancel.check()?;
        if begin.elapsed() > limits.search {
            return Err(process.hangs(what, limits.search));
        }
        open = process.take_in(Instant::now() + WATCH)?;
        std::iter::from_fn(|| process.line()).for_each(&mut on_line);
    }
    match process.wait_end(Instant::now() + limits.quit)? {
        Some(status) if status.success() => Ok(()),
        _ => Err(process.died()),
    }
}

/// Reads lines until `wanted` takes one.
fn answer<T>(
    process: &mut ArmProcess,
    expected: &str,
    limit: Duration,
    cancel: &Cancel,
    mut wanted: impl FnMut(Line<'_>) -> Option<T>,
) -> Result<T, Fault> {
    let begin = Instant::now();
    let mut chatter = 0;
    loop {
        while let Some(text) = process.line() {
            let line = Line::parse(&text);
            if let Some(value) = wanted(line) {
                return Ok(value);
            }
            if matches!(line, Line::Other(_)) {
                chatter += 1;
            }
            if chatter > MAX_CHATTER {
                return Err(process.chatters(expected, chatter, &text));
            }
        }
        cancel.check()?;
        let now = Instant::now();
        if now >= begin + limit {
            return Err(process.hangs(expected, limit));
        }
        process.wait_output((begin + limit).min(now + WATCH))?;
    }
}

/// Wall time over which an idle process's clock must stand still.
const IDLE_WINDOW: Duration = Duration::from_millis(5);

/// What an idle process may use in [`IDLE_WINDOW`] all the same (a timer of its run-time library).
const IDLE_GROWTH_NS: u64 = 50_000;

/// Waits until none of the processes computes any more; [`Fault::Busy`] names one that goes on after
/// `limits.start`.
pub fn wait_idle<'a>(
    processes: impl Iterator<Item = &'a mut ArmProcess>,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<(), Fault> {
    let mut processes: Vec<&mut ArmProcess> = processes.collect();
    let read = |processes: &mut [&mut ArmProcess]| {
        processes
            .iter_mut()
            .map(|process| match process.clock().settled(IDLE_WINDOW) {
                Ok(reading) => Ok(reading),
                Err(_) => Err(process.died()),
            })
            .collect::<Result<Vec<Reading>, Fault>>()
    };
    let until = Instant::now() + limits.start;
    loop {
        let before = read(&mut processes)?;
        let begin = Instant::now();
        std::thread::sleep(IDLE_WINDOW);
        let after = read(&mut processes)?;
        // One that wants to compute and was given no processor time meanwhile is not idle either.
        let busy = |(before, after): (&Reading, &Reading)| {
            let grown = after.ns.saturating_sub(before.ns);
            (grown > IDLE_GROWTH_NS || !after.settled).then_some(grown)
        };
        let mut growths = processes.iter_mut().zip(before.iter().zip(&after).map(busy));
        let Some((process, grown)) = growths.find_map(|(process, grown)| Some((process, grown?))) else {
            return Ok(());
        };
        cancel.check()?;
        if Instant::now() >= until {
            process.set_step("when it should be idle");
            return Err(Fault::Busy {
                arm: process.name().to_owned(),
                place: process.place(),
                grown_ns: grown,
                window_ms: begin.elapsed().as_millis() as u64,
            });
        }
    }
}

/// Asks processes that have done their work to end, and waits until they have.
pub fn quit(mut processes: Vec<ArmProcess>, limits: &Limits) -> Result<(), Fault> {
    ask_to_quit(&mut processes)?;
    wait_gone(processes, limits)
}

/// Asks processes that have done their work to end.
///
/// Before that they are looked at a last time: each must still run its own executable, untouched, and must
/// have left no process of its own.
pub fn ask_to_quit(processes: &mut [ArmProcess]) -> Result<(), Fault> {
    check_alone(processes)?;
    for process in processes {
        process.check_executable()?;
        process.set_step("at `quit`");
        process.resume()?;
        process.send("stop\nquit")?;
    }
    Ok(())
}

/// Waits until processes that were asked to end have ended.
pub fn wait_gone(mut processes: Vec<ArmProcess>, limits: &Limits) -> Result<(), Fault> {
    let until = Instant::now() + limits.quit;
    for process in &mut processes {
        if process.wait_end(until)?.is_none() {
            return Err(Fault::Stays {
                arm: process.name().to_owned(),
                place: process.place(),
                seconds: limits.quit.as_secs_f64(),
            });
        }
    }
    Ok(())
}

/// Refuses arms that have started processes, and ends those.
pub fn check_alone(processes: &mut [ArmProcess]) -> Result<(), Fault> {
    let table = kin::Table::read();
    let mut alone = Vec::new();
    for process in processes {
        let family = table.descendants(process.pid());
        if !family.is_empty() {
            kin::end(&family);
            return Err(process.has_started(process.name(), &family));
        }
        process.is_alone();
        alone.push(&*process);
    }
    // Without a parent nobody can say whose it was; all arms here did the same work.
    let strays = table.strays();
    match alone.first() {
        Some(first) if !strays.is_empty() => {
            kin::end(&strays);
            let names: Vec<&str> = alone.iter().map(|process| process.name()).collect();
            Err(first.has_started(&names.join(" or "), &strays))
        }
        _ => Ok(()),
    }
}
