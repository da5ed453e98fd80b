//! Lines to the controller: whole, flushed, from either thread.

use std::fmt::{self, Write as _};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::search::Signals;

struct Sink {
    writer: Box<dyn Write + Send>,
    buffer: String,
}

/// Where answers go. Once nobody reads them any more, every search is stopped and nothing further is written.
pub struct Output {
    sink: Mutex<Sink>,
    closed: AtomicBool,
    signals: Arc<Signals>,
}

impl Output {
    /// Writes to `writer`.
    pub fn new(writer: Box<dyn Write + Send>, signals: Arc<Signals>) -> Self {
        let sink = Sink { writer, buffer: String::with_capacity(1024) };
        Self { sink: Mutex::new(sink), closed: AtomicBool::new(false), signals }
    }

    /// Writes one line, or several with line feeds between them, and flushes.
    pub fn line(&self, text: impl fmt::Display) {
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        let Sink { writer, buffer } = &mut *sink;
        buffer.clear();
        let written = writeln!(buffer, "{text}").is_ok()
            && writer.write_all(buffer.as_bytes()).is_ok()
            && writer.flush().is_ok();
        if !written {
            self.closed.store(true, Ordering::Relaxed);
            self.signals.stop_all();
        }
    }

    /// An `info string` line.
    pub fn note(&self, text: impl fmt::Display) {
        self.line(format_args!("info string {text}"));
    }

    /// Nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}
