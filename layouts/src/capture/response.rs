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

/// A captured command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// What is linked again.
    pub args: Vec<Arg>,
    /// What was left out and bears on the layout, in words.
    pub notes: Vec<String>,
}

/// The arguments of `text` without those that a relink replaces or that would bring in what the capture lacks.
///
/// Dropped: the folder to change to, the compiler's plug-in, the output and side outputs, the build id (a hash over
/// the whole file), placements of the link's own, and identical-code folding, which would lay two units on one address.
pub fn parse(text: &str) -> Result<Link, Error> {
    let mut args = Vec::new();
    let mut notes = Vec::new();
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
            ("-z", _) if value.as_deref() == Some("keep-text-section-prefix") => {
                notes
                    .push(format!("the link's `{line}` is left out: a draw places every function by itself"));
            }
            (option, "icf") if option.starts_with('-') => {
                if !line.ends_with("none") {
                    notes.push(format!("the link folded identical functions ({line}): left out in every arm, because a function needs an address of its own"));
                }
            }
            (option, name) if option.starts_with('-') && places(name) => {
                notes.push(format!("the link's `{line}` is left out: the draw says what lies where"));
            }
            (
                option,
                "chroot" | "plugin" | "plugin-opt" | "reproduce" | "build-id" | "Map" | "threads" | "output"
                | "start-group" | "end-group" | "dependency-file",
            ) if option.starts_with('-') => {}
            // Groups are always searched repeatedly by LLD.
            ("-(" | "-)", _) => {}
            ("-l", _) => args.extend(value.map(Arg::Library)),
            ("-L", _) => args.extend(value.map(Arg::Search)),
            (option, _) if option.starts_with('-') => args.push(Arg::Option(words)),
            _ => args.push(Arg::Input(first.clone())),
        }
    }
    Ok(Link { args, notes })
}

/// Whether this is the name of an option that orders or places sections.
fn places(option: &str) -> bool {
    let options = [
        "symbol-ordering-file",
        "call-graph-ordering-file",
        "call-graph-profile-sort",
        "section-start",
        "shuffle-sections",
        "randomize-section-padding",
        "irpgo-profile",
        "irpgo-profile-sort",
        "Ttext",
        "Tdata",
        "Tbss",
    ];
    options.contains(&option) || option.starts_with("bp-")
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
        let link = parse(text).expect("parses");
        assert_eq!(link.args, expected);
        assert!(link.notes.is_empty(), "{:?}", link.notes);
    }

    #[test]
    fn placements_of_the_links_own_are_left_out_and_told() {
        for line in [
            "--icf=all",
            "--icf=safe",
            "-z keep-text-section-prefix",
            "--symbol-ordering-file=order.txt",
            "--section-start=.text=0x1000000",
            "-Ttext=0x1000000",
            "--bp-startup-sort=function",
        ] {
            let link = parse(line).expect("parses");
            assert!(link.args.is_empty(), "{line}: {:?}", link.args);
            assert!(link.notes.len() == 1 && link.notes[0].contains(line), "{line}: {:?}", link.notes);
        }
        assert_eq!(parse("--icf=none").expect("parses"), Link::default());
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
