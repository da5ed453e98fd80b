//! A token that says whether the work shall break off.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::fault::Fault;

/// Shared by everything that may have to break off; cloning gives a handle on the same token.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    parent: Option<Box<Cancel>>,
}

impl Cancel {
    /// A token that nobody has set yet.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// A token for a part of the work: set when it is set itself or when `self` is.
    pub(crate) fn child(&self) -> Cancel {
        Cancel { flag: Arc::default(), parent: Some(Box::new(self.clone())) }
    }

    /// A token that SIGINT, SIGTERM and SIGHUP set. A second signal ends the program at once; the
    /// kernel then ends its arms.
    pub fn on_signals() -> std::io::Result<Cancel> {
        let cancel = Cancel::new();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            cancel.on_signal(signal)?;
        }
        Ok(cancel)
    }

    /// Has a signal set the token, and the same signal end the program once it is set.
    pub(crate) fn on_signal(&self, signal: i32) -> std::io::Result<()> {
        // The order matters: the first signal must find the flag still down.
        signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, self.flag.clone())?;
        signal_hook::flag::register(signal, self.flag.clone())?;
        Ok(())
    }

    /// Sets the token.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::SeqCst);
    }

    /// Whether it is set.
    pub fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::SeqCst) || self.parent.as_ref().is_some_and(|parent| parent.is_cancelled())
    }

    /// [`Fault::Cancelled`] when it is set.
    pub fn check(&self) -> Result<(), Fault> {
        if self.is_cancelled() { Err(Fault::Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_ends_with_the_whole_but_not_the_whole_with_a_part() {
        let whole = Cancel::new();
        let (part, other) = (whole.child(), whole.child());
        let inner = part.child();
        part.cancel();
        assert!(part.is_cancelled() && inner.is_cancelled());
        assert!(!whole.is_cancelled() && !other.is_cancelled());
        whole.cancel();
        assert!(matches!(other.check(), Err(Fault::Cancelled)));
    }
}
