//! Prints the page of a trial that was never run, to look at while changing the page:
//! `cargo run -p reports --example sample > sample.html` (`-- proven`, `-- limited`,
//! `-- two-builds`, `-- locked`, `-- overlapping` for others).

#[path = "../tests/all/sample.rs"]
mod sample;

use sample::Sample;

fn main() -> Result<(), reports::ReportError> {
    let sample = match std::env::args().nth(1).as_deref() {
        Some("proven") => Sample::proven(),
        Some("limited") => Sample::limited(),
        Some("two-builds") => Sample::two_builds(),
        Some("locked") => Sample::locked(),
        Some("overlapping") => Sample::overlapping(),
        _ => Sample::mixed(),
    };
    eprint!("{}\n{}", reports::table(&sample.trial()), reports::markdown(&sample.trial()));
    print!("{}", reports::html(&sample.trial())?);
    Ok(())
}
