//! Files of positions: one FEN a line, or the four fields of EPD with its operations, which say nothing of the position. `#` starts a comment.

use super::problem::{Problem, Source};

/// Reads every position, or tells what is wrong with each line that is none.
pub fn read(source: &Source) -> Result<Vec<String>, Vec<Problem>> {
    let (mut positions, mut problems) = (Vec::new(), Vec::new());
    // Some editors begin a file with a mark of its encoding.
    let mark = source.text.chars().take_while(|&c| c == '\u{feff}').map(char::len_utf8).sum();
    let mut offset = mark;
    for line in source.text[mark..].split_inclusive('\n') {
        let fen =
            before_operations(line).unwrap_or_else(|| line.split('#').next().unwrap_or_default()).trim();
        let start = offset + line.len() - line.trim_start().len();
        offset += line.len();
        if fen.is_empty() {
            continue;
        }
        match complaint(fen) {
            None => positions.push(fen.split_whitespace().collect::<Vec<_>>().join(" ")),
            Some((what, expected)) => {
                problems.push(source.at(start..start + fen.len(), what).found(fen).expected(expected));
            }
        }
    }
    if positions.is_empty() && problems.is_empty() {
        problems.push(
            Problem::whole(&source.path, "holds no position").found("nothing").expected("one FEN a line"),
        );
    }
    if problems.is_empty() { Ok(positions) } else { Err(problems) }
}

/// The fields of a line of EPD (`… w - - bm Qh7#; id "a";`); nothing if it is none.
fn before_operations(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    for _ in 0..4 {
        rest = rest.split_once(char::is_whitespace)?.1.trim_start();
    }
    let operations = rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.trim_end().ends_with(';');
    let fields = &line[..line.len() - rest.len()];
    (operations && !fields.contains('#')).then_some(fields)
}

/// What is wrong with a FEN, as far as its form goes; the engines judge the rest.
fn complaint(fen: &str) -> Option<(&'static str, &'static str)> {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    if !(4..=6).contains(&fields.len()) {
        return Some((
            "not a position",
            "four to six fields: board, side, castling, en passant, clocks; or EPD, each operation with its `;`",
        ));
    }
    let ranks: Vec<&str> = fields[0].split('/').collect();
    let files = |rank: &&str| {
        rank.chars().try_fold(0, |sum, c| match c {
            '1'..='8' => Some(sum + (c as u32 - '0' as u32)),
            c if "pnbrqkPNBRQK".contains(c) => Some(sum + 1),
            _ => None,
        })
    };
    if ranks.len() != 8 || ranks.iter().any(|rank| files(rank) != Some(8)) {
        return Some((
            "the board is not eight ranks of eight squares",
            "eight ranks such as `r1bqkb1r` or `8`",
        ));
    }
    let count = |piece: char| fields[0].matches(piece).count();
    if count('K') != 1 || count('k') != 1 {
        return Some(("not one king on each side", "exactly one `K` and one `k`"));
    }
    if [ranks[0], ranks[7]].iter().any(|rank| rank.contains(['p', 'P'])) {
        return Some(("a pawn stands on the first or last rank", "pawns on ranks 2 to 7"));
    }
    if !matches!(fields[1], "w" | "b") {
        return Some(("unknown side to move", "`w` or `b`"));
    }
    if fields[2] != "-" && !fields[2].chars().all(|c| "KQkqABCDEFGHabcdefgh".contains(c)) {
        return Some(("unknown castling rights", "`-` or some of `KQkq`"));
    }
    let square = |s: &str| matches!(s.as_bytes(), [b'a'..=b'h', b'3' | b'6']);
    if fields[3] != "-" && !square(fields[3]) {
        return Some(("unknown en passant square", "`-` or a square on rank 3 or 6"));
    }
    if fields[4..].iter().any(|clock| clock.parse::<u16>().is_err()) {
        return Some((
            "unknown move clocks",
            "the half-move clock and the move number; or EPD operations, each with its `;`",
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_of_epd_are_no_part_of_the_position() {
        let fields = "8/8/8/4k3/8/4K3/4P3/8 w - -";
        let table = [
            ("bm Qh7#; id \"one # two\";", Some(())),
            (" c9 \"https://example.org/\"; ", Some(())),
            ("bm Qh7", None),
            ("0 1", None),
            ("0 1 # hmvc 0;", None),
            ("# bm e4;", None),
            ("", None),
        ];
        for (rest, expected) in table {
            let line = format!("  {fields} {rest}\n");
            let found = before_operations(&line).map(str::trim);
            assert_eq!(found, expected.map(|()| fields), "{line}");
        }
        for line in ["bm Qh7;", "# from a book of openings;", "8/8 w # - - bm e4;"] {
            assert_eq!(before_operations(line), None);
        }
    }
}
