//! A linker's command line: its words, the files among them, and what kind of link it asks for.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::words;
use crate::Error;

/// The words of one link.
#[derive(Clone, Debug, Default)]
pub struct CommandLine {
    items: Vec<Item>,
}

/// One word, or an option with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The words as they were given.
    pub words: Vec<OsString>,
    /// The object or archive that they name.
    pub file: Option<PathBuf>,
}

impl CommandLine {
    /// Takes the words of response files in and finds the files that libraries stand for.
    pub fn parse(args: &[OsString]) -> Result<Self, Error> {
        let words = words::expanded(args)?;
        let folders = search_folders(&words);
        let mut items = Vec::new();
        let mut only_static = vec![false];
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.next() {
            let mut item = vec![word.clone()];
            let text = word.to_string_lossy();
            let name = text.trim_start_matches('-');
            let now = only_static.last_mut();
            match (text.as_ref(), name) {
                ("-l" | "-L" | "-o" | "-m" | "-z", _)
                | (_, "library" | "library-path" | "output" | "reproduce" | "plugin") => {
                    item.extend(words.next());
                }
                (_, "static" | "Bstatic" | "dn" | "non_shared") => {
                    now.into_iter().for_each(|now| *now = true)
                }
                (_, "Bdynamic" | "dy" | "call_shared") => now.into_iter().for_each(|now| *now = false),
                (_, "push-state") => only_static.extend(only_static.last().copied()),
                (_, "pop-state") if only_static.len() > 1 => only_static.truncate(only_static.len() - 1),
                _ => {}
            }
            let only_static = only_static.last().copied().unwrap_or_default();
            let file = match library(&item) {
                Some(name) => find_library(&name, &folders, only_static),
                None if item.len() == 1 && !text.starts_with('-') => Some(PathBuf::from(&word)),
                None => None,
            };
            items.push(Item { words: item, file: file.filter(|path| path.is_file()) });
        }
        Ok(Self { items })
    }

    /// The words and files in their order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// All words.
    pub fn words(&self) -> impl Iterator<Item = &OsStr> {
        self.items.iter().flat_map(|item| item.words.iter().map(OsString::as_os_str))
    }

    /// Whether the link makes an executable, not a shared library, a partly linked object or a message.
    pub fn makes_executable(&self) -> bool {
        let other = ["r", "i", "relocatable", "shared", "Bshareable", "G"];
        let is_other = |item: &Item| {
            let word = item.words[0].to_string_lossy();
            word.strip_prefix('-').is_some_and(|name| other.contains(&name.trim_start_matches('-')))
        };
        !self.items.iter().any(is_other) && self.items.iter().any(|item| item.file.is_some())
    }

    /// Where `--reproduce` puts the record of the link.
    pub fn record(&self) -> Option<&Path> {
        self.items.iter().rev().find_map(|item| item.value("reproduce")).map(Path::new)
    }

    /// The same link without its record.
    pub fn without_record(&self) -> Self {
        self.without(|item| item.value("reproduce").is_some())
    }

    /// The same link without the items that this picks.
    pub fn without(&self, drop: impl Fn(&Item) -> bool) -> Self {
        Self { items: self.items.iter().filter(|item| !drop(item)).cloned().collect() }
    }
}

impl Item {
    /// The value of this long option, if it is that.
    pub fn value(&self, option: &str) -> Option<&OsStr> {
        let bytes = self.words[0].as_bytes();
        let name = bytes.strip_prefix(b"--").or_else(|| bytes.strip_prefix(b"-"))?;
        match name.strip_prefix(option.as_bytes())? {
            [] => self.words.get(1).map(OsString::as_os_str),
            [b'=', value @ ..] => Some(OsStr::from_bytes(value)),
            _ => None,
        }
    }
}

/// The name behind `-l` in any of its spellings.
fn library(words: &[OsString]) -> Option<OsString> {
    let first = words[0].as_bytes();
    match words {
        [_, value] if matches!(first, b"-l" | b"--library") => Some(value.clone()),
        [_] => {
            let name = first.strip_prefix(b"--library=").or_else(|| first.strip_prefix(b"-l"))?;
            Some(OsStr::from_bytes(name).to_owned())
        }
        _ => None,
    }
}

/// The folders of all `-L`, wherever they stand.
fn search_folders(words: &[OsString]) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let bytes = word.as_bytes();
        let folder = match bytes {
            b"-L" | b"--library-path" => words.next().map(|word| word.as_bytes()),
            _ => bytes.strip_prefix(b"--library-path=").or_else(|| bytes.strip_prefix(b"-L")),
        };
        folders.extend(folder.map(|folder| PathBuf::from(OsStr::from_bytes(folder))));
    }
    folders
}

/// The archive that the linker takes for `-l NAME`; none if it takes a shared library or there is nothing.
fn find_library(name: &OsStr, folders: &[PathBuf], only_static: bool) -> Option<PathBuf> {
    if let Some(exact) = name.as_bytes().strip_prefix(b":") {
        return folders
            .iter()
            .map(|folder| folder.join(OsStr::from_bytes(exact)))
            .find(|path| path.is_file());
    }
    let file = |end: &str| {
        let mut file = OsString::from("lib");
        file.push(name);
        file.push(end);
        file
    };
    for folder in folders {
        if !only_static && folder.join(file(".so")).is_file() {
            return None;
        }
        let archive = folder.join(file(".a"));
        if archive.is_file() {
            return Some(archive);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn line(words: &[&str]) -> CommandLine {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        CommandLine::parse(&words).expect("parses")
    }

    #[test]
    fn kinds_of_links() {
        let file =
            file!().rsplit_once("/src/").map_or("src/lib.rs".into(), |(_, rest)| format!("src/{rest}"));
        assert!(line(&["-pie", "-o", "x", &file]).makes_executable());
        for other in ["-r", "-shared", "--shared", "--relocatable"] {
            assert!(!line(&[other, "-o", "x", &file]).makes_executable(), "{other}");
        }
        assert!(!line(&["--version"]).makes_executable(), "no input");
    }

    #[test]
    fn the_record_is_found_and_left_out() {
        for words in [["--reproduce=a.tar", "-O1"].as_slice(), &["--reproduce", "a.tar", "-O1"]] {
            let line = line(words);
            assert_eq!(line.record(), Some(Path::new("a.tar")));
            assert_eq!(line.without_record().words().collect::<Vec<_>>(), ["-O1"]);
        }
    }

    #[test]
    fn libraries_stand_for_the_files_that_the_linker_takes() {
        let dir = tempfile::tempdir().expect("folder");
        for name in ["liba.a", "liba.so", "libb.a"] {
            fs::write(dir.path().join(name), "").expect("writes");
        }
        let folder = dir.path().display().to_string();
        let files = |words: &[&str]| -> Vec<Option<String>> {
            let name = |path: &PathBuf| path.file_name().map(|name| name.display().to_string());
            let line = line(&[&["-L", &folder], words].concat());
            line.items()[1..].iter().map(|item| item.file.as_ref().and_then(name)).collect()
        };
        let file = |name: &str| Some(name.to_owned());
        assert_eq!(files(&["-la", "-lb", "-l:libb.a", "-lc"]), [None, file("libb.a"), file("libb.a"), None]);
        assert_eq!(
            files(&["--push-state", "-Bstatic", "-la", "--pop-state", "-la"])[2..],
            [file("liba.a"), None, None]
        );
        assert_eq!(files(&["-static", "-l", "a", "--library=a"])[1..], [file("liba.a"), file("liba.a")]);
    }
}
