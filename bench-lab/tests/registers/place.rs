//! A repository in miniature: a register, and trials that were never run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bench_lab::locks::Holder;
use bench_lab::register::{RegisterFile, judgement, planned};
use protocol::register::{Component, Diagnosed, Event, Start, Void};
use protocol::synthetic::{self, Spec};
use protocol::{Plan, ProcessRecord, RUNS, Verdict, canonical, judge, lines};

/// A folder with a register and trials in it.
pub struct Place(tempfile::TempDir);

impl Place {
    pub fn new() -> Place {
        Place(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn register(&self) -> PathBuf {
        self.path().join("register.jsonl")
    }

    /// The register's text.
    pub fn lines(&self) -> Vec<String> {
        let text = fs::read_to_string(self.register()).expect("a register");
        text.lines().map(str::to_owned).collect()
    }

    pub fn write_lines(&self, lines: &[String]) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(self.register(), text).expect("a register");
    }

    /// The register, locked.
    pub fn open(&self) -> RegisterFile {
        RegisterFile::open(&self.register(), &Holder::this("a test")).expect("a register").0
    }

    /// The lab, in this folder.
    pub fn lab(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench-lab"));
        command.args(arguments).current_dir(self.path()).env("BENCH_LAB_LOCKS", self.path());
        command.output().expect("the lab")
    }

    /// A trial whose plan is written and registered.
    pub fn plan(&self, name: &str, bundle: &str, gains: &[(&str, f64)]) -> Trial {
        let (plan, records) = synthetic::trial(&Spec::new(gains, 3)).expect("a trial");
        self.planned(name, bundle, plan, records)
    }

    fn planned(&self, name: &str, bundle: &str, mut plan: Plan, mut records: Vec<ProcessRecord>) -> Trial {
        let mut register = self.open();
        for component in &mut plan.components {
            component.switch = format!("define {} when on", component.name.to_uppercase());
        }
        plan.bundle = bundle.to_owned();
        plan.created = name.to_owned();
        plan.attempt = Some(register.register().attempts(bundle, &Component::of(&plan)).count() + 1);
        as_measured(&mut records);
        let trial = Trial { folder: self.path().join(name), plan, records, diagnostics: Vec::new() };
        fs::create_dir(&trial.folder).expect("a folder");
        trial.write_plan();
        let event = planned(&trial.plan, &trial.id(), &self.register(), &trial.folder);
        register.append(Event::Plan(event)).expect("a line");
        trial
    }

    /// Registers the starts of the first runs.
    pub fn start(&self, trial: &Trial, runs: usize) {
        let mut register = self.open();
        for run in 1..=runs {
            register.append(Event::Start(Start { plan_id: trial.id(), run })).expect("a line");
        }
    }

    /// Registers that the trial is void.
    pub fn void(&self, trial: &Trial) {
        let event = Void { plan_id: trial.id(), reason: "cancelled".into(), place: "run 1".into() };
        self.open().append(Event::Void(event)).expect("a line");
    }

    /// A whole trial, judged and registered; components with a gain of 0 are not proven.
    pub fn judged(&self, name: &str, bundle: &str, gains: &[(&str, f64)]) -> Trial {
        let trial = self.plan(name, bundle, gains);
        self.judge(&trial);
        trial
    }

    fn judge(&self, trial: &Trial) {
        self.start(trial, RUNS);
        trial.write_records();
        let verdict = trial.verdict();
        let text = verdict.text().expect("a verdict");
        let event = judgement(&trial.id(), &verdict, &text);
        self.open().append(Event::Verdict(event)).expect("a line");
        trial.write_verdict();
    }

    /// The same with diagnostics of two phases, in which all components are left out together; the register vouches for
    /// their records, of which `kept` keeps some.
    pub fn diagnosed(
        &self,
        name: &str,
        gains: &[(&str, f64)],
        kept: impl FnOnce(&mut Vec<ProcessRecord>),
    ) -> Trial {
        let spec = Spec::new(gains, 3);
        let (mut plan, records) = synthetic::trial(&spec).expect("a trial");
        let names: Vec<&str> = gains.iter().map(|(name, _)| *name).collect();
        let diagnostics = synthetic::diagnostics(&spec, &mut plan, &[(&names, 3.0)], 2);
        let mut trial = self.planned(name, name, plan, records);
        self.judge(&trial);
        trial.diagnostics = diagnostics.expect("sound groups");
        as_measured(&mut trial.diagnostics);
        kept(&mut trial.diagnostics);
        trial.write_diagnostics();
        let records_sha256 = canonical::sha256_hex(text(&trial.diagnostics).as_bytes());
        let event = Event::Diagnostics(Diagnosed { plan_id: trial.id(), records_sha256 });
        self.open().append(event).expect("a line");
        trial
    }
}

/// In the order in which the lab measures: by process, then by arm.
fn as_measured(records: &mut [ProcessRecord]) {
    records.sort_by_key(|record| (record.run, record.phase, record.process));
}

fn text(records: &[ProcessRecord]) -> String {
    records.iter().map(|record| lines::write(record).expect("a line")).collect()
}

/// A trial that was never run.
pub struct Trial {
    pub folder: PathBuf,
    pub plan: Plan,
    pub records: Vec<ProcessRecord>,
    /// Records of its diagnostics, if it has any.
    pub diagnostics: Vec<ProcessRecord>,
}

impl Trial {
    pub fn id(&self) -> String {
        canonical::plan_id(&self.plan).expect("an id")
    }

    pub fn verdict(&self) -> Verdict {
        let digest = canonical::sha256_hex(self.records_text().as_bytes());
        judge(&self.plan, &self.records, &digest).expect("a verdict")
    }

    pub fn records_text(&self) -> String {
        text(&self.records)
    }

    pub fn write_plan(&self) {
        fs::write(self.folder.join("plan.json"), canonical::to_bytes(&self.plan).expect("a plan"))
            .expect("a file");
    }

    pub fn write_records(&self) {
        fs::write(self.folder.join("records.jsonl"), self.records_text()).expect("a file");
    }

    pub fn write_diagnostics(&self) {
        fs::write(self.folder.join("diagnostics.jsonl"), text(&self.diagnostics)).expect("a file");
    }

    pub fn write_verdict(&self) {
        fs::write(self.folder.join("verdict.json"), self.verdict().text().expect("a verdict"))
            .expect("a file");
    }
}

/// A bundle that can be checked, with these components.
pub fn bundle(place: &Place, name: &str, components: &[&str]) -> PathBuf {
    fs::create_dir_all(place.path().join("tree")).expect("a folder");
    fs::write(place.path().join("work.epd"), "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\n").expect("a file");
    let written = |component: &&str| {
        let define = component.to_uppercase();
        format!(
            "# On {component}.\n[[component]]\nname = \"{component}\"\ndefine = \"{define}\"   # the flag\ncosts = []\n\n"
        )
    };
    let components: String = components.iter().map(written).collect();
    let text = format!(
        "# A bundle of a test.\nname = \"{name}\"\n\n[build]\nkind = \"command\"\npath = \"tree\"\nexecutable = \"engine\"\n\
         command = \"make CXXFLAGS='{{cc_flags}}' LDFLAGS='{{ld_flags}}'\"\n\n{components}\
         [workload]\npositions = \"work.epd\"\nnodes = 1000\n\n[identity]\npositions = 4\nnodes = 100\n\n\
         [[lane]]\nname = \"main\"\ncore = 0\n"
    );
    let path = place.path().join(format!("{name}.toml"));
    fs::write(&path, text).expect("a bundle");
    path
}

/// Text in which digests are told by their kind alone: they change with every field of a plan.
pub fn without_digests(text: &str) -> String {
    let mut out = String::new();
    let mut hex = String::new();
    for character in text.chars().chain(['\n']) {
        if character.is_ascii_hexdigit() && !character.is_ascii_uppercase() {
            hex.push(character);
            continue;
        }
        out.push_str(if hex.len() == 64 { "<SHA-256>" } else { &hex });
        hex.clear();
        out.push(character);
    }
    out.pop();
    out
}
