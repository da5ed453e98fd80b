//! Prints the page of a sweep that never ran, to look at while changing the page:
//! `cargo run -p reports --example sweep > sweep.html` (`-- none`, `-- starts`, `-- many` for others).

use protocol::sweep::synthetic::{Truth, sweep};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let truth = Truth { layouts: 20, together: 4, rounds: 8, layout_sd: 0.25, noise_sd: 0.4, phase_sd: 2.0 };
    let sweep = match std::env::args().nth(1).as_deref() {
        Some("none") => sweep(&Truth { layout_sd: 0.0, ..truth }, 7, None, true)?,
        Some("starts") => sweep(&truth, 7, None, false)?,
        Some("many") => sweep(&Truth { layouts: 200, ..truth }, 7, Some(0.4), true)?,
        _ => sweep(&truth, 7, Some(0.5), true)?,
    };
    eprint!("{}", reports::sweep::table(&sweep)?);
    print!("{}", reports::sweep::html(&sweep)?);
    Ok(())
}
