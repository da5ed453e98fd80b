//! Net and searcher, made when they are first needed.
//!
//! What options say before that decides what is made, so that a start costs each of them once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::SessionError;
use super::options::DEFAULT_HASH;
use super::output::Output;
use crate::nnue::{Checks, EMBEDDED, Loading, Net, NetError, Report, Simd, hex};
use crate::search::Searcher;

/// What a session searches with.
pub struct Equipment {
    net: Option<Net>,
    /// Where the net comes from; none for the embedded one.
    net_file: Option<PathBuf>,
    /// It was said that somebody wrote to that file.
    told: bool,
    simd: Simd,
    /// Whoever has a searcher has a net.
    searcher: Option<Searcher>,
    output: Arc<Output>,
}

impl Equipment {
    /// Nothing is made yet: the embedded net, the fastest path of evaluation and the default table will be.
    pub fn new(output: Arc<Output>) -> Self {
        Self { net: None, net_file: None, told: false, simd: Simd::best(), searcher: None, output }
    }

    /// The net in use, with room for one who evaluates with it.
    pub fn net(&mut self) -> Result<Net, SessionError> {
        let net = match self.net.take() {
            Some(net) => net,
            None => Net::try_embedded().map_err(SessionError::NoEvaluator)?,
        };
        let net = self.net.insert(net).clone();
        Net::check_room(self.net_file.as_deref()).map_err(SessionError::NoEvaluator)?;
        Ok(net)
    }

    /// The path of evaluation.
    pub fn simd(&self) -> Simd {
        self.simd
    }

    /// The searcher.
    pub fn searcher(&mut self) -> Result<&mut Searcher, SessionError> {
        self.tell_of_changes();
        let searcher = match self.searcher.take() {
            Some(searcher) => searcher,
            None => self.make_searcher(DEFAULT_HASH)?,
        };
        Ok(self.searcher.insert(searcher))
    }

    fn make_searcher(&mut self, megabytes: usize) -> Result<Searcher, SessionError> {
        let net = self.net()?;
        Ok(Searcher::new(net, self.simd, megabytes)?)
    }

    /// Forgets everything, as for a new game.
    pub fn clear(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
    }

    /// Gives the table another size.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), SessionError> {
        match &mut self.searcher {
            Some(searcher) => searcher.resize(megabytes)?,
            None => self.searcher = Some(self.make_searcher(megabytes)?),
        }
        Ok(())
    }

    /// Takes the net of a file, or the embedded one. After an error the old one stays.
    pub fn set_net(&mut self, file: Option<&Path>) -> Result<(), NetError> {
        let net = match file {
            Some(file) => Some(self.load(file)?),
            None if self.searcher.is_some() => Some(Net::try_embedded()?),
            None => None,
        };
        self.take(net, file)
    }

    fn load(&self, file: &Path) -> Result<Net, NetError> {
        let report = Notes { output: &self.output, what: format!("net {}: loading", file.display()) };
        Net::load_as(file, &Loading { checks: Checks::of_user(), anew: false, report: &report })
    }

    fn take(&mut self, net: Option<Net>, file: Option<&Path>) -> Result<(), NetError> {
        if self.searcher.is_some() {
            Net::check_room(file)?;
        }
        self.net = net;
        self.net_file = file.map(Path::to_owned);
        self.told = false;
        self.renew();
        Ok(())
    }

    /// Says once if somebody has written to the file of the net in use. All that a search reads was copied from it
    /// when it was loaded, so that the net stays as it was.
    fn tell_of_changes(&mut self) {
        if let (Some(net), Some(file), false) = (&self.net, &self.net_file, self.told)
            && let Err(refusal) = net.unchanged()
        {
            let error = NetError { path: file.clone(), refusal };
            self.output.note(SessionError::Net(error));
            self.told = true;
        }
    }

    /// Hashes the file of the net in use anew, and says what was found.
    pub fn check_net(&mut self) -> Result<(), SessionError> {
        let net = self.net()?;
        let file = self.net_file.as_deref();
        let name = file.unwrap_or(Path::new(EMBEDDED));
        let report = Notes { output: &self.output, what: format!("net {}: checking", name.display()) };
        let loading = Loading { checks: Checks::of_user(), anew: true, report: &report };
        let hash = Net::check(file, &loading)?;
        net.check_same(name, &hash)?;
        self.output.note(format_args!("net {}: SHA-256 {} found, as expected", name.display(), hex(&hash)));
        Ok(())
    }

    /// Evaluates on another path.
    pub fn set_simd(&mut self, simd: Simd) {
        self.simd = simd;
        self.renew();
    }

    /// Draws where the big tables lie; those that are there are made anew.
    pub fn set_table_layout(&mut self, layout: u32) -> Result<(), SessionError> {
        let before = crate::huge::set_layout(layout);
        self.lay_anew().inspect_err(|_| {
            crate::huge::set_layout(before);
        })
    }

    fn lay_anew(&mut self) -> Result<(), SessionError> {
        if let Some(old) = &self.net {
            match self.net_file.clone() {
                Some(file) => {
                    let net = self.load(&file)?;
                    old.check_same(&file, net.hash())?;
                    self.take(Some(net), Some(&file))?;
                }
                None => self.take(Some(Net::try_embedded()?), None)?,
            }
        }
        if let Some(searcher) = &mut self.searcher {
            searcher.resize(searcher.megabytes())?;
        }
        Ok(())
    }

    /// Gives the searcher, if there is one, the net and path in use.
    fn renew(&mut self) {
        if let (Some(searcher), Some(net)) = (&mut self.searcher, &self.net) {
            searcher.set_evaluator(net.clone(), self.simd);
        }
    }
}

/// Tells in quarters how far a large net has come.
struct Notes<'a> {
    output: &'a Output,
    what: String,
}

impl Report for Notes<'_> {
    fn every(&self) -> usize {
        25
    }

    fn tell(&self, percent: usize) {
        self.output.note(format_args!("{}, {percent} %", self.what));
    }
}
