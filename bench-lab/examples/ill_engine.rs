//! A UCI engine that falls ill, for the lab's tests: its option `Ill` holds an illness, `@`, and a path. It is
//! quick and good until that file appears, and ill from then on.
//!
//! `hang` · `die` · `abort` · `die-at-start` · `close` its output · `garbage` · `endless-line` ·
//! `endless-info` · `endless-errors` · `nodes` one too many, once · `swap` its executable's file · `taint` the
//! file it was copied from · `exec` another file · `deaf` to `quit` and SIGTERM · `child` that stays ·
//! `daemon` that leaves its session and its parent.

use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::sys::signal::{SigHandler, Signal, signal};

/// Set for the program that an ill engine turns into: it owes this answer.
const OWED: &str = "ILL_OWES";

fn main() -> io::Result<()> {
    if let Ok(answer) = std::env::var(OWED) {
        println!("{answer}");
    }
    let mut engine =
        Engine { ill: String::new(), mark: PathBuf::new(), position: String::new(), first: true };
    for line in io::stdin().lock().lines() {
        if !engine.command(&line?)? {
            break;
        }
    }
    Ok(())
}

struct Engine {
    ill: String,
    /// The file that makes it ill.
    mark: PathBuf,
    position: String,
    /// It has not searched yet: illnesses of searches show in the first one.
    first: bool,
}

impl Engine {
    /// False at the end.
    fn command(&mut self, line: &str) -> io::Result<bool> {
        let mut out = io::stdout();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["uci"] => writeln!(out, "option name Ill type string default none\nuciok")?,
            ["setoption", "name", "Ill", "value", value] => {
                let (ill, mark) = value.split_once('@').unwrap_or_default();
                (self.ill, self.mark) = (ill.to_owned(), mark.into());
            }
            ["isready"] => {
                self.get_ready()?;
                writeln!(out, "readyok")?;
            }
            ["position", ..] => line.clone_into(&mut self.position),
            ["go", "nodes", nodes] => self.search(nodes.parse().expect("a number"))?,
            ["go", ..] => writeln!(out, "info depth 1 score cp 0 nodes 1\nbestmove a2a3")?,
            ["quit"] if self.is("deaf") => sleep(),
            ["quit"] => return Ok(false),
            _ => (),
        }
        out.flush()?;
        Ok(true)
    }

    /// Whether it has this illness and shows it.
    fn is(&self, ill: &str) -> bool {
        self.ill == ill && self.mark.exists()
    }

    fn get_ready(&self) -> io::Result<()> {
        if self.is("die-at-start") {
            eprintln!("ill engine: told to die at its start");
            std::process::exit(4);
        }
        if self.is("exec") {
            let other = beside("other")?;
            std::fs::copy(std::env::current_exe()?, &other)?;
            return Err(Command::new(other).env(OWED, "readyok").exec());
        }
        if self.is("deaf") {
            // SAFETY: ignoring a signal installs no handler.
            unsafe { signal(Signal::SIGTERM, SigHandler::SigIgn) }?;
        }
        Ok(())
    }

    fn search(&mut self, limit: u64) -> io::Result<()> {
        let mut out = io::stdout();
        let shows = std::mem::take(&mut self.first) && !self.ill.is_empty() && self.is(&self.ill);
        let mut nodes = limit;
        if shows {
            match self.ill.as_str() {
                "hang" => sleep(),
                "die" => {
                    eprintln!("ill engine: told to die");
                    std::process::exit(3);
                }
                "abort" => std::process::abort(),
                "close" => {
                    nix::unistd::close(1)?;
                    sleep();
                }
                "garbage" => loop {
                    out.write_all(b"\xff\xfe bestmove\ngarbage\n")?;
                },
                "endless-line" => loop {
                    out.write_all(&[b'x'; 4096])?;
                },
                "endless-info" => loop {
                    writeln!(out, "info depth 1 score cp 0 nodes 1")?;
                },
                "endless-errors" => loop {
                    io::stderr().write_all(b"warning: something is wrong\n")?;
                },
                "nodes" => nodes += 1,
                "swap" => {
                    let (own, new) = (std::env::current_exe()?, beside("new")?);
                    std::fs::copy(&own, &new)?;
                    std::fs::rename(new, own)?;
                }
                "taint" => {
                    // `<work folder>/arm-…/arm` was copied from a file in the work folder.
                    let (origin, new) = (beside("../default.base.built")?, beside("new")?);
                    std::fs::copy(&origin, &new)?;
                    std::fs::OpenOptions::new().append(true).open(&new)?.write_all(b"!")?;
                    std::fs::rename(new, origin)?;
                }
                "child" => drop(lasting("sleep", &["600"]).spawn()?),
                "daemon" => drop(lasting("setsid", &["--fork", "sleep", "600"]).spawn()?.wait()?),
                _ => (),
            }
        }
        let mark = self.position.bytes().fold(1, |sum: u64, byte| mix(sum ^ u64::from(byte)));
        black_box((0..limit).fold(mark, |value, step| mix(black_box(value ^ step))));
        writeln!(out, "info depth 1 score cp {} nodes {nodes}\nbestmove a2a3", mark % 100)
    }
}

/// A file in the folder of the engine's own executable.
fn beside(name: &str) -> io::Result<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name(name))
}

/// A program that keeps none of the engine's pipes.
fn lasting(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn sleep() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value ^ (value >> 27)
}
