//! Prints the page of a trial that was never run, to look at while changing the page:
//! `cargo run -p reports --example sample > sample.html` (`-- proven` for the other one).

#[path = "../tests/sample/mod.rs"]
mod sample;

use sample::Sample;

fn main() -> Result<(), reports::ReportError> {
    let proven = std::env::args().nth(1).is_some_and(|argument| argument == "proven");
    let sample = if proven { Sample::proven() } else { Sample::mixed() };
    eprint!("{}", reports::table(&sample.trial()));
    print!("{}", reports::html(&sample.trial())?);
    Ok(())
}
