//! `bench-lab layout link`: what the linker's stand-in runs during a build; of no use to people.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Context;

/// The words behind the lab's name that ask for it.
pub const WORDS: [&str; 2] = ["layout", "link"];

/// The lab itself, as the linker's stand-in calls it.
pub fn command() -> anyhow::Result<Vec<OsString>> {
    let own = std::env::current_exe().context("cannot find the lab's own executable")?;
    Ok([own.into_os_string()].into_iter().chain(WORDS.map(OsString::from)).collect())
}

/// Links if the lab was called as a linker. Its arguments are the linker's, not the lab's.
pub fn asked(arguments: &[OsString]) -> Option<ExitCode> {
    let rest = arguments.get(1..)?.strip_prefix(&WORDS.map(OsString::from))?;
    Some(match layouts::capture::link::run(rest) {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            // When nobody listens any more the exit code still tells.
            let _ = std::io::Write::write_fmt(
                &mut std::io::stderr(),
                format_args!("bench-lab: error: {error}\n"),
            );
            ExitCode::FAILURE
        }
    })
}
