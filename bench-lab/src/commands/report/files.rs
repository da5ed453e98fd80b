//! Where reports are written, and what is never overwritten.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use reports::{MARK, MARKER};

use super::{Format, Made};
use crate::commands::{Failure, chain};
use crate::output::{Files, make_folder};
use crate::room;

/// Where a report is to go.
pub(super) struct Target<'a> {
    pub format: Format,
    /// The trial's folder.
    pub dir: &'a Path,
    /// What the user named, if anything.
    pub output: Option<&'a Path>,
}

/// What became of it.
#[derive(Debug)]
pub(super) enum Written {
    /// It is meant for standard output.
    Out(String),
    /// The files.
    At(Vec<PathBuf>),
}

/// What names the place in messages.
const OUTPUT: &str = "--output";

/// Puts a report where it is to go: all of its files, or none. Files that no report of that kind is are left alone
/// unless `force` says otherwise.
pub(super) fn write(target: &Target, made: Made, force: bool) -> Result<Written, Failure> {
    let mut new_folder = None;
    let files = match (made, target.is_out()) {
        (Made::One(text), true) => return Ok(Written::Out(text)),
        (Made::Plots(plots), true) => match <[_; 1]>::try_from(plots) {
            Ok([plot]) => return Ok(Written::Out(plot.svg)),
            Err(plots) => return Err(several(plots.len(), "standard output")),
        },
        (Made::One(text), false) => vec![(target.file(), text)],
        (Made::Plots(plots), false) => {
            let (place, count) = (target.file(), plots.len());
            let is_file = place.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
            if is_file && count > 1 {
                return Err(several(count, &place.display().to_string()));
            }
            if !is_file {
                new_folder = (!place.exists()).then(|| place.clone());
                make_folder(&place, &format!("name another place with {OUTPUT}"))?;
            }
            let path = |name: &str| if is_file { place.clone() } else { place.join(format!("{name}.svg")) };
            plots.into_iter().map(|plot| (path(&plot.name), plot.svg)).collect()
        }
    };
    for (path, _) in files.iter().filter(|_| !force) {
        spare(target.format, path)?;
    }
    put(&files).map_err(|error| {
        if let Some(folder) = &new_folder {
            // Only an empty one goes; whatever else came into it meanwhile is not ours.
            let _ = fs::remove_dir(folder);
        }
        let cause = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
        let help = cause.map_or(String::new(), |cause| room::hint(cause, Some(OUTPUT)));
        anyhow::anyhow!("{}{help}", chain(&error))
    })?;
    Ok(Written::At(files.into_iter().map(|(path, _)| path).collect()))
}

fn put(files: &[(PathBuf, String)]) -> anyhow::Result<()> {
    let mut written = Files::new();
    files.iter().try_for_each(|(path, text)| written.add(path, text.as_bytes()))?;
    written.finish()
}

fn several(count: usize, place: &str) -> Failure {
    Failure::Usage(format!(
        "{place} takes one plot, not {count}: choose one with --plot, or name a folder with {OUTPUT}"
    ))
}

/// Refuses to overwrite what is no report of this kind.
fn spare(format: Format, path: &Path) -> Result<(), Failure> {
    let refuse = |what: &str| {
        let path = path.display();
        Failure::Usage(format!(
            "{path} is there already and is {what}: name another place with {OUTPUT}, or overwrite it with --force"
        ))
    };
    match fs::read(path) {
        Ok(bytes) if is_ours(format, &String::from_utf8_lossy(&bytes)) => Ok(()),
        Ok(_) => Err(refuse(&format!("no report of bench-lab's ({})", format.words()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) if path.is_dir() => Err(refuse("a folder")),
        Err(error) => Err(refuse(&format!("not readable ({error})"))),
    }
}

/// Whether a file is such a report, by what every one of them holds.
fn is_ours(format: Format, text: &str) -> bool {
    match format {
        Format::Html => text.contains("· leave-one-out trial</title>"),
        Format::Md => text.contains(MARKER),
        Format::Json => text.contains("\"schema\": \"bench-lab-report/"),
        Format::Svg => text.contains(MARK),
    }
}

impl Target<'_> {
    fn is_out(&self) -> bool {
        self.output == Some(Path::new("-"))
    }

    /// The file, or for plots the folder or file.
    fn file(&self) -> PathBuf {
        self.output.map_or_else(|| self.dir.join(self.format.name()), Path::to_path_buf)
    }
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Format::Html => "report.html",
            Format::Md => "report.md",
            Format::Json => "report.json",
            Format::Svg => "plots",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Format::Html => "a page",
            Format::Md => "a comment",
            Format::Json => "JSON",
            Format::Svg => "a plot",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reports::Plot;

    fn target<'a>(format: Format, dir: &'a Path, output: Option<&'a Path>) -> Target<'a> {
        Target { format, dir, output }
    }

    fn plots(names: &[&str]) -> Made {
        let plot =
            |name: &&str| Plot { kind: "runs", name: (*name).to_owned(), svg: format!("<svg {MARK}/>") };
        Made::Plots(names.iter().map(plot).collect())
    }

    #[test]
    fn defaults_lie_in_the_trials_folder() {
        let dir = tempfile::tempdir().expect("a folder");
        for (format, name) in
            [(Format::Html, "report.html"), (Format::Md, "report.md"), (Format::Json, "report.json")]
        {
            let target = target(format, dir.path(), None);
            let written = write(&target, Made::One("x".to_owned()), false).expect("written");
            assert!(
                matches!(&written, Written::At(paths) if *paths == [dir.path().join(name)]),
                "{written:?}"
            );
        }
        let written =
            write(&target(Format::Svg, dir.path(), None), plots(&["a", "b"]), false).expect("written");
        assert!(matches!(&written, Written::At(paths) if paths.len() == 2));
        assert!(dir.path().join("plots/b.svg").is_file());
    }

    #[test]
    fn what_is_no_report_stays() {
        let dir = tempfile::tempdir().expect("a folder");
        let mine = dir.path().join("notes.md");
        fs::write(&mine, "my own notes").expect("written");
        let target = target(Format::Md, dir.path(), Some(&mine));
        let text = || Made::One(format!("new {MARKER}"));
        let refused = write(&target, text(), false).expect_err("it is not ours");
        assert!(matches!(&refused, Failure::Usage(_)), "{refused}");
        assert!(
            refused.to_string().starts_with(&format!("{} is there already", mine.display())),
            "{refused}"
        );
        assert_eq!(fs::read_to_string(&mine).expect("there"), "my own notes");
        write(&target, text(), true).expect("told to");
        write(&target, text(), false).expect("it is ours now");
        let folder = Target { output: Some(dir.path()), ..target };
        assert!(write(&folder, text(), false).expect_err("a folder").to_string().contains("is a folder"));
    }

    #[test]
    fn one_foreign_file_among_plots_keeps_all_from_being_written() {
        let dir = tempfile::tempdir().expect("a folder");
        fs::create_dir(dir.path().join("plots")).expect("a folder");
        fs::write(dir.path().join("plots/b.svg"), "<svg/>").expect("written");
        let target = target(Format::Svg, dir.path(), None);
        assert!(write(&target, plots(&["a", "b"]), false).is_err());
        assert!(!dir.path().join("plots/a.svg").exists());
    }

    #[test]
    fn several_plots_are_no_single_file() {
        let dir = tempfile::tempdir().expect("a folder");
        for output in ["-", "all.svg"] {
            let target = target(Format::Svg, dir.path(), Some(Path::new(output)));
            let refused = write(&target, plots(&["a", "b"]), false).expect_err("two").to_string();
            assert!(refused.contains("takes one plot, not 2"), "{refused}");
        }
        let out = target(Format::Svg, dir.path(), Some(Path::new("-")));
        assert!(matches!(write(&out, plots(&["a"]), false), Ok(Written::Out(_))));
        let file = dir.path().join("one.SVG");
        let one = target(Format::Svg, dir.path(), Some(&file));
        assert!(write(&one, plots(&["a"]), false).is_ok() && file.is_file());
    }
}
