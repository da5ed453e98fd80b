//! What a `go` command asks for.

use std::time::Duration;

use crate::position::Move;

/// The clock of the side to move, as the controller reports it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameTime {
    /// Time left, in milliseconds.
    pub left: u64,
    /// Added after every move, in milliseconds.
    pub increment: u64,
    /// Moves until more time is given; `None` when the time is for the rest of the game.
    pub moves_to_go: Option<u64>,
}

/// When a search ends and which moves it may choose. Without any limit it goes on until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Deepest iteration.
    pub depth: Option<i32>,
    /// Exact number of nodes.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Time for the game.
    pub game_time: Option<GameTime>,
    /// The result is held back until `stop`, even when the search has nothing more to do.
    pub infinite: bool,
    /// The clock starts at `ponderhit`; the result is held back until then.
    pub ponder: bool,
    /// Only these moves; empty for all.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Only the depth is limited.
    pub fn depth(depth: i32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Only the nodes are limited.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Whether the search ends without being told to.
    pub fn ends_by_itself(&self) -> bool {
        let limited = self.depth.is_some()
            || self.nodes.is_some()
            || self.move_time.is_some()
            || self.game_time.is_some();
        limited && !self.infinite && !self.ponder
    }
}
