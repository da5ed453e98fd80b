//! `bundle.toml` as written: every key, with its place, before any check.

use std::collections::BTreeMap;
use std::ops::Range;

use layouts::parts::Part;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;

use super::problem::{Problem, Source};

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct File {
    pub name: Spanned<String>,
    pub build: Spanned<Build>,
    #[serde(default)]
    pub component: Vec<Spanned<Component>>,
    pub workload: Workload,
    pub identity: Option<Spanned<Identity>>,
    #[serde(default)]
    pub lane: Vec<Spanned<Lane>>,
    #[serde(default)]
    pub measure: Measure,
    #[serde(default)]
    pub layout: Layout,
    #[serde(default)]
    pub tolerance: Tolerance,
    pub diagnostics: Option<Spanned<Diagnostics>>,
}

/// A file whose `[build]` alone must be there: what is compared needs no components.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct BuildFile {
    pub name: Option<Spanned<String>>,
    pub build: Spanned<Build>,
    #[serde(default)]
    pub component: Vec<Spanned<Component>>,
    pub workload: Option<Workload>,
    pub identity: Option<Spanned<Identity>>,
    #[serde(default)]
    pub lane: Vec<Spanned<Lane>>,
    #[serde(default)]
    pub measure: Measure,
    #[serde(default)]
    pub layout: Layout,
    #[serde(default)]
    pub tolerance: Tolerance,
    pub diagnostics: Option<Spanned<Diagnostics>>,
}

impl From<File> for BuildFile {
    fn from(file: File) -> BuildFile {
        BuildFile {
            name: Some(file.name),
            build: file.build,
            component: file.component,
            workload: Some(file.workload),
            identity: file.identity,
            lane: file.lane,
            measure: file.measure,
            layout: file.layout,
            tolerance: file.tolerance,
            diagnostics: file.diagnostics,
        }
    }
}

impl BuildFile {
    /// The same with a lane, if it has none.
    pub fn with_lane(mut self, name: &str, core: usize) -> BuildFile {
        if self.lane.is_empty() {
            let (name, core) = (Spanned::new(0..0, name.to_string()), Spanned::new(0..0, core));
            self.lane.push(Spanned::new(0..0, Lane { name, core, options: BTreeMap::new(), build: None }));
        }
        self
    }
}

/// How every arm is built, or what is different on one lane: the keys of all kinds.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Build {
    pub kind: Option<Spanned<String>>,
    pub path: Option<Spanned<String>>,
    pub git: Option<Spanned<String>>,
    pub fetch: Option<Spanned<String>>,
    pub package: Option<Spanned<String>>,
    pub binary: Option<Spanned<String>>,
    pub profile: Option<Spanned<String>>,
    pub features: Option<Spanned<Vec<Spanned<String>>>>,
    pub target_cpu: Option<Spanned<String>>,
    pub env: Option<Spanned<Table>>,
    pub command: Option<Spanned<toml::Value>>,
    pub executable: Option<Spanned<String>>,
    pub vars: Option<Spanned<Table>>,
    pub base: Option<Spanned<String>>,
    pub full: Option<Spanned<String>>,
    pub without: Option<Spanned<Table>>,
    pub profile_guided: Option<Spanned<bool>>,
}

/// Names with their values.
pub type Table = BTreeMap<Spanned<String>, Spanned<String>>;

impl Build {
    /// The keys that are written, with their places.
    pub fn keys(&self) -> Vec<(&'static str, Range<usize>)> {
        fn at<T>(written: &Option<Spanned<T>>) -> Option<Range<usize>> {
            written.as_ref().map(Spanned::span)
        }
        let all = [
            ("kind", at(&self.kind)),
            ("path", at(&self.path)),
            ("git", at(&self.git)),
            ("fetch", at(&self.fetch)),
            ("package", at(&self.package)),
            ("binary", at(&self.binary)),
            ("profile", at(&self.profile)),
            ("features", at(&self.features)),
            ("target_cpu", at(&self.target_cpu)),
            ("env", at(&self.env)),
            ("command", at(&self.command)),
            ("executable", at(&self.executable)),
            ("vars", at(&self.vars)),
            ("base", at(&self.base)),
            ("full", at(&self.full)),
            ("without", at(&self.without)),
            ("profile_guided", at(&self.profile_guided)),
        ];
        all.into_iter().filter_map(|(key, place)| Some((key, place?))).collect()
    }

    /// These keys on top of `common` ones; of tables, entry by entry.
    pub fn over(&self, common: &Build) -> Build {
        fn key<T: Clone>(own: &Option<T>, common: &Option<T>) -> Option<T> {
            own.clone().or_else(|| common.clone())
        }
        fn table(own: &Option<Spanned<Table>>, common: &Option<Spanned<Table>>) -> Option<Spanned<Table>> {
            let (Some(own), Some(common)) = (own, common) else { return key(own, common) };
            let is_own = |name: &str| own.get_ref().keys().any(|other| other.get_ref() == name);
            let kept = common.get_ref().iter().filter(|(name, _)| !is_own(name.get_ref()));
            let all = kept.chain(own.get_ref()).map(|(name, value)| (name.clone(), value.clone()));
            Some(Spanned::new(own.span(), all.collect()))
        }
        Build {
            profile: key(&self.profile, &common.profile),
            features: key(&self.features, &common.features),
            target_cpu: key(&self.target_cpu, &common.target_cpu),
            env: table(&self.env, &common.env),
            command: key(&self.command, &common.command),
            executable: key(&self.executable, &common.executable),
            vars: table(&self.vars, &common.vars),
            base: key(&self.base, &common.base),
            full: key(&self.full, &common.full),
            without: table(&self.without, &common.without),
            ..common.clone()
        }
    }
}

/// One speed-up.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Component {
    pub name: Spanned<String>,
    pub feature: Option<Spanned<String>>,
    pub define: Option<Spanned<toml::Value>>,
    pub patch: Option<Spanned<toml::Value>>,
    pub git: Option<Spanned<String>>,
    pub option: Option<Spanned<SwitchOption>>,
    pub executable: Option<Spanned<String>>,
    pub costs: Option<Vec<Spanned<String>>>,
}

/// A UCI option that switches a component.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct SwitchOption {
    pub name: Spanned<String>,
    pub on: Spanned<toml::Value>,
    pub off: Spanned<toml::Value>,
}

/// What every arm searches.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Workload {
    pub positions: Spanned<String>,
    pub nodes: Spanned<u64>,
}

/// How far the same-tree proof goes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Identity {
    pub suite: Option<Spanned<String>>,
    pub positions: Option<Spanned<usize>>,
    pub nodes: Option<Spanned<u64>>,
    pub levels: Option<Spanned<Vec<Spanned<Level>>>>,
    #[serde(default)]
    pub paths: Vec<Spanned<Options>>,
    pub bench: Option<Spanned<Vec<String>>>,
}

/// One level of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Level {
    pub positions: Spanned<usize>,
    pub nodes: Spanned<u64>,
}

/// UCI options with their values.
pub type Options = BTreeMap<Spanned<String>, Spanned<toml::Value>>;

/// One measuring set-up.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Lane {
    pub name: Spanned<String>,
    pub core: Spanned<usize>,
    #[serde(default)]
    pub options: Options,
    pub build: Option<Spanned<Build>>,
}

/// How slots are cut.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Measure {
    pub processes: Option<Spanned<usize>>,
    pub slice_ms: Option<Spanned<f64>>,
    pub threshold: Option<Spanned<f64>>,
    pub calibration_phases: Option<Spanned<usize>>,
    pub lanes_at_once: Option<Spanned<bool>>,
}

/// How large a loss may be without being declared.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Tolerance {
    pub memory_percent: Option<Spanned<f64>>,
    pub memory_kib: Option<Spanned<u64>>,
    pub executable_size_percent: Option<Spanned<f64>>,
    pub executable_size_kib: Option<Spanned<u64>>,
    pub start_up_time_percent: Option<Spanned<f64>>,
    pub start_up_time_ms: Option<Spanned<f64>>,
    pub lane_percent: Option<Spanned<f64>>,
}

/// What is measured after the trial.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Diagnostics {
    pub together: Spanned<Vec<Spanned<Vec<Spanned<String>>>>>,
    pub phases: Option<Spanned<usize>>,
}

/// The layout scheme.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Layout {
    pub seed: Option<u64>,
    order: Option<Spanned<bool>>,
    padding: Option<Spanned<bool>>,
    phase: Option<Spanned<bool>>,
    segments: Option<Spanned<bool>>,
    heap: Option<Spanned<bool>>,
    stack: Option<Spanned<bool>>,
    mapping: Option<Spanned<bool>>,
    pub tables: Option<Tables>,
    copy: Option<Spanned<bool>>,
}

/// The option by which arms are told where to put their own tables.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Tables {
    pub option: Spanned<String>,
    pub values: Spanned<u32>,
}

impl Layout {
    /// What is written of a part.
    pub fn part(&self, part: Part) -> Option<&Spanned<bool>> {
        let written = match part {
            Part::Order => &self.order,
            Part::Padding => &self.padding,
            Part::Phase => &self.phase,
            Part::Segments => &self.segments,
            Part::Heap => &self.heap,
            Part::Stack => &self.stack,
            Part::Mapping => &self.mapping,
            // Not a switch: it says how.
            Part::Tables => &None,
            Part::Copy => &self.copy,
        };
        written.as_ref()
    }
}

/// Reads the text, turning the parser's complaints into problems with their place.
pub fn parse<T: DeserializeOwned>(source: &Source) -> Result<T, Problem> {
    toml::from_str(&source.text).map_err(|e| {
        let span = e.span().unwrap_or(0..0);
        explain(e.message(), &written(&source.text, span.clone()), |what| source.at(span.clone(), what))
    })
}

/// What stands at a place, as far as one line goes.
fn written(text: &str, span: Range<usize>) -> String {
    const LONGEST: usize = 40;
    let rest = text.get(span.start..).unwrap_or_default();
    let length = if span.is_empty() { rest.chars().next().map_or(0, char::len_utf8) } else { span.len() };
    match rest.get(..length).unwrap_or_default().lines().next().unwrap_or_default() {
        "" if rest.is_empty() => "the end of the file".to_string(),
        "" => "the end of the line".to_string(),
        line if line.chars().count() > LONGEST => {
            format!("`{}…`", line.chars().take(LONGEST).collect::<String>())
        }
        line => format!("`{line}`"),
    }
}

/// The messages of serde and of the parser have fixed wordings; each becomes found and expected.
fn explain(message: &str, written: &str, at: impl Fn(&str) -> Problem) -> Problem {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    if let (true, Some((found, known))) = (message.starts_with("unknown field"), names.split_first()) {
        return at("unknown key").found(format!("`{found}`")).one_of(found, known);
    }
    if let (true, Some(key)) = (message.starts_with("missing field"), names.first()) {
        return at(&format!("the key `{key}` is missing")).found("nothing").expected(format!("`{key} = …`"));
    }
    let wrong = ["invalid type: ", "invalid value: "].iter().find_map(|p| message.strip_prefix(p));
    if let Some((found, expected)) = wrong.and_then(|rest| rest.split_once(", expected ")) {
        let expected = match expected {
            "u32" => "a whole number from 0 to 4294967295",
            "u64" | "usize" => "a whole number, zero or more",
            "f64" => "a number",
            "a sequence" => "a list (a list of tables is written `[[…]]`)",
            "a map" => "a table",
            "a boolean" => "`true` or `false`",
            other => other,
        };
        let found = match found {
            "sequence" | "map" => written,
            // How the parser holds it is nobody's business.
            found => found.split(" as ").next().unwrap_or(found),
        };
        return at("wrong kind of value").found(found).expected(expected);
    }
    let (what, expected) = message.split_once(", expected ").unwrap_or((message, ""));
    let expected = match (what, expected) {
        ("duplicate key", _) => "each key and each table once; a list of tables is `[[…]]` each time",
        (what, _) if what.contains("overflowed") => "a number that can be held",
        (_, "newline, `#`") => "the end of the line or a comment",
        (_, "literal string") => "a value; text stands in quotation marks",
        (_, "key") => "a key, as `name = …`",
        (_, list) if list.starts_with("non-double-quote") => {
            "text without control characters (they are written as `\\u001b`)"
        }
        (_, "") => "what TOML allows here",
        (_, other) => other,
    };
    at(what).found(written).expected(expected)
}
