//! A token that says whether the work shall break off.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::fault::Fault;

/// Shared by everything that may have to break off; cloning gives a handle on the same token.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A token that nobody has set yet.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// A token that SIGINT, SIGTERM and SIGHUP set. A second signal ends the program at once; the
    /// kernel then ends its arms.
    pub fn on_signals() -> std::io::Result<Cancel> {
        let cancel = Cancel::new();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // The order matters: the first signal must find the flag still down.
            signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, cancel.0.clone())?;
            signal_hook::flag::register(signal, cancel.0.clone())?;
        }
        Ok(cancel)
    }

    /// Sets the token.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether it is set.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// [`Fault::Cancelled`] when it is set.
    pub fn check(&self) -> Result<(), Fault> {
        if self.is_cancelled() { Err(Fault::Cancelled) } else { Ok(()) }
    }
}
