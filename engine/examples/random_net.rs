//! Writes a net of random weights: `random_net threats|halfkp SEED FILE`.
//!
//! Unlike the nets that play, whose values show the material above all, they give every feature a say in the value
//! (`scripts/check_values.sh`). `threats` is a narrow net of the engine's own format with all threat rows, whose scale
//! tells small differences apart; the sums of `halfkp` wrap as well.

#[path = "../tests/halfkp/files.rs"]
mod halfkp_files;
#[path = "../tests/net_values/files.rs"]
mod net_files;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, seed, file] = &arguments[..] else { return usage() };
    let Ok(seed) = seed.parse() else { return usage() };
    let bytes = match kind.as_str() {
        "threats" => threats(seed),
        "halfkp" => halfkp_files::File::random(seed).bytes(),
        _ => return usage(),
    };
    net_files::save("", file, &bytes);
    ExitCode::SUCCESS
}

fn threats(seed: u64) -> Vec<u8> {
    let shape =
        net_files::Shape { width: 64, buckets: 8, threats: 86_808, hidden2: 64, hidden3: 64, scale: 20_000 };
    shape.file(&shape.random_payload(seed))
}

fn usage() -> ExitCode {
    eprintln!("usage: random_net threats|halfkp SEED FILE");
    ExitCode::from(2)
}
