//! Commands given as arguments of the process: they run, and the process ends.

use std::io;
use std::sync::Arc;

use super::command::Command;
use super::error::{CommandError, SessionError};
use super::output::Output;
use super::session::Session;
use crate::search::Signals;

/// The lines that arguments stand for: each its own if one of them holds a blank (`engine "go depth 5" d`),
/// otherwise all together (`engine go depth 5`).
fn lines(arguments: &[String]) -> Vec<String> {
    if arguments.iter().any(|argument| argument.contains(char::is_whitespace)) {
        return arguments.to_vec();
    }
    vec![arguments.join(" ")]
}

/// Reads all commands; searches that nothing would end are refused.
fn parse(lines: &[String]) -> Result<Vec<Command>, CommandError> {
    let mut commands = Vec::new();
    for line in lines {
        match Command::parse(line)? {
            Some(Command::Quit) => break,
            Some(Command::Go(request)) => {
                if let Some(word) = request.unknown.first() {
                    return Err(super::go::GoRequest::skipped(word));
                }
                if !request.ends_by_itself() {
                    return Err(CommandError::Endless);
                }
                commands.push(Command::Go(request));
            }
            command => commands.extend(command),
        }
    }
    Ok(commands)
}

/// Runs the arguments as commands.
pub fn run(arguments: &[String]) -> Result<(), SessionError> {
    let commands = parse(&lines(arguments))?;
    let signals = Arc::new(Signals::default());
    let output = Arc::new(Output::new(Box::new(io::stdout()), signals.clone()));
    let mut session = Session::new(signals, output.clone());
    for (number, command) in (1..).zip(&commands) {
        if output.is_closed() {
            break;
        }
        session.execute(command, number)?;
    }
    Ok(())
}
