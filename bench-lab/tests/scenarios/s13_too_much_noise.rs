//! Noise so large that the 2.0 rule must fire: said before the trial starts, with the phase length that would do.

use bench_lab::aa::hopeless;
use protocol::calibration::{Sample, calibrate};

use crate::fake_lab::{Lab, lane, saving};
use crate::support::cores;

#[test]
fn it_is_said_with_the_length_that_would_do() {
    // Twelve phases of 3 s between -3 and +3 points.
    let value =
        |phase: u32| 3.0 * f64::from(phase % 5 + 1) / 5.0 * if phase.is_multiple_of(2) { 1.0 } else { -1.0 };
    let samples = |share: f64| -> Vec<Sample> {
        (0..12).map(|phase| Sample { value: share * value(phase), swapped: phase % 4 < 2 }).collect()
    };
    let quiet = calibrate("quiet", &samples(0.1), 3.0).expect("a calibration");
    let noisy = calibrate("noisy", &samples(1.0), 3.0).expect("a calibration");
    assert_eq!(hopeless(std::slice::from_ref(&quiet)), None);
    insta::assert_snapshot!(hopeless(&[quiet, noisy]).expect("hopeless"));
}

/// With engines: every fresh copy of the file is either of two speeds.
#[test]
fn the_lab_begins_no_such_trial() {
    let lab = Lab::new();
    let lanes = [lane("main", cores()[0], "avx2", "work=50,copy=50")];
    let bundle = lab.bundle(&saving(&[1]), &lanes, "[identity]\npositions = 2\nnodes = 100\n");
    let told = lab.run_unless_hopeless(&bundle);
    assert_eq!(told.code, Some(6), "{}", told.err);
    // What was measured is another figure every time.
    let figures = told.error().replace(|c: char| c.is_ascii_digit(), "9");
    let mut said = String::new();
    for c in figures.chars() {
        if !(c == '9' && said.ends_with('9')) {
            said.push(c);
        }
    }
    insta::assert_snapshot!(said);
    assert!(!lab.trial().exists(), "nothing is planned");
}
