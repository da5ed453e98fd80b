//! The colours of the page can be read: WCAG 2 contrast AA in light and dark.

use std::collections::BTreeMap;

const CSS: &str = include_str!("../../templates/report.css");

/// Texts: at least 4.5 to 1.
const TEXTS: [(&str, &str); 15] = [
    ("ink", "page"),
    ("ink", "card"),
    ("muted", "page"),
    ("muted", "card"),
    ("pass", "page"),
    ("pass", "card"),
    ("pass", "pass-soft"),
    ("ink", "pass-soft"),
    ("card", "pass"),
    ("fail", "page"),
    ("fail", "card"),
    ("fail", "fail-soft"),
    ("ink", "fail-soft"),
    ("card", "fail"),
    ("ink", "caution-soft"),
];

/// Marks that carry meaning: at least 3 to 1.
const MARKS: [(&str, &str); 7] = [
    ("point", "band"),
    ("centre", "band"),
    ("pass", "band"),
    ("fail", "band"),
    ("noise", "card"),
    ("zero", "band"),
    ("caution", "caution-soft"),
];

/// The colours of the `n`-th `:root` block.
fn scheme(n: usize) -> BTreeMap<&'static str, [f64; 3]> {
    let block = CSS.split(":root {").nth(n + 1).and_then(|rest| rest.split_once('}')).expect("a block").0;
    let declared = block.split(';').filter_map(|line| line.trim().strip_prefix("--")?.split_once(": #"));
    declared.map(|(name, hex)| (name, [0, 2, 4].map(|at| channel(&hex[at..at + 2])))).collect()
}

fn channel(hex: &str) -> f64 {
    let value = f64::from(u8::from_str_radix(hex, 16).expect("two hex digits")) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn contrast(scheme: &BTreeMap<&str, [f64; 3]>, one: &str, other: &str) -> f64 {
    let [one, other] = [one, other].map(|name| {
        let [red, green, blue] = scheme[name];
        0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
    });
    one.max(other) / one.min(other)
}

#[test]
fn light_and_dark_can_be_read() {
    for (name, scheme) in [("light", scheme(0)), ("dark", scheme(1))] {
        for (pairs, least) in [(&TEXTS[..], 4.5), (&MARKS[..], 3.0)] {
            for (one, other) in pairs {
                let found = contrast(&scheme, one, other);
                assert!(found >= least, "{name}: {one} on {other} is {found:.2} to 1, {least} needed");
            }
        }
    }
}
