//! What a controller talks to: the game, the options, and the searcher.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::bench;
use super::command::Command;
use super::error::{CommandError, SessionError};
use super::go::GoRequest;
use super::options::{Announcement, DEFAULT_HASH, DEFAULT_OVERHEAD, SetOption};
use super::output::Output;
use super::perft;
use crate::nnue::{NetError, Network, Simd};
use crate::search::{Game, Searcher, Signals, Task};

/// Name and version, as `uci` and `--version` tell them.
pub const NAME: &str = concat!("Tempo ", env!("CARGO_PKG_VERSION"));

/// The state behind the protocol. Commands are carried out one after another.
pub struct Session {
    game: Game,
    searcher: Searcher,
    network: Arc<Network>,
    /// Where the net came from; none for the embedded one.
    net_file: Option<PathBuf>,
    simd: Simd,
    overhead: u64,
    signals: Arc<Signals>,
    output: Arc<Output>,
}

impl Session {
    /// The state after start-up.
    pub fn new(signals: Arc<Signals>, output: Arc<Output>) -> Result<Self, SessionError> {
        let (network, simd) = (Network::embedded(), Simd::best());
        let searcher = Searcher::new(network.clone(), simd, DEFAULT_HASH)?;
        let game = Game::default();
        let (net_file, overhead) = (None, DEFAULT_OVERHEAD);
        Ok(Self { game, searcher, network, net_file, simd, overhead, signals, output })
    }

    /// Carries a command out. `number` is the number under which it can be stopped. An error leaves everything as
    /// it was.
    pub fn execute(&mut self, command: &Command, number: u64) -> Result<(), SessionError> {
        match command {
            Command::Uci => self
                .output
                .line(format_args!("id name {NAME}\nid author the Tempo authors\n{Announcement}\nuciok")),
            Command::IsReady => self.output.line("readyok"),
            Command::NewGame => self.searcher.clear(),
            Command::Position(game) => self.game = (**game).clone(),
            Command::Go(request) => self.go(request, &self.task(number))?,
            Command::SetOption(option) => self.set(option)?,
            Command::Eval => {
                let (net, scaled) = self.searcher.evaluate(self.game.position());
                self.output.line(format_args!("eval net {net} scaled {scaled}"));
            }
            Command::Display => self.output.line(self.game.position()),
            Command::Perft(depth) => {
                perft::run(self.game.position(), *depth, &self.task(number), &self.output);
            }
            Command::Bench(limit) => {
                let task = self.task(number);
                bench::run(self.network.clone(), self.simd, *limit, &task, &self.output)?;
            }
            // Nothing is running here that they could mean.
            Command::Stop | Command::PonderHit | Command::Debug | Command::Quit => {}
        }
        Ok(())
    }

    fn task(&self, number: u64) -> Task {
        Task { signals: self.signals.clone(), number, overhead: self.overhead }
    }

    fn go(&mut self, request: &GoRequest, task: &Task) -> Result<(), CommandError> {
        let limits = request.limits(self.game.position())?;
        let output = &*self.output;
        for word in &request.unknown {
            output.note(GoRequest::skipped(word));
        }
        let outcome = self.searcher.search(&self.game, &limits, task, &mut |report| output.line(report));
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
            SetOption::Hash(megabytes) => self.searcher.resize(*megabytes)?,
            SetOption::ClearHash => self.searcher.clear(),
            SetOption::EvalFile(file) => {
                self.network = network(file.as_deref())?;
                self.net_file.clone_from(file);
                self.searcher.set_evaluator(self.network.clone(), self.simd);
            }
            SetOption::Simd(simd) => {
                self.simd = *simd;
                self.searcher.set_evaluator(self.network.clone(), self.simd);
            }
            SetOption::MoveOverhead(overhead) => self.overhead = *overhead,
            SetOption::TableLayout(layout) => {
                crate::huge::set_layout(*layout);
                // Every big table anew, at its place.
                self.network = network(self.net_file.as_deref())?;
                self.searcher.set_evaluator(self.network.clone(), self.simd);
                self.searcher.resize(self.searcher.megabytes())?;
            }
            SetOption::Ponder(_) | SetOption::Threads => {}
        }
        Ok(())
    }
}

fn network(file: Option<&Path>) -> Result<Arc<Network>, NetError> {
    file.map_or_else(|| Ok(Network::embedded()), Network::load)
}
