//! Numbers, names and verdicts as people read them.

use crate::chart::escape;

/// The minus sign, as wide as the plus sign.
pub const MINUS: char = '−';

/// A signed number with two digits: `+1.52`.
pub fn signed(value: f64) -> String {
    signed_digits(value, 2)
}

/// A signed number with a chosen count of digits. Only zero itself has no sign: what rounds to
/// zero still lies on one side of it, and the verdict counts sides.
pub fn signed_digits(value: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", value.abs());
    if value == 0.0 {
        text
    } else if value < 0.0 {
        format!("{MINUS}{text}")
    } else {
        format!("+{text}")
    }
}

/// Percentage points of log rate as a speed-up in percent.
pub fn speedup(points: f64) -> f64 {
    100.0 * (points / 100.0).exp_m1()
}

/// `[+1.30, +1.71]`
pub fn interval(bounds: (f64, f64)) -> String {
    format!("[{}, {}]", signed(bounds.0), signed(bounds.1))
}

/// `[+1.31, +1.72] %`, the bounds as speed-ups.
pub fn speedup_interval(bounds: (f64, f64)) -> String {
    format!("{} %", interval((speedup(bounds.0), speedup(bounds.1))))
}

/// A text for terminals: names in it must not steer them, and numbers are plain ASCII, because they are pasted into other tools.
pub fn terminal(text: &str) -> String {
    printable(&text.replace(MINUS, "-"))
}

/// The verdict's word.
pub fn verdict(passed: bool) -> &'static str {
    if passed { "proven" } else { "not proven" }
}

/// The verdict's mark: never colour alone.
pub fn mark(passed: bool) -> char {
    if passed { '✓' } else { '✗' }
}

/// A whole number in groups of three: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes with a unit that leaves three or four digits.
pub fn bytes(count: u64) -> String {
    match count {
        0..10_000 => format!("{} B", grouped(count)),
        10_000..10_000_000 => format!("{:.1} KiB", count as f64 / 1024.0),
        _ => format!("{:.1} MiB", count as f64 / (1024.0 * 1024.0)),
    }
}

/// Seconds as people say them.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7200.0 => format!("{:.1} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// How long a piece of work took.
pub fn precise(seconds: f64) -> String {
    match seconds {
        s if s < 0.0995 => format!("{:.0} ms", 1000.0 * s),
        s => format!("{s:.2} s"),
    }
}

/// A share in percent.
pub fn share(part: usize, whole: usize) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

/// A name must not steer the terminal.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{FFFD}' } else { c }).collect()
}

/// `1 lane`, `2 lanes`.
pub fn count(number: usize, noun: &str) -> String {
    let ending = match (number, noun.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{number} {noun}{ending}")
}

/// `a`, `a and b`, `a, b and c`.
pub fn listed(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}

/// A text as HTML, what stands between backticks as code.
pub fn coded(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let mut out = String::with_capacity(text.len() + 16);
    for (number, part) in parts {
        match number % 2 {
            0 => out.push_str(&escape(part)),
            _ => out.extend(["<code>", &escape(part), "</code>"]),
        }
    }
    out
}

/// A caption as it goes on behind a colon.
pub fn lower(caption: &str) -> String {
    let mut letters = caption.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

/// `lane a`, `lanes a and b`.
pub fn lanes(names: &[impl AsRef<str>]) -> String {
    format!("{} {}", if names.len() == 1 { "lane" } else { "lanes" }, listed(names))
}

/// A name cut in its middle to what fits a plot's margin: what tells names apart often ends them.
pub fn short(name: &str, most: usize) -> String {
    let characters: Vec<char> = name.chars().collect();
    if characters.len() <= most {
        return name.to_owned();
    }
    let (head, tail) = (most / 2, most.saturating_sub(most / 2 + 1));
    let (start, end) = (&characters[..head], &characters[characters.len() - tail..]);
    start.iter().chain(&['…']).chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_rounding() {
        assert_eq!(signed(1.524), "+1.52");
        assert_eq!(signed(-0.126), "−0.13");
        assert_eq!(signed(-0.001), "−0.00");
        assert_eq!(signed(0.0), "0.00");
        assert_eq!(interval((-0.2, 1.0)), "[−0.20, +1.00]");
    }

    #[test]
    fn speedup_of_a_doubled_rate() {
        assert!((speedup(100.0 * 2f64.ln()) - 100.0).abs() < 1e-9);
        assert_eq!(speedup(0.0), 0.0);
    }

    #[test]
    fn groups_units_and_cuts() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(bytes(12_000_000), "11.4 MiB");
        assert_eq!((precise(0.054), precise(0.2026)), ("54 ms".to_owned(), "0.20 s".to_owned()));
        assert_eq!(share(0, 0), "–");
        assert_eq!(share(1, 8), "12.5 %");
        assert_eq!(coded("see `a<b>` & c"), "see <code>a&lt;b&gt;</code> &amp; c");
        assert_eq!((lower("Heap offsets"), lower("")), ("heap offsets".to_owned(), String::new()));
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(short("prefetch", 8), "prefetch");
        assert_eq!(short("component-12", 8), "comp…-12");
        assert_eq!(short("ab", 0), "…");
    }
}
