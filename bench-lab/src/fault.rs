//! What can go wrong while arms run.

use std::io;
use std::path::PathBuf;

use crate::arm::options::BadOption;
use crate::builds::Yard;
use crate::room;

/// Why arms could not be driven to the end of their work.
///
/// `arm` is the arm's name; `place` says where in the trial it happened (run, phase, lane, process,
/// search), as far as it is known there.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The work was called off.
    #[error("cancelled")]
    Cancelled,
    /// The executable could not be copied.
    #[error("arm {arm}: cannot copy {} into {}: {source}{}", path.display(), scratch.display(), room::hint(source, Some(Yard::named_by(scratch))))]
    Copy {
        /// The arm.
        arm: String,
        /// The executable as linked.
        path: PathBuf,
        /// The folder of the copies.
        scratch: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The process could not be started.
    #[error("arm {arm}: cannot start {}: {source}", path.display())]
    Spawn {
        /// The arm.
        arm: String,
        /// The executable as linked.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The process does not run where its draw put it.
    #[error("arm {arm}: {source}")]
    Misplaced {
        /// The arm.
        arm: String,
        /// What was found, and the remedy.
        source: layouts::Error,
    },
    /// The process ended or closed its output.
    #[error("arm {arm} died {place}: {status}{}{}", before(*awaited), tail(stderr))]
    Died {
        /// The arm.
        arm: String,
        /// Where.
        place: String,
        /// Exit status or signal.
        status: String,
        /// What was awaited, where that says something.
        awaited: Option<&'static Awaited>,
        /// Its last lines on standard error.
        stderr: String,
    },
    /// No answer within the time limit.
    #[error("arm {arm} hangs {place}: no `{expected}` within {seconds:.1} s{}{}", doubt(*awaited), tail(stderr))]
    Hang {
        /// The arm.
        arm: String,
        /// Where.
        place: String,
        /// What was waited for.
        expected: String,
        /// How long, in seconds.
        seconds: f64,
        /// What was awaited, where that says something.
        awaited: Option<&'static Awaited>,
        /// Its last lines on standard error.
        stderr: String,
    },
    /// The process does not end.
    #[error("arm {arm} {place}: is still there {seconds:.0} s after it was told to quit")]
    Stays {
        /// The arm.
        arm: String,
        /// Where.
        place: String,
        /// How long it was waited for.
        seconds: f64,
    },
    /// The process does not read what it is sent.
    #[error("arm {arm} {place}: does not read its input (`{command}` found no room)")]
    Deaf {
        /// The arm.
        arm: String,
        /// Where.
        place: String,
        /// The command that could not be sent.
        command: String,
    },
    /// Too much output that is no answer.
    #[error("arm {arm} {place}: {lines} lines without `{expected}`; the last was `{last}`{}", doubt(*awaited))]
    Chatter {
        /// The arm.
        arm: String,
        /// Where.
        place: String,
        /// What was waited for.
        expected: String,
        /// Lines read meanwhile.
        lines: usize,
        /// The last of them, cut.
        last: String,
        /// What was awaited, where that says something.
        awaited: Option<&'static Awaited>,
    },
    /// The process is to be set an option that it does not have, or that cannot have the value.
    #[error(transparent)]
    Option(Box<BadOption>),
    /// The process still works after it said that it is done.
    #[error(
        "arm {arm} {place}: still computes after its answer (processor time grew by {grown_ns} ns in {window_ms} ms)"
    )]
    Busy {
        /// The arm.
        arm: String,
        /// Where.
        place: String,
        /// Growth of the process clock.
        grown_ns: u64,
        /// Over which wall time.
        window_ms: u64,
    },
    /// A search ended without a node count.
    #[error(
        "arm {arm} {place}: no node count before `bestmove` on {position}; expected `info … nodes N …` before it"
    )]
    NoNodes {
        /// The arm.
        arm: String,
        /// Where.
        place: String,
        /// The position.
        position: String,
    },
    /// Two arms searched different numbers of nodes.
    #[error(
        "node counts differ {place} on {position}: {arm} searched {found}, expected {expected} as {against}"
    )]
    NodesDiffer {
        /// The arm that differs.
        arm: String,
        /// Who gave the expected count.
        against: String,
        /// Where.
        place: String,
        /// The position.
        position: String,
        /// What `arm` searched.
        found: u64,
        /// What `against` searched.
        expected: u64,
    },
    /// The `bench` command of an arm gave no node count.
    #[error(
        "arm {arm}: `{command}` {}; expected `<n> nodes <nps> nps` as its last line or a line `Nodes searched : <n>`. \
         If the engine has no bench, write `bench = []` in `[identity]` (compare: `--no-bench`); if its bench has other \
         arguments, name them there",
        ends_with(last)
    )]
    NoBench {
        /// The arm.
        arm: String,
        /// The arguments.
        command: String,
        /// The last line found; empty when there was none.
        last: String,
    },
    /// A job that cannot be run as it is described.
    #[error("{0}")]
    Job(String),
    /// The executable is not what it was, or the process runs another one.
    #[error("arm {arm} {place}: {what}; an arm must leave its executable alone and run nothing else")]
    Swapped {
        /// The arm.
        arm: String,
        /// Where.
        place: String,
        /// Which file, and what about it.
        what: String,
    },
    /// The process has started others, whose work is not counted.
    #[error(
        "arm {arm} {place}: started processes of its own that are still there ({}); their work would not be counted: \
         an arm must be one process", kin.join(", ")
    )]
    Kin {
        /// The arm.
        arm: String,
        /// Where.
        place: String,
        /// Their names and numbers.
        kin: Vec<String>,
    },
    /// The process writes without end.
    #[error("arm {arm} {place}: wrote more than {megabytes} MB to {stream}; the last was `{last}`")]
    Flood {
        /// The arm.
        arm: String,
        /// Where.
        place: String,
        /// `standard output` or `standard error`.
        stream: &'static str,
        /// The bound, in megabytes.
        megabytes: u64,
        /// The end of it, cut.
        last: String,
    },
    /// The machine was suspended.
    #[error(
        "the machine slept for {seconds:.1} s meanwhile (suspended: its clocks went on without it); keep it awake, for \
         instance by `systemd-inhibit bench-lab …`"
    )]
    Slept {
        /// How long.
        seconds: f64,
    },
    /// A system call failed.
    #[error("{what}: {source}")]
    System {
        /// What was tried.
        what: String,
        /// What the system said.
        source: io::Error,
    },
}

/// What a process owes at a step whose failure has a likely reason.
#[derive(Debug, PartialEq, Eq)]
pub struct Awaited {
    /// What it should do, after "before".
    pub what: &'static str,
    /// What may be wrong when it does not.
    pub doubt: &'static str,
}

impl Fault {
    /// For `map_err`: a failed system call with what was tried.
    pub(crate) fn system<E: Into<io::Error>>(what: impl Into<String>) -> impl FnOnce(E) -> Fault {
        let what = what.into();
        move |source| Fault::System { what, source: source.into() }
    }

    /// Whether the author of the bundle asks for what the engine does not have.
    pub fn is_bundles_doing(&self) -> bool {
        matches!(self, Fault::Option(_))
    }

    /// Whether the arms did something that voids a trial, rather than the lab or its surroundings.
    pub fn is_arms_doing(&self) -> bool {
        !matches!(
            self,
            Fault::Cancelled
                | Fault::Copy { .. }
                | Fault::Spawn { .. }
                | Fault::Misplaced { .. }
                | Fault::Job(_)
                | Fault::Slept { .. }
                | Fault::System { .. }
        )
    }
}

fn ends_with(last: &str) -> String {
    if last.is_empty() { "says nothing".to_owned() } else { format!("ends with `{last}`") }
}

fn before(awaited: Option<&Awaited>) -> String {
    awaited.map_or(String::new(), |awaited| format!(" before {}; {}", awaited.what, awaited.doubt))
}

fn doubt(awaited: Option<&Awaited>) -> String {
    awaited.map_or(String::new(), |awaited| format!("; {}", awaited.doubt))
}

fn tail(stderr: &str) -> String {
    let stderr = stderr.trim();
    if stderr.is_empty() { String::new() } else { format!("; its last words: {stderr}") }
}
