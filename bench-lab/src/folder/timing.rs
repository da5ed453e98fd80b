//! `timing.json`: where a trial's wall time went.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::measure::{Stage, StageClock};

/// Where the trial's wall time went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// Seconds from the first check to the last record: the sum of `seconds`.
    pub trial_seconds: f64,
    /// The same by stage. What is done beside another stage counts only as far as it is waited for.
    pub seconds: Seconds,
    /// The share of the slots alone.
    pub measuring_share: f64,
    /// The share of what has to be done for the slots: drawing, copying, starting, settling and ending.
    pub preparing_share: f64,
    /// Draws made.
    pub draws: usize,
    /// Executables that were relinked.
    pub relinks: usize,
    /// Mean seconds to draw, relink all arms of a phase, read them back and hash them, added up over
    /// the cores that worked on it.
    pub mean_draw_seconds: f64,
    /// Mean seconds to relink one executable; 0 where none was.
    pub mean_relink_seconds: f64,
    /// Pauses between runs; none of the times above holds any of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pauses: Vec<Break>,
}

/// A pause between two runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Break {
    /// The run that had ended.
    pub after_run: usize,
    /// When it began, RFC 3339 in UTC.
    pub from: String,
    /// When it ended.
    pub to: String,
}

/// Wall time by stage, in seconds; every moment belongs to exactly one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seconds {
    /// Looking at everything that the plan fixed, before every run.
    pub checking: f64,
    /// Waiting for draws: relinking, reading back, hashing.
    pub drawing: f64,
    /// Waiting for fresh copies of executables.
    pub copying: f64,
    /// Starting processes, and their hand-shakes.
    pub starting: f64,
    /// Waiting until all processes are idle and nothing works beside them.
    pub settling: f64,
    /// The slots.
    pub measuring: f64,
    /// Ending processes, deleting copies and draws.
    pub ending: f64,
    /// Writing records.
    pub recording: f64,
}

impl Seconds {
    fn all(&self) -> [f64; 8] {
        let Seconds { checking, drawing, copying, starting, settling, measuring, ending, recording } = *self;
        [checking, drawing, copying, starting, settling, measuring, ending, recording]
    }

    fn and(&self, later: &Seconds) -> Seconds {
        Seconds {
            checking: self.checking + later.checking,
            drawing: self.drawing + later.drawing,
            copying: self.copying + later.copying,
            starting: self.starting + later.starting,
            settling: self.settling + later.settling,
            measuring: self.measuring + later.measuring,
            ending: self.ending + later.ending,
            recording: self.recording + later.recording,
        }
    }
}

/// The draws of a trial, added up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Draws {
    /// How many.
    pub(crate) count: usize,
    /// Executables relinked for them.
    pub(crate) relinks: usize,
    /// Seconds of the relinks, added up.
    pub(crate) relink_seconds: f64,
}

impl Timing {
    /// Sums up a trial that is over; `worked` is what was done for all draws together.
    pub(crate) fn of(clock: &StageClock, draws: Draws, worked: Duration) -> Timing {
        let spent = |stage| clock.spent(stage).as_secs_f64();
        let seconds = Seconds {
            checking: spent(Stage::Checking),
            drawing: spent(Stage::Drawing),
            copying: spent(Stage::Copying),
            starting: spent(Stage::Starting),
            settling: spent(Stage::Settling),
            measuring: spent(Stage::Measuring),
            ending: spent(Stage::Ending),
            recording: spent(Stage::Recording),
        };
        Timing {
            draws: draws.count,
            relinks: draws.relinks,
            mean_draw_seconds: worked.as_secs_f64() / draws.count as f64,
            mean_relink_seconds: draws.relink_seconds / draws.relinks.max(1) as f64,
            ..Timing::of_seconds(seconds)
        }
    }

    /// Times alone.
    fn of_seconds(seconds: Seconds) -> Timing {
        let trial_seconds: f64 = seconds.all().iter().sum();
        let preparing =
            seconds.drawing + seconds.copying + seconds.starting + seconds.settling + seconds.ending;
        Timing {
            trial_seconds,
            measuring_share: seconds.measuring / trial_seconds,
            preparing_share: preparing / trial_seconds,
            seconds,
            draws: 0,
            relinks: 0,
            mean_draw_seconds: 0.0,
            mean_relink_seconds: 0.0,
            pauses: Vec::new(),
        }
    }

    /// Before a pause and after it, as one.
    pub(crate) fn and(self, pause: Break, later: Timing) -> Timing {
        let mean = |one: f64, count: usize, other: f64, more: usize| {
            (one * count as f64 + other * more as f64) / (count + more).max(1) as f64
        };
        let mut pauses = self.pauses;
        pauses.push(pause);
        pauses.extend(later.pauses);
        Timing {
            draws: self.draws + later.draws,
            relinks: self.relinks + later.relinks,
            mean_draw_seconds: mean(self.mean_draw_seconds, self.draws, later.mean_draw_seconds, later.draws),
            mean_relink_seconds: mean(
                self.mean_relink_seconds,
                self.relinks,
                later.mean_relink_seconds,
                later.relinks,
            ),
            pauses,
            ..Timing::of_seconds(self.seconds.and(&later.seconds))
        }
    }

    /// One line for people.
    pub fn line(&self) -> String {
        let share = |seconds: f64| 100.0 * seconds / self.trial_seconds;
        let relinks = match self.relinks {
            0 => String::new(),
            _ => format!(
                "; a relink took {:.0} ms, a draw of all arms {:.0} ms of work",
                1000.0 * self.mean_relink_seconds,
                1000.0 * self.mean_draw_seconds
            ),
        };
        let Seconds { checking, drawing, copying, starting, settling, ending, recording, .. } = self.seconds;
        format!(
            "{:.1} % of {} were spent measuring; drawing {:.1} %, copying {:.1} %, starting {:.1} %, settling {:.1} %, \
             ending {:.1} %, checks and records {:.1} %{relinks}",
            100.0 * self.measuring_share,
            crate::progress::duration(self.trial_seconds),
            share(drawing),
            share(copying),
            share(starting),
            share(settling),
            share(ending),
            share(checking + recording),
        )
    }
}

/// As the report shows it.
impl From<&Timing> for reports::Timing {
    fn from(timing: &Timing) -> reports::Timing {
        let seconds = &timing.seconds;
        let spent = [
            ("checking, before every run, what the plan fixed", seconds.checking),
            ("waiting for draws: relinking, reading back", seconds.drawing),
            ("waiting for fresh copies of executables", seconds.copying),
            ("starting processes and greeting them", seconds.starting),
            ("waiting until everything else rests", seconds.settling),
            ("measuring: the slots", seconds.measuring),
            ("ending processes, deleting copies", seconds.ending),
            ("writing records", seconds.recording),
        ];
        reports::Timing {
            trial_seconds: timing.trial_seconds,
            spent: spent.map(|(what, seconds)| (what.to_owned(), seconds)).to_vec(),
            draws: reports::DrawTiming {
                count: timing.draws,
                relinks: timing.relinks,
                mean_seconds: timing.mean_draw_seconds,
                mean_relink_seconds: timing.mean_relink_seconds,
            },
            pauses: timing.pauses.iter().map(reports::Rest::from).collect(),
        }
    }
}

impl Break {
    /// How long it was, if its ends can be read.
    fn length(&self) -> Option<Duration> {
        let time = |text: &str| humantime::parse_rfc3339(text).ok();
        time(&self.to)?.duration_since(time(&self.from)?).ok()
    }
}

/// As the report shows it.
impl From<&Break> for reports::Rest {
    fn from(pause: &Break) -> reports::Rest {
        reports::Rest {
            after_run: pause.after_run,
            from: pause.from.clone(),
            to: pause.to.clone(),
            seconds: pause.length().map(|length| length.as_secs_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_told_and_counts_for_nothing() {
        let part = |measuring, draws| Timing {
            draws,
            relinks: 3 * draws,
            mean_draw_seconds: draws as f64,
            mean_relink_seconds: 0.5,
            ..Timing::of_seconds(Seconds {
                checking: 1.0,
                drawing: 0.0,
                copying: 0.0,
                starting: 0.0,
                settling: 0.0,
                measuring,
                ending: 1.0,
                recording: 0.0,
            })
        };
        let pause = |after_run| Break { after_run, from: "then".into(), to: "later".into() };
        let first = part(8.0, 12).and(pause(1), part(18.0, 24));
        assert_eq!((first.trial_seconds, first.draws, first.relinks), (30.0, 36, 108));
        assert_eq!(first.measuring_share, 26.0 / 30.0);
        assert_eq!(first.preparing_share, 2.0 / 30.0);
        assert_eq!(first.mean_draw_seconds, (12.0 * 12.0 + 24.0 * 24.0) / 36.0);
        assert_eq!(first.mean_relink_seconds, 0.5);
        let both = first.and(pause(3), part(8.0, 60));
        assert_eq!(both.pauses, [pause(1), pause(3)]);
        let text = serde_json::to_string(&both).expect("JSON");
        assert_eq!(serde_json::from_str::<Timing>(&text).expect("the same"), both);
        assert!(!serde_json::to_string(&part(1.0, 1)).expect("JSON").contains("pauses"));
    }

    #[test]
    fn a_pause_is_as_long_as_its_ends_say() {
        let between = |from: &str, to: &str| {
            let pause = Break { after_run: 3, from: from.into(), to: to.into() };
            reports::Rest::from(&pause).seconds
        };
        assert_eq!(between("2026-01-02T03:04:05Z", "2026-01-02T05:10:05Z"), Some(7_560.0));
        assert_eq!(
            between("2026-01-02T03:04:05Z", "2026-01-02T03:04:04Z"),
            None,
            "a clock that was set back"
        );
        assert_eq!(between("then", "2026-01-02T03:04:04Z"), None);
    }

    #[test]
    fn a_trial_that_relinked_nothing_can_be_read_back() {
        let clock = StageClock::begin(Stage::Checking);
        let draws = Draws { count: 96, ..Draws::default() };
        let mut timing = Timing::of(&clock, draws, Duration::from_secs(1));
        // No time has passed: no share of it either.
        (timing.measuring_share, timing.preparing_share) = (0.0, 0.0);
        let text = serde_json::to_string(&timing).expect("JSON");
        assert_eq!(serde_json::from_str::<Timing>(&text).expect("the same"), timing);
        assert!(!timing.line().contains("relink"), "{}", timing.line());
        assert_eq!(reports::Timing::from(&timing).draws.mean_relink_seconds, 0.0);
    }
}
