//! Every number of the search that is a choice and not a rule of chess, in one place.
//!
//! Depths are whole plies, margins are centipawns, times are milliseconds.

/// The deepest iteration, and the largest `go depth`.
pub const MAX_DEPTH: i32 = 120;
/// The longest line below the root; the evaluation ends a line that gets there.
pub const MAX_PLY: usize = 128;

/// Nodes between two looks at the clock and at the signals.
pub const POLL_NODES: u64 = 512;

/// Aspiration windows are used from this depth on.
pub const ASPIRATION_DEPTH: i32 = 4;
/// Half of the first aspiration window.
pub const ASPIRATION_WINDOW: i32 = 18;
/// Scores beyond this open the window fully.
pub const ASPIRATION_OPEN: i32 = 1200;

/// Deepest node at which a static value far above beta is believed.
pub const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// Its margin for each ply of depth.
pub const REVERSE_FUTILITY_MARGIN: i32 = 80;

/// Shallowest node that tries a null move.
pub const NULL_MOVE_DEPTH: i32 = 3;
/// Reduction of the null move search, before its share of the depth.
pub const NULL_MOVE_REDUCTION: i32 = 3;
/// One more ply of reduction for each so many plies of depth.
pub const NULL_MOVE_DEPTH_SHARE: i32 = 4;
/// One more ply of reduction for each so much value above beta.
pub const NULL_MOVE_VALUE_SHARE: i32 = 200;
/// The most plies that the value above beta adds.
pub const NULL_MOVE_VALUE_PLIES: i32 = 3;

/// From this depth on, a node without a table move is searched one ply shallower.
pub const NO_TABLE_MOVE_DEPTH: i32 = 4;

/// Deepest node at which late quiet moves are left out.
pub const LATE_MOVE_DEPTH: i32 = 7;
/// Quiet moves kept at such a node before the square of its depth is added.
pub const LATE_MOVE_BASE: i32 = 4;

/// Deepest node at which quiet moves that cannot lift a low value are left out.
pub const FUTILITY_DEPTH: i32 = 6;
/// Base of that margin.
pub const FUTILITY_BASE: i32 = 90;
/// Its growth for each ply.
pub const FUTILITY_MARGIN: i32 = 90;

/// Deepest node at which moves that lose material are left out.
pub const EXCHANGE_DEPTH: i32 = 7;
/// Loss allowed to a quiet move for each ply.
pub const EXCHANGE_QUIET_MARGIN: i32 = 60;
/// Loss allowed to a capture for each ply.
pub const EXCHANGE_CAPTURE_MARGIN: i32 = 110;

/// Shallowest node whose late moves are reduced.
pub const REDUCTION_DEPTH: i32 = 3;
/// Moves searched in full at a node before reductions begin.
pub const REDUCTION_MOVES: usize = 2;
/// Constant part of a reduction, in 1024ths of a ply.
pub const REDUCTION_BASE: i32 = 700;
/// Divisor of the product of the two logarithms (each in 1024ths), so that the result is 1024ths of a ply.
pub const REDUCTION_DIVISOR: i32 = 2400;
/// A history value of this size takes away or adds one ply.
pub const REDUCTION_HISTORY: i32 = 7000;

/// Bound of a history value.
pub const HISTORY_LIMIT: i32 = 16_384;
/// History bonus for each ply of depth.
pub const HISTORY_BONUS: i32 = 170;
/// Largest single bonus.
pub const HISTORY_BONUS_LIMIT: i32 = 1800;

/// What a capture in quiescence may lack to reach alpha beside the captured piece.
pub const QUIESCENCE_MARGIN: i32 = 180;

/// Below this many plies of the fifty-move clock, table scores are believed without search.
pub const TABLE_CUT_CLOCK: u16 = 90;
/// A table entry of the same position survives a new result that is shallower by more than this.
pub const TABLE_KEEP_DEPTH: i32 = 4;
/// Worth of one search's age against depth when an entry is replaced.
pub const TABLE_AGE_WEIGHT: i32 = 4;

/// Share of the remaining time that is never planned with, in percent.
pub const CLOCK_RESERVE_PERCENT: u64 = 5;
/// The reserve is at least this long.
pub const CLOCK_RESERVE_LEAST: u64 = 30;
/// Moves the game is expected to go on for.
pub const CLOCK_MOVES: u64 = 38;
/// Share of the increment that is spent at each move, in percent.
pub const CLOCK_INCREMENT_PERCENT: u64 = 59;
/// The hard limit as a percentage of the soft limit.
pub const CLOCK_HARD_PERCENT: u64 = 324;
/// The last iteration begins before this share of the soft limit is used up, in percent.
pub const CLOCK_LAST_START_PERCENT: u32 = 60;
