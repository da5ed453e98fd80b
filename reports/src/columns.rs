//! Indented plain-text tables.

use crate::table::aligned;

/// Rows as indented lines: the first `left` columns flush left, the others flush right.
pub fn columns(rows: &[Vec<String>], left: usize) -> String {
    let numbers: Vec<usize> = (left..rows.first().map_or(0, Vec::len)).collect();
    aligned(rows, &numbers).lines().map(|line| format!("  {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn names_stand_left_and_numbers_right() {
        let rows = [vec!["λ".to_owned(), "1".to_owned()], vec!["two".to_owned(), "10".to_owned()]];
        assert_eq!(columns(&rows, 1), "  λ     1\n  two  10\n");
    }
}
