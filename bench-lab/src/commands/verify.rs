//! `bench-lab verify`: believes nothing of a trial and computes everything again.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;
use protocol::verify::{self, Files, PLAN, RECORDS, RegisterFile, VERDICT, Verified};

use super::{Failure, eliminated::tidy, print};
use crate::exit::Exit;
use crate::folder::Folder;
use crate::register;

/// Verifies a trial's folder against itself and the register, and says what fits.
pub fn verify(dir: &Path, register: Option<PathBuf>) -> Result<Exit, Failure> {
    let folder = Folder::open(dir).map_err(anyhow::Error::from)?;
    let plan = read(dir, PLAN)?;
    let named = register.is_some();
    let path = tidy(&register.unwrap_or_else(|| register::near(dir)));
    let bytes = match fs::read(&path) {
        Ok(bytes) => Some(bytes),
        Err(e) if e.kind() == ErrorKind::NotFound && !named => None,
        Err(e) => {
            return Err(anyhow::Error::new(e).context(format!("cannot read {}", path.display())).into());
        }
    };
    let is_here = |noted: &str| {
        let noted = register::seen_from(&path, noted).canonicalize();
        dir.canonicalize().is_ok_and(|dir| noted.is_ok_and(|noted| noted == dir))
    };
    let name = path.display().to_string();
    let register = bytes.as_deref().map(|bytes| RegisterFile { name: &name, bytes, is_here: &is_here });

    if let Some(void) = folder.read_void().map_err(anyhow::Error::from)? {
        let (_, registered) = verify::verify_void(&plan, register.as_ref()).map_err(anyhow::Error::from)?;
        print(&register_line(&name, registered, None, bytes.is_some()))?;
        return Err(Failure::Void(format!(
            "this trial is void, so there is nothing to compute: {}\n  {} ({})",
            void.reason, void.place, void.time
        )));
    }
    let records = read(dir, RECORDS)?;
    let verdict = match fs::read(dir.join(VERDICT)) {
        Ok(bytes) => Some(bytes),
        Err(e) if e.kind() == ErrorKind::NotFound => None,
        Err(e) => return Err(anyhow::Error::new(e).context(format!("cannot read {VERDICT}")).into()),
    };
    let files = Files { plan: &plan, records: &records, verdict: verdict.as_deref(), register };
    let verified = verify::verify(&files).map_err(anyhow::Error::from)?;
    print(&told(&verified))?;
    print(&register_line(&name, verified.registered, verified.plan.attempt, bytes.is_some()))?;
    print(&page(&folder)?)?;
    let word = if verified.verdict.proven { "proven" } else { "not proven" };
    print(&format!("everything fits: {word}\n"))?;
    Ok(Exit::Proven)
}

fn read(dir: &Path, name: &str) -> anyhow::Result<Vec<u8>> {
    let path = dir.join(name);
    fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
}

/// What was looked at in the folder.
fn told(verified: &Verified) -> String {
    let Verified { plan, plan_id, records, verdict, .. } = verified;
    let values = (verdict.components.len() + 1) * plan.lanes.len() * protocol::RUNS;
    format!(
        "{PLAN:<14} canonical, its order balanced, SHA-256 {plan_id}\n\
         {RECORDS:<14} {records} records, each in its place; sums, draws and slots as planned; SHA-256 {}\n\
         {VERDICT:<14} {} phase values, {values} run values and every word as plan and records give them\n",
        verdict.records_sha256,
        values * protocol::PHASES,
    )
}

/// What the register says, or that it says nothing.
fn register_line(
    name: &str,
    registered: Option<(usize, usize)>,
    attempt: Option<usize>,
    is_there: bool,
) -> String {
    match registered {
        Some((line, lines)) => {
            let attempt = attempt.map_or(String::new(), |attempt| format!(", attempt {attempt}"));
            format!(
                "register       {name}: the chain of {lines} lines holds; the plan is in line {line}{attempt}\n"
            )
        }
        None => {
            let why = match is_there {
                true => format!("{name} has no line of it"),
                false => format!("there is no register {name}; name another one with --register"),
            };
            format!(
                "note: this trial was checked without a register, so nobody knows how many attempts there were: {why}\n"
            )
        }
    }
}

/// The page is drawn from the other files; it proves nothing, but people read it.
fn page(folder: &Folder) -> anyhow::Result<String> {
    let drawn = super::report::page(folder)?;
    Ok(match folder.read_report()? {
        Some(page) if page == drawn => "report.html    as these files give it\n".to_owned(),
        Some(_) => format!(
            "note: report.html is not the page that this lab draws from these files; `bench-lab report {}` draws it anew\n",
            folder.path().display()
        ),
        None => String::new(),
    })
}
