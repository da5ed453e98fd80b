//! Whatever happens to a trial: files that change, arms that fall ill, labs that are killed or
//! paused.

mod arms;
pub mod bundle;
mod fixed;
mod killed;
mod no_room;
mod pauses;
pub mod planned;
