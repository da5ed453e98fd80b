//! What the user's signals do to a trial.
//!
//! | signal | first | again |
//! |---|---|---|
//! | SIGINT (Ctrl-C) on a terminal, during a trial | pause after this run | the trial is void; a third ends the lab at once |
//! | SIGINT otherwise | the work breaks off | the lab ends at once |
//! | SIGTERM, SIGHUP | the work breaks off | the lab ends at once |
//!
//! However the lab ends, the kernel ends its arms with it.

use std::io::{self, IsTerminal};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::progress::Progress;
use crate::{Cancel, Pause};

/// What asking again does.
const AGAIN: &str = "Ctrl-C again makes the trial void";

/// What the signals set while a trial is prepared and runs. On a terminal a pause can be had.
pub fn of_trial(progress: &Progress) -> io::Result<(Cancel, Pause)> {
    let (cancel, pause) = (Cancel::new(), Pause::new());
    let on_terminal = io::stderr().is_terminal().then(|| pause.clone());
    let progress = progress.clone();
    listen(&cancel, on_terminal, move |told| progress.say(told))?;
    Ok((cancel, pause))
}

/// Sets `cancel` by SIGTERM, SIGHUP and SIGINT; where `pause` is given, SIGINT first asks for one, and `tell`
/// is told what comes of it.
fn listen(cancel: &Cancel, pause: Option<Pause>, tell: impl Fn(&str) + Send + 'static) -> io::Result<()> {
    for signal in [SIGTERM, SIGHUP] {
        cancel.on_signal(signal)?;
    }
    let Some(pause) = pause else { return cancel.on_signal(SIGINT) };
    let (cancel, mut signals) = (cancel.clone(), Signals::new([SIGINT])?);
    // Sleeps in the kernel until a signal comes: nothing of it runs beside a measurement.
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            match interrupted(&cancel, &pause) {
                Interrupted::Pauses(told) => tell(&told),
                Interrupted::Cancels => cancel.cancel(),
                Interrupted::Ends => std::process::exit(128 + signal),
            }
        }
    })?;
    Ok(())
}

#[derive(Debug, PartialEq, Eq)]
enum Interrupted {
    Pauses(String),
    Cancels,
    Ends,
}

/// What a SIGINT means now.
fn interrupted(cancel: &Cancel, pause: &Pause) -> Interrupted {
    if cancel.is_cancelled() {
        return Interrupted::Ends;
    }
    pause.ask(AGAIN).map_or(Interrupted::Cancels, Interrupted::Pauses)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::pause::Course;

    #[test]
    fn ctrl_c_pauses_then_voids_then_ends() {
        let (cancel, pause) = (Cancel::new(), Pause::new());
        let each = Duration::from_secs(1);
        pause.at(Some(Course { run: 2, left: 3, each, since: Instant::now() }));
        let Interrupted::Pauses(told) = interrupted(&cancel, &pause) else { panic!("no pause") };
        assert_eq!(told, "pausing after run 2 of 8, in about 3 s; Ctrl-C again makes the trial void");
        assert_eq!(interrupted(&cancel, &pause), Interrupted::Cancels);
        cancel.cancel();
        assert_eq!(interrupted(&cancel, &pause), Interrupted::Ends);
    }

    #[test]
    fn without_a_trial_under_way_ctrl_c_breaks_off() {
        let (cancel, pause) = (Cancel::new(), Pause::new());
        assert_eq!(interrupted(&cancel, &pause), Interrupted::Cancels);
        assert!(!pause.is_wanted());
    }
}
