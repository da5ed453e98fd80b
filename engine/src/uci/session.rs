//! What a controller talks to: the game, the options, and the searcher.

use std::fmt::Write as _;
use std::sync::Arc;

use super::bench;
use super::command::Command;
use super::equipment::Equipment;
use super::error::SessionError;
use super::go::GoRequest;
use super::options::{Announcement, DEFAULT_OVERHEAD, SetOption};
use super::output::Output;
use super::perft;
use crate::search::{Game, Signals, Task, set_handicap};

/// Name and version, as `uci` and `--version` tell them.
pub const NAME: &str = concat!("Tempo ", env!("CARGO_PKG_VERSION"));

/// The state behind the protocol. Commands are carried out one after another.
pub struct Session {
    game: Game,
    equipment: Equipment,
    overhead: u64,
    signals: Arc<Signals>,
    output: Arc<Output>,
}

impl Session {
    /// The state after start-up.
    pub fn new(signals: Arc<Signals>, output: Arc<Output>) -> Self {
        let (game, equipment) = (Game::default(), Equipment::new(output.clone()));
        Self { game, equipment, overhead: DEFAULT_OVERHEAD, signals, output }
    }

    /// Carries a command out. `number` is the number under which it can be stopped. An error leaves everything as
    /// it was.
    pub fn execute(&mut self, command: &Command, number: u64) -> Result<(), SessionError> {
        match command {
            Command::Uci => self
                .output
                .line(format_args!("id name {NAME}\nid author the Tempo authors\n{Announcement}\nuciok")),
            Command::IsReady => {
                // Answered in any case: the controller waits for it.
                let made = self.equipment.searcher().map(|_| ());
                self.output.line("readyok");
                made?;
            }
            Command::NewGame => self.equipment.clear(),
            Command::Position(game) => self.game = (**game).clone(),
            Command::Go(request) => self.go(request, &self.task(number))?,
            Command::SetOption(option) => self.set(option)?,
            Command::Eval => {
                let (net, scaled) = self.equipment.searcher()?.evaluate(self.game.position());
                self.output.line(format_args!("eval net {net} scaled {scaled}"));
            }
            Command::Display => self.output.line(self.game.position()),
            Command::Perft(depth) => {
                perft::run(self.game.position(), *depth, &self.task(number), &self.output);
            }
            Command::Bench(limit) => {
                let task = self.task(number);
                bench::run(self.equipment.net()?, self.equipment.simd(), *limit, &task, &self.output)?;
            }
            // Nothing is running here that they could mean.
            Command::Stop | Command::PonderHit | Command::Debug | Command::Quit => {}
        }
        Ok(())
    }

    fn task(&self, number: u64) -> Task {
        Task { signals: self.signals.clone(), number, overhead: self.overhead }
    }

    fn go(&mut self, request: &GoRequest, task: &Task) -> Result<(), SessionError> {
        let limits = request.limits(self.game.position())?;
        let output = &*self.output;
        for word in &request.unknown {
            output.note(GoRequest::skipped(word));
        }
        let searcher = self.equipment.searcher()?;
        let outcome = searcher.search(&self.game, &limits, task, &mut |report| output.line(report));
        let mut answer = format!("info nodes {}\nbestmove {}", outcome.nodes, outcome.best);
        if !outcome.ponder.is_null() {
            // Writing to a string cannot fail.
            let _ = write!(answer, " ponder {}", outcome.ponder);
        }
        output.line(answer);
        Ok(())
    }

    fn set(&mut self, option: &SetOption) -> Result<(), SessionError> {
        match option {
            SetOption::Hash(megabytes) => self.equipment.set_hash(*megabytes)?,
            SetOption::ClearHash => self.equipment.clear(),
            SetOption::EvalFile(file) => self.equipment.set_net(file.as_deref())?,
            SetOption::CheckNet => self.equipment.check_net()?,
            SetOption::Simd(simd) => self.equipment.set_simd(*simd),
            SetOption::TableLayout(layout) => self.equipment.set_table_layout(*layout)?,
            SetOption::LabHandicap(hundredths) => set_handicap(*hundredths),
            SetOption::MoveOverhead(overhead) => self.overhead = *overhead,
            SetOption::Ponder(_) | SetOption::Threads => {}
        }
        Ok(())
    }
}
