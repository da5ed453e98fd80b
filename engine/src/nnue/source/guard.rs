//! Mapped files that may shrink: reading what is gone gives zeros and a mark instead of the end of the process.
//!
//! Reading a page of a mapping behind the file's end, or one that the disk can't deliver, raises the signal SIGBUS,
//! which ends a process. The handler here puts a page of zeros where the read failed, if that is in a mapping made by
//! [`Guarded::map`], and marks the mapping as damaged; whoever reads it looks at the mark when he is done. Every other
//! SIGBUS ends the process as before.
//!
//! The handler does only what a signal handler may: it loads and stores atomics and calls `mmap`, `signal` and `raise`.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use libc::{c_int, c_void, siginfo_t};
use memmap2::{Mmap, MmapOptions, UncheckedAdvice};

/// A mapped range. Never freed, because the handler may look at it at any time: 32 bytes for every file mapped.
struct Range {
    start: usize,
    end: usize,
    /// Still mapped.
    live: AtomicBool,
    damaged: AtomicBool,
    /// The one that was registered before.
    next: AtomicPtr<Range>,
}

/// The latest range.
static RANGES: AtomicPtr<Range> = AtomicPtr::new(ptr::null_mut());

/// Size of a page, set before the handler is installed.
static PAGE: AtomicUsize = AtomicUsize::new(4096);

/// What a pointer of the chain points to.
fn follow(chain: &AtomicPtr<Range>) -> Option<&'static Range> {
    // SAFETY: the pointers of the chain are null or come from `Box::leak` in `register`; nothing ever frees or moves
    // what they point to, nor changes it but through its atomics.
    unsafe { chain.load(Ordering::Acquire).as_ref() }
}

fn register(start: usize, end: usize) -> &'static Range {
    let (live, damaged) = (AtomicBool::new(true), AtomicBool::new(false));
    let range: &'static Range =
        Box::leak(Box::new(Range { start, end, live, damaged, next: AtomicPtr::default() }));
    let mut latest = RANGES.load(Ordering::Acquire);
    loop {
        range.next.store(latest, Ordering::Release);
        let this = ptr::from_ref(range).cast_mut();
        match RANGES.compare_exchange(latest, this, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return range,
            Err(other) => latest = other,
        }
    }
}

/// Puts zeros from the page of `address` to the end of its range; false if that is no live range of ours.
///
/// To the end: of a file that shrank, nothing behind the first missing page is there.
fn replace(address: usize) -> bool {
    let mut ranges = follow(&RANGES);
    while let Some(range) = ranges {
        if range.live.load(Ordering::Acquire) && (range.start..range.end).contains(&address) {
            range.damaged.store(true, Ordering::Release);
            let page = address & !(PAGE.load(Ordering::Relaxed) - 1);
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
            // SAFETY: from `page` to `end` lies the inside of a mapping of ours, which lives on because the thread
            // that reads it borrows it; its bytes stay readable, and readers expect any bytes.
            let zeros =
                unsafe { libc::mmap(page as *mut c_void, range.end - page, libc::PROT_READ, flags, -1, 0) };
            return zeros != libc::MAP_FAILED;
        }
        ranges = follow(&range.next);
    }
    false
}

extern "C" fn on_bus_error(signal: c_int, info: *mut siginfo_t, _context: *mut c_void) {
    // SAFETY: the system gives a handler with SA_SIGINFO a valid description of the signal, and that of a SIGBUS
    // that it raised itself (code above 0) has the address.
    let address = unsafe { ((*info).si_code > 0).then(|| (*info).si_addr() as usize) };
    if !address.is_some_and(replace) {
        // SAFETY: both may be called in a handler. The signal is held back until the handler returns; then the
        // default action ends the process.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
}

/// Installs the handler, once a process.
fn install() -> io::Result<()> {
    static INSTALLED: OnceLock<Result<(), i32>> = OnceLock::new();
    let installed = INSTALLED.get_or_init(|| {
        // SAFETY: `sysconf` only answers. A zeroed `sigaction` is a valid one, without flags and with an empty mask;
        // the handler has the signature that SA_SIGINFO asks for, and lives as long as the process.
        let failed = unsafe {
            if let Ok(page) = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)) {
                PAGE.store(page, Ordering::Relaxed);
            }
            let mut action: libc::sigaction = std::mem::zeroed();
            let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = on_bus_error;
            action.sa_sigaction = handler as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(libc::SIGBUS, &action, ptr::null_mut()) != 0
        };
        if failed { Err(io::Error::last_os_error().raw_os_error().unwrap_or_default()) } else { Ok(()) }
    });
    installed.map_err(io::Error::from_raw_os_error)
}

/// A file mapped for reading. Its bytes may change at any time; they are only ever taken as numbers.
pub struct Guarded {
    map: Mmap,
    range: &'static Range,
}

impl Guarded {
    /// Maps the first `bytes` of a file; not none.
    pub fn map(file: &File, bytes: usize) -> io::Result<Self> {
        install()?;
        // SAFETY: the mapping is only read. If others change the file meanwhile, its bytes change, which readers
        // expect; if they truncate it, the handler puts zeros there.
        let map = unsafe { MmapOptions::new().len(bytes).map(file)? };
        let start = map.as_ptr() as usize;
        Ok(Self { range: register(start, start + map.len()), map })
    }

    /// Gives the memory back that its pages take. What is read again is fetched again.
    pub fn release(&self) {
        // SAFETY: nothing is ever written to the mapping, so nothing is lost, and its bytes may change at any time
        // as it is. Only memory depends on whether the system complies.
        let _ = unsafe { self.map.unchecked_advise(UncheckedAdvice::DontNeed) };
    }

    /// Some of the bytes that were read are not the file's.
    pub fn is_damaged(&self) -> bool {
        self.range.damaged.load(Ordering::Acquire)
    }
}

impl Deref for Guarded {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.map
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // Before the mapping ends: its addresses may then be another's.
        self.range.live.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    use super::*;

    /// A file of `pages` pages of ones.
    fn ones(pages: usize) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![1; pages * 4096]).unwrap();
        file
    }

    #[test]
    fn what_a_truncated_file_lacks_reads_as_zeros() {
        let (file, other) = (ones(64), ones(64));
        let map = Guarded::map(&file, 64 * 4096).unwrap();
        let untouched = Guarded::map(&other, 64 * 4096).unwrap();
        assert!(map.iter().all(|&byte| byte == 1) && !map.is_damaged());
        file.set_len(10 * 4096 + 100).unwrap();
        // The rest of the last page is zeros by the system's own rule, and no damage that the mark would tell.
        assert_eq!((map[10 * 4096 + 99], map[10 * 4096 + 100]), (1, 0));
        assert!(!map.is_damaged());
        assert_eq!((map[40 * 4096 + 5], map[9 * 4096]), (0, 1));
        assert!(map.is_damaged());
        assert!(map[11 * 4096..].iter().all(|&byte| byte == 0));
        map.release();
        assert_eq!((map[40 * 4096 + 5], map[9 * 4096]), (0, 1));
        assert!(untouched.iter().all(|&byte| byte == 1) && !untouched.is_damaged());
    }

    #[test]
    fn a_mapping_may_have_addresses_that_another_had() {
        for _ in 0..100 {
            let file = ones(4);
            let map = Guarded::map(&file, 4 * 4096).unwrap();
            assert!(map.iter().all(|&byte| byte == 1) && !map.is_damaged());
            file.set_len(4096).unwrap();
            assert_eq!((map[0], map[3 * 4096]), (1, 0));
            assert!(map.is_damaged());
        }
    }

    #[test]
    fn threads_meet_the_gap_at_once() {
        let file = ones(256);
        let map = Guarded::map(&file, 256 * 4096).unwrap();
        file.set_len(0).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert!(map.iter().all(|&byte| byte == 0)));
            }
        });
        assert!(map.is_damaged());
    }

    /// Set for the processes that the next test starts: how they are to end.
    const DEATH: &str = "TEMPO_TEST_BUS_ERROR";

    /// Does nothing unless it runs in a process of its own.
    #[test]
    fn another_bus_error() {
        let Ok(death) = std::env::var(DEATH) else { return };
        let file = ones(2);
        let guarded = Guarded::map(&file, 4096).unwrap();
        match death.as_str() {
            "read" => {
                let file = ones(2);
                // SAFETY: only read, and meant to fail.
                let map = unsafe { Mmap::map(&file).unwrap() };
                file.set_len(0).unwrap();
                println!("{}", map[4096]);
            }
            "sent" => {
                // SAFETY: sends a signal to this process.
                unsafe { libc::raise(libc::SIGBUS) };
            }
            other => panic!("{other}"),
        }
        drop(guarded);
    }

    #[test]
    fn every_other_bus_error_ends_the_process() {
        for death in ["read", "sent"] {
            let test = "nnue::source::guard::tests::another_bus_error";
            let output = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", test, "--nocapture"])
                .env(DEATH, death)
                .output()
                .unwrap();
            assert_eq!(output.status.signal(), Some(libc::SIGBUS), "{death}: {output:?}");
        }
    }
}
