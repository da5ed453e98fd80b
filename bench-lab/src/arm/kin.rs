//! Processes that arms have started: none may do an arm's work uncounted, and none is left behind.

use std::fs;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use nix::sys::prctl::set_child_subreaper;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid, waitpid};
use nix::unistd::{Pid, getpid, getsid};

/// How long a killed process may take to be gone.
const GONE: Duration = Duration::from_secs(1);

/// A process that an arm has started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kin {
    pub(crate) pid: Pid,
    /// Its name as the kernel keeps it, for messages.
    pub(crate) name: String,
}

/// Has processes whose parents end become this one's children, so that they can be found. Builds are over
/// when the first arm starts: what a build has left running on purpose stays out of this.
pub(super) fn adopt_orphans() {
    EARLIER.get_or_init(|| {
        let earlier = Table::read().foreign_children();
        // Without it, what leaves its arm's group and outlives the arm is not found; nothing else fails.
        let _ = set_child_subreaper(true);
        earlier.into_iter().map(|kin| kin.pid).collect()
    });
}

/// Children from other sessions that this process had before its first arm: whoever started the lab may
/// have left it some.
static EARLIER: OnceLock<Vec<Pid>> = OnceLock::new();

/// Whether a child has ended; it stays to be reaped, and its number stays its own.
pub(super) fn is_over(pid: Pid) -> bool {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    !matches!(waitid(Id::Pid(pid), flags), Ok(WaitStatus::StillAlive))
}

/// All processes of the machine at one moment.
pub(crate) struct Table(Vec<Entry>);

#[derive(Debug, PartialEq, Eq)]
struct Entry {
    kin: Kin,
    parent: Pid,
    session: Pid,
}

impl Table {
    /// Looks at all processes.
    pub(crate) fn read() -> Table {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let of_process = entries
            .filter(|entry| entry.file_name().as_encoded_bytes().first().is_some_and(u8::is_ascii_digit));
        Table(of_process.filter_map(|entry| parse(&fs::read(entry.path().join("stat")).ok()?)).collect())
    }

    /// Everything that a process, or what it has started, has started and that still belongs to it.
    pub(crate) fn descendants(&self, of: Pid) -> Vec<Kin> {
        let mut family = vec![of];
        let mut found = Vec::new();
        while let Some(parent) = family.pop() {
            for entry in self.0.iter().filter(|entry| entry.parent == parent) {
                family.push(entry.kin.pid);
                found.push(entry.kin.clone());
            }
        }
        found
    }

    /// Children of this process that it has not started: they have left their session, which what the lab
    /// starts never does, and have lost their parents.
    pub(crate) fn strays(&self) -> Vec<Kin> {
        let mut found = self.foreign_children();
        found.retain(|kin| !EARLIER.get().is_some_and(|earlier| earlier.contains(&kin.pid)));
        found
    }

    fn foreign_children(&self) -> Vec<Kin> {
        let (own, session) = (getpid(), getsid(None).unwrap_or(Pid::from_raw(0)));
        let is_stray = |entry: &&Entry| entry.parent == own && entry.session != session;
        self.0.iter().filter(is_stray).map(|entry| entry.kin.clone()).collect()
    }
}

/// Ends processes that arms have started, and reaps those that have become this one's children.
pub(crate) fn end(kin: &[Kin]) {
    for one in kin {
        // It may have ended meanwhile; what counts is that it is gone.
        let _ = kill(one.pid, Signal::SIGKILL);
    }
    let until = Instant::now() + GONE;
    for one in kin {
        // One whose parent lives is not ours to reap, and goes with its parent.
        while matches!(waitpid(one.pid, Some(WaitPidFlag::WNOHANG)), Ok(WaitStatus::StillAlive))
            && Instant::now() < until
        {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// `pid (name) state parent group session …`; the name may hold anything, blanks and parentheses too.
fn parse(stat: &[u8]) -> Option<Entry> {
    let (open, close) = (stat.iter().position(|&b| b == b'(')?, stat.iter().rposition(|&b| b == b')')?);
    let number = |text: &str| Some(Pid::from_raw(text.trim().parse().ok()?));
    let pid = number(std::str::from_utf8(stat.get(..open)?).ok()?)?;
    let name = String::from_utf8_lossy(stat.get(open + 1..close)?).into_owned();
    let rest = std::str::from_utf8(stat.get(close + 1..)?).ok()?;
    let mut fields = rest.split_whitespace().skip(1);
    let parent = number(fields.next()?)?;
    let session = number(fields.nth(1)?)?;
    Some(Entry { kin: Kin { pid, name }, parent, session })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(pid: i32, parent: i32, session: i32) -> Entry {
        let kin = Kin { pid: Pid::from_raw(pid), name: format!("p{pid}") };
        Entry { kin, parent: Pid::from_raw(parent), session: Pid::from_raw(session) }
    }

    #[test]
    fn names_may_hold_anything() {
        let found = parse(b"42 (a) b (c) S 7 42 9 0 -1 4194304").expect("an entry");
        let expected =
            Entry { kin: Kin { name: "a) b (c".to_owned(), ..entry(42, 7, 9).kin }, ..entry(42, 7, 9) };
        assert_eq!(found, expected);
        for torn in [&b""[..], b"42", b"42 (a", b"42 (a) S", b"42 (a) S 7 42", b"x (a) S 7 42 9"] {
            assert_eq!(parse(torn), None, "{}", String::from_utf8_lossy(torn));
        }
    }

    #[test]
    fn a_family_has_all_generations_and_nobody_else() {
        let table = Table(vec![entry(10, 1, 1), entry(11, 10, 1), entry(12, 11, 12), entry(20, 1, 1)]);
        let mut pids: Vec<i32> =
            table.descendants(Pid::from_raw(10)).iter().map(|kin| kin.pid.as_raw()).collect();
        pids.sort_unstable();
        assert_eq!(pids, [11, 12]);
        assert_eq!(table.descendants(Pid::from_raw(12)), []);
    }

    #[test]
    fn strays_are_children_from_another_session() {
        let (own, session) = (getpid().as_raw(), getsid(None).expect("a session").as_raw());
        let other = session + 1;
        let table = Table(vec![
            entry(own, 1, session),
            entry(10, own, session),
            entry(11, own, other),
            entry(12, 11, other),
        ]);
        assert_eq!(table.strays(), [entry(11, own, other).kin]);
    }

    #[test]
    fn children_are_seen_and_their_end_too() {
        let mut child = std::process::Command::new("sleep").arg("600").spawn().expect("sleep");
        let pid = Pid::from_raw(child.id().cast_signed());
        assert!(Table::read().descendants(getpid()).iter().any(|kin| kin.pid == pid));
        assert!(!is_over(pid));
        child.kill().expect("killed");
        while !is_over(pid) {
            std::thread::yield_now();
        }
        // It was not reaped by that.
        assert!(!child.wait().expect("reaped").success());
    }
}
