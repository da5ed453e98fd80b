//! The words of a command line, those of response files among them.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use crate::Error;
use crate::error::io;

/// Response files may name others, but not without end.
const DEEPEST: usize = 16;

/// The arguments, with the words of the files that they name by `@` in their place.
pub fn expanded(args: &[OsString]) -> Result<Vec<OsString>, Error> {
    let mut words = Vec::new();
    for arg in args {
        expand(arg, 0, &mut words)?;
    }
    Ok(words)
}

/// Adds the word, or the words of the file that it names by `@`. A file that is not there stays for the linker to name.
fn expand(word: &OsStr, depth: usize, out: &mut Vec<OsString>) -> Result<(), Error> {
    let file = word.as_bytes().strip_prefix(b"@").map(|name| Path::new(OsStr::from_bytes(name)));
    let Some(file) = file.filter(|file| file.is_file() && depth < DEEPEST) else {
        out.push(word.to_owned());
        return Ok(());
    };
    let text = fs::read(file).map_err(io("read", file))?;
    split(&text).iter().try_for_each(|word| expand(word, depth + 1, out))
}

/// Splits a response file as GNU tools do: blanks outside quotes of either kind, a backslash takes the next character.
fn split(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word = None::<Vec<u8>>;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', _) => word.get_or_insert_default().extend(bytes.next()),
            (byte, Some(open)) if byte == open => quote = None,
            (b'"' | b'\'', None) => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (byte, None) if byte.is_ascii_whitespace() => words.extend(word.take()),
            (byte, _) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_files_are_taken_in() {
        let dir = tempfile::tempdir().expect("folder");
        let (outer, inner) = (dir.path().join("outer"), dir.path().join("inner"));
        fs::write(&inner, "-o 'a b'\n\"c\\\"d\" e\\ f ''").expect("writes");
        fs::write(&outer, format!("-pie\n@{}\n", inner.display())).expect("writes");
        let words = expanded(&[format!("@{}", outer.display()).into(), "@not-there".into()]).expect("reads");
        assert_eq!(words, ["-pie", "-o", "a b", "c\"d", "e f", "", "@not-there"]);
    }
}
