//! What the system says of a file, by which a change of it is noticed.

use std::fmt;
use std::fs::Metadata;
use std::time::{Duration, SystemTime};

/// The state of a file: two equal ones, some seconds apart, are the same bytes, as far as a system keeps times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileState {
    device: u64,
    inode: u64,
    bytes: u64,
    /// Seconds and nanoseconds since 1970, here and below.
    modified: (i64, i64),
    /// The last change of the file's bytes, name, owner or mode. No program can set it.
    changed: (i64, i64),
}

impl FileState {
    /// From what the system says.
    #[cfg(unix)]
    pub fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            bytes: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Without the file's number and the time of its last change, so that no state is ever settled.
    #[cfg(not(unix))]
    pub fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let since = modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let modified = (since.as_secs() as i64, i64::from(since.subsec_nanos()));
        Self { device: 0, inode: 0, bytes: metadata.len(), modified, changed: (i64::MAX, 0) }
    }

    /// Size in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the bytes may have changed between two looks at one open file. Renaming or deleting changes none.
    pub fn may_differ(&self, later: &Self) -> bool {
        (self.bytes, self.modified) != (later.bytes, later.modified)
    }

    /// Whether the last change lies so far back that another one would leave another state: systems keep times
    /// in steps, of milliseconds to two seconds.
    pub fn is_settled(&self, now: SystemTime) -> bool {
        const SETTLED: Duration = Duration::from_secs(3);
        let (seconds, nanoseconds) = self.modified.max(self.changed);
        let parts = u64::try_from(seconds).ok().zip(u32::try_from(nanoseconds).ok());
        let since = parts.map(|(seconds, nanoseconds)| Duration::new(seconds, nanoseconds));
        let last = since.and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since));
        last.and_then(|last| now.duration_since(last).ok()).is_some_and(|age| age >= SETTLED)
    }

    /// The state in five words: everything that tells two states apart.
    pub fn key(&self) -> String {
        let Self { modified, changed, .. } = self;
        format!(
            "{} {} {}.{:09} {}.{:09}",
            self.file(),
            self.bytes,
            modified.0,
            modified.1,
            changed.0,
            changed.1
        )
    }

    /// Which file it is, whatever its state: the first two words of [`key`](Self::key).
    pub fn file(&self) -> String {
        format!("{} {}", self.device, self.inode)
    }
}

impl fmt::Display for FileState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, modified: (seconds, nanoseconds), .. } = self;
        write!(f, "{bytes} bytes last modified at {seconds}.{nanoseconds:09}")
    }
}

#[cfg(test)]
pub(in crate::nnue) mod tests {
    use super::*;

    /// A file last changed at second 1000, the time that `now` counts from.
    pub fn state() -> FileState {
        FileState { device: 7, inode: 11, bytes: 500, modified: (900, 5), changed: (1000, 250_000_000) }
    }

    /// Seconds and a quarter after 1970.
    pub fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::new(seconds, 250_000_000)
    }

    /// One state for every way to differ from [`state`].
    pub fn others() -> [FileState; 7] {
        [
            FileState { device: 8, ..state() },
            FileState { inode: 12, ..state() },
            FileState { bytes: 501, ..state() },
            FileState { modified: (901, 5), ..state() },
            FileState { modified: (900, 6), ..state() },
            FileState { changed: (999, 250_000_000), ..state() },
            FileState { changed: (1000, 250_000_001), ..state() },
        ]
    }

    #[test]
    fn every_part_tells_states_apart() {
        assert_eq!(state().key(), "7 11 500 900.000000005 1000.250000000");
        assert!(state().key().starts_with(&state().file()));
        for other in others() {
            assert_ne!(other.key(), state().key());
            assert_ne!(other, state());
        }
        // Renamed or deleted, which changes the last two only.
        assert_eq!(
            others().map(|other| state().may_differ(&other)),
            [false, false, true, true, true, false, false]
        );
    }

    #[test]
    fn a_state_settles_some_seconds_after_its_last_change() {
        assert!(!state().is_settled(at(0)) && !state().is_settled(at(1000)) && !state().is_settled(at(1002)));
        assert!(state().is_settled(at(1003)));
        let modified_last = FileState { modified: (1005, 0), ..state() };
        assert!(!modified_last.is_settled(at(1007)) && modified_last.is_settled(at(1008)));
        for impossible in [(-1, 0), (i64::MAX, 0)] {
            assert!(!FileState { modified: impossible, changed: impossible, ..state() }.is_settled(at(5000)));
        }
    }
}
