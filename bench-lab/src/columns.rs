//! Plain-text tables: aligned columns, and numbers as people read them.

/// Rows as lines with aligned columns: the first `left` of them flush left, the others flush right.
pub fn columns(rows: &[Vec<String>], left: usize) -> String {
    let most = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..most).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column < left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        text.push_str("  ");
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    printable(&text)
}

/// Cells of a row.
pub fn row<S: Into<String>>(cells: impl IntoIterator<Item = S>) -> Vec<String> {
    cells.into_iter().map(Into::into).collect()
}

/// A whole number in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `812 of 815 (99.6 %)`.
pub fn share(part: usize, whole: usize) -> String {
    match whole {
        0 => "none".to_owned(),
        _ => format!("{part} of {whole} ({:.1} %)", 100.0 * part as f64 / whole as f64),
    }
}

/// A name must not steer the terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{FFFD}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_names_harmless() {
        let rows = [row(["name", "bytes"]), row(["\u{1b}[2Jλ", "1"]), row(["longer", "1,234"])];
        assert_eq!(columns(&rows, 1), "  name    bytes\n  \u{FFFD}[2Jλ       1\n  longer  1,234\n");
        assert_eq!((grouped(0), grouped(1_234_567)), ("0".to_owned(), "1,234,567".to_owned()));
        assert_eq!((share(1, 8), share(0, 0)), ("1 of 8 (12.5 %)".to_owned(), "none".to_owned()));
    }
}
