//! Reading lines from a pipe that never blocks, with bounds on what is kept.

use std::io::{self, Read};

/// Longest line that is kept whole; the rest of a longer one is dropped.
const MAX_LINE: usize = 64 * 1024;

/// What a read found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// Bytes came; there may be more.
    Some,
    /// Nothing at the moment.
    Empty,
    /// The writer has closed its end.
    Closed,
}

/// Cuts what comes out of a non-blocking pipe into lines.
#[derive(Debug)]
pub(super) struct LineReader<R> {
    source: R,
    buffer: Vec<u8>,
    /// Up to where `buffer` is known to hold no line end.
    searched: usize,
    /// Inside a line that was longer than [`MAX_LINE`].
    skipping: bool,
    /// Bytes read since the count was last begun anew.
    read: u64,
}

impl<R: Read> LineReader<R> {
    pub(super) fn new(source: R) -> LineReader<R> {
        LineReader { source, buffer: Vec::new(), searched: 0, skipping: false, read: 0 }
    }

    /// Bytes read since the count was last begun anew.
    pub(super) fn read(&self) -> u64 {
        self.read
    }

    /// Begins the count of bytes anew.
    pub(super) fn forget_read(&mut self) {
        self.read = 0;
    }

    /// What was read and is no whole line yet.
    pub(super) fn rest(&self) -> String {
        String::from_utf8_lossy(&self.buffer).trim_end().to_owned()
    }

    pub(super) fn source(&self) -> &R {
        &self.source
    }

    /// Reads what is there, at most one piece of it.
    pub(super) fn fill(&mut self) -> io::Result<Fill> {
        let mut piece = [0; 16 * 1024];
        match self.source.read(&mut piece) {
            Ok(0) => Ok(Fill::Closed),
            Ok(read) => {
                self.read += read as u64;
                self.buffer.extend_from_slice(&piece[..read]);
                Ok(Fill::Some)
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                Ok(Fill::Empty)
            }
            Err(error) => Err(error),
        }
    }

    /// The next whole line, without its end.
    pub(super) fn line(&mut self) -> Option<String> {
        loop {
            let Some(end) = self.buffer[self.searched..].iter().position(|&byte| byte == b'\n') else {
                self.searched = self.buffer.len();
                if self.skipping {
                    self.buffer.clear();
                    self.searched = 0;
                } else if self.buffer.len() > MAX_LINE {
                    self.skipping = true;
                    return Some(self.take(MAX_LINE, self.buffer.len()));
                }
                return None;
            };
            let end = self.searched + end;
            let line = self.take(end, end + 1);
            if !std::mem::take(&mut self.skipping) {
                return Some(line);
            }
        }
    }

    /// The first `end` bytes as text; the first `next` bytes are used up.
    fn take(&mut self, end: usize, next: usize) -> String {
        let line = String::from_utf8_lossy(&self.buffer[..end]).trim_end_matches('\r').to_owned();
        self.buffer.drain(..next);
        self.searched = 0;
        line
    }
}

/// The end of what a process wrote to standard error.
#[derive(Debug)]
pub(super) struct Tail<R> {
    source: R,
    kept: Vec<u8>,
    /// All bytes read.
    read: u64,
}

/// How much of standard error is kept.
const MAX_TAIL: usize = 2048;

impl<R: Read> Tail<R> {
    pub(super) fn new(source: R) -> Tail<R> {
        Tail { source, kept: Vec::new(), read: 0 }
    }

    /// All bytes read.
    pub(super) fn read(&self) -> u64 {
        self.read
    }

    pub(super) fn source(&self) -> &R {
        &self.source
    }

    /// Reads what is there, at most one piece of it; false when the writer has closed its end.
    pub(super) fn fill(&mut self) -> bool {
        let mut piece = [0; 16 * 1024];
        match self.source.read(&mut piece) {
            Ok(0) => false,
            Ok(read) => {
                self.read += read as u64;
                self.kept.extend_from_slice(&piece[..read]);
                let surplus = self.kept.len().saturating_sub(MAX_TAIL);
                self.kept.drain(..surplus);
                true
            }
            Err(error) => matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted),
        }
    }

    /// The lines that were kept; the first may be cut.
    pub(super) fn lines(&self) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.kept);
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// Gives its pieces one by one, then nothing.
    struct Pieces(VecDeque<Vec<u8>>);

    impl Read for Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let piece = self.0.pop_front().ok_or(io::ErrorKind::WouldBlock)?;
            buffer[..piece.len()].copy_from_slice(&piece);
            Ok(piece.len())
        }
    }

    fn all_lines(pieces: &[&[u8]]) -> Vec<String> {
        let mut reader = LineReader::new(Pieces(pieces.iter().map(|piece| piece.to_vec()).collect()));
        let mut lines = Vec::new();
        while reader.fill().unwrap() == Fill::Some {
            lines.extend(std::iter::from_fn(|| reader.line()));
        }
        lines
    }

    #[test]
    fn lines_over_pieces() {
        assert_eq!(all_lines(&[b"one\ntw", b"o\r\n", b"\nrest"]), ["one", "two", ""]);
        assert_eq!(all_lines(&[b"\xff\xfe\n"]), ["\u{fffd}\u{fffd}"]);
    }

    #[test]
    fn endless_line_is_cut() {
        let long = [b'x'; 16 * 1024];
        let lines = all_lines(&[&long, &long, &long, &long, &long, &long, b"yy\nnext\n"]);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].len(), MAX_LINE);
        assert_eq!(lines[1], "next");
    }

    #[test]
    fn tail_keeps_the_end() {
        let mut tail = Tail::new(Pieces((0..1000).map(|i| format!("line {i}\n").into_bytes()).collect()));
        for _ in 0..1000 {
            assert!(tail.fill());
        }
        assert!(tail.kept.len() <= MAX_TAIL);
        assert_eq!(tail.lines().last().map(String::as_str), Some("line 999"));
    }
}
