//! Whatever happens to a trial: files that change, arms that fall ill, labs that are killed or
//! paused.

mod arms;
mod bundle;
mod fixed;
mod killed;
mod no_room;
mod pauses;
#[allow(dead_code, reason = "the scenarios use the rest")]
mod planned;
