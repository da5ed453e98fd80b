//! Net and searcher, made when they are first needed.
//!
//! What options say before that decides what is made, so that a start costs each of them once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::SessionError;
use super::options::DEFAULT_HASH;
use crate::nnue::{NetError, Network, Simd};
use crate::search::{Searcher, TableError};

/// What a session searches with.
pub struct Equipment {
    network: Option<Arc<Network>>,
    /// Where the net comes from; none for the embedded one.
    net_file: Option<PathBuf>,
    simd: Simd,
    searcher: Option<Searcher>,
}

impl Equipment {
    /// Nothing is made yet: the embedded net, the fastest path of evaluation and the default table will be.
    pub fn new() -> Self {
        Self { network: None, net_file: None, simd: Simd::best(), searcher: None }
    }

    /// The net in use.
    pub fn network(&mut self) -> Arc<Network> {
        self.network.get_or_insert_with(Network::embedded).clone()
    }

    /// The path of evaluation.
    pub fn simd(&self) -> Simd {
        self.simd
    }

    /// The searcher.
    pub fn searcher(&mut self) -> Result<&mut Searcher, TableError> {
        let searcher = match self.searcher.take() {
            Some(searcher) => searcher,
            None => Searcher::new(self.network(), self.simd, DEFAULT_HASH)?,
        };
        Ok(self.searcher.insert(searcher))
    }

    /// Forgets everything, as for a new game.
    pub fn clear(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
    }

    /// Gives the table another size.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), TableError> {
        match &mut self.searcher {
            Some(searcher) => searcher.resize(megabytes),
            None => {
                self.searcher = Some(Searcher::new(self.network(), self.simd, megabytes)?);
                Ok(())
            }
        }
    }

    /// Takes the net of a file, or the embedded one. After an error the old one stays.
    pub fn set_net(&mut self, file: Option<&Path>) -> Result<(), NetError> {
        self.network = file.map(Network::load).transpose()?;
        self.net_file = file.map(Path::to_owned);
        self.renew();
        Ok(())
    }

    /// Evaluates on another path.
    pub fn set_simd(&mut self, simd: Simd) {
        self.simd = simd;
        self.renew();
    }

    /// Draws where the big tables lie; those that are there are made anew.
    pub fn set_table_layout(&mut self, layout: u32) -> Result<(), SessionError> {
        crate::huge::set_layout(layout);
        if self.network.is_some() {
            let file = self.net_file.clone();
            self.set_net(file.as_deref())?;
        }
        if let Some(searcher) = &mut self.searcher {
            searcher.resize(searcher.megabytes())?;
        }
        Ok(())
    }

    /// Gives the searcher, if there is one, the net and path in use.
    fn renew(&mut self) {
        if self.searcher.is_some() {
            let network = self.network();
            self.searcher.iter_mut().for_each(|searcher| searcher.set_evaluator(network.clone(), self.simd));
        }
    }
}
