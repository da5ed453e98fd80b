//! How steadily a core works: fixed pieces of work, one after another, each timed.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;

use crate::{Cancel, Fault};

/// About how long a piece of work lasts.
const PIECE: Duration = Duration::from_micros(20);
/// A piece that takes longer than this many times the usual was interrupted.
const INTERRUPTED: f64 = 1.5;
/// Pieces are looked at together over this time to see how fast the core is.
const STRETCH: Duration = Duration::from_millis(50);

/// What was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steadiness {
    /// Seconds of looking.
    pub seconds: f64,
    /// Interruptions.
    pub gaps: usize,
    /// The longest of them in microseconds.
    pub longest_us: f64,
    /// The share of time that they took, from 0 to 1.
    pub lost: f64,
    /// How much slower the slowest twentieth of all stretches was than the fastest one, in percent; interruptions are not in it.
    pub swing_percent: f64,
}

/// Keeps `core` busy for about `window`.
pub fn measure(core: usize, window: Duration, cancel: &Cancel) -> Result<Steadiness, Fault> {
    thread::scope(|scope| {
        let working = scope.spawn(|| {
            let mut only = CpuSet::new();
            only.set(core)
                .and_then(|()| sched_setaffinity(Pid::from_raw(0), &only))
                .map_err(Fault::system(format!("cannot run on core {core}; name another one with --core")))?;
            pieces(window, cancel)
        });
        working.join().unwrap_or_else(|_| Err(Fault::Job("the working thread panicked".to_owned())))
    })
    .map(|pieces| judge(&pieces))
}

/// Nanoseconds of every piece.
fn pieces(window: Duration, cancel: &Cancel) -> Result<Vec<u32>, Fault> {
    // The quickest of several is without interruption.
    let steps = 10_000;
    let quickest = (0..50).map(|_| piece(steps)).min().unwrap_or(1).max(1);
    let steps = (steps * PIECE.as_nanos() as u64 / u64::from(quickest)).max(1);
    let begun = Instant::now();
    let mut pieces = Vec::with_capacity((window.as_nanos() / PIECE.as_nanos()) as usize + 1);
    while begun.elapsed() < window {
        cancel.check()?;
        pieces.push(piece(steps));
    }
    Ok(pieces)
}

/// Nanoseconds of a piece of work.
fn piece(steps: u64) -> u32 {
    let begun = Instant::now();
    let mut value = black_box(0x9e37_79b9_7f4a_7c15u64);
    for step in 0..steps {
        value = (value ^ step).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(29);
    }
    black_box(value);
    u32::try_from(begun.elapsed().as_nanos()).unwrap_or(u32::MAX)
}

/// What the pieces say.
pub fn judge(pieces: &[u32]) -> Steadiness {
    let mut sorted = pieces.to_vec();
    sorted.sort_unstable();
    let all: u64 = pieces.iter().map(|&ns| u64::from(ns)).sum();
    let Some(&usual) = sorted.get(sorted.len() / 2) else {
        return Steadiness { seconds: 0.0, gaps: 0, longest_us: 0.0, lost: 0.0, swing_percent: 0.0 };
    };
    let usual = f64::from(usual.max(1));
    // A stretch has a speed of its own: a slow one is no interruption.
    let each = ((STRETCH.as_nanos() as f64 / usual) as usize).max(1);
    let (mut gaps, mut lost, mut longest, mut speeds) = (0, 0.0, 0.0f64, Vec::new());
    for stretch in pieces.chunks(each) {
        let mut sorted = stretch.to_vec();
        sorted.sort_unstable();
        let own = f64::from(sorted[sorted.len() / 2].max(1));
        for gap in stretch.iter().map(|&ns| f64::from(ns)).filter(|&ns| ns > INTERRUPTED * own) {
            gaps += 1;
            lost += gap - own;
            longest = longest.max(gap - own);
        }
        // The last one may be short.
        if stretch.len() == each || speeds.is_empty() {
            speeds.push(own);
        }
    }
    speeds.sort_by(f64::total_cmp);
    let slow = speeds[(speeds.len() * 19 / 20).min(speeds.len() - 1)];
    Steadiness {
        seconds: all as f64 / 1e9,
        gaps,
        longest_us: longest / 1e3,
        lost: lost / all.max(1) as f64,
        swing_percent: 100.0 * (slow / speeds[0] - 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interruptions_and_slow_stretches_are_told_apart() {
        let steady = judge(&[20_000; 50_000]);
        assert_eq!((steady.gaps, steady.lost, steady.swing_percent), (0, 0.0, 0.0));
        assert!((steady.seconds - 1.0).abs() < 1e-9);

        // One piece in a hundred is held up for 1 ms: a third of the time.
        let held: Vec<u32> = (0..50_000).map(|n| if n % 100 == 0 { 1_020_000 } else { 20_000 }).collect();
        let held = judge(&held);
        assert_eq!((held.gaps, held.longest_us, held.swing_percent), (500, 1_000.0, 0.0));
        assert!((held.lost - 1.0 / 3.0).abs() < 1e-9, "{held:?}");

        // The core changes between two speeds every half second.
        let two: Vec<u32> = (0..100_000).map(|n| if n / 25_000 % 2 == 0 { 20_000 } else { 32_000 }).collect();
        let two = judge(&two);
        // Only where the speed changes inside a stretch do a few pieces look held up.
        assert!(two.lost < 1e-3, "{two:?}");
        assert!((two.swing_percent - 60.0).abs() < 1e-9, "{two:?}");
        assert_eq!(judge(&[]).gaps, 0);
    }

    #[test]
    fn this_machine_has_a_core_to_look_at() {
        let core = crate::measure::cores::usable().pop().expect("a core");
        let seen = measure(core, Duration::from_millis(60), &Cancel::new()).expect("a look");
        assert!(seen.seconds > 0.0 && (0.0..1.0).contains(&seen.lost), "{seen:?}");
        let cancelled = Cancel::new();
        cancelled.cancel();
        assert!(matches!(measure(core, Duration::from_secs(9), &cancelled), Err(Fault::Cancelled)));
    }
}
