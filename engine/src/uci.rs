//! The UCI protocol.
//!
//! The main thread carries commands out; a second one reads them. While a search runs the reader answers
//! `isready` and acts on `stop`, `ponderhit` and `quit` at once; everything else waits its turn. Between lines it
//! sleeps in `read`, and between commands the main thread sleeps as well, so an idle process costs nothing and a
//! searching one nothing but the search.

mod arguments;
mod bench;
mod bench_positions;
mod command;
mod equipment;
mod error;
mod go;
mod input;
mod options;
mod output;
mod perft;
mod session;
mod words;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

pub use arguments::run as run_arguments;
pub use bench_positions::POSITIONS as BENCH_POSITIONS;
pub use error::{CommandError, SessionError};
pub use session::NAME;

use command::Command;
use input::Lines;
use output::Output;
use session::Session;

use crate::search::Signals;

/// What the reader passes on, in the order of the lines.
enum Message {
    /// A command, with the number under which it can be stopped.
    Command(Command, u64),
    /// A line that is none.
    Bad(CommandError),
}

/// Speaks UCI on standard input and output until `quit`, the end of input, or nobody reads the answers.
pub fn run() -> Result<(), SessionError> {
    let signals = Arc::new(Signals::default());
    let output = Arc::new(Output::new(Box::new(io::stdout()), signals.clone()));
    let finished = Arc::new(AtomicU64::new(0));
    let mut session = Session::new(signals.clone(), output.clone());
    let (sender, receiver) = channel();
    let reader = Reader {
        signals,
        output: output.clone(),
        finished: finished.clone(),
        sender,
        sent: 0,
        searching: false,
    };
    // Not joined: when the answers go nowhere it may sleep in `read` for ever.
    thread::Builder::new().spawn(move || reader.run()).map_err(SessionError::NoReader)?;
    for message in receiver {
        match message {
            Message::Command(command, number) => {
                if let Err(error) = session.execute(&command, number) {
                    output.note(error);
                }
                finished.store(number, Ordering::Relaxed);
            }
            Message::Bad(error) => output.note(error),
        }
        if output.is_closed() {
            break;
        }
    }
    Ok(())
}

/// The thread that reads.
struct Reader {
    signals: Arc<Signals>,
    output: Arc<Output>,
    /// Number of the last command carried out.
    finished: Arc<AtomicU64>,
    sender: Sender<Message>,
    /// Number of the last command passed on.
    sent: u64,
    /// The last command passed on was `go`.
    searching: bool,
}

impl Reader {
    /// Reads until there is nothing more to read or to do; what still runs is then stopped, and dropping the
    /// sender ends the session once the queue is empty.
    fn run(mut self) {
        let stdin = io::stdin().lock();
        let mut lines = Lines::new(stdin);
        while let Ok(Some(line)) = lines.next() {
            let goes_on = match line.and_then(Command::parse) {
                Ok(None) => true,
                Ok(Some(Command::Quit)) => false,
                Ok(Some(command)) => self.pass(command),
                Err(error) if self.is_busy() => {
                    self.output.note(error);
                    true
                }
                Err(error) => self.sender.send(Message::Bad(error)).is_ok(),
            };
            if !goes_on {
                break;
            }
        }
        self.signals.stop_all();
    }

    /// Acts on what cannot wait and queues the rest. False when nobody is left to carry it out.
    fn pass(&mut self, command: Command) -> bool {
        match command {
            Command::Stop => self.signals.stop(self.sent),
            Command::PonderHit => self.signals.ponder_hit(self.sent),
            Command::IsReady if self.is_busy() => self.output.line("readyok"),
            command => {
                self.sent += 1;
                self.searching = matches!(command, Command::Go(_));
                return self.sender.send(Message::Command(command, self.sent)).is_ok();
            }
        }
        true
    }

    /// A search runs and nothing waits behind it.
    fn is_busy(&self) -> bool {
        self.searching && self.finished.load(Ordering::Relaxed) < self.sent
    }
}
