//! `bench-lab simulate` from the command line.

use std::process::{Command, Output};

use protocol::simulation::{Setting, Simulation, simulate};

fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bench-lab")).arg("simulate").args(arguments).output().expect("the lab")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn the_same_seed_gives_the_same_figures() {
    let arguments =
        ["--trials", "1300", "--effects", "0.3,0.1", "--components", "2", "--seed", "7", "--json"];
    let (one, two) = (lab(&arguments), lab(&arguments));
    assert_eq!(one.status.code(), Some(0), "{}", text(&one.stderr));
    assert_eq!(text(&one.stdout), text(&two.stdout));
    let simulation: Simulation = serde_json::from_slice(&one.stdout).expect("JSON");
    assert_eq!((simulation.seed, simulation.trials, simulation.outcomes.len()), (7, 1300, 7));
    for outcome in &simulation.outcomes {
        let gains: Vec<f64> = outcome.cells.iter().map(|cell| cell.gain_percent).collect();
        assert_eq!(gains, [0.0, 0.1, 0.3]);
        // However the threads shared the trials out, they are those of one thread.
        let setting = Setting {
            noise: outcome.noise,
            sd: simulation.sd,
            components: 2,
            lanes: 1,
            gains,
            threshold_percent: simulation.threshold_percent,
            seed: 7,
        };
        let alone = simulate(&setting, 0..1300).expect("a sound setting");
        assert_eq!(outcome.cells, alone.cells(&setting), "{}", outcome.noise);
    }
    let other =
        lab(&["--trials", "1300", "--effects", "0.3,0.1", "--components", "2", "--seed", "8", "--json"]);
    assert_ne!(text(&one.stdout), text(&other.stdout));
}

#[test]
fn the_plot_is_written_beside_the_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let plot = folder.path().join("power.svg");
    let path = plot.to_str().expect("UTF-8");
    let output = lab(&["--trials", "200", "--noise", "normal,bias", "--components", "1", "--plot", path]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("constant bias of the harness: 0.05 points for `full`"));
    assert!(std::fs::read_to_string(&plot).expect("the plot").starts_with("<svg "));
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "litter");
}

#[test]
fn what_means_nothing_is_wrong_usage() {
    for (arguments, message) in [
        (&["--sd", "-1"][..], "error: standard deviation -1: expected points from 0 to 100\n"),
        (&["--threshold", "-0.5"], "error: threshold -0.5: expected percent from 0 to 100\n"),
        (&["--effects", "-51"], "error: gain -51: expected percent from -50 to 100\n"),
        (&["--sd", "nan"], "error: standard deviation NaN: expected points from 0 to 100\n"),
        (&["--effects", "0.1,-80"], "error: gain -80: expected percent from -50 to 100\n"),
        (&["--freedom", "2"], "error: degrees of freedom 2: expected more than 2\n"),
        (&["--correlation", "1.5"], "error: correlation of runs 1.5: expected between -1 and 1\n"),
    ] {
        let output = lab(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(text(&output.stderr), message, "{arguments:?}");
        assert!(output.stdout.is_empty());
    }
    for (arguments, message) in [
        (&["--trials", "0"][..], "expected a whole number from 1 to 1000000000"),
        (&["--components", "-1"], "expected a whole number from 1 to 64"),
        (&["--lanes", "65"], "expected a whole number from 1 to 64"),
        (&["--seed", "foo"], "expected a whole number, zero or more"),
        (&["--noise", "pink"], "heavy-tailed"),
        (&["--effects", "much"], "expected a number"),
    ] {
        let output = lab(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(message), "{arguments:?}: {}", text(&output.stderr));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let plot = folder.path().join("absent/power.svg");
    let output = lab(&["--trials", "10", "--plot", plot.to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(
        told.starts_with("error: --plot: ") && told.ends_with("absent: expected a folder that is there\n"),
        "{told}"
    );
    assert!(output.stdout.is_empty(), "nothing half told");
}
