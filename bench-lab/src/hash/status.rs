//! What the system says of a file, as far as it tells whether the file was touched.

use std::fmt::{self, Display};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Everything about a file that changes when it is written to, replaced, moved, linked or given away. Reading
/// changes nothing of it: the time of the last access is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    device: u64,
    inode: u64,
    mode: u32,
    links: u64,
    owner: u32,
    group: u32,
    size: u64,
    /// Last change of the contents: seconds and nanoseconds.
    modified: (i64, i64),
    /// Last change of the status, which nobody can set.
    changed: (i64, i64),
}

impl Status {
    /// From what the system says.
    pub fn of(metadata: &Metadata) -> Status {
        Status {
            device: metadata.dev(),
            inode: metadata.ino(),
            mode: metadata.mode(),
            links: metadata.nlink(),
            owner: metadata.uid(),
            group: metadata.gid(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Of the file that a path names.
    pub fn of_path(path: &Path) -> io::Result<Status> {
        Ok(Status::of(&fs::metadata(path)?))
    }

    /// The first thing that is not as it was.
    pub fn change(&self, now: &Status) -> Option<Changed> {
        let number = |field, was: u64, is: u64| (was != is).then(|| Changed::new(field, was, is));
        let octal = |was: u32, is: u32| {
            (was != is).then(|| Changed::new("mode", format!("{was:o}"), format!("{is:o}")))
        };
        let time = |field, was, is| (was != is).then(|| Changed::new(field, Time(was), Time(is)));
        number("device", self.device, now.device)
            .or_else(|| number("inode", self.inode, now.inode))
            .or_else(|| octal(self.mode, now.mode))
            .or_else(|| number("number of links", self.links, now.links))
            .or_else(|| number("owner", self.owner.into(), now.owner.into()))
            .or_else(|| number("group", self.group.into(), now.group.into()))
            .or_else(|| number("size", self.size, now.size))
            .or_else(|| time("time of change", self.modified, now.modified))
            .or_else(|| time("time of status change", self.changed, now.changed))
    }
}

/// A file did not stay as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its {field} was {was}, then {is}")]
pub struct Changed {
    /// What about it.
    pub field: &'static str,
    /// Before.
    pub was: String,
    /// Afterwards.
    pub is: String,
}

impl Changed {
    /// Something about a file, before and afterwards.
    pub fn new(field: &'static str, was: impl ToString, is: impl ToString) -> Changed {
        Changed { field, was: was.to_string(), is: is.to_string() }
    }
}

/// Seconds and nanoseconds since 1970, for people.
struct Time((i64, i64));

impl Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Time((seconds, nanoseconds)) = *self;
        // Before 1970, or after what the calendar of the formatter holds: as the system tells it.
        const LAST: u64 = 253_402_300_799;
        match (u64::try_from(seconds), u32::try_from(nanoseconds)) {
            (Ok(seconds @ ..=LAST), Ok(nanoseconds)) => {
                let time = SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds);
                write!(f, "{}", humantime::format_rfc3339_nanos(time))
            }
            _ => write!(f, "{seconds} s {nanoseconds} ns since 1970"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: Status = Status {
        device: 1,
        inode: 2,
        mode: 0o100644,
        links: 1,
        owner: 1000,
        group: 1000,
        size: 12,
        modified: (1_700_000_000, 5),
        changed: (1_700_000_001, 0),
    };

    #[test]
    fn every_field_counts_and_is_told_with_both_values() {
        type Change = fn(&mut Status);
        let changes: [(Change, &str); 11] = [
            (|s| s.device = 7, "its device was 1, then 7"),
            (|s| s.inode = 3, "its inode was 2, then 3"),
            (|s| s.mode = 0o100755, "its mode was 100644, then 100755"),
            (|s| s.links = 2, "its number of links was 1, then 2"),
            (|s| s.owner = 0, "its owner was 1000, then 0"),
            (|s| s.group = 0, "its group was 1000, then 0"),
            (|s| s.size = 13, "its size was 12, then 13"),
            (
                |s| s.modified.1 = 6,
                "its time of change was 2023-11-14T22:13:20.000000005Z, then 2023-11-14T22:13:20.000000006Z",
            ),
            (
                |s| s.modified.0 = -1,
                "its time of change was 2023-11-14T22:13:20.000000005Z, then -1 s 5 ns since 1970",
            ),
            (
                |s| s.changed.0 += 1,
                "its time of status change was 2023-11-14T22:13:21.000000000Z, then 2023-11-14T22:13:22.000000000Z",
            ),
            (
                |s| s.changed.1 = 1,
                "its time of status change was 2023-11-14T22:13:21.000000000Z, then 2023-11-14T22:13:21.000000001Z",
            ),
        ];
        for (change, expected) in changes {
            let mut now = BEFORE;
            change(&mut now);
            let changed = BEFORE.change(&now).expect(expected);
            assert_eq!(changed.to_string(), expected);
        }
        assert_eq!(BEFORE.change(&BEFORE.clone()), None);
    }

    #[test]
    fn the_time_of_access_does_not_count() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let of_path = || Status::of_path(file.path()).expect("a file");
        let before = of_path();
        let touched = SystemTime::UNIX_EPOCH + Duration::from_secs(1);
        file.as_file().set_times(fs::FileTimes::new().set_accessed(touched)).expect("times");
        let accessed = fs::metadata(file.path()).expect("a file").accessed().expect("a time");
        assert_eq!(accessed, touched);
        // Setting the time by hand changes the status; reading would not.
        assert_eq!(before, Status { changed: before.changed, ..of_path() });
    }
}
