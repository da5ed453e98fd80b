//! Lines from the controller, with bounded memory whatever arrives.

use std::io::{self, BufRead, Read};

use super::error::CommandError;

/// Longest line that is read; a game of ten thousand moves has room.
pub const MOST_BYTES: usize = 1 << 20;

/// A source of lines.
pub struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// Reads from `reader`.
    pub fn new(reader: R) -> Self {
        Self { reader, buffer: Vec::new() }
    }

    /// The next line without its end: text, or what is wrong with it. `None` at the end of input.
    pub fn next(&mut self) -> io::Result<Option<Result<&str, CommandError>>> {
        self.buffer.clear();
        let read = self.reader.by_ref().take(MOST_BYTES as u64 + 1).read_until(b'\n', &mut self.buffer)?;
        if read == 0 {
            return Ok(None);
        }
        if self.buffer.last() != Some(&b'\n') && read > MOST_BYTES {
            self.skip_line()?;
            return Ok(Some(Err(CommandError::TooLong { most: MOST_BYTES })));
        }
        let line = str::from_utf8(self.buffer.trim_ascii());
        Ok(Some(line.map_err(|error| CommandError::NotText { at: error.valid_up_to() })))
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let available = self.reader.fill_buf()?;
            if available.is_empty() {
                return Ok(());
            }
            let end = available.iter().position(|&byte| byte == b'\n');
            let used = end.map_or(available.len(), |at| at + 1);
            self.reader.consume(used);
            if end.is_some() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8]) -> Vec<Result<String, String>> {
        let mut lines = Lines::new(input);
        let mut found = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            found.push(line.map(str::to_owned).map_err(|error| error.to_string()));
        }
        found
    }

    #[test]
    fn lines_end_as_they_like() {
        let expected = ["uci", "", "isready", "quit"].map(|line| Ok(line.to_owned()));
        assert_eq!(all(b"uci\r\n\n isready \nquit"), expected);
        assert_eq!(all(b""), []);
    }

    #[test]
    fn bytes_that_are_not_text_are_told() {
        let found = all(b"go \xff\nuci\n");
        assert_eq!(found[0], Err("input line: byte 3 is not UTF-8; expected text".into()));
        assert_eq!(found[1], Ok("uci".into()));
    }

    #[test]
    fn lines_without_end_are_skipped() {
        let mut input = vec![b'x'; 3 * MOST_BYTES];
        input.extend(b"\nuci\n");
        let found = all(&input);
        assert_eq!(found[0], Err("input line: more than 1048576 bytes; expected a shorter line".into()));
        assert_eq!(found[1], Ok("uci".into()));
        input.truncate(MOST_BYTES);
        input.push(b'\n');
        assert_eq!(all(&input)[0].as_ref().map(String::len), Ok(MOST_BYTES));
    }
}
