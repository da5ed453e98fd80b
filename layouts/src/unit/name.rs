//! Stable names: a symbol without what changes from build to build.

/// The symbol's name without crate hash, disambiguator and the numbers that compilers append.
///
/// Such a number (of clones, of equal names in a program that is optimised as a whole, of static variables in functions)
/// counts through a file or a program: one more anywhere changes all that follow.
///
/// ```
/// use layouts::unit::stable_name;
/// assert_eq!(stable_name("_RNvCs1AdN8cFC2m1_5hello4main"), "hello::main");
/// assert_eq!(stable_name("_ZN5hello4main17h0123456789abcdefE.llvm.77"), "hello::main");
/// assert_eq!(stable_name("search_root.constprop.0"), "search_root.constprop");
/// ```
pub fn stable_name(symbol: &str) -> String {
    let bare = without_number(without_llvm_suffix(symbol));
    match rustc_demangle::try_demangle(bare) {
        Ok(name) => format!("{name:#}"),
        Err(_) => bare.to_owned(),
    }
}

/// Whether the symbol is mangled by rustc and so tells its place without its file.
pub(crate) fn is_rust(symbol: &str) -> bool {
    rustc_demangle::try_demangle(symbol).is_ok()
}

/// Whether the symbol ends in a number that a compiler appended to tell it from others of its name.
pub(crate) fn is_numbered(symbol: &str) -> bool {
    // The first of its name that other parts got to see; it may be a local one, without a number, in another arm.
    let symbol = symbol.strip_suffix(".lto_priv.0").unwrap_or(symbol);
    without_number(symbol).len() < symbol.len()
}

/// Whether the symbol is a local one that another part of the program got to see, when it was optimised as a whole.
pub(crate) fn is_promoted(symbol: &str) -> bool {
    symbol.contains(".lto_priv.") || without_llvm_suffix(symbol).len() < symbol.len()
}

/// GCC appends `.<number>`, and `.lto_priv.<number>` when it optimises the whole program; LLVM the former.
fn without_number(symbol: &str) -> &str {
    let bare = symbol.trim_end_matches(|c: char| c.is_ascii_digit());
    match bare.strip_suffix('.') {
        Some(rest) if bare.len() < symbol.len() && !rest.is_empty() => {
            without_number(rest.strip_suffix(".lto_priv").unwrap_or(rest))
        }
        _ => symbol,
    }
}

/// ThinLTO appends `.llvm.<number>` to promoted local symbols; more suffixes may follow.
fn without_llvm_suffix(symbol: &str) -> &str {
    let Some(at) = symbol.find(".llvm.") else { return symbol };
    let rest = &symbol[at + ".llvm.".len()..];
    let number = rest.chars().take_while(char::is_ascii_alphanumeric).count();
    if number > 0 && rest[..number].chars().all(|c| c.is_ascii_hexdigit()) { &symbol[..at] } else { symbol }
}

/// A file name without the hashes that compilers put in (`engine-0123456789abcdef.o` gives `engine.o`).
pub(crate) fn stable_file_name(name: &str) -> String {
    let is_hash = |part: &str| part.len() >= 16 && part.bytes().all(|b| b.is_ascii_alphanumeric());
    let mut out = String::new();
    for part in name.split_inclusive(['-', '.']) {
        let (word, separator) = match part.strip_suffix(['-', '.']) {
            Some(word) => (word, &part[word.len()..]),
            None => (part, ""),
        };
        if is_hash(word) {
            out.pop();
        } else {
            out.push_str(word);
        }
        out.push_str(separator);
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn crate_hashes_do_not_matter() {
        let a = "_RNvXs_Cs1AdN8cFC2m1_5helloNtB4_1BNtB4_5Shape4area";
        let b = "_RNvXs_Cs9ZdN8cFC2m1_5helloNtB4_1BNtB4_5Shape4area";
        assert_eq!(stable_name(a), stable_name(b));
        assert_eq!(stable_name(a), "<hello::B as hello::Shape>::area");
    }

    #[test]
    fn numbers_of_compilers_do_not_matter() {
        for (numbered, name) in [
            ("calls.12", "calls"),
            ("local.lto_priv.0", "local"),
            ("local.constprop.0.lto_priv.3", "local.constprop"),
            ("main.cold", "main.cold"),
            ("_RNvCs1AdN8cFC2m1_5hello4main.283", "hello::main"),
            ("x86", "x86"),
            (".5", ".5"),
        ] {
            assert_eq!(stable_name(numbered), name);
        }
        assert!(!is_numbered("flank.lto_priv.0") && is_numbered("flank.lto_priv.1"));
        assert!(is_numbered("calls.2.lto_priv.0"));
        assert!(is_numbered("calls.12") && !is_numbered("x86") && !is_numbered("a.b"));
        assert!(is_promoted("a.lto_priv.0") && is_promoted("a.llvm.77") && !is_promoted("a.0"));
    }

    #[test]
    fn generic_arguments_matter() {
        let a = stable_name("_RINvCs1AdN8cFC2m1_5hello3mapmE");
        let b = stable_name("_RINvCs1AdN8cFC2m1_5hello3maphE");
        assert_eq!((a.as_str(), b.as_str()), ("hello::map::<u32>", "hello::map::<u8>"));
    }

    #[test]
    fn file_names_lose_their_hashes() {
        assert_eq!(stable_file_name("hello.hello.1273d9ed416c1fbf-cgu.0.rcgu.o"), "hello.hello-cgu.0.rcgu.o");
        assert_eq!(stable_file_name("libstd-27cfc16bdf3bb694.rlib"), "libstd.rlib");
        assert_eq!(stable_file_name("search.o"), "search.o");
    }

    proptest! {
        #[test]
        fn suffix_of_llvm_never_matters(name in "[a-z_]{1,20}", number in 0u64..) {
            prop_assert_eq!(stable_name(&format!("{name}.llvm.{number}")), name);
        }

        #[test]
        fn any_symbol_has_a_name(symbol in "\\PC{1,40}") {
            prop_assert!(!stable_name(&symbol).is_empty());
        }

        #[test]
        fn hash_in_a_file_name_never_matters(stem in "[a-z]{1,8}", a in "[0-9a-f]{16}", b in "[0-9a-f]{16}") {
            prop_assert_eq!(stable_file_name(&format!("{stem}-{a}.o")), stable_file_name(&format!("{stem}-{b}.o")));
        }
    }
}
