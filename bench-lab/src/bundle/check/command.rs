//! Builds by commands: the commands, their placeholders, and where the executable comes.

use std::ops::Range;
use std::path::{Component, Path};

use toml::Spanned;

use super::super::placeholders::{self, KNOWN};
use super::super::{Command, schema};
use super::Checker;
use super::builds::Common;

impl Checker<'_> {
    pub(super) fn command(
        &mut self,
        common: &Common<'_>,
        written: &Spanned<schema::Build>,
    ) -> Option<Command> {
        let build = written.get_ref();
        let Some(command) = &build.command else {
            self.missing(written.span(), "command");
            return None;
        };
        let commands = self.commands(command)?;
        let mut vars = std::collections::BTreeMap::new();
        for (name, value) in build.vars.iter().flat_map(|vars| vars.get_ref()) {
            let text = name.get_ref().as_str();
            if !placeholders::is_name(text) || KNOWN.contains(&text) {
                let expected = "small letters, digits and `_`, and none of the lab's own placeholders";
                self.complain(name.span(), "not a name for a placeholder", format!("`{text}`"), expected);
            }
            vars.insert(text.to_string(), value.get_ref().clone());
        }
        let known: Vec<&str> = KNOWN.into_iter().chain(vars.keys().map(String::as_str)).collect();
        let env = self.env(build);
        for text in &commands {
            self.placeholders(command.span(), text, &known);
        }
        for value in build.env.iter().flat_map(|env| env.get_ref().values()) {
            self.placeholders(value.span(), value.get_ref(), &known);
        }
        for value in build.vars.iter().flat_map(|vars| vars.get_ref().values()) {
            self.placeholders(value.span(), value.get_ref(), &KNOWN);
        }
        let texts: Vec<&String> = commands.iter().chain(env.values()).chain(vars.values()).collect();
        let uses = |name: &str| texts.iter().any(|text| placeholders::names(text).any(|other| other == name));
        for (name, why) in [
            ("cc_flags", "the compiler's flags: without them functions cannot be placed one by one"),
            ("ld_flags", "the flags of the last link: without them it is not recorded"),
        ] {
            if !uses(name) {
                let what = format!("the build does not use `{{{name}}}`");
                let found = format!("`{}`", commands.join("`, `"));
                let expected = format!("`{{{name}}}` among {why}");
                self.complain(command.span(), &what, found, &expected);
            }
        }
        match &build.executable {
            None if !uses("out") => {
                let found = "neither `{out}` in the command nor `executable`".to_string();
                let expected = "`-o {out}` or the like, or `executable = \"src/engine\"`";
                self.complain(command.span(), "nobody knows where the executable comes", found, expected);
            }
            Some(executable) if uses("out") => {
                let found = "both `{out}` and `executable`".to_string();
                self.complain(executable.span(), "the executable comes at two places", found, "one of them");
            }
            _ => {}
        }
        Some(Command {
            tree: common.tree.clone()?,
            commands,
            executable: build.executable.as_ref().and_then(|path| self.inside(path)),
            vars,
            env,
        })
    }

    /// One command or several.
    fn commands(&mut self, written: &Spanned<toml::Value>) -> Option<Vec<String>> {
        let commands = match written.get_ref() {
            toml::Value::String(one) => Some(vec![one.clone()]),
            toml::Value::Array(several) => {
                several.iter().map(|one| one.as_str().map(str::to_string)).collect::<Option<Vec<String>>>()
            }
            _ => None,
        };
        let expected = "a string, or a list of strings that are run one after another";
        match commands {
            Some(commands) if commands.iter().any(|one| one.contains('\0')) => {
                let found = format!("{:?}", commands.join(" "));
                self.complain(written.span(), "not a command", found, "text without the character NUL");
                None
            }
            Some(commands) if !commands.is_empty() && commands.iter().all(|one| !one.trim().is_empty()) => {
                Some(commands)
            }
            Some(_) => {
                self.complain(written.span(), "nothing would be run", "no command".into(), expected);
                None
            }
            None => {
                let found = written.get_ref().type_str().to_string();
                self.complain(written.span(), "not a command", found, expected);
                None
            }
        }
    }

    /// Every placeholder is known.
    fn placeholders(&mut self, span: Range<usize>, text: &str, known: &[&str]) {
        for name in placeholders::unknown(text, known) {
            let braced = format!("{{{name}}}");
            // Where it stands in the file, unless it is written in another way there.
            let place = match self.source.text.get(span.clone()).and_then(|raw| raw.find(&braced)) {
                Some(at) => span.start + at..span.start + at + braced.len(),
                None => span.clone(),
            };
            let problem = self.source.at(place, "unknown placeholder (braces are written `{{name}}`)");
            self.problems.push(problem.found(format!("`{braced}`")).one_of(name, known));
        }
    }

    /// A path that stays in the tree.
    fn inside(&mut self, path: &Spanned<String>) -> Option<std::path::PathBuf> {
        let written = Path::new(path.get_ref());
        let stays = written.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !stays || path.get_ref().is_empty() {
            let expected = "where the executable comes in the source tree, as `src/engine`";
            self.complain(path.span(), "not a path in the tree", format!("`{}`", path.get_ref()), expected);
            return None;
        }
        Some(written.to_path_buf())
    }
}
