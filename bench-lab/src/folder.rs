//! A trial's folder: what is in it, written so that it is there whole or not at all.

mod paused;
mod records;
mod timing;

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use protocol::{Plan, ProcessRecord, Verdict};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{hash, room};

pub use paused::Paused;
pub use records::RecordsWriter;
pub(crate) use timing::Draws;
pub use timing::{Break, Seconds, Timing};

const PLAN: &str = "plan.json";
const RECORDS: &str = "records.jsonl";
const DIAGNOSTICS: &str = "diagnostics.jsonl";
const VERDICT: &str = "verdict.json";
const VOID: &str = "void.json";
const TIMING: &str = "timing.json";
const REPORT: &str = "report.html";

/// The folder of one trial.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The option that names it, where it is not an earlier trial's.
    named_by: Option<&'static str>,
    /// The folder did not exist before.
    made: bool,
    /// A file without a name that keeps room on the disk, so that a trial that fills it can still be told
    /// to be void.
    reserve: Option<File>,
}

/// What names the folder of a new trial.
const NEW: Option<&str> = Some(room::TRIAL);

/// Bytes kept for `void.json`.
const RESERVE: usize = 64 * 1024;

/// Why a trial counts for nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Void {
    /// Id of the plan that was broken off.
    pub plan_id: String,
    /// What happened.
    pub reason: String,
    /// Where: the run, phase and lane, as far as it got.
    pub place: String,
    /// When, RFC 3339 in UTC.
    pub time: String,
}

/// Why a folder can't be used.
#[derive(Debug, Error)]
pub enum FolderError {
    /// It holds something already.
    #[error("the folder {path} is not empty (it holds {holds}); a trial is never overwritten: name another one with --out", path = .path.display())]
    NotEmpty {
        /// The folder.
        path: PathBuf,
        /// Something in it.
        holds: String,
    },
    /// The system refuses.
    #[error("cannot {action} {path}: {source}{}", room::remedy(action, source, *named_by), path = .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// With which file.
        path: PathBuf,
        /// The option that names another folder, where that helps.
        named_by: Option<&'static str>,
        /// What the system says.
        source: io::Error,
    },
    /// The page of a finished trial can't be written; it can be drawn elsewhere too.
    #[error("cannot write {path}: {source}{}", drawn_elsewhere(source), path = .path.display())]
    Page {
        /// The page.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another lab has it.
    #[error("{path}: a lab is at work on this trial already", path = .path.display())]
    AtWork {
        /// What it holds.
        path: PathBuf,
    },
    /// A file is not what it should be.
    #[error("{path}: {what}", path = .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong, where.
        what: String,
    },
}

/// What helps who can't have the page where the trial is.
fn drawn_elsewhere(error: &io::Error) -> String {
    match room::hint(error, None) {
        help if help.is_empty() => help,
        help => format!("{help}, or draw it elsewhere: `bench-lab report DIR --output FILE`"),
    }
}

impl FolderError {
    fn io(
        action: &'static str,
        path: &Path,
        named_by: Option<&'static str>,
    ) -> impl FnOnce(io::Error) -> FolderError {
        move |source| FolderError::Io {
            action,
            path: path.to_path_buf(),
            named_by,
            source: layouts::nameless(source),
        }
    }

    fn read(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
        FolderError::io("read", path, None)
    }

    fn content(path: &Path, what: impl ToString) -> FolderError {
        FolderError::Content { path: path.to_path_buf(), what: what.to_string() }
    }
}

impl Folder {
    /// Takes a new or empty folder for a trial and makes sure that it can be written to.
    pub fn create(path: &Path) -> Result<Folder, FolderError> {
        let made = !path.exists();
        fs::create_dir_all(path).map_err(FolderError::io("create", path, NEW))?;
        if let Some(entry) = fs::read_dir(path).map_err(FolderError::read(path))?.next() {
            let entry = entry.map_err(FolderError::read(path))?;
            let holds = entry.file_name().to_string_lossy().into_owned();
            return Err(FolderError::NotEmpty { path: path.to_path_buf(), holds });
        }
        let reserve = tempfile::tempfile_in(path).and_then(|mut file| {
            file.write_all(&[b'-'; RESERVE])?;
            Ok(file)
        });
        let reserve = Some(reserve.map_err(FolderError::io("write to", path, NEW))?);
        Ok(Folder { path: path.to_path_buf(), named_by: NEW, made, reserve })
    }

    /// The folder of an earlier trial.
    pub fn open(path: &Path) -> Result<Folder, FolderError> {
        let plan = path.join(PLAN);
        match plan.is_file() {
            true => Ok(Folder { path: path.to_path_buf(), named_by: None, made: false, reserve: None }),
            false => Err(FolderError::content(&plan, "not there: this is not the folder of a trial")),
        }
    }

    /// Removes the folder again if nothing was put into it.
    pub fn abandon(&self) {
        if self.made {
            // A folder that holds something stays; that is the point.
            let _ = fs::remove_dir(&self.path);
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the plan is.
    pub fn plan_path(&self) -> PathBuf {
        self.path.join(PLAN)
    }

    /// Writes the plan, once and for ever, and gives its id.
    pub fn write_plan(&self, plan: &Plan) -> Result<String, FolderError> {
        let path = self.path.join(PLAN);
        let bytes = protocol::canonical::to_bytes(plan).map_err(|e| FolderError::content(&path, e))?;
        if path.exists() {
            return Err(FolderError::content(&path, "there is a plan already; a plan never changes"));
        }
        self.put(PLAN, &bytes)?;
        fs::set_permissions(&path, Permissions::from_mode(0o444)).map_err(FolderError::io(
            "protect",
            &path,
            self.named_by,
        ))?;
        Ok(protocol::canonical::sha256_hex(&bytes))
    }

    /// Takes a plan back that nobody has heard of, because it could not be registered.
    pub fn withdraw_plan(&self) -> Result<(), FolderError> {
        self.remove(PLAN)
    }

    /// Reads the plan back, with its id.
    pub fn read_plan(&self) -> Result<(Plan, String), FolderError> {
        let path = self.path.join(PLAN);
        let (bytes, plan_id) = hash::read(&path).map_err(FolderError::read(&path))?;
        let plan = serde_json::from_slice(&bytes).map_err(|e| FolderError::content(&path, e))?;
        Ok((plan, plan_id))
    }

    /// Makes the file of records, to be appended to.
    pub fn records(&self) -> Result<RecordsWriter, FolderError> {
        RecordsWriter::create(self.path.join(RECORDS), self.named_by)
    }

    /// Opens the records of a paused trial, to be appended to.
    pub fn more_records(&self) -> Result<RecordsWriter, FolderError> {
        RecordsWriter::open(self.path.join(RECORDS), self.named_by)
    }

    /// How many records there are, while more may be coming.
    pub fn count_records(&self) -> Result<usize, FolderError> {
        let path = self.path.join(RECORDS);
        let bytes = fs::read(&path).map_err(FolderError::read(&path))?;
        Ok(bytes.iter().filter(|&&byte| byte == b'\n').count())
    }

    /// Whether a lab is at work on this trial.
    pub fn is_at_work(&self) -> Result<bool, FolderError> {
        records::is_held(&self.path.join(RECORDS))
    }

    /// Reads all records back, with the SHA-256 of their bytes.
    pub fn read_records(&self) -> Result<(Vec<ProcessRecord>, String), FolderError> {
        records::read(&self.path.join(RECORDS))
    }

    /// Opens the file of the diagnostics' records for appending.
    pub fn diagnostic_records(&self) -> Result<RecordsWriter, FolderError> {
        RecordsWriter::create(self.path.join(DIAGNOSTICS), self.named_by)
    }

    /// Reads the diagnostics' records back, with the SHA-256 of their bytes, as far as there are any.
    pub fn read_diagnostics(&self) -> Result<Option<(Vec<ProcessRecord>, String)>, FolderError> {
        let path = self.path.join(DIAGNOSTICS);
        match path.exists() {
            true => records::read(&path).map(Some),
            false => Ok(None),
        }
    }

    /// Writes the verdict.
    pub fn write_verdict(&self, verdict: &Verdict) -> Result<(), FolderError> {
        let text = verdict.text().map_err(|e| FolderError::content(&self.path.join(VERDICT), e))?;
        self.put(VERDICT, text.as_bytes())
    }

    /// The stored verdict, if there is one.
    pub fn read_verdict(&self) -> Result<Option<Verdict>, FolderError> {
        self.read_json(VERDICT)
    }

    /// Writes why the trial is void, in the room that was kept for it. Nobody pauses what is over, and nobody resumes it.
    pub fn write_void(&self, void: &Void) -> Result<(), FolderError> {
        if let Some(reserve) = &self.reserve {
            // If that fails, there may be room all the same; writing tells.
            let _ = reserve.set_len(0);
        }
        self.put_json(VOID, void)?;
        self.forget_pause()?;
        self.end_pause()
    }

    /// Why the trial is void, if it is.
    pub fn read_void(&self) -> Result<Option<Void>, FolderError> {
        self.read_json(VOID)
    }

    /// Writes where the time went.
    pub fn write_timing(&self, timing: &Timing) -> Result<(), FolderError> {
        self.put_json(TIMING, timing)
    }

    /// Where the time went, if that was kept.
    pub fn read_timing(&self) -> Result<Option<Timing>, FolderError> {
        self.read_json(TIMING)
    }

    /// Writes the report and gives its path.
    pub fn write_report(&self, html: &str) -> Result<PathBuf, FolderError> {
        let path = self.path.join(REPORT);
        match self.put_whole(&path, html.as_bytes()) {
            Ok(()) => Ok(path),
            Err(source) => Err(FolderError::Page { path, source }),
        }
    }

    /// The report, if it was drawn.
    pub fn read_report(&self) -> Result<Option<String>, FolderError> {
        let path = self.path.join(REPORT);
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(FolderError::read(&path)(e)),
        }
    }

    fn put_json<T: Serialize>(&self, name: &str, value: &T) -> Result<(), FolderError> {
        let mut text = serde_json::to_string_pretty(value)
            .map_err(|e| FolderError::content(&self.path.join(name), e))?;
        text.push('\n');
        self.put(name, text.as_bytes())
    }

    fn read_json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, FolderError> {
        let path = self.path.join(name);
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|e| FolderError::content(&path, e)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(FolderError::read(&path)(e)),
        }
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let path = self.path.join(name);
        self.put_whole(&path, bytes).map_err(FolderError::io("write", &path, self.named_by))
    }

    /// Writes a file beside its place, syncs it and moves it there.
    fn put_whole(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let write = || -> io::Result<()> {
            let mut file = tempfile::Builder::new()
                .prefix(".writing-")
                .permissions(Permissions::from_mode(0o644))
                .tempfile_in(&self.path)?;
            file.as_file_mut().write_all(bytes)?;
            file.as_file().sync_all()?;
            file.persist(path).map_err(|e| e.error)?;
            File::open(&self.path)?.sync_all()
        };
        write().map_err(layouts::nameless)
    }
}
