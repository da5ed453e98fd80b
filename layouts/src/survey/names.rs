//! Names by which a function or variable is found again in another executable of the program.

use std::collections::HashMap;

use super::Named;
use crate::unit::{stable_file_name, stable_name};

/// A symbol as its table has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    pub section: String,
    pub address: u64,
    pub bytes: u64,
    pub function: bool,
    /// The source file that a local symbol is from.
    pub source: Option<String>,
}

/// Everything at an address once, under a name of its own where there is one.
pub fn named(mut symbols: Vec<Symbol>) -> Vec<Named> {
    symbols.sort_by(|a, b| {
        let key = |s: &Symbol| (s.section.clone(), s.address, std::cmp::Reverse(s.bytes), s.source.is_some());
        key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
    });
    // Several names for one thing: the global one, else the first.
    symbols.dedup_by(|later, first| (&later.section, later.address) == (&first.section, first.address));

    let mut all: Vec<(Named, Option<String>)> = symbols
        .into_iter()
        .map(|symbol| {
            let Symbol { section, address, bytes, function, .. } = symbol;
            let name = stable_name(&symbol.name);
            (Named { section, address, bytes, name, function, unique: true }, symbol.source)
        })
        .collect();
    let often = counts(&all);
    for (named, source) in &mut all {
        if often[&(named.section.clone(), named.name.clone())] > 1
            && let Some(source) = source
        {
            let file = stable_file_name(source.rsplit('/').next().unwrap_or(source));
            named.name.push_str(&format!(" ({file})"));
        }
    }
    let often = counts(&all);
    let mut all: Vec<Named> = all
        .into_iter()
        .map(|(named, _)| Named { unique: often[&(named.section.clone(), named.name.clone())] == 1, ..named })
        .collect();
    all.sort();
    all
}

fn counts(all: &[(Named, Option<String>)]) -> HashMap<(String, String), usize> {
    let mut counts = HashMap::new();
    for (named, _) in all {
        *counts.entry((named.section.clone(), named.name.clone())).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: &str, address: u64, source: Option<&str>) -> Symbol {
        Symbol {
            name: name.to_owned(),
            section: ".text".to_owned(),
            address,
            bytes: 8,
            function: true,
            source: source.map(str::to_owned),
        }
    }

    #[test]
    fn one_name_for_each_address_and_files_where_names_repeat() {
        let found = named(vec![
            symbol("clear", 0x10, Some("src/table.cpp")),
            symbol("clear", 0x20, Some("src/board.cpp")),
            symbol("_ZN5hello4main17h0123456789abcdefE", 0x30, Some("x")),
            symbol("local_alias", 0x40, Some("x")),
            symbol("global", 0x40, None),
            symbol("twin", 0x50, Some("x.c")),
            symbol("twin", 0x60, Some("x.c")),
        ]);
        let told: Vec<(u64, &str, bool)> =
            found.iter().map(|n| (n.address, n.name.as_str(), n.unique)).collect();
        assert_eq!(
            told,
            [
                (0x10, "clear (table.cpp)", true),
                (0x20, "clear (board.cpp)", true),
                (0x30, "hello::main", true),
                (0x40, "global", true),
                (0x50, "twin (x.c)", false),
                (0x60, "twin (x.c)", false),
            ]
        );
    }
}
