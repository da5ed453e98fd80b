//! A small good bundle with its surroundings, and what its author is told when it is changed.

use std::fs;
use std::path::Path;

use bench_lab::bundle::Bundle;

/// The good bundle.
pub const GOOD: &str = r#"name = "tiny"

[build]
kind = "cargo"
path = "mini"
package = "mini"
profile = "lab"
features = ["always"]

[[component]]
name = "one"
feature = "one"
costs = ["memory"]

[[component]]
name = "two"
feature = "two"
costs = []

[workload]
positions = "work.epd"
nodes = 1000

[identity]
positions = 4
nodes = 500

[[lane]]
name = "main"
core = 0
options = { Hash = 16 }

[measure]
processes = 1
slice_ms = 5
threshold = 1.5
calibration_phases = 4

[layout]
seed = 1
"#;

const MANIFEST: &str = r#"[package]
name = "mini"
edition = "2024"
[features]
always = []
one = []
two = []
both = ["one", "two"]
[workspace]
"#;

/// Its positions.
pub const POSITIONS: &str = "# a start\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\n\
    8/8/8/4k3/8/4K3/4P3/8 b - - # no clocks\n";

/// Writes a bundle with its surroundings and reads it.
pub fn read(bundle: &str, positions: &[u8]) -> Result<Bundle, String> {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &[u8]| fs::write(dir.path().join(name), text).expect("a file");
    fs::create_dir_all(dir.path().join("mini/src")).expect("a folder");
    write("mini/Cargo.toml", MANIFEST.as_bytes());
    write("mini/src/main.rs", b"fn main() {}");
    write("work.epd", positions);
    write("bundle.toml", bundle.as_bytes());
    read_in(dir.path())
}

/// Reads the bundle in a folder.
pub fn read_in(dir: &Path) -> Result<Bundle, String> {
    let shown = |e: bench_lab::bundle::BadBundle| e.to_string();
    // Only what lies below the folder is the same on every machine.
    Bundle::read(&dir.join("bundle.toml")).map_err(|e| {
        let dir = dir.to_str().expect("a UTF-8 path");
        shown(e).replace(&format!("{dir}/"), "").replace(dir, ".")
    })
}
