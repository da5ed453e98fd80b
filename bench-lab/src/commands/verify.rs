//! `bench-lab verify`: believes nothing of a trial and computes everything again.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;
use protocol::verify::{self, DIAGNOSTICS, Diagnosed, Files, PLAN, RECORDS, RegisterFile, VERDICT, Verified};

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
    let (verdict, diagnostics) = (read_if_there(dir, VERDICT)?, read_if_there(dir, DIAGNOSTICS)?);
    let files = Files {
        plan: &plan,
        records: &records,
        verdict: verdict.as_deref(),
        diagnostics: diagnostics.as_deref(),
        register,
    };
    let verified = verify::verify(&files).map_err(anyhow::Error::from)?;
    print(&told(&verified))?;
    if verified.plan.diagnostics.is_some() {
        print(&diagnostics_line(verified.diagnostics.as_ref(), verified.registered.is_some()))?;
    }
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

fn read_if_there(dir: &Path, name: &str) -> anyhow::Result<Option<Vec<u8>>> {
    match fs::read(dir.join(name)) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e).with_context(|| format!("cannot read {}", dir.join(name).display())),
    }
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

/// What was looked at of the diagnostics that the plan has, and who vouches for it.
fn diagnostics_line(found: Option<&Diagnosed>, is_registered: bool) -> String {
    let Some(Diagnosed { records, broke_off, line, .. }) = found else {
        return "diagnostics    not there: they were not measured\n".to_owned();
    };
    let end = broke_off.as_ref().map_or(String::new(), |place| format!("; they broke off before {place}"));
    let vouched = match line {
        Some(line) => format!("SHA-256 as in line {line} of the register"),
        None if is_registered => "the register has no line of them".to_owned(),
        None => "checked without a register".to_owned(),
    };
    format!(
        "diagnostics    {DIAGNOSTICS}: {records} records, each in its place; sums, draws and slots as planned; \
         {vouched}{end}\n"
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
