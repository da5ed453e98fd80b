//! The command behind a stand-in for `ld.lld`: links, and records the link as machine code.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    match layouts::capture::link::run(&args) {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("layout-link: error: {error}");
            ExitCode::FAILURE
        }
    }
}
