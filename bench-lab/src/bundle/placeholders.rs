//! Placeholders in the commands of a build: `{out}` and the like.

/// Placeholders that the lab fills in.
pub const KNOWN: [&str; 4] = ["cc_flags", "ld_flags", "jobs", "out"];

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Stays as it is.
    Text(&'a str),
    /// Is filled in.
    Placeholder(&'a str),
}

/// Takes a text apart. A placeholder is a name in braces; `${name}` and braces around anything else are the
/// shell's, and `{{name}}` stands for `{name}`.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut kept, mut at) = (0, 0);
    while let Some(open) = text[at..].find('{').map(|open| at + open) {
        at = open + 1;
        let Some(name) = text[at..].find('}').map(|close| &text[at..at + close]) else { break };
        if text[..open].ends_with('$') {
            continue;
        }
        if let Some(escaped) = name.strip_prefix('{').filter(|inner| is_name(inner)) {
            let end = at + name.len();
            if text[end..].starts_with("}}") {
                pieces.push(Piece::Text(&text[kept..open]));
                pieces.push(Piece::Text(&text[at..at + escaped.len() + 2]));
                at = end + 2;
                kept = at;
            }
            continue;
        }
        if is_name(name) {
            pieces.push(Piece::Text(&text[kept..open]));
            pieces.push(Piece::Placeholder(name));
            at += name.len() + 1;
            kept = at;
        }
    }
    pieces.push(Piece::Text(&text[kept..]));
    pieces.retain(|piece| *piece != Piece::Text(""));
    pieces
}

/// Names of the placeholders in a text.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Placeholder(name) => Some(name),
        Piece::Text(_) => None,
    })
}

/// The placeholders in a text that are none of these.
pub fn unknown<'t>(text: &'t str, known: &[&str]) -> impl Iterator<Item = &'t str> {
    names(text).filter(move |name| !known.contains(name))
}

/// The text with every placeholder replaced by its value; one without a value stays.
pub fn fill(text: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let filled = pieces(text).into_iter().map(|piece| match piece {
        Piece::Text(text) => text.to_string(),
        Piece::Placeholder(name) => value(name).unwrap_or_else(|| format!("{{{name}}}")),
    });
    filled.collect()
}

/// Whether it can name a placeholder.
pub fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_braces_are_filled_and_the_rest_is_the_shells() {
        let value = |name: &str| Some(name.to_uppercase());
        for (text, filled) in [
            ("make -j{jobs} CXXFLAGS=\"-O2 {cc_flags}\"", "make -jJOBS CXXFLAGS=\"-O2 CC_FLAGS\""),
            ("{out}", "OUT"),
            ("{out}{out}", "OUTOUT"),
            ("echo ${HOME} {a,b} {} { {Name} {", "echo ${HOME} {a,b} {} { {Name} {"),
            ("awk '{{print}}' {out}", "awk '{print}' OUT"),
            ("", ""),
        ] {
            assert_eq!(fill(text, value), filled, "{text}");
        }
        assert_eq!(names("{a} {{b}} ${c} {d1}").collect::<Vec<_>>(), ["a", "d1"]);
        assert_eq!(fill("{x}", |_| None), "{x}");
        assert_eq!(unknown("{out} {outt} {{outtt}}", &KNOWN).collect::<Vec<_>>(), ["outt"]);
    }
}
