//! Writes a narrow net with all threat rows and random weights: `random_net SEED FOLDER NAME`.
//!
//! Unlike the nets that play, whose values show the material above all, it gives every feature a say in the value,
//! and its scale tells small differences apart (`scripts/check_values.sh`).

#[path = "../tests/net_values/files.rs"]
mod files;

use std::process::ExitCode;

use files::{Shape, save};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seed, folder, name] = &arguments[..] else { return usage() };
    let Ok(seed) = seed.parse() else { return usage() };
    let shape = Shape { width: 64, buckets: 8, threats: 86_808, hidden2: 64, hidden3: 64, scale: 20_000 };
    save(folder, name, &shape.file(&shape.random_payload(seed)));
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: random_net SEED FOLDER NAME");
    ExitCode::from(2)
}
