//! Labs and arms killed with SIGKILL at random points, from the first file to the report: nothing half-written,
//! nothing left, and the next start tells what happened.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

use super::bundle::{self, Ill};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use protocol::{PHASES, RUNS};

/// Records of a whole trial.
const ALL: usize = RUNS * PHASES * 3;

/// Numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// When to strike.
#[derive(Debug)]
enum Point {
    /// So long after the start.
    Start(Duration),
    /// So long after so many records.
    Records(usize, Duration),
}

impl Point {
    /// Half of the points lie before the plan, two fifths in the trial, the others around its end.
    fn draw(random: &mut Random, number: u64) -> Point {
        let mut within = |ms: u64| Duration::from_micros(random.below(1_000 * ms));
        match number % 10 {
            0..5 => Point::Start(within(900)),
            9 => Point::Records(ALL, within(60)),
            _ => {
                let wait = within(40);
                Point::Records(random.below(ALL as u64 / 4) as usize + 1, wait)
            }
        }
    }

    /// Waits until it has come; false when the lab was faster.
    fn wait(&self, lab: &mut Child, out: &Path) -> bool {
        match self {
            Point::Start(after) => std::thread::sleep(*after),
            Point::Records(count, after) => {
                while bundle::records(out).lines().count() < *count {
                    if lab.try_wait().expect("a child").is_some() {
                        return false;
                    }
                    std::thread::sleep(Duration::from_micros(200));
                }
                std::thread::sleep(*after);
            }
        }
        lab.try_wait().expect("a child").is_none()
    }
}

/// What lies in a trial's folder is whole.
fn assert_whole(ill: &Ill, out: &Path, point: &Point) {
    let records = bundle::records(out);
    let read = protocol::lines::read(&records).unwrap_or_else(|fault| panic!("{point:?}: {fault}"));
    assert_eq!(read.len() % 3, 0, "{point:?}: half a phase");
    let verdict = out.join("verdict.json");
    if verdict.exists() {
        assert_eq!(read.len(), ALL, "{point:?}: a verdict on a part");
        let output = ill.lab(&["verdict"]).arg(out).output().expect("the lab");
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(told.contains("the stored verdict is the same"), "{point:?}: {told}");
    }
    for name in ["plan.json", "verdict.json", "void.json", "timing.json"] {
        if let Ok(text) = fs::read_to_string(out.join(name)) {
            serde_json::from_str::<serde_json::Value>(&text)
                .unwrap_or_else(|error| panic!("{point:?}: {name}: {error}"));
        }
    }
}

/// The next start of a lab finds its register in order, and says what became of the trial.
fn assert_told(ill: &Ill, out: &Path, register: &Path, point: &Point) {
    if !register.exists() {
        return;
    }
    let output = ill.lab(&["register"]).arg(register).output().expect("the lab");
    let told =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{point:?}: {told}");
    let plan = fs::read(out.join("plan.json")).unwrap_or_default();
    let known = fs::read_to_string(register).expect("the register");
    if known.contains(&protocol::canonical::sha256_hex(&plan)) {
        let (verdict, void) = (out.join("verdict.json").exists(), out.join("void.json").exists());
        assert!(verdict != void, "{point:?}: verdict {verdict}, void {void}: {told}");
        assert!(told.contains(if void { "void" } else { "proven" }), "{point:?}: {told}");
    }
}

/// Kills whatever `victim` names at random points of trials, all in one work folder.
fn strike(seed: u64, points: u64, victim: impl Fn(&Ill, &mut Child, &mut Random, &Point)) {
    let ill = Ill::new("nothing");
    let mut random = Random(seed);
    for number in 0..points {
        let point = Point::draw(&mut random, number);
        let out = ill.path(&format!("trial-{number}"));
        // Each trial has a register of its own: what one eliminates must not keep the next from running.
        let register = ill.path(&format!("register-{number}.jsonl"));
        let mut command = ill.lab(&["run", "bundle.toml", "--anyway", "--seed", "7", "--out"]);
        let mut lab = command.arg(&out).arg("--register").arg(&register).spawn().expect("the lab");
        if point.wait(&mut lab, &out) {
            victim(&ill, &mut lab, &mut random, &point);
        }
        lab.wait_with_output().expect("the lab");
        ill.wait_until_alone();
        assert_whole(&ill, &out, &point);
        assert_told(&ill, &out, &register, &point);
    }
    // The next start takes away what is left, and works.
    let mut lab = ill.run();
    ill.wait_for_records(&mut lab, 3);
    assert_eq!(ill.litter().len(), 1, "more than the folder of the trial that runs: {:?}", ill.litter());
    kill(Pid::from_raw(lab.id().cast_signed()), Signal::SIGTERM).expect("a signal");
    assert_eq!(lab.wait_with_output().expect("the lab").status.code(), Some(5));
    assert_eq!(ill.litter(), [""; 0]);
}

#[test]
fn a_lab_that_is_killed_leaves_nothing_half_done() {
    strike(1, 50, |_, lab, _, point| {
        lab.kill().expect("a signal");
        let status = lab.wait().expect("the lab");
        // It may have come to its verdict meanwhile.
        let finished = matches!(point, Point::Records(ALL, _)) && matches!(status.code(), Some(0 | 3));
        assert!(status.signal() == Some(9) || finished, "{point:?}: {status}");
    });
}

#[test]
fn an_arm_that_is_killed_ends_its_trial() {
    strike(2, 12, |ill, lab, random, _| {
        // The lab is told by its own name, arms by the one that all copies have.
        let arms: Vec<Pid> = ill
            .processes()
            .iter()
            .filter_map(|process| process.strip_prefix("arm ")?.parse().ok())
            .map(Pid::from_raw)
            .collect();
        if arms.is_empty() {
            // Between two phases there is none: then the lab goes on.
            kill(Pid::from_raw(lab.id().cast_signed()), Signal::SIGTERM).expect("a signal");
            return;
        }
        // It may have ended meanwhile.
        let _ = kill(arms[random.below(arms.len() as u64) as usize], Signal::SIGKILL);
    });
}
