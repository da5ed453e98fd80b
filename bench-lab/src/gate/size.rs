//! Size and start-up: how large is the engine, in the file and in memory, and how fast does it answer?

/// What is looked at, by the names that `gate.toml` uses.
pub const BENCHMARKS: [&str; 5] = ["executable", "text", "data", "memory", "start-up"];
