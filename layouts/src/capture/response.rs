//! The captured command line, `response.txt`: one argument or option with its value a line.

use std::path::Path;

use crate::Error;

/// One argument of the captured link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A file to link, relative to the capture's folder.
    Input(String),
    /// `-l NAME`.
    Library(String),
    /// `-L FOLDER`, relative to the capture's folder.
    Search(String),
    /// Anything else, one or two words.
    Option(Vec<String>),
}

/// The arguments of `text` without those that a relink replaces or that would bring in what the capture lacks.
///
/// Dropped: the folder to change to, the compiler's plug-in, the output and side outputs, the build id (a hash over
/// the whole file), and identical-code folding, which would lay two units on one address.
pub fn parse(text: &str) -> Result<Vec<Arg>, Error> {
    let mut args = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words = words(line);
        let [first, rest @ ..] = words.as_slice() else { continue };
        let value = rest.first().cloned();
        let name = first.trim_start_matches('-').split('=').next().unwrap_or_default();
        match (first.as_str(), name) {
            ("-T", _) | (_, "script" | "default-script") => {
                return Err(Error::UnsupportedLink {
                    option: line.to_owned(),
                    remedy: "link without a linker script of your own",
                });
            }
            ("-r", _) | (_, "relocatable" | "shared" | "Bshareable") => {
                return Err(Error::UnsupportedLink {
                    option: line.to_owned(),
                    remedy: "capture the link of the executable, not of a library or a partial link",
                });
            }
            ("-o", _) => {}
            // Would spread functions over several sections by the prefix of their names.
            ("-z", _) if value.as_deref() == Some("keep-text-section-prefix") => {}
            (
                option,
                "chroot"
                | "plugin"
                | "plugin-opt"
                | "reproduce"
                | "build-id"
                | "Map"
                | "icf"
                | "threads"
                | "output"
                | "symbol-ordering-file"
                | "section-start"
                | "shuffle-sections"
                | "randomize-section-padding"
                | "Ttext"
                | "Tdata"
                | "Tbss"
                | "start-group"
                | "end-group"
                | "dependency-file",
            ) if option.starts_with('-') => {}
            // Groups are always searched repeatedly by LLD.
            ("-(" | "-)", _) => {}
            ("-l", _) => args.extend(value.map(Arg::Library)),
            ("-L", _) => args.extend(value.map(Arg::Search)),
            (option, _) if option.starts_with('-') => args.push(Arg::Option(words)),
            _ => args.push(Arg::Input(first.clone())),
        }
    }
    Ok(args)
}

/// Whether the file that `input` names is there, as the linker would find it.
pub fn check_input(folder: &Path, input: &str) -> Result<(), Error> {
    if folder.join(input).is_file() {
        return Ok(());
    }
    Err(Error::MissingInput { input: input.to_owned(), folder: folder.to_owned() })
}

/// One line for a response file, every word quoted.
pub fn line<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    let mut out = String::new();
    for word in words {
        out.push('"');
        for c in word.as_ref().chars() {
            if matches!(c, '"' | '\\') {
                out.push('\\');
            }
            out.push(c);
        }
        out.push_str("\" ");
    }
    out.push('\n');
    out
}

/// Splits a line as the linker does: blanks outside double quotes, a backslash takes the next character as it is.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = None::<String>;
    let mut quoted = false;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            '\\' => word.get_or_insert_default().extend(chars.next()),
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_captured_command_line_is_cleaned() {
        let text = "--chroot .\n-plugin /usr/lib/liblto_plugin.so\n-plugin-opt=/usr/lib/lto-wrapper\n--build-id=sha1\n\
                    -m elf_x86_64\n-pie\n-o engine\nusr/lib/Scrt1.o\n-L usr/lib\n\"tmp/a b.o\"\n-l gcc_s\n-O 1\n";
        let option = |words: &[&str]| Arg::Option(words.iter().map(ToString::to_string).collect());
        let expected = [
            option(&["-m", "elf_x86_64"]),
            option(&["-pie"]),
            Arg::Input("usr/lib/Scrt1.o".into()),
            Arg::Search("usr/lib".into()),
            Arg::Input("tmp/a b.o".into()),
            Arg::Library("gcc_s".into()),
            option(&["-O", "1"]),
        ];
        assert_eq!(parse(text).expect("parses"), expected);
    }

    #[test]
    fn links_that_cannot_be_drawn_are_refused() {
        for line in ["-T layout.ld", "-r", "--shared", "--script=x.ld"] {
            let error = parse(line).expect_err(line);
            assert!(error.to_string().contains(line), "{error}");
        }
    }

    proptest! {
        #[test]
        fn quoted_words_come_back(words_in in proptest::collection::vec("[ -~]{1,12}", 1..5)) {
            prop_assert_eq!(words(line(&words_in).trim_end_matches('\n')), words_in);
        }
    }
}
