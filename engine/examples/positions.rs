//! Prints positions as FENs, one a line, for checks against other programs (`scripts/check_values.sh`).
//!
//! `positions games COUNT SEED` prints positions of random games, `positions targeted` those that
//! `tests/targeted` makes by rules, and their counts on standard error.

#[path = "../tests/games/mod.rs"]
mod games;
#[path = "../tests/targeted/mod.rs"]
mod targeted;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

/// Games that are played between two looks at the count: one from every start.
const ROUND: usize = 12;
/// Half moves of a game at most; later ones see little but kings.
const PLIES: usize = 120;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["targeted"] => print_targeted(),
        ["games", count, seed] => match (count.parse(), seed.parse()) {
            (Ok(count), Ok(seed)) => print_games(count, seed),
            _ => return usage(),
        },
        _ => return usage(),
    };
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("positions: standard output: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: positions games COUNT SEED | positions targeted");
    ExitCode::from(2)
}

fn print_targeted() -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    let kinds = targeted::kinds();
    let counts: Vec<String> =
        kinds.iter().map(|kind| format!("{} {}", kind.lines.len(), kind.name)).collect();
    eprintln!("targeted lines of moves: {}", counts.join(", "));
    for line in kinds.iter().flat_map(|kind| &kind.lines) {
        for position in line.positions() {
            writeln!(output, "{}", position.to_fen())?;
        }
    }
    output.flush()
}

fn print_games(count: usize, seed: u32) -> io::Result<()> {
    let mut output = BufWriter::new(io::stdout().lock());
    let mut left = count;
    for round in 0.. {
        let mut fens = Vec::new();
        games::play(u64::from(seed) << 32 | round, ROUND, PLIES, |position, _| fens.push(position.to_fen()));
        for fen in fens.iter().take(left) {
            writeln!(output, "{fen}")?;
        }
        left = left.saturating_sub(fens.len());
        if left == 0 {
            break;
        }
    }
    output.flush()
}
