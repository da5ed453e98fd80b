//! `engine nets info`: a net described.

use std::path::Path;

use super::{NetsError, load, native};
use crate::nnue::halfkp::{self, HalfKpNet};
use crate::nnue::{Net, NetError, Network, Simd, extent, hex};
use crate::search::{Game, LEAST_MB, Limits, Searcher, Task};

/// What is wanted.
pub struct Request<'a> {
    /// The file.
    pub file: &'a Path,
    /// Hash it anew, whatever is remembered of it.
    pub check: bool,
    /// How many positions to measure, if any.
    pub positions: Option<usize>,
}

/// The description.
pub fn describe(request: &Request<'_>) -> Result<String, NetsError> {
    let Request { file, check, positions } = *request;
    let net = load(file, check)?;
    let mut text = match &net {
        Net::Native(net) => of_native(net),
        Net::HalfKp(net) => of_halfkp(net),
    };
    text.push_str(&memory(&net)?);
    if let Some(positions) = positions {
        let net = native(file, net, "--measure")?;
        let extents = extent::measure(&net, positions);
        let extents = extents.map_err(|refusal| NetError { path: file.into(), refusal })?;
        text.push_str(&extents.to_string());
    }
    Ok(text)
}

fn of_native(net: &Network) -> String {
    let shape = net.architecture();
    format!(
        "name        {}\nshape       {shape}\nparameters  {}\nbytes       {}\npayload     sha256 {}\nchecked     {}\n",
        shape.name().unwrap_or("(other)"),
        shape.parameters(),
        net.file_bytes(),
        hex(net.payload_hash()),
        net.hash_check(),
    )
}

/// The format carries no hash; published files are named by that of the whole.
fn of_halfkp(net: &HalfKpNet) -> String {
    format!(
        "name        {}\nshape       {}\nparameters  {}\nbytes       {}\nfile        sha256 {}\ndescription {}\n",
        halfkp::NAME,
        net.shape(),
        net.parameters(),
        net.file_bytes(),
        hex(net.hash()),
        net.description().escape_debug(),
    )
}

/// What the net holds, and what a thread holds after its first search; a longer game before adds sixteen bytes a move.
fn memory(net: &Net) -> Result<String, NetsError> {
    let mut searcher = Searcher::new(net.clone(), Simd::best(), LEAST_MB)?;
    searcher.search(&Game::default(), &Limits::nodes(1), &Task::unattended(), &mut |_| ());
    Ok(format!(
        "memory      {} bytes shared, {} a search thread (transposition table apart)\n",
        net.memory().bytes(),
        size_of::<Searcher>() + searcher.memory().bytes()
    ))
}
