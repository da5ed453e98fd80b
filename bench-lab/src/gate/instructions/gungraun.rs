//! Benchmarks that count themselves, by gungraun: a command runs them, and their summaries are read.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use thiserror::Error;

use super::callgrind::{Counts, Malformed};
use crate::Cancel;
use crate::builds::BuildError;
use crate::builds::drive::{self, Job};
use crate::progress::Progress;

/// The format of the summaries that are understood.
const FORMAT: &str = "7";
/// The libraries that write it.
const WRITTEN_BY: &str = "gungraun 0.20";
/// A benchmark's summary.
const SUMMARY: &str = "summary.json";
/// What benchmarks may leave beside their summaries: the path of kernels that ran.
const SIMD_PATH: &str = "simd-path";

/// Why what the benchmarks left cannot be read.
#[derive(Debug, Error)]
pub enum Unreadable {
    /// A file or folder.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// No summary as the lab knows them.
    #[error("{}: not a summary of gungraun in format {FORMAT} ({WRITTEN_BY}): {found}", path.display())]
    Summary {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        found: String,
    },
    /// A bad file of callgrind.
    #[error("{}: not what callgrind writes: {source}", path.display())]
    Callgrind {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: Malformed,
    },
    /// The files beside a summary do not hold what it says.
    #[error("{}: it says {told} instructions, the files of callgrind beside it {counted}", path.display())]
    Differs {
        /// The summary.
        path: PathBuf,
        /// What it says.
        told: u64,
        /// What they hold.
        counted: u64,
    },
    /// One name for two benchmarks.
    #[error("two benchmarks are called `{0}`")]
    Twice(String),
    /// No summary at all.
    #[error(
        "the command has left no summary: it must run benchmarks of gungraun, and these need `valgrind` and \
         `gungraun-runner` in the version of the library (docs/gates-instructions.md)"
    )]
    Nothing,
}

/// What the benchmarks counted.
#[derive(Debug, Default)]
pub struct Counted {
    /// By name: group, function and case, joined by hyphens.
    pub benchmarks: BTreeMap<String, Counts>,
    /// The executables that were counted.
    pub executables: Vec<PathBuf>,
    /// The path of kernels that ran, where the benchmarks tell it.
    pub simd: Option<String>,
}

/// Runs the command that runs the benchmarks, such that `home` gets their summaries.
pub fn run(
    command: &str,
    folder: &Path,
    home: &Path,
    progress: &Progress,
    cancel: &Cancel,
) -> Result<(), BuildError> {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).current_dir(folder);
    shell.env("GUNGRAUN_HOME", home).env("GUNGRAUN_SAVE_SUMMARY", "json");
    let job = Job { arm: "head", shown: command, folder };
    drive::run_shell(job, shell, cancel, |line| progress.detail(line.trim()))
}

/// Reads all summaries below `home`, with the files of callgrind beside them.
pub fn read(home: &Path) -> Result<Counted, Unreadable> {
    let mut counted = Counted::default();
    if home.exists() {
        visit(home, &mut counted)?;
    }
    if counted.benchmarks.is_empty() {
        return Err(Unreadable::Nothing);
    }
    counted.executables.sort();
    counted.executables.dedup();
    Ok(counted)
}

fn visit(folder: &Path, counted: &mut Counted) -> Result<(), Unreadable> {
    for path in entries(folder)? {
        if path.is_dir() {
            visit(&path, counted)?;
            continue;
        }
        match path.file_name().and_then(|name| name.to_str()) {
            Some(SUMMARY) => {
                let summary = Summary::read(&path)?;
                let counts = counts_beside(&path, summary.instructions)?;
                if counted.benchmarks.insert(summary.name.clone(), counts).is_some() {
                    return Err(Unreadable::Twice(summary.name));
                }
                counted.executables.push(summary.executable);
            }
            Some(SIMD_PATH) => counted.simd = Some(text(&path)?.trim().to_owned()),
            _ => (),
        }
    }
    Ok(())
}

/// All threads of the process that was counted.
fn counts_beside(summary: &Path, told: u64) -> Result<Counts, Unreadable> {
    let mut sum = Counts::default();
    for path in entries(summary.parent().unwrap_or(Path::new(".")))? {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with("callgrind.") && name.ends_with(".out") {
            let counts = Counts::parse(&text(&path)?);
            sum.add(&counts.map_err(|source| Unreadable::Callgrind { path: path.clone(), source })?);
        }
    }
    match sum.total == told {
        true => Ok(sum),
        false => Err(Unreadable::Differs { path: summary.to_path_buf(), told, counted: sum.total }),
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Unreadable> {
    let unreadable = |source| Unreadable::Io { path: folder.to_path_buf(), source };
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    let mut paths =
        entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>().map_err(unreadable)?;
    paths.sort();
    Ok(paths)
}

fn text(path: &Path) -> Result<String, Unreadable> {
    fs::read_to_string(path).map_err(|source| Unreadable::Io { path: path.to_path_buf(), source })
}

/// What the lab wants to know of a summary.
#[derive(Debug, PartialEq, Eq)]
struct Summary {
    name: String,
    executable: PathBuf,
    instructions: u64,
}

impl Summary {
    fn read(path: &Path) -> Result<Summary, Unreadable> {
        Summary::of(&text(path)?).map_err(|found| Unreadable::Summary { path: path.to_path_buf(), found })
    }

    fn of(text: &str) -> Result<Summary, String> {
        let Version { version } = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if version != FORMAT {
            return Err(format!("format {version}"));
        }
        let written: Written = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let callgrind = written.profiles.iter().find(|profile| profile.tool == "Callgrind");
        let instructions = callgrind.and_then(|profile| profile.data.total.metrics.get("Ir"));
        let Some(instructions) = instructions.and_then(|metric| metric.values.new.as_u64()) else {
            return Err("it counts no instructions (Callgrind, Ir)".to_owned());
        };
        let names = [Some(written.group), Some(written.function_name), written.id];
        Ok(Summary {
            name: names.into_iter().flatten().collect::<Vec<_>>().join("-"),
            executable: written.project_root.join(written.benchmark_exe),
            instructions,
        })
    }
}

#[derive(Deserialize)]
struct Version {
    version: String,
}

#[derive(Deserialize)]
struct Written {
    group: String,
    function_name: String,
    id: Option<String>,
    project_root: PathBuf,
    benchmark_exe: PathBuf,
    profiles: Vec<Profile>,
}

#[derive(Deserialize)]
struct Profile {
    tool: String,
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    total: Total,
}

#[derive(Deserialize)]
struct Total {
    metrics: BTreeMap<String, Metric>,
}

#[derive(Deserialize)]
struct Metric {
    values: Values,
}

/// What was counted last time, `old`, is nobody's business here.
#[derive(Deserialize)]
struct Values {
    new: serde_json::Value,
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUT: &str = include_str!("callgrind/plain.out");

    fn summary(id: &str, instructions: u64) -> String {
        serde_json::json!({
            "version": "7", "group": "nnue", "function_name": "pieces", "id": id, "kind": "LibraryBenchmark",
            "project_root": "/repository", "benchmark_exe": "target/release/deps/instructions-1",
            "profiles": [
                {"tool": "DHAT", "data": {"parts": [], "total": {"metrics": {}, "regressions": []}}},
                {"tool": "Callgrind", "data": {"parts": [], "total": {"regressions": [], "metrics": {
                    "Ir": {"values": {"new": instructions, "old": 3}}, "L1HitRate": {"values": {"new": 0.5}},
                }}}},
            ],
        })
        .to_string()
    }

    fn home(benchmarks: &[(&str, &str, u64)]) -> tempfile::TempDir {
        let home = tempfile::tempdir().expect("a folder");
        for (folder, id, instructions) in benchmarks {
            let folder = home.path().join("engine/instructions/nnue").join(folder);
            fs::create_dir_all(&folder).expect("made");
            fs::write(folder.join(SUMMARY), summary(id, *instructions)).expect("written");
            fs::write(folder.join("callgrind.pieces.t1.p1.out"), OUT).expect("written");
            fs::write(folder.join("callgrind.pieces.t1.p1.out.old"), "garbage").expect("written");
            fs::write(folder.join("callgrind.pieces.log"), "garbage").expect("written");
        }
        home
    }

    #[test]
    fn summaries_are_found_and_read_with_the_files_beside_them() {
        let home = home(&[("pieces.quiet", "quiet", 857), ("pieces.capture", "capture", 857)]);
        fs::write(home.path().join("engine/instructions").join(SIMD_PATH), "avx2\n").expect("written");
        let counted = read(home.path()).expect("good");
        assert_eq!(
            counted.benchmarks.keys().collect::<Vec<_>>(),
            ["nnue-pieces-capture", "nnue-pieces-quiet"]
        );
        assert_eq!(counted.benchmarks["nnue-pieces-quiet"].functions["main"].own, 14);
        assert_eq!(counted.simd.as_deref(), Some("avx2"));
        assert_eq!(counted.executables, [Path::new("/repository/target/release/deps/instructions-1")]);
    }

    #[test]
    fn threads_are_put_together() {
        let home = home(&[("pieces.quiet", "quiet", 2 * 857)]);
        let folder = home.path().join("engine/instructions/nnue/pieces.quiet");
        fs::write(folder.join("callgrind.pieces.t2.p1.out"), OUT).expect("written");
        assert_eq!(read(home.path()).expect("good").benchmarks["nnue-pieces-quiet"].total, 2 * 857);
    }

    fn told(home: &tempfile::TempDir) -> String {
        let error = read(home.path()).expect_err("bad").to_string();
        error.replace(&home.path().display().to_string(), "HOME")
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        assert!(told(&home(&[])).starts_with("the command has left no summary"));
        assert_eq!(
            told(&home(&[("a", "one", 857), ("b", "one", 857)])),
            "two benchmarks are called `nnue-pieces-one`"
        );
        assert_eq!(
            told(&home(&[("a", "one", 858)])),
            "HOME/engine/instructions/nnue/a/summary.json: it says 858 instructions, the files of callgrind beside it 857"
        );
        let other = home(&[("a", "one", 857)]);
        let path = other.path().join("engine/instructions/nnue/a").join(SUMMARY);
        fs::write(&path, summary("one", 857).replace("\"version\":\"7\"", "\"version\":\"8\""))
            .expect("written");
        assert_eq!(
            told(&other),
            "HOME/engine/instructions/nnue/a/summary.json: not a summary of gungraun in format 7 (gungraun 0.20): format 8"
        );
        fs::write(&path, summary("one", 857).replace("\"Ir\"", "\"Dr\"")).expect("written");
        assert!(told(&other).ends_with("it counts no instructions (Callgrind, Ir)"), "{}", told(&other));
        fs::write(&path, summary("one", 857)).expect("written");
        fs::write(path.with_file_name("callgrind.pieces.t1.p1.out"), "fn=a\n").expect("written");
        assert!(
            told(&other)
                .ends_with("not what callgrind writes: it has no line `totals:`: was callgrind killed?")
        );
    }
}
