//! Components taken out of a bundle's text, everything else left as its author wrote it.

use toml_edit::{Array, DocumentMut, Item, Table, TomlError, Value};

use super::Leaving;

/// The text of a bundle under another name without some of its components. Comments before a component stay,
/// with a line that says why it is not there.
pub(super) fn without(text: &str, name: &str, leaving: &[Leaving]) -> Result<String, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    if let Some(value) = document.get_mut("name").and_then(Item::as_value_mut) {
        let mut renamed = Value::from(name);
        *renamed.decor_mut() = value.decor().clone();
        *value = renamed;
    }
    match document.get_mut("component") {
        Some(Item::ArrayOfTables(_)) => tables(&mut document, leaving),
        Some(Item::Value(Value::Array(_))) => inline(&mut document, leaving),
        _ => {}
    }
    diagnostics(&mut document, leaving);
    Ok(document.to_string())
}

/// Takes out what was to be left out together with a component that leaves.
fn diagnostics(document: &mut DocumentMut, leaving: &[Leaving]) {
    let table = document.get_mut("diagnostics").and_then(Item::as_table_like_mut);
    let Some(together) = table.and_then(|table| table.get_mut("together")).and_then(Item::as_array_mut)
    else {
        return;
    };
    let leaves = |name: &Value| name.as_str().is_some_and(|name| leaving.iter().any(|one| one.name == name));
    for index in (0..together.len()).rev() {
        let group = together.get(index).and_then(Value::as_array);
        if group.is_some_and(|group| group.iter().any(leaves)) {
            remove(together, index);
        }
    }
    if together.is_empty()
        && let Some(Item::Table(removed)) = document.remove("diagnostics")
    {
        let before = removed.decor().prefix().and_then(|prefix| prefix.as_str()).unwrap_or_default();
        if before.contains('#') {
            hand_on(document, last_position(&removed), before);
        }
    }
}

/// Takes components out that are written as `[[component]]`.
fn tables(document: &mut DocumentMut, leaving: &[Leaving]) {
    let mut index = document.get("component").and_then(Item::as_array_of_tables).map_or(0, |all| all.len());
    // From the last on: what one leaves behind goes to the next table that stays.
    while index > 0 {
        index -= 1;
        let Some(all) = document.get_mut("component").and_then(Item::as_array_of_tables_mut) else { return };
        let Some(leaves) = all.get(index).and_then(|table| leaving_as(table.get("name"), leaving)) else {
            continue;
        };
        let removed = all.remove(index);
        let before = removed.decor().prefix().and_then(|prefix| prefix.as_str()).unwrap_or("\n");
        let kept = format!("{before}{}", note(leaves));
        hand_on(document, last_position(&removed), &kept);
    }
    if document.get("component").and_then(Item::as_array_of_tables).is_some_and(|all| all.is_empty()) {
        document.remove("component");
    }
}

/// Takes components out that are written as `component = [{…}, …]`.
fn inline(document: &mut DocumentMut, leaving: &[Leaving]) {
    let mut notes = String::new();
    if let Some(all) = document.get_mut("component").and_then(Item::as_array_mut) {
        let mut index = 0;
        while index < all.len() {
            let table = all.get(index).and_then(Value::as_inline_table);
            let name = table.and_then(|table| table.get("name")).map(|name| Item::Value(name.clone()));
            match leaving_as(name.as_ref(), leaving) {
                None => index += 1,
                Some(leaves) => {
                    notes.push_str(&note(leaves));
                    remove(all, index);
                }
            }
        }
    }
    if let Some(mut key) = document.as_table_mut().key_mut("component") {
        let decor = key.leaf_decor_mut();
        let before = decor.prefix().and_then(|prefix| prefix.as_str()).unwrap_or_default();
        decor.set_prefix(format!("{before}{notes}"));
    }
}

/// Removes a value; the next one takes its place, comments before it included.
fn remove(all: &mut Array, index: usize) {
    let removed = all.remove(index);
    let before = removed.decor().prefix().and_then(|prefix| prefix.as_str()).unwrap_or_default().to_owned();
    match all.get_mut(index) {
        Some(next) if before.contains('#') => {
            let own = next.decor().prefix().and_then(|prefix| prefix.as_str()).unwrap_or_default();
            let both = format!("{before}{own}");
            next.decor_mut().set_prefix(both);
        }
        Some(next) => next.decor_mut().set_prefix(before),
        None if before.contains('#') => {
            let own = all.trailing().as_str().unwrap_or_default();
            let both = format!("{before}{own}");
            all.set_trailing(both);
        }
        None => {}
    }
}

fn leaving_as<'a>(name: Option<&Item>, leaving: &'a [Leaving]) -> Option<&'a Leaving> {
    let name = name?.as_str()?;
    leaving.iter().find(|one| one.name == name)
}

fn note(leaves: &Leaving) -> String {
    format!("# {} is not in this bundle: {}.\n", leaves.name, leaves.why)
}

/// Puts text before the first table behind a position, or at the end of the document.
fn hand_on(document: &mut DocumentMut, position: isize, text: &str) {
    let mut positions = Vec::new();
    each_table(document.as_table_mut(), &mut |table| positions.extend(table.position()));
    match positions.into_iter().filter(|&other| other > position).min() {
        None => {
            let own = document.trailing().as_str().unwrap_or_default();
            let both = format!("{text}{own}");
            document.set_trailing(both);
        }
        Some(next) => each_table(document.as_table_mut(), &mut |table| {
            if table.position() == Some(next) {
                let own = table.decor().prefix().and_then(|prefix| prefix.as_str()).unwrap_or_default();
                let both = format!("{text}{own}");
                table.decor_mut().set_prefix(both);
            }
        }),
    }
}

/// The place in the document of the last table within a table, itself included.
fn last_position(table: &Table) -> isize {
    let mut last = isize::MIN;
    each_table(&mut table.clone(), &mut |table| last = last.max(table.position().unwrap_or(isize::MIN)));
    last
}

/// Visits a table and all those within it.
fn each_table(table: &mut Table, visit: &mut impl FnMut(&mut Table)) {
    visit(table);
    for (_, item) in table.iter_mut() {
        match item {
            Item::Table(inner) => each_table(inner, visit),
            Item::ArrayOfTables(all) => all.iter_mut().for_each(|inner| each_table(inner, visit)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: &str = r#"# What it is for.
name = 'quick'  # short

[build]
kind = "cargo"

# What a component may cost is said before.
[[component]]
name = "a"     # the first
feature = "a"
costs = []

# About b,
# in two lines.
[[component]]
name = "b"
option.name = "B"
costs = []

[[component]]
name = "c"
[component.option]
name = "C"

# Behind all.
[measure]
processes = 2   # few

# At the end.
"#;

    fn leaving(names: &[&str]) -> Vec<Leaving> {
        let why = "trial t (plan 0123) did not prove it".to_owned();
        names.iter().map(|&name| Leaving { name: name.to_owned(), why: why.clone() }).collect()
    }

    fn smaller(text: &str, names: &[&str]) -> String {
        without(text, "quick-2", &leaving(names)).expect("a bundle")
    }

    #[test]
    fn the_first_leaves() {
        let expected = TABLES.replace("'quick'", "\"quick-2\"").replace(
            "[[component]]\nname = \"a\"     # the first\nfeature = \"a\"\ncosts = []\n",
            "# a is not in this bundle: trial t (plan 0123) did not prove it.\n",
        );
        assert_eq!(smaller(TABLES, &["a"]), expected);
    }

    #[test]
    fn neighbours_leave_and_all_comments_stay() {
        let text = smaller(TABLES, &["b", "c"]);
        let tail = text.split("costs = []\n").nth(1).expect("what follows a");
        let expected = "\n# About b,\n# in two lines.\n# b is not in this bundle: trial t (plan 0123) did not prove it.\n\n\
            # c is not in this bundle: trial t (plan 0123) did not prove it.\n\n# Behind all.\n[measure]\n\
            processes = 2   # few\n\n# At the end.\n";
        assert_eq!(tail, expected);
    }

    #[test]
    fn the_last_table_of_all_leaves() {
        let text = "name = \"q\"\n\n[[component]]\nname = \"a\"\n\n# On b.\n[[component]]\nname = \"b\"\n# The end.\n";
        let expected = "name = \"quick-2\"\n\n[[component]]\nname = \"a\"\n\n# On b.\n\
            # b is not in this bundle: trial t (plan 0123) did not prove it.\n# The end.\n";
        assert_eq!(smaller(text, &["b"]), expected);
    }

    #[test]
    fn groups_that_are_left_out_together_leave_with_any_of_them() {
        let text =
            format!("{TABLES}\n# Twice over?\n[diagnostics]\ntogether = [[\"a\", \"b\"], [\"b\", \"c\"]]\n");
        let left = smaller(&text, &["a"]);
        assert!(left.ends_with("# Twice over?\n[diagnostics]\ntogether = [[\"b\", \"c\"]]\n"), "{left}");
        let left = smaller(&text, &["b"]);
        assert!(!left.contains("diagnostics") && left.ends_with("\n# Twice over?\n"), "{left}");
    }

    #[test]
    fn components_in_one_list_leave_too() {
        let text = "name = \"q\"\n# All.\ncomponent = [\n  { name = \"a\" }, # one\n  # On b.\n  { name = \"b\" },\n  { name = \"c\" },\n]\n";
        let parsed: toml::Table = smaller(text, &["b"]).parse().expect("TOML");
        let names: Vec<&str> = parsed["component"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|c| c["name"].as_str())
            .collect();
        assert_eq!(names, ["a", "c"]);
        let left = smaller(text, &["b"]);
        assert!(left.contains("# All.\n# b is not in this bundle: ") && left.contains("# On b."), "{left}");
        let short = "name = \"q\"\ncomponent = [{ name = \"a\" }, { name = \"b\" }]\n";
        let left = smaller(short, &["a"]);
        assert!(left.ends_with("did not prove it.\ncomponent = [{ name = \"b\" }]\n"), "{left}");
    }
}
