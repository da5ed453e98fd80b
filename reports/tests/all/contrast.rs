//! The colours of the page can be read, WCAG 2 contrast AA in light and dark and on paper, and told apart by those who see
//! fewer of them.

use std::collections::BTreeMap;

const CSS: &str = include_str!("../../templates/report.css");

/// Texts: at least 4.5 to 1.
const TEXTS: [(&str, &str); 16] = [
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
    ("muted", "caution-soft"),
];

/// Marks that carry meaning: at least 3 to 1.
const MARKS: [(&str, &str); 9] = [
    ("point", "band"),
    ("centre", "band"),
    ("pass", "band"),
    ("fail", "band"),
    ("noise", "card"),
    ("zero", "band"),
    ("caution", "caution-soft"),
    ("ink", "band"),
    ("noise", "band"),
];

/// The colours of the `n`-th `:root` block; the printed one writes some with three digits.
fn scheme(n: usize) -> BTreeMap<&'static str, [f64; 3]> {
    let block = CSS.split(":root {").nth(n + 1).and_then(|rest| rest.split_once('}')).expect("a block").0;
    let declared = block.split(';').filter_map(|line| line.trim().strip_prefix("--")?.split_once(": #"));
    declared.map(|(name, hex)| (name, [0, 1, 2].map(|at| channel(&digits(hex, at))))).collect()
}

/// The two digits of a channel, of `#f60` as of `#ff6600`.
fn digits(hex: &str, channel: usize) -> String {
    match hex.len() {
        3 => hex[channel..=channel].repeat(2),
        _ => hex[2 * channel..2 * channel + 2].to_owned(),
    }
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

const SCHEMES: [&str; 3] = ["light", "dark", "printed"];

#[test]
fn every_scheme_can_be_read() {
    for (number, name) in SCHEMES.into_iter().enumerate() {
        let scheme = scheme(number);
        for (pairs, least) in [(&TEXTS[..], 4.5), (&MARKS[..], 3.0)] {
            for (one, other) in pairs {
                let found = contrast(&scheme, one, other);
                assert!(found >= least, "{name}: {one} on {other} is {found:.2} to 1, {least} needed");
            }
        }
    }
}

/// What colours, as linear red, green and blue, look like without one kind of cone (Machado, Oliveira and Fernandes, 2009).
const BLINDNESS: [(&str, [[f64; 3]; 3]); 3] = [
    (
        "without red",
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    ),
    (
        "without green",
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    ),
    (
        "without blue",
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ),
];

/// Colours that stand for opposites in one plot or table.
const OPPOSITES: [(&str, &str); 2] = [("pass", "fail"), ("pass", "centre")];

/// Clearly more than the 2 or 3 that a trained eye just sees.
const APART: f64 = 25.0;

#[test]
fn opposites_are_told_apart_without_a_kind_of_cone() {
    for (number, name) in SCHEMES.into_iter().enumerate() {
        let scheme = scheme(number);
        for (kind, matrix) in BLINDNESS {
            let seen = |colour: &str| lab(matrix.map(|row| dot(row, scheme[colour]).clamp(0.0, 1.0)));
            for (one, other) in OPPOSITES {
                let (a, b) = (seen(one), seen(other));
                let distance = (0..3).map(|at| (a[at] - b[at]).powi(2)).sum::<f64>().sqrt();
                assert!(distance >= APART, "{name}, {kind}: {one} and {other} are {distance:.1} apart");
            }
        }
    }
}

fn dot(row: [f64; 3], colour: [f64; 3]) -> f64 {
    row.iter().zip(colour).map(|(factor, value)| factor * value).sum()
}

/// CIE L*a*b* of linear sRGB under daylight.
fn lab(colour: [f64; 3]) -> [f64; 3] {
    let rows = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
    let white = [0.9505, 1.0, 1.089];
    let root = |value: f64| if value > 0.008856 { value.cbrt() } else { 7.787 * value + 16.0 / 116.0 };
    let [x, y, z] = [0, 1, 2].map(|at| root(dot(rows[at], colour) / white[at]));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}
