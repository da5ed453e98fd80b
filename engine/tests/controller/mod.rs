//! The controller's end of the pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The executable under test.
pub const ENGINE: &str = env!("CARGO_BIN_EXE_engine");

/// An engine that says nothing for so long hangs. Nothing else depends on time.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running engine.
pub struct Controller {
    child: Child,
    input: Option<ChildStdin>,
    lines: Option<Receiver<String>>,
}

impl Controller {
    /// Starts one that remembers nothing of the nets it meets.
    pub fn start() -> Self {
        Self::start_by(Command::new(ENGINE).env("XDG_CACHE_HOME", "/dev/null"))
    }

    /// Starts one by this command.
    pub fn start_by(command: &mut Command) -> Self {
        let pipe = Stdio::piped;
        let mut child = command.stdin(pipe()).stdout(pipe()).stderr(pipe()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        // Ends with the output, or with the first line after nobody wants them any more; the pipe closes then.
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { input: child.stdin.take(), child, lines: Some(lines) }
    }

    /// Process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes as they are.
    pub fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.write(format!("{line}\n").as_bytes());
    }

    fn receive(&self) -> Option<String> {
        match self.lines.as_ref().unwrap().recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the engine says nothing"),
        }
    }

    /// The next line.
    pub fn line(&self) -> String {
        self.receive().expect("a line before the end of output")
    }

    /// The lines up to the first that begins with `start`, that one included.
    pub fn until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.receive().unwrap_or_else(|| panic!("no '{start}' after {lines:#?}"));
            lines.push(line);
            if lines[lines.len() - 1].starts_with(start) {
                return lines;
            }
        }
    }

    /// The lines of a search up to `bestmove`. The one before it is always the final node count.
    pub fn search(&self) -> Vec<String> {
        let lines = self.until("bestmove ");
        let count = lines.iter().rev().nth(1).and_then(|line| line.strip_prefix("info nodes "));
        assert!(count.is_some_and(|count| count.parse::<u64>().is_ok()), "{lines:#?}");
        lines
    }

    /// Closes the engine's input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Stops reading: the engine's output goes nowhere from the next line on.
    pub fn drop_output(&mut self) {
        self.lines = None;
    }

    /// Closes the input and waits; the exit code.
    pub fn end(&mut self) -> Option<i32> {
        self.close();
        self.child.wait().unwrap().code()
    }

    /// Waits with the input still open, asking for answers meanwhile; the exit code.
    pub fn end_with_open_input(&mut self) -> Option<i32> {
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            // Fails once the engine is gone, which the next look will tell.
            let _ = self.input.as_mut().unwrap().write_all(b"isready\n");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// What it wrote to standard error.
    pub fn complaints(&mut self) -> String {
        let mut text = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        text
    }
}

impl Drop for Controller {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The final node count of a search.
pub fn nodes(lines: &[String]) -> u64 {
    lines[lines.len() - 2].trim_start_matches("info nodes ").parse().unwrap()
}
