//! A scripted UCI engine for the lab's tests: fast, deterministic, and ill-behaved on demand.
//!
//! `FAKE_ENGINE`, or the option `Script` where the lab draws the environment too, holds words separated by commas; so do the
//! last bytes of its own executable, behind `#FAKE_ENGINE:`, which tells two copies apart. `=K` counts searches from 1, the hand-shake's left out:
//! `work=N` steps of work a node · `nodes=K` one node too many in search K · `tree=K` another score in
//! search K · `die=K` · `abort=K` · `hang=K` · `mute=K` no node count in search K ·
//! `mated=K` and no move either · `garbage` ·
//! `chatter` without end · `never-uciok` · `never-ready` · `busy` while it should be idle · `slow=MS` to start ·
//! `bench=N` nodes · `bench-dies` · `bench-hangs` · `no-bench`: it takes no notice of that word · `memory=MIB` taken at the start · `echo` tells options on standard error ·
//! where the option `Odd` makes the tree another one: `odd=promotions`, `odd=alone` (both `Save` are off), `odd=PATH` ·
//! `loss=PATH`: where `Save B` costs what it saves elsewhere · `copy=N` more steps where the
//! inode number has an odd count of ones · `layout=N` more steps where the stack lies so, and with `Save A` where it does not.
//!
//! | option | what it does |
//! |---|---|
//! | `Save A`, `Save B` | so many steps of work less on every node |
//! | `SIMD` | the path that `odd` and `loss` speak of |
//! | `Odd` | another score wherever `odd` says |
//! | `Script` | the words from now on |

use std::hint::black_box;
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

fn main() -> io::Result<()> {
    // Its address tells where the stack lies.
    let mark = 0_u8;
    let script = Script(format!("{},{}", std::env::var("FAKE_ENGINE").unwrap_or_default(), own_words()?));
    if std::env::args().nth(1).as_deref() == Some("bench") && !script.has("no-bench") {
        if script.has("bench-dies") {
            eprintln!("fake engine: told to die");
            std::process::exit(3);
        }
        while script.has("bench-hangs") {
            std::thread::sleep(Duration::from_secs(3600));
        }
        println!("fake bench\n{} nodes 1000 nps", script.number("bench").unwrap_or(4242));
        return Ok(());
    }
    if let Some(ms) = script.number("slow") {
        std::thread::sleep(Duration::from_millis(ms));
    }
    if script.has("garbage") {
        io::stdout().write_all(b"\xff\xfe\x00 garbage\ninfo\ninfo nodes\nbestmove\n\n")?;
    }
    if script.has("busy") {
        std::thread::spawn(|| {
            loop {
                work(1, 1_000_000);
            }
        });
    }
    let mebibytes = script.number("memory").unwrap_or(0) as usize;
    let taken = black_box(vec![1u8; mebibytes << 20]);
    let mut engine = Engine {
        script,
        options: Options { saved: [0, 0], simd: "scalar".to_owned(), odd: false },
        odd_file: is_odd(&std::fs::metadata("/proc/self/exe")?),
        odd_stack: black_box(&raw const mark).addr() / 16 % 2 == 1,
        position: String::new(),
        searches: 0,
        state: 0x9e37_79b9_7f4a_7c15,
    };
    for line in io::stdin().lock().lines() {
        if !engine.command(&line?)? {
            break;
        }
    }
    drop(black_box(taken));
    Ok(())
}

/// The words behind the mark at the end of the executable.
fn own_words() -> io::Result<String> {
    const MARK: &str = "#FAKE_ENGINE:";
    let mut file = std::fs::File::open("/proc/self/exe")?;
    file.seek(SeekFrom::End(-256))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    let end = String::from_utf8_lossy(&end);
    Ok(end.rsplit_once(MARK).map_or(String::new(), |(_, words)| words.to_owned()))
}

/// The words of `FAKE_ENGINE`.
struct Script(String);

impl Script {
    fn has(&self, word: &str) -> bool {
        self.0.split(',').any(|part| part.trim() == word)
    }

    fn number(&self, word: &str) -> Option<u64> {
        self.text(word).map(|value| value.parse().expect("a number"))
    }

    fn text(&self, word: &str) -> Option<&str> {
        self.0.split(',').find_map(|part| part.trim().strip_prefix(word)?.strip_prefix('='))
    }
}

/// What `setoption` has set.
struct Options {
    /// Steps that each part saves.
    saved: [i64; 2],
    simd: String,
    odd: bool,
}

impl Options {
    fn set(&mut self, name: &str, value: &str) {
        match name {
            "Save A" => self.saved[0] = value.parse().expect("a number"),
            "Save B" => self.saved[1] = value.parse().expect("a number"),
            "SIMD" => value.clone_into(&mut self.simd),
            "Odd" => self.odd = value == "true",
            _ => (),
        }
    }
}

struct Engine {
    script: Script,
    options: Options,
    /// Whether the inode number of the file that runs has an odd count of ones.
    odd_file: bool,
    /// Whether the stack lies at an odd multiple of 16.
    odd_stack: bool,
    position: String,
    searches: u64,
    /// What searches leave behind, so that order matters as in a real engine.
    state: u64,
}

impl Engine {
    /// False at the end.
    fn command(&mut self, line: &str) -> io::Result<bool> {
        let mut out = io::stdout();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["uci"] if !self.script.has("never-uciok") => writeln!(
                out,
                "id name Fake\noption name Hash type spin default 16 min 1 max 1024\n\
                 option name Clear Hash type button\n\
                 option name Save A type spin default 0 min -1000 max 1000\n\
                 option name Save B type spin default 0 min -1000 max 1000\n\
                 option name SIMD type combo default scalar var scalar var avx2 var avx512\n\
                 option name Odd type check default false\n\
                 option name Script type string default <empty>\nuciok"
            )?,
            ["setoption", "name", ..] => {
                if self.script.has("echo") {
                    eprintln!("{line}");
                }
                let option = line.trim_start_matches("setoption name ");
                let (name, value) = option.split_once(" value ").unwrap_or((option, ""));
                match name {
                    "Script" => self.script = Script(value.to_owned()),
                    name => self.options.set(name, value),
                }
            }
            ["isready"] if !self.script.has("never-ready") => writeln!(out, "readyok")?,
            ["position", ..] => self.position = line.to_owned(),
            ["go", "depth", "1"] => {
                writeln!(out, "info depth 1 score cp 0 nodes 20 time 0 nps 0 pv a2a3\nbestmove a2a3")?;
            }
            ["go", "nodes", nodes] => self.search(nodes.parse().expect("a number"))?,
            ["quit"] => return Ok(false),
            _ => (),
        }
        out.flush()?;
        Ok(true)
    }

    fn search(&mut self, limit: u64) -> io::Result<()> {
        self.searches += 1;
        let now = Some(self.searches);
        if now == self.script.number("die") {
            eprintln!("fake engine: told to die");
            std::process::exit(3);
        }
        if now == self.script.number("abort") {
            std::process::abort();
        }
        while now == self.script.number("hang") {
            std::thread::sleep(Duration::from_secs(3600));
        }
        let mut out = io::stdout();
        while self.script.has("chatter") {
            writeln!(out, "still thinking")?;
        }

        let seed = self.position.bytes().fold(self.state, |seed, byte| mix(seed ^ u64::from(byte)));
        let other = u64::from(now == self.script.number("tree") || self.is_odd());
        let mated = now == self.script.number("mated");
        let mute = mated || now == self.script.number("mute");
        let (mut nodes, mut depth, mut best) = (0, 0, String::new());
        while nodes < limit {
            depth += 1;
            let more = (limit / 4 + 1).min(limit - nodes);
            nodes += more;
            self.state = mix(seed ^ nodes);
            black_box(work(more, self.steps()));
            best = format!("{}2{0}3", char::from(b'a' + (self.state % 8) as u8));
            let score = self.state % 100 + other;
            if !mute {
                let time = std::process::id();
                writeln!(
                    out,
                    "info depth {depth} score cp {score} nodes {nodes} time {time} nps 1 pv {best}"
                )?;
            }
        }
        nodes += u64::from(now == self.script.number("nodes"));
        if !mute {
            writeln!(out, "info nodes {nodes}")?;
        }
        writeln!(out, "bestmove {}", if mated { "(none)" } else { &best })?;
        Ok(())
    }

    /// Steps of work on every node.
    fn steps(&self) -> u64 {
        let Options { saved: [a, b], simd, .. } = &self.options;
        let b = if self.script.text("loss") == Some(simd.as_str()) { -b } else { *b };
        let more = |word: &str, applies: bool| self.script.number(word).filter(|_| applies).unwrap_or(0);
        let luck = more("copy", self.odd_file) + more("layout", self.odd_stack != (*a != 0));
        let steps = self.script.number("work").unwrap_or(20).saturating_add_signed(-a - b);
        steps.max(1) + luck
    }

    /// Whether another tree is searched here than should be.
    fn is_odd(&self) -> bool {
        self.options.odd
            && match self.script.text("odd") {
                Some("promotions") => promotes(&self.position),
                Some("alone") => self.options.saved == [0, 0],
                path => path == Some(self.options.simd.as_str()),
            }
    }
}

/// Whether the side to move has a pawn that is one step from promotion.
fn promotes(position: &str) -> bool {
    let mut words = position.split_whitespace().skip_while(|word| !word.contains('/'));
    let (board, side) = (words.next().unwrap_or_default(), words.next());
    let (rank, pawn) = if side == Some("w") { (1, 'P') } else { (6, 'p') };
    board.split('/').nth(rank).is_some_and(|rank| rank.contains(pawn))
}

/// Keeps the processor busy: `steps` for each of `nodes`.
fn work(nodes: u64, steps: u64) -> u64 {
    (0..nodes * steps).fold(nodes, |value, step| mix(black_box(value ^ step)))
}

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// A file's luck: by its inode, and by when it was written, since a new file may get the inode of one just removed.
/// `tests/scenarios/s03_the_file_itself.rs` looks for files by the same rule.
fn is_odd(file: &std::fs::Metadata) -> bool {
    (file.ino() ^ file.mtime_nsec().cast_unsigned()).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 1
}
