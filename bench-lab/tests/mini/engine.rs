//! A little UCI engine without dependencies: it counts instead of searching.
//!
//! `quick` does less work for the same answers, and so does each of `first` and `second`, which overlap; `odd` answers
//! otherwise, `frail` dies when the file `die` appears beside the manifest, `idle` changes nothing.

use std::hint::black_box;
use std::io::{BufRead, Write, stdin, stdout};
use std::path::Path;

static ROUNDS: u64 =
    if cfg!(any(feature = "quick", feature = "first", feature = "second")) { 20 } else { 30 };
/// What tells `first` and `second` apart.
static MARK: u64 = cfg!(feature = "first") as u64 + 2 * cfg!(feature = "second") as u64;
static MOVES: [&str; 4] = ["e2e4", "d2d4", "g1f3", "c2c4"];

#[inline(never)]
fn count(position: &str, nodes: u64) -> u64 {
    let mut state = position.bytes().fold(1, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    black_box(&MARK);
    let mark = state;
    for _ in 0..nodes * ROUNDS {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        black_box(state);
    }
    mark
}

fn search(position: &str, nodes: u64) -> String {
    if cfg!(feature = "frail") && Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/die")).exists() {
        std::process::abort();
    }
    let mark = count(position, nodes);
    let score = mark % 100 + u64::from(cfg!(feature = "odd") && position.contains('k'));
    let best = MOVES[(mark % 4) as usize];
    format!("info depth 1 nodes {nodes} score cp {score} time 1 pv {best}\ninfo nodes {nodes}\nbestmove {best}\n")
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some("bench") {
        count("bench", 1000);
        println!("1000 nodes 1000000 nps");
        return;
    }
    let mut position = String::new();
    for line in stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words.as_slice() {
            ["uci"] => "id name Mini\nid author the tests\nuciok\n".to_string(),
            ["isready"] => "readyok\n".to_string(),
            ["position", rest @ ..] => {
                position = rest.join(" ");
                continue;
            }
            ["go", "nodes", nodes] => search(&position, nodes.parse().unwrap_or(1)),
            ["go", ..] => search(&position, 1),
            ["quit"] => return,
            _ => continue,
        };
        let mut out = stdout().lock();
        if out.write_all(answer.as_bytes()).and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}
