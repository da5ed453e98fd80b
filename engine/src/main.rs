//! The `engine` executable.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use tempo::{nets, uci};

const HELP: &str = "\
Tempo, a UCI chess engine whose speed-ups can each be switched

Usage:
  engine                         speak UCI on standard input and output
  engine bench [depth D|nodes N] search 50 built-in positions; the last line is `<n> nodes <nps> nps`
  engine perft DEPTH             count the lines of legal moves
  engine components              list the components and whether this build has them
  engine nets synth|widen|info   make nets and look at them; `engine nets` says more
  engine COMMAND...              run UCI commands and exit: engine go depth 5,
                                 engine \"position startpos moves e2e4\" \"go nodes 10000\"
  engine --help | --version

UCI commands beyond the protocol: bench, perft DEPTH, eval, d.

Exit codes:
  0  done; also when input ends or nobody reads the output
  1  an error of the program or its surroundings, for example a file that cannot be read
  2  wrong usage
";

fn main() -> ExitCode {
    let arguments: Result<Vec<String>, _> =
        std::env::args_os().skip(1).map(|text| text.into_string()).collect();
    let arguments = match arguments {
        Ok(arguments) => arguments,
        Err(text) => return fail(2, format_args!("argument {text:?} is not UTF-8; expected text")),
    };
    match arguments.first().map(String::as_str) {
        None => finish(uci::run()),
        Some("--help" | "-h" | "help") => print(HELP),
        Some("--version" | "-V") => print(format_args!("{}\n", uci::NAME)),
        Some("components") if arguments.len() == 1 => print(tempo::components::Listing),
        Some("nets") => match nets::command(&arguments[1..]) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(if matches!(error, nets::NetsError::Usage(_)) { 2 } else { 1 }, error),
        },
        Some(_) => finish(uci::run_arguments(&arguments)),
    }
}

/// Prints; a reader that has gone away is no error.
fn print(text: impl Display) -> ExitCode {
    match write!(io::stdout(), "{text}").and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            fail(1, format_args!("standard output: {error}"))
        }
        _ => ExitCode::SUCCESS,
    }
}

fn finish(result: Result<(), uci::SessionError>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(if error.is_usage() { 2 } else { 1 }, error),
    }
}

fn fail(code: u8, error: impl Display) -> ExitCode {
    // When standard error is closed as well, the exit code still tells.
    let _ = writeln!(io::stderr(), "engine: {error}");
    ExitCode::from(code)
}
